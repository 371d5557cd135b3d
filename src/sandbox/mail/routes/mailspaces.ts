// Decides how mailspaces are listed, viewed, deleted and restored. Must not buy or resize (mailspace-purchase.ts), and
// must not look inside: the list is local and is there when the mail server is not.
import { reachableAccounts } from '../../core/http/access.ts';
import { done, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { isListed } from '../../core/consistency-lag.ts';
import { RETENTION_MS, runMailClock } from '../clock.ts';
import { refusePlanState } from '../gates.ts';
import type { Mailspace } from '../state.ts';
import { mailspaceRow, mailspaceView } from '../present.ts';
import { rule } from '../../rules/rules.ts';
import { buyMailspace, resizeMailspace } from './mailspace-purchase.ts';
import { notShown } from '../../core/http/not-yet.ts';
import { ignoresPaging } from '../../core/http/paging.ts';

const newestFirst = rule('MSP-01', 'the list shows the newest mailspace first, and those about to be deleted');
const headerNarrows = rule('MSP-01/header', 'the header narrows the list to its account');

function listMailspaces(call: Call): Answer {
  const { world, credential, accountId } = call;
  runMailClock(world);
  const accounts = reachableAccounts(world, credential);
  const rows = [...world.state.mail.spaces.values()]
    .filter((space) => accounts.includes(space.accountId))
    .filter((space) => accountId === null || space.accountId === accountId || !world.rules.on(headerNarrows))
    .filter((space) => isListed(world, space));
  if (world.rules.on(newestFirst)) rows.reverse().sort((left, right) => right.createdAt - left.createdAt);
  return ok({ mailspaces: ignoresPaging(call, rows).map((space) => mailspaceRow(world, space)) });
}

/** GAP-37: neither the shape of a delete nor that of a restore is documented, and a purge is nobody's business here. */
function deleteMailspace({ world }: Call, space: Mailspace): Answer {
  if (space.deleteScheduledAt !== null) return refusePlanState(world, space) ?? notShown(world);
  if (world.readings['GAP-37'] === 'not-shown') return notShown(world);
  space.deleteScheduledAt = world.clock.now() + RETENTION_MS;
  space.updatedAt = world.clock.now();
  return done(world, { mailspace: mailspaceView(world, space) });
}

function restoreMailspace({ world }: Call, space: Mailspace): Answer {
  if (world.readings['GAP-37'] === 'not-shown') return notShown(world);
  if (space.deleteScheduledAt === null) return refuse(world, 422, null, 'The mailspace is not about to be deleted');
  space.deleteScheduledAt = null;
  space.updatedAt = world.clock.now();
  return done(world, { mailspace: mailspaceView(world, space) });
}

const PATH = '/api/mailspace/:mailspace';

export const mailspaceEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/mailspace', scope: 'mailspace:read', handle: listMailspaces },
  { method: 'POST', path: '/api/mailspace', scope: 'mailspace:write', handle: buyMailspace },
  {
    method: 'GET',
    path: PATH,
    scope: 'mailspace:read',
    mailspace: 'plan',
    handle: ({ world }, space) => ok({ mailspace: mailspaceView(world, space) }),
  },
  { method: 'PATCH', path: PATH, scope: 'mailspace:write', mailspace: 'plan', handle: resizeMailspace },
  { method: 'DELETE', path: PATH, scope: 'mailspace:write', mailspace: 'plan', handle: deleteMailspace },
  { method: 'POST', path: `${PATH}/restore`, scope: 'mailspace:write', mailspace: 'plan', handle: restoreMailspace },
  {
    method: 'POST',
    path: `${PATH}/purge`,
    scope: 'mailspace:write',
    mailspace: 'plan',
    handle: ({ world }) => notShown(world),
  },
];
