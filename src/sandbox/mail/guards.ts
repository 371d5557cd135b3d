// Whether a request gets as far as a mailspace and what is in it: configured, known, allowed, not on hold, not about to
// be deleted, provisioned. Scopes were asked for before (guards.ts).
import { mayEditAccount, reachableAccounts } from '../core/http/access.ts';
import { endpointsAt, refuse, scopeOf } from '../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, PlainEndpoint, Table } from '../core/http/endpoint.ts';
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
  table: Table<PlainEndpoint<Mailspace>>,
): readonly Endpoint[] {
  return endpointsAt<PlainEndpoint<Mailspace>>(
    `/api/mailspace/:mailspace${path}`,
    (method) => ({
      scope: scopeOf('mailspace', method),
      mailspace,
      guard: (call) => refuseCall(call, mailspace),
      subject: visibleSpace,
    }),
    table,
  );
}

function refuseCall(call: Call, demand: MailspaceDemand): Answer | undefined {
  runMailClock(call);
  const space = visibleSpace(call);
  const inside = demand !== 'plan';
  const isWrite = writes(call);
  const unconfigured = (inside || isWrite) && !call.state.mail.configured ? unavailable() : undefined;
  if (unconfigured !== undefined) return unconfigured;
  if (space === undefined) return { status: 404 };
  const guards = [
    isWrite ? refuseViewer(call, space) : undefined,
    inside || isWrite ? refuseSuspended(space) : undefined,
    // MSP-15: a soft-deleted mailspace answers reads and refuses writes.
    inside && isWrite && space.deleteScheduledAt !== null ? deleted(403) : undefined,
    needsTenant(demand) && !space.provisioned ? unprovisioned(409) : undefined,
  ].filter((answer) => answer !== undefined);
  // MSP-12: the guards of a mailspace come in their documented order.
  return guards[0];
}

export function unavailable(): Answer {
  return refuse(503, 'mailhost_unavailable', 'Mail hosting is not available');
}

/** The answer of the plan endpoints for a state in which nothing can be changed. */
export function refusePlanState(space: Mailspace): Answer | undefined {
  // MSP-14: the plan endpoints refuse a state with 422, the nested ones with 403 and 409.
  if (space.deleteScheduledAt !== null) return deleted(422);
  return space.provisioned ? undefined : unprovisioned(422);
}

function visibleSpace(call: Call): Mailspace | undefined {
  const space = call.state.mail.spaces.get(call.params['mailspace'] ?? '');
  return space !== undefined && reachableAccounts(call, call.credential).includes(space.accountId) ? space : undefined;
}

function writes({ method }: Call): boolean {
  // CNV-33: HEAD is a read in the mail family.
  return method !== 'GET' && method !== 'HEAD';
}

function refuseViewer(call: Call, space: Mailspace): Answer | undefined {
  // MSP-18: a member who may only look is refused every write. MSP-13: what counts is the mailspace's own workspace,
  // whatever the header says.
  if (mayEditAccount(call, call.credential, space.accountId)) return undefined;
  return refuse(403, 'not_authorized', 'Not Authorized');
}

/** One that waits to be deleted is exempt. */
function refuseSuspended(space: Mailspace): Answer | undefined {
  // MSP-16: a suspended mailspace refuses reads too.
  if (!space.suspended || space.deleteScheduledAt !== null) return undefined;
  return refuse(403, 'mailspace_suspended', 'The mailspace is suspended');
}

/** Two of the primary domain's verification endpoints do without; the documents once say three (GAP-38). */
function needsTenant(demand: MailspaceDemand): boolean {
  // MDM-28: the primary domain can be verified before the mailspace is provisioned.
  return demand === 'inside';
}

function deleted(status: number): Answer {
  return refuse(status, 'pending_delete', 'The mailspace is about to be deleted');
}

function unprovisioned(status: number): Answer {
  return refuse(status, 'not_provisioned', 'The mailspace is not provisioned');
}
