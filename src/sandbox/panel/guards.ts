// Whether a request gets as far as panel accounts, and as far as one of them. Scope and account header were asked for
// before (guards.ts).
import { accountRole, reachableAccounts } from '../core/http/access.ts';
import { endpointsAt, refuse, refuseWith } from '../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, PlainEndpoint, Table } from '../core/http/endpoint.ts';
import type { Credential } from '../core/http/credentials.ts';
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

export function passPanelGuards(call: Call, { user, paid }: PanelDemands): Answer | undefined {
  const { credential, accountId } = call;
  const { panel, accounts } = call.state;
  const guards = [
    panel.configured ? undefined : unavailable(),
    panel.enabledFor.includes(accountId ?? '')
      ? undefined
      : refuse(403, 'panel_not_enabled', 'Panel accounts are not enabled here'),
    user === true && credential.userId === null ? refuse(401, 'user_required', 'This request needs a user') : undefined,
    paid === true && billingOf(accounts.get(accountId ?? '')).trial
      ? refuse(403, 'trial_account', 'Trial accounts cannot do this')
      : undefined,
  ].filter((answer) => answer !== undefined);
  // PNL-09: the guards of panel accounts come in their documented order.
  return guards[0];
}

export function unavailable(): Answer {
  return refuse(503, 'panel_unavailable', 'Panel accounts are not available');
}

interface AccountEndpoint extends PlainEndpoint<PanelAccount> {
  readonly demands: PanelDemands;
}

/** Below /api/panel_accounts/:username. PNL-08: panel accounts are read with panel:read and never written with OAuth. */
export function onAccount(table: Table<AccountEndpoint>): readonly Endpoint[] {
  return endpointsAt<AccountEndpoint>(
    '/api/panel_accounts/:username',
    (method) => ({
      scope: method === 'GET' ? 'panel:read' : 'never',
      account: true,
      demands: {},
      guard: accountGuard,
      subject: namedAccount,
    }),
    table,
  );
}

function accountGuard(call: Call, { demands }: AccountEndpoint): Answer | undefined {
  const refusal = passPanelGuards(call, demands);
  if (refusal !== undefined) return refusal;
  // PNL-01: a username is letters, digits and underscores; nothing else is a path.
  if (!/^\w+$/.test(call.params['username'] ?? '')) return { status: 404 };
  const account = namedAccount(call);
  if (account === undefined || !isAddressable(call, account)) return unknownAccount();
  // PNL-09/hidden: what is not one's own is unknown, never forbidden.
  if (!reachableAccounts(call, call.credential).includes(account.accountId)) return unknownAccount();
  if (call.state.panel.troubles.includes('mirror')) return unavailable();
  return refuseDuty(call, account.accountId, demands.duty) ?? refuseState(call, account, demands.state);
}

function namedAccount({ params, state }: Call): PanelAccount | undefined {
  return state.panel.accounts.get(params['username'] ?? '');
}

/** Purged by somebody, or by time. */
export function isAddressable(world: World, { mailOnly, purged, deletion }: PanelAccount): boolean {
  // PNL-07: mail-only and purged accounts are nowhere.
  return !mailOnly && !purged && (deletion === null || world.clock.now() < deletion.purgeAt);
}

export function refuseDuty(call: Call, ownerId: string, duty: PanelDuty | undefined): Answer | undefined {
  const { credential } = call;
  // PNL-10: roles count on the workspace that owns the account, whatever the header says.
  return duty === undefined || mayPanel(call, credential, ownerId, duty) ? undefined : notAuthorized();
}

function notAuthorized(): Answer {
  return refuse(403, 'not_authorized', 'Not Authorized');
}

function unknownAccount(): Answer {
  return refuse(404, 'account_not_found', 'There is no such account');
}

function refuseState(world: World, account: PanelAccount, state: PanelDemands['state']): Answer | undefined {
  if (state === undefined) return undefined;
  const guards = [
    // PNL-20: domains and passwords are locked while an account is about to be deleted.
    account.deletion !== null ? pendingDeletion(world, account.deletion) : undefined,
    state === 'update' && account.adminSuspended
      ? refuse(403, 'account_suspended', 'The account is suspended by the staff')
      : undefined,
    state === 'update' && account.dunningSuspended
      ? refuse(402, 'service_suspended', 'The account is suspended: an invoice is unpaid')
      : undefined,
  ].filter((answer) => answer !== undefined);
  return guards[0];
}

export function pendingDeletion(world: World, deletion: NonNullable<PanelAccount['deletion']>): Answer {
  // PNL-09/date: the refusal of an account about to be deleted says when.
  const extra = { delete_scheduled_at: scheduledAt(world, deletion) };
  return refuseWith(extra, 403, 'pending_deletion', 'The account is about to be deleted');
}

/** Who has not been given duties one by one has those of the role. */
function mayPanel(world: World, credential: Credential, accountId: string, duty: PanelDuty): boolean {
  const user = world.state.users.get(credential.userId ?? '');
  const given = user?.duties?.get(accountId);
  if (given !== undefined) return given.includes(duty);
  const role = accountRole(world, credential, accountId);
  return role === 'full' || (duty === 'edit' && role === 'modify');
}
