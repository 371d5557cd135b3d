// Whether a request gets as far as panel accounts, and as far as one of them. Scope and account header were asked for
// before (guards.ts).
import { accountRole, reachableAccounts } from '../core/http/access.ts';
import { answerAtOnce, endpointsAt, refuse, refuseWith } from '../core/http/endpoint.ts';
import type { Call, Endpoint, Table } from '../core/http/endpoint.ts';
import { billingOf } from '../billing/state.ts';
import type { World } from '../core/world.ts';
import { scheduledAt } from './present.ts';
import type { PanelAccount, PanelDuty } from './state.ts';

export interface PanelDemands {
  /** A user has to stand behind it. */
  readonly user?: true;
  /** Not on trial. */
  readonly paid?: true;
  readonly duty?: PanelDuty;
  /** `live`: not about to be deleted; `update`: not suspended either. */
  readonly state?: 'live' | 'update';
}

/** PNL-09: the guards of panel accounts come in their documented order. */
export function passPanelGuards(call: Call, { user, paid }: PanelDemands): void {
  const { panel, accounts } = call.state;
  if (!panel.configured) unavailable();
  if (!panel.enabledFor.includes(call.accountId ?? ''))
    refuse(403, 'panel_not_enabled', 'Panel accounts are not enabled here');
  if (user === true && call.credential.userId === null) refuse(401, 'user_required', 'This request needs a user');
  if (paid === true && billingOf(accounts.get(call.accountId ?? '')).trial)
    refuse(403, 'trial_account', 'Trial accounts cannot do this');
}

export function unavailable(): never {
  return refuse(503, 'panel_unavailable', 'Panel accounts are not available');
}

interface AccountEndpoint extends Endpoint<PanelAccount> {
  readonly demands: PanelDemands;
}

/** Below /api/panel_accounts/:username. PNL-08: panel accounts are read with panel:read and never written with OAuth. */
export function onAccount(table: Table<AccountEndpoint>): readonly Endpoint[] {
  return endpointsAt<AccountEndpoint>(
    '/api/panel_accounts/:username',
    (method) => ({ scope: method === 'GET' ? 'panel:read' : 'never', account: true, demands: {}, admit: admitTo }),
    table,
  );
}

function admitTo(call: Call, { demands }: AccountEndpoint): PanelAccount {
  passPanelGuards(call, demands);
  const { username = '' } = call.params;
  // PNL-01: a username is letters, digits and underscores; nothing else is a path.
  if (!/^\w+$/.test(username)) answerAtOnce({ status: 404 });
  const account = call.state.panel.accounts.get(username);
  // PNL-09/hidden: what is not one's own is unknown, never forbidden.
  if (account === undefined || !isAddressable(call, account) || !reachableAccounts(call).includes(account.accountId))
    return refuse(404, 'account_not_found', 'There is no such account');
  if (call.state.panel.troubles.includes('mirror')) unavailable();
  if (demands.duty !== undefined) refuseDuty(call, account.accountId, demands.duty);
  if (demands.state !== undefined) refuseState(call, account, demands.state);
  return account;
}

/** Purged by somebody, or by time. */
export function isAddressable(world: World, { mailOnly, purged, deletion }: PanelAccount): boolean {
  // PNL-07: mail-only and purged accounts are nowhere.
  return !mailOnly && !purged && (deletion === null || world.clock.now() < deletion.purgeAt);
}

/** PNL-10: roles count on the workspace that owns the account, whatever the header says. */
export function refuseDuty(call: Call, ownerId: string, duty: PanelDuty): void {
  const given = call.state.users.get(call.credential.userId ?? '')?.duties?.get(ownerId);
  const role = accountRole(call, ownerId);
  // Who has not been given duties one by one has those of the role.
  const may = given?.includes(duty) ?? (role === 'full' || (duty === 'edit' && role === 'modify'));
  if (!may) refuse(403, 'not_authorized', 'Not Authorized');
}

function refuseState(world: World, account: PanelAccount, state: 'live' | 'update'): void {
  // PNL-20: domains and passwords are locked while an account is about to be deleted.
  if (account.deletion !== null) pendingDeletion(world, account.deletion);
  if (state !== 'update') return;
  if (account.adminSuspended) refuse(403, 'account_suspended', 'The account is suspended by the staff');
  if (account.dunningSuspended) refuse(402, 'service_suspended', 'The account is suspended: an invoice is unpaid');
}

export function pendingDeletion(world: World, deletion: NonNullable<PanelAccount['deletion']>): never {
  // PNL-09/date: the refusal of an account about to be deleted says when.
  const extra = { delete_scheduled_at: scheduledAt(world, deletion) };
  return refuseWith(extra, 403, 'pending_deletion', 'The account is about to be deleted');
}
