// Decides whether a request gets as far as panel accounts, and as far as one of them.
// Must not know what any endpoint does. Scope and account header were asked for before (gates.ts).
import { mayPanel, reachableAccounts } from '../core/http/access.ts';
import type { PanelDuty } from '../core/http/access.ts';
import { isRecord, refuse } from '../core/http/endpoint.ts';
import type { Answer, Call } from '../core/http/endpoint.ts';
import { billingOf } from '../billing/state.ts';
import { rule } from '../rules/rules.ts';
import type { World } from '../core/world.ts';
import { scheduledAt } from './present.ts';
import type { PanelAccount } from './state.ts';

const literalNames = rule('PNL-01', 'a username is letters, digits and underscores; nothing else is a path');
const neverShown = rule('PNL-07', 'mail-only and purged accounts are nowhere');
const guardOrder = rule('PNL-09', 'the guards of panel accounts come in their documented order');
const neverForbidden = rule('PNL-09/hidden', "what is not one's own is unknown, never forbidden");
const ownWorkspace = rule('PNL-10', 'roles count on the workspace that owns the account, whatever the header says');
const pendingLocks = rule('PNL-20', 'domains and passwords are locked while an account is about to be deleted');
const extraDate = rule('PNL-09/date', 'the refusal of an account about to be deleted says when');

export interface PanelDemands {
  /** A user has to stand behind it. */
  readonly user?: true;
  /** Not on trial. */
  readonly paid?: true;
  readonly duty?: PanelDuty;
  /** `live`: not about to be deleted; `update`: not suspended either. */
  readonly state?: 'live' | 'update';
}

export function passPanelGates(call: Call, { user, paid }: PanelDemands): Answer | undefined {
  const { world, credential, accountId } = call;
  const { panel, accounts } = world.state;
  const guards = [
    panel.configured ? undefined : unavailable(world),
    panel.enabledFor.includes(accountId ?? '')
      ? undefined
      : refuse(world, 403, 'panel_not_enabled', 'Panel accounts are not enabled here'),
    user === true && credential.userId === null
      ? refuse(world, 401, 'user_required', 'This request needs a user')
      : undefined,
    paid === true && billingOf(accounts.get(accountId ?? '')).trial
      ? refuse(world, 403, 'trial_account', 'Trial accounts cannot do this')
      : undefined,
  ].filter((answer) => answer !== undefined);
  return world.rules.on(guardOrder) ? guards[0] : guards.at(-1);
}

export function unavailable(world: World): Answer {
  return refuse(world, 503, 'panel_unavailable', 'Panel accounts are not available');
}

/** An endpoint about one account. */
export function onAccount(
  demands: PanelDemands,
  handle: (call: Call, account: PanelAccount) => Answer,
): (call: Call) => Answer {
  return (call) => {
    const { world } = call;
    const refusal = passPanelGates(call, demands);
    if (refusal !== undefined) return refusal;
    const username = call.params['username'] ?? '';
    if (!/^\w+$/.test(username) && world.rules.on(literalNames)) return { status: 404 };
    const account = world.state.panel.accounts.get(username);
    if (account === undefined || !isAddressable(world, account)) return unknownAccount(world);
    if (!reachableAccounts(world, call.credential).includes(account.accountId))
      return world.rules.on(neverForbidden) ? unknownAccount(world) : notAuthorized(world);
    if (world.state.panel.troubles.includes('mirror')) return unavailable(world);
    return (
      refuseDuty(call, account.accountId, demands.duty) ??
      refuseState(world, account, demands.state) ??
      handle(call, account)
    );
  };
}

/** Purged by somebody, or by time. */
export function isAddressable(world: World, { mailOnly, purged, deletion }: PanelAccount): boolean {
  const gone = purged || (deletion !== null && world.clock.now() >= deletion.purgeAt);
  return !world.rules.on(neverShown) || (!mailOnly && !gone);
}

export function refuseDuty(call: Call, ownerId: string, duty: PanelDuty | undefined): Answer | undefined {
  const { world, credential, accountId } = call;
  const asked = world.rules.on(ownWorkspace) ? ownerId : (accountId ?? ownerId);
  return duty === undefined || mayPanel(world, credential, asked, duty) ? undefined : notAuthorized(world);
}

function notAuthorized(world: World): Answer {
  return refuse(world, 403, 'not_authorized', 'Not Authorized');
}

function unknownAccount(world: World): Answer {
  return refuse(world, 404, 'account_not_found', 'There is no such account');
}

function refuseState(world: World, account: PanelAccount, state: PanelDemands['state']): Answer | undefined {
  if (state === undefined) return undefined;
  const guards = [
    account.deletion !== null && (state === 'update' || world.rules.on(pendingLocks))
      ? pendingDeletion(world, account.deletion)
      : undefined,
    state === 'update' && account.adminSuspended
      ? refuse(world, 403, 'account_suspended', 'The account is suspended by the staff')
      : undefined,
    state === 'update' && account.dunningSuspended
      ? refuse(world, 402, 'service_suspended', 'The account is suspended: an invoice is unpaid')
      : undefined,
  ].filter((answer) => answer !== undefined);
  return world.rules.on(guardOrder) ? guards[0] : guards.at(-1);
}

export function pendingDeletion(world: World, deletion: NonNullable<PanelAccount['deletion']>): Answer {
  const answer = refuse(world, 403, 'pending_deletion', 'The account is about to be deleted');
  if (!isRecord(answer.body) || !world.rules.on(extraDate)) return answer;
  return { ...answer, body: { ...answer.body, delete_scheduled_at: scheduledAt(world, deletion) } };
}
