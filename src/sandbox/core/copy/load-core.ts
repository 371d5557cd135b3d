// Puts accounts and sites into the store of a copy, and the catalogue where it was read: what all areas build on.
import type { Row } from '../http/endpoint.ts';
import { isRecord } from '../http/endpoint.ts';
import { Domain, LAYERS, addSite } from '../state.ts';
import type { Site } from '../state.ts';
import { ownerOf, rowIn, rowsIn, stampsIn, textOr, unread } from './answers.ts';
import type { Copying } from './answers.ts';

export const CATALOGUE = 'the catalogue of locations and plans';

export function loadCore(copying: Copying): void {
  const { state, answers, accountId } = copying;
  state.accounts.set(accountId, { id: accountId, name: '' });
  loadAbout(copying);
  const rows = answers.rows('/api/sites', 'sites');
  if (rows === undefined) return unread(state, 'the list of sites', 'sites');
  const regions = new Map(
    (state.catalogueUnread === true ? [] : state.locations).map(({ shortName, name }) => [name, shortName]),
  );
  const byRegion = rows.length > 0 && rows.every(({ location }) => regions.has(String(location)));
  if (!byRegion) copying.settle('GAP-62', 'short-name');
  const everywhere = answers.rows('/api/domains', 'domains');
  if (answers.isPaged('/api/sites') || answers.isPaged('/api/domains')) copying.settle('GAP-06', 'paged');
  const bySite = new Map<string, Row[]>();
  for (const row of everywhere ?? [])
    bySite.set(String(row['site_id']), [...(bySite.get(String(row['site_id'])) ?? []), row]);
  for (const row of rows) {
    const id = String(row['id']);
    const location = textOr(row['location'], '');
    const site = loadSite(copying, row, byRegion ? (regions.get(location) ?? location) : location);
    site.tasksUnread = true;
    unread(site, `the traffic of site ${id}`, 'traffic');
    const own = answers.rows(`/api/sites/${id}/domains`, 'domains') ?? (everywhere === undefined ? undefined : []);
    loadDomains(
      copying,
      site,
      everywhere === undefined ? own : (bySite.get(id) ?? own),
      textOr(row['primary_domain'], ''),
    );
  }
  // Hostnames of sites in other accounts that the caller reaches too.
  for (const [id, domains] of bySite) {
    if (state.sites.has(id)) continue;
    const foreign = String(domains[0]?.['account_id']);
    if (!state.accounts.has(foreign)) state.accounts.set(foreign, { id: foreign, name: '' });
    loadDomains(copying, addSite(state, { id, accountId: foreign }), domains, '');
  }
}

function loadSite(copying: Copying, row: Row, locationShortName: string): Site {
  return addSite(copying.state, {
    id: String(row['id']),
    accountId: ownerOf(copying, row),
    name: textOr(row['name'], ''),
    locationShortName,
    region: textOr(row['region'], ''),
    package: textOr(row['package'], ''),
    ...stampsIn(copying, row),
  });
}

function loadDomains(copying: Copying, site: Site, rows: readonly Row[] | undefined, primary: string): void {
  if (rows === undefined) {
    site.shownPrimary = primary;
    return unread(site, `which hostnames site ${site.id} has`, 'domains', 'primaryDomainId');
  }
  site.domains = rows.map((row) => domainOf(copying, row));
  const found = site.domains.find(({ hostname }) => hostname === primary);
  site.primaryDomainId = found?.id ?? null;
  if (found === undefined && primary !== '') site.temporaryHostname = primary;
}

function domainOf(copying: Copying, row: Row): Domain {
  return Object.assign(new Domain(), {
    id: String(row['id']),
    hostname: String(row['hostname']),
    // DOM-13, GAP-18: what has a zone here was attached by name servers.
    method: isRecord(row['dns_zone']) ? ('dns' as const) : ('cname' as const),
    records: rowsIn(row['dns_zone_records']).map((record) => ({
      id: String(record['id']),
      recordType: Number(record['record_type']),
      name: String(record['name']),
      value: String(record['value']),
      ttl: Number(record['ttl']),
    })),
    ...stampsIn(copying, rowIn(row, 'dns_zone')),
  });
}

/** GAP-07: locations and plans in whichever of its shapes. A plan has the cache layers that its sites show. */
function loadAbout({ state, answers, settle }: Copying): void {
  const body = answers.object('/api/about');
  if (body === undefined) {
    state.plans.length = 0;
    state.catalogueUnread = true;
    return unread(state, CATALOGUE, 'locations');
  }
  const nested = isRecord(body['about']) ? body['about'] : undefined;
  const named = (list: unknown): readonly { readonly shortName: string; readonly name: string }[] =>
    Array.isArray(list)
      ? list.map((one: unknown) =>
          isRecord(one)
            ? { shortName: String(one['short_name']), name: String(one['name']) }
            : { shortName: String(one), name: String(one) },
        )
      : Object.entries(isRecord(list) ? list : {}).map(([shortName, name]) => ({ shortName, name: String(name) }));
  settle('GAP-07', nested !== undefined ? 'nested' : isTexts(body['plans']) ? 'texts' : 'objects');
  state.locations.splice(0, Infinity, ...named(nested?.['location_names'] ?? body['locations']));
  state.plans.splice(
    0,
    Infinity,
    ...named(nested?.['plan_names'] ?? body['plans']).map((plan) => ({ ...plan, layers: LAYERS })),
  );
}

function isTexts(list: unknown): boolean {
  return Array.isArray(list) && typeof list[0] === 'string';
}
