// Which accounts and sites a credential reaches and which role it has on a site.
import type { Credential } from './credentials.ts';
import type { SiteDemand } from './endpoint.ts';
import type { Role, Site } from '../state.ts';
import type { World } from '../world.ts';

export function reachableAccounts(world: World, credential: Credential): readonly string[] {
  if (credential.accountId !== null) return [credential.accountId];
  if (credential.userId === null) return [];
  const own = world.state.users.get(credential.userId)?.accountIds ?? [];
  // GAP-56: whether a reseller's users reach its sub-accounts.
  if (world.ambiguities['GAP-56.reach'] === 'own') return own;
  const subAccounts = [...world.state.accounts.values()].filter(
    ({ parentId }) => parentId !== undefined && own.includes(parentId),
  );
  return [...own, ...subAccounts.map(({ id }) => id)];
}

/** Whatever the role: a site that the caller may not open is still known to exist inside a reachable account. */
export function reachableSites(world: World, credential: Credential): readonly Site[] {
  const accounts = new Set(reachableAccounts(world, credential));
  return [...world.state.sites.values()].filter((site) => accounts.has(site.accountId));
}

export function findSite(world: World, credential: Credential, siteId: string): Site | undefined {
  const site = world.state.sites.get(siteId);
  return site !== undefined && reachableAccounts(world, credential).includes(site.accountId) ? site : undefined;
}

export function mayUse(world: World, credential: Credential, site: Site, demand: SiteDemand): boolean {
  // CNV-14: writes on a site take can_modify, deletes can_destroy.
  switch (roleOn(world, credential, site)) {
    case 'none':
      return false;
    case 'read':
      return demand === 'read';
    case 'modify':
      return demand !== 'can_destroy';
    case 'full':
      return true;
  }
}

/** Whether the caller may change what belongs to an account itself. */
export function mayEditAccount(world: World, credential: Credential, accountId: string): boolean {
  const role = accountRole(world, credential, accountId);
  return role === 'modify' || role === 'full';
}

export function accountRole(world: World, credential: Credential, accountId: string): Role {
  if (credential.userId === null) return 'full';
  const user = world.state.users.get(credential.userId);
  return user?.accountRoles?.get(accountId) ?? user?.role ?? 'none';
}

function roleOn(world: World, credential: Credential, site: Site): Role {
  if (credential.userId === null) return 'full';
  const user = world.state.users.get(credential.userId);
  return user?.siteRoles.get(site.id) ?? user?.role ?? 'none';
}
