// How mailspaces are listed, viewed, deleted and restored.
import { reachableAccounts } from '../../core/http/access.ts';
import { done, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import type { Endpoint } from '../../core/http/endpoint.ts';
import { isListed } from '../../core/consistency-lag.ts';
import { RETENTION_MS, runMailClock } from '../clock.ts';
import { mailspaceEndpoints, refusePlanState } from '../guards.ts';
import type { Mailspace } from '../state.ts';
import { mailspaceRow, mailspaceView } from '../present.ts';
import { BUY_BODY, buyMailspace, refuseBuyer, resizeMailspace } from './mailspace-purchase.ts';
import { notShown } from '../../core/http/not-yet.ts';

function listMailspaces(call: Call): Answer {
  const { world, credential, accountId } = call;
  runMailClock(world);
  const accounts = reachableAccounts(world, credential);
  // MSP-01/header: the header narrows the list to its account.
  const rows = [...world.state.mail.spaces.values()]
    .filter((space) => accounts.includes(space.accountId))
    .filter((space) => accountId === null || space.accountId === accountId)
    .filter((space) => isListed(world, space));
  // MSP-01: the list shows the newest mailspace first, and those about to be deleted.
  rows.reverse().sort((left, right) => right.createdAt - left.createdAt);
  return ok({ mailspaces: rows.map((space) => mailspaceRow(world, space)) });
}

/** GAP-37: neither the shape of a delete nor that of a restore is documented, and a purge is nobody's business here. */
function deleteMailspace({ world }: Call, space: Mailspace): Answer {
  if (space.deleteScheduledAt !== null) return refusePlanState(space) ?? notShown();
  if (world.ambiguities['GAP-37'] === 'not-shown') return notShown();
  space.deleteScheduledAt = world.clock.now() + RETENTION_MS;
  space.updatedAt = world.clock.now();
  return done(world, { mailspace: mailspaceView(world, space) });
}

function restoreMailspace({ world }: Call, space: Mailspace): Answer {
  if (world.ambiguities['GAP-37'] === 'not-shown') return notShown();
  if (space.deleteScheduledAt === null) return refuse(422, null, 'The mailspace is not about to be deleted');
  space.deleteScheduledAt = null;
  space.updatedAt = world.clock.now();
  return done(world, { mailspace: mailspaceView(world, space) });
}

export const mailspacesEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/mailspace', scope: 'mailspace:read', handle: listMailspaces },
  {
    method: 'POST',
    path: '/api/mailspace',
    scope: 'mailspace:write',
    guard: refuseBuyer,
    body: BUY_BODY,
    handle: buyMailspace,
  },
  ...mailspaceEndpoints('', 'plan', {
    GET: ({ world }, space) => ok({ mailspace: mailspaceView(world, space) }),
    PATCH: resizeMailspace,
    DELETE: deleteMailspace,
    'POST /restore': restoreMailspace,
    'POST /purge': notShown,
  }),
];
