// Every list of the account as a whole, and how it is read: the one place that says where a list is, whether it has
// pages and which of its rows are the account's. Plans and `get` read the same.
import type { ReadSpec } from '../../model/kind/kind.ts';

/** A list that needs nothing but the account. */
export interface AccountList extends ReadSpec {
  readonly path: () => string;
  readonly rows: string;
}

const ownOf = (pointer: string): NonNullable<ReadSpec['where']> => ({ pointer, equals: ({ account }) => account });

/**
 * Whether sites, domains, users, registrations and contacts have pages is not documented (GAP-06); orders (ORD-02) and
 * panel accounts (PNL-11) have, mailspaces have not (MSP-01). Without the account header some lists widen to all that
 * the credential reaches: it is always sent, and their rows are checked as well (CNV-08).
 */
export const LISTS = {
  sites: { path: () => '/api/sites', rows: '/sites', pages: 'unsure', where: ownOf('/account/id') },
  domains: { path: () => '/api/domains', rows: '/domains', pages: 'unsure', where: ownOf('/account_id') },
  users: { path: () => '/api/users', rows: '/users', pages: 'unsure' },
  orders: { path: () => '/api/orders?per_page=100', rows: '/orders', pages: '/id' },
  mailspaces: { path: () => '/api/mailspace', rows: '/mailspaces', where: ownOf('/account/id') },
  panelAccounts: { path: () => '/api/panel_accounts?per_page=100', rows: '/panel_accounts', pages: '/username' },
  contacts: { path: () => '/api/domain_contacts', rows: '/domain_contacts', pages: 'unsure' },
  registrations: { path: () => '/api/domain_registrations', rows: '/domain_registrations', pages: 'unsure' },
} as const satisfies Readonly<Record<string, AccountList>>;

/**
 * Where the view of a site may be: the plain path first. The documents name the view's path with a word that belongs to
 * another call, and a GET of it restarts nothing (SIT-04, GAP-04).
 */
export function siteViewPaths(id: string): readonly [plain: string, documented: string] {
  const site = `/api/sites/${encodeURIComponent(id)}`;
  return [site, `${site}/restart`];
}

/** The path of each of these, by name; null where there is none. `behind`: what stands behind the path. */
export function eachBelow(
  path: string,
  behind: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | null {
  const entries = Object.entries(behind);
  return entries.length === 0 ? null : Object.fromEntries(entries.map(([name, rest]) => [name, path + rest]));
}
