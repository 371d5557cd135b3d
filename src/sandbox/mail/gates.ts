// Decides whether a request gets as far as a mailspace and what is in it: configured, known, allowed, not on hold, not
// about to be deleted, provisioned. Must not know what any endpoint does. Scopes were asked for before (gates.ts).
import { mayEditAccount, reachableAccounts } from '../core/http/access.ts';
import { refuse } from '../core/http/endpoint.ts';
import type { Answer, Call, MailEndpoint } from '../core/http/endpoint.ts';
import { runMailClock } from './clock.ts';
import type { Mailspace } from './state.ts';
import { rule } from '../rules/rules.ts';
import type { World } from '../core/world.ts';

const headReads = rule('CNV-33', 'HEAD is a read in the mail family');
const guardOrder = rule('MSP-12', 'the guards of a mailspace come in their documented order');
const ownWorkspace = rule(
  'MSP-13',
  "edit permission counts on the mailspace's own workspace, whatever the header says",
);
const planStatuses = rule('MSP-14', 'the plan endpoints refuse a state with 422, the nested ones with 403 and 409');
const deletedIsReadable = rule('MSP-15', 'a soft-deleted mailspace answers reads and refuses writes');
const suspendedIsClosed = rule('MSP-16', 'a suspended mailspace refuses reads too');
const viewersDoNotWrite = rule('MSP-18', 'a member who may only look is refused every write');
const verifiableBefore = rule('MDM-28', 'the primary domain can be verified before the mailspace is provisioned');

export function passMailGates(call: Call, endpoint: MailEndpoint): Answer | Mailspace {
  const { world } = call;
  runMailClock(world);
  const space = visibleSpace(call);
  const inside = endpoint.mailspace !== 'plan';
  const isWrite = writes(call);
  const unconfigured = (inside || isWrite) && !world.state.mail.configured ? unavailable(world) : undefined;
  if (unconfigured !== undefined) return unconfigured;
  if (space === undefined) return { status: 404 };
  const guards = [
    isWrite ? refuseViewer(call, space) : undefined,
    inside || isWrite ? refuseSuspended(world, space, isWrite) : undefined,
    inside && isWrite && space.deleteScheduledAt !== null && world.rules.on(deletedIsReadable)
      ? deleted(world, 403)
      : undefined,
    needsTenant(world, endpoint) && !space.provisioned ? unprovisioned(world, 409) : undefined,
  ].filter((answer) => answer !== undefined);
  return (world.rules.on(guardOrder) ? guards[0] : guards.at(-1)) ?? space;
}

export function unavailable(world: World): Answer {
  return refuse(world, 503, 'mailhost_unavailable', 'Mail hosting is not available');
}

/** The answer of the plan endpoints for a state in which nothing can be changed. */
export function refusePlanState(world: World, space: Mailspace): Answer | undefined {
  if (space.deleteScheduledAt !== null) return deleted(world, world.rules.on(planStatuses) ? 422 : 403);
  return space.provisioned ? undefined : unprovisioned(world, world.rules.on(planStatuses) ? 422 : 409);
}

function visibleSpace({ world, credential, params }: Call): Mailspace | undefined {
  const space = world.state.mail.spaces.get(params['mailspace'] ?? '');
  return space !== undefined && reachableAccounts(world, credential).includes(space.accountId) ? space : undefined;
}

function writes({ world, method }: Call): boolean {
  return method !== 'GET' && (method !== 'HEAD' || !world.rules.on(headReads));
}

function refuseViewer({ world, credential, accountId }: Call, space: Mailspace): Answer | undefined {
  const asked = world.rules.on(ownWorkspace) ? space.accountId : (accountId ?? space.accountId);
  if (mayEditAccount(world, credential, asked) || !world.rules.on(viewersDoNotWrite)) return undefined;
  return refuse(world, 403, 'not_authorized', 'Not Authorized');
}

/** One that waits to be deleted is exempt. */
function refuseSuspended(world: World, space: Mailspace, isWrite: boolean): Answer | undefined {
  if (!space.suspended || space.deleteScheduledAt !== null || (!isWrite && !world.rules.on(suspendedIsClosed)))
    return undefined;
  return refuse(world, 403, 'mailspace_suspended', 'The mailspace is suspended');
}

/** Two of the primary domain's verification endpoints do without; the documents once say three (GAP-38). */
function needsTenant(world: World, { mailspace }: MailEndpoint): boolean {
  return mailspace === 'inside' || (mailspace === 'verification' && !world.rules.on(verifiableBefore));
}

function deleted(world: World, status: number): Answer {
  return refuse(world, status, 'pending_delete', 'The mailspace is about to be deleted');
}

function unprovisioned(world: World, status: number): Answer {
  return refuse(world, status, 'not_provisioned', 'The mailspace is not provisioned');
}
