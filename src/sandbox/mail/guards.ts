// Whether a request gets as far as a mailspace and what is in it: configured, known, allowed, not on hold, not about to
// be deleted, provisioned. Scopes were asked for before (guards.ts).
import { mayEditAccount, reachableAccounts } from '../core/http/access.ts';
import { answerAtOnce, endpointsAt, refuse, scopeOf } from '../core/http/endpoint.ts';
import type { Call, Endpoint, Table } from '../core/http/endpoint.ts';
import { runMailClock } from './clock.ts';
import type { Mailspace } from './state.ts';

/** `plan`: the mailspace itself; `inside`: what is in it; `verification`: what comes before it is provisioned. */
type MailspaceDemand = 'plan' | 'inside' | 'verification';

declare module '../core/http/endpoint.ts' {
  interface Demands {
    readonly mailspace?: MailspaceDemand;
  }
}

/** Below /api/mailspace/:mailspace, behind the guards of the mailspace. */
export function mailspaceEndpoints(
  path: string,
  mailspace: MailspaceDemand,
  table: Table<Endpoint<Mailspace>>,
): readonly Endpoint[] {
  return endpointsAt<Endpoint<Mailspace>>(
    `/api/mailspace/:mailspace${path}`,
    (method) => ({ scope: scopeOf('mailspace', method), mailspace, admit: (call) => admitTo(call, mailspace) }),
    table,
  );
}

/** MSP-12: the guards of a mailspace come in their documented order. */
function admitTo(call: Call, demand: MailspaceDemand): Mailspace {
  runMailClock(call);
  const inside = demand !== 'plan';
  // CNV-33: HEAD is a read in the mail family.
  const isWrite = call.method !== 'GET' && call.method !== 'HEAD';
  if (inside || isWrite) refuseUnavailable(call);
  const space = call.state.mail.spaces.get(call.params['mailspace'] ?? '');
  if (space === undefined || !reachableAccounts(call).includes(space.accountId)) return answerAtOnce({ status: 404 });
  // MSP-18: a member who may only look is refused every write. MSP-13: what counts is the mailspace's own workspace,
  // whatever the header says.
  if (isWrite && !mayEditAccount(call, space.accountId)) refuse(403, 'not_authorized', 'Not Authorized');
  // MSP-16: a suspended mailspace refuses reads too. One that waits to be deleted is exempt.
  if ((inside || isWrite) && space.suspended && space.deleteScheduledAt === null)
    refuse(403, 'mailspace_suspended', 'The mailspace is suspended');
  // MSP-15: a soft-deleted mailspace answers reads and refuses writes.
  if (inside && isWrite) refuseDeleted(space, 403);
  // Two of the primary domain's verification endpoints do without; the documents once say three (GAP-38).
  // MDM-28: the primary domain can be verified before the mailspace is provisioned.
  if (demand === 'inside') refuseUnprovisioned(space, 409);
  return space;
}

export function refuseUnavailable({ state }: Call): void {
  if (!state.mail.configured) refuse(503, 'mailhost_unavailable', 'Mail hosting is not available');
}

/** Refuses states in which the plan endpoints change nothing. */
export function refusePlanState(space: Mailspace): void {
  // MSP-14: the plan endpoints refuse a state with 422, the nested ones with 403 and 409.
  refuseDeleted(space, 422);
  refuseUnprovisioned(space, 422);
}

function refuseDeleted({ deleteScheduledAt }: Mailspace, status: number): void {
  if (deleteScheduledAt !== null) refuse(status, 'pending_delete', 'The mailspace is about to be deleted');
}

function refuseUnprovisioned({ provisioned }: Mailspace, status: number): void {
  if (!provisioned) refuse(status, 'not_provisioned', 'The mailspace is not provisioned');
}
