// Which accounts and sites a caller reaches and which role it has on a site.
import type { Call } from './endpoint.ts';
import type { Role, Site } from '../state.ts';

type Caller = Pick<Call, 'state' | 'ambiguities' | 'credential'>;

export function reachableAccounts({
  state,
  ambiguities,
  credential: { accountId, userId },
}: Caller): readonly string[] {
  if (accountId !== null) return [accountId];
  if (userId === null) return [];
  const own = state.users.get(userId)?.accountIds ?? [];
  // GAP-56: whether a reseller's users reach its sub-accounts.
  if (ambiguities['GAP-56.reach'] === 'own') return own;
  const subAccounts = [...state.accounts.values()].filter(
    ({ parentId }) => parentId !== undefined && own.includes(parentId),
  );
  return [...own, ...subAccounts.map(({ id }) => id)];
}

/** Whatever the role: a site that the caller may not open is still known to exist inside a reachable account. */
export function reachableSites(caller: Caller): readonly Site[] {
  const accounts = new Set(reachableAccounts(caller));
  return [...caller.state.sites.values()].filter((site) => accounts.has(site.accountId));
}

export function findSite(caller: Caller, siteId: string): Site | undefined {
  const site = caller.state.sites.get(siteId);
  return site !== undefined && reachableAccounts(caller).includes(site.accountId) ? site : undefined;
}

/** CNV-14: writes on a site take can_modify, deletes can_destroy. */
export function mayUse({ state, credential: { userId } }: Caller, site: Site, demand: keyof typeof NEEDED): boolean {
  if (userId === null) return true;
  const user = state.users.get(userId);
  return NEEDED[demand].includes(user?.siteRoles.get(site.id) ?? user?.role ?? 'none');
}

const NEEDED: Readonly<Record<'read' | 'can_modify' | 'can_destroy', readonly Role[]>> = {
  read: ['read', 'modify', 'full'],
  can_modify: ['modify', 'full'],
  can_destroy: ['full'],
};

/** Whether the caller may change what belongs to an account itself. */
export function mayEditAccount(caller: Caller, accountId: string): boolean {
  return ['modify', 'full'].includes(accountRole(caller, accountId));
}

export function accountRole({ state, credential: { userId } }: Caller, accountId: string): Role {
  if (userId === null) return 'full';
  const user = state.users.get(userId);
  return user?.accountRoles?.get(accountId) ?? user?.role ?? 'none';
}
