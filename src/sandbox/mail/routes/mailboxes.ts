// How mailboxes are listed, viewed, checked for, removed and restored.
import { done, notShown, ok, onItem, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { mailspaceEndpoints } from '../guards.ts';
import { RETENTION_MS } from '../clock.ts';
import { readAddress } from '../../core/names.ts';
import { allPrincipals, fails, mailWrite, readPrincipals, shows } from '../server.ts';
import type { Mailbox, Mailspace } from '../state.ts';
import { mailboxRow, mailboxView, pendingMailbox } from '../present.ts';
import { inListOrder } from '../../core/world.ts';
import { CREATE_BODY, createMailbox } from './mailbox-create.ts';
import { fitsBack, noRoom } from './mailbox-room.ts';
import { UPDATE_BODY, updateMailbox } from './mailbox-update.ts';

function listMailboxes(call: Call, space: Mailspace): Answer {
  const { query } = call;
  // MSP-23: a list that cannot be read is a 503 of its own, never empty.
  if (fails(space, 'mailboxes')) refuse(503, 'mailboxes_unavailable', 'The mailboxes cannot be read');
  const needle = query.get('q')?.toLowerCase() ?? '';
  const isPending = ({ status }: Mailbox): boolean => status === 'pending_deletion';
  const read = readPrincipals(space).filter((one) => one.kind === 'mailbox');
  // MBX-01: mailboxes about to be deleted are in a list of their own, the next one first.
  const live = read.filter((one) => !isPending(one)).filter(({ email }) => email.includes(needle));
  const listed = live.filter(({ email }) => shows(call, space, 'mailbox', email));
  // MBX-02: the query does not filter the pending list.
  const pending = space.mailboxes.filter(isPending);
  pending.sort((left, right) => (left.scheduledDeletionAt ?? 0) - (right.scheduledDeletionAt ?? 0));
  return ok({
    mailboxes: inListOrder(call, listed).map((one) => mailboxRow(call, one)),
    pending: pending.map((one) => pendingMailbox(call, one)),
  });
}

// MBX-03: a mailbox is addressed by its id, not by its address.
const onMailbox = onItem(
  ({ params }, { mailboxes }: Mailspace) => mailboxes.find(({ id }) => id === params['mailbox']),
  () => refuse(404, 'unknown_mailbox', 'There is no such mailbox'),
);

function check({ query }: Call, space: Mailspace): Answer {
  const username = query.get('username')?.trim() ?? '';
  // MBX-08/blank: a check without a user name is a 400 invalid_address.
  if (username === '') refuse(400, 'invalid_address', 'username is blank');
  // MBX-08: a check that cannot be made answers null twice.
  if (fails(space, 'check')) return ok({ available: null, used_by: null });
  const address = readAddress(username, query.get('domain') ?? space.domain);
  const holder = allPrincipals(space).find(
    ({ email, aliases }) => email === address || aliases.some((alias) => alias === address),
  );
  const words = { mailbox: 'mailbox', group: 'group', list: 'mailing list' };
  return ok({ available: holder === undefined, used_by: holder === undefined ? null : words[holder.kind] });
}

/** GAP-42: the request is named by its effect, its answer not shown. */
function removeMailbox(call: Call, space: Mailspace, mailbox: Mailbox): Answer {
  if (call.ambiguities['GAP-42'] === 'not-shown') notShown();
  return mailWrite(space, { after: 'delete_unconfirmed' }, () => {
    // MBX-23: DELETE suspends a mailbox and starts its time of grace.
    if (mailbox.status !== 'pending_deletion') {
      Object.assign(mailbox, {
        status: 'pending_deletion',
        scheduledDeletionAt: call.clock.now() + RETENTION_MS,
        updatedAt: call.clock.now(),
      });
    }
    return done(call, {});
  });
}

function restoreMailbox(call: Call, space: Mailspace, mailbox: Mailbox): Answer {
  if (call.ambiguities['GAP-42.restore'] === 'not-shown') notShown();
  if (!fitsBack(call, space, mailbox)) noRoom();
  return mailWrite(space, { after: 'restore_unconfirmed', refused: 'update_failed' }, () => {
    Object.assign(mailbox, { status: 'active', scheduledDeletionAt: null, updatedAt: call.clock.now() });
    return done(call, {});
  });
}

const view = onMailbox((call, space, mailbox) =>
  ok({ mailbox: mailboxView(call, space, mailbox, !fails(space, 'mailbox')) }),
);

export const mailboxEndpoints = mailspaceEndpoints('/mailboxes', 'inside', {
  GET: listMailboxes,
  'GET /check': check,
  POST: { body: CREATE_BODY, handle: createMailbox },
  'GET /:mailbox': view,
  'PATCH /:mailbox': { body: UPDATE_BODY, handle: onMailbox(updateMailbox) },
  'DELETE /:mailbox': onMailbox(removeMailbox),
  'POST /:mailbox/restore': onMailbox(restoreMailbox),
  'POST /:mailbox/force_delete': onMailbox(notShown),
});
