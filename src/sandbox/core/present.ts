// How stored things look on the wire: key names, which keys appear where, dates, nulls. Written from the API documents
// alone.
import type { Row } from './http/endpoint.ts';
import type { Account, Domain, Site, State, Task } from './state.ts';
import type { World } from './world.ts';

export function dateTime(atMs: number): unknown {
  // CNV-04: a DateTime is ISO 8601.
  return new Date(atMs).toISOString();
}

export function dateOrNull(atMs: number | null): unknown {
  return atMs === null ? blank() : dateTime(atMs);
}

export function blank(): null | '' {
  // CNV-02: what is empty or unknown reads as null.
  return null;
}

export function listOrNull<T>(world: World, items: readonly T[]): readonly T[] | null {
  return items.length === 0 && world.ambiguities.emptyLists === 'null' ? null : items;
}

/** Without texts that are null or empty, or with them read as the chosen reading has it. */
export function withoutEmptyTexts(world: World, fields: Readonly<Row>): Row {
  const isEmpty = (value: unknown): boolean => value === null || value === '';
  if (world.ambiguities.emptyTexts === 'absent')
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
  const empty = world.ambiguities.emptyTexts === 'text' ? '' : blank();
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, isEmpty(value) ? empty : value]));
}

export function accountRef(state: State, accountId: string): Pick<Account, 'id' | 'name'> {
  return { id: accountId, name: state.accounts.get(accountId)?.name ?? '' };
}

export function primaryHostname(site: Site): string {
  if (site.shownPrimary !== undefined) return site.shownPrimary;
  return site.domains.find((domain) => domain.id === site.primaryDomainId)?.hostname ?? site.temporaryHostname;
}

export function stamps(thing: { createdAt: number; updatedAt: number }): Row {
  return { created_at: dateTime(thing.createdAt), updated_at: dateTime(thing.updatedAt) };
}

export function siteListItem(world: World, site: Site): Row {
  // SIT-02: a row of the site list has its nine fields and no more.
  return {
    id: site.id,
    name: site.name,
    primary_domain: primaryHostname(site),
    location: locationName(world, site),
    region: site.region,
    account: accountRef(world.state, site.accountId),
    package: site.package,
    ...stamps(site),
  };
}

/** GAP-62: a geographic region, which need not be the short name that an order takes. */
function locationName(world: World, site: Site): string {
  if (world.ambiguities['GAP-62'] === 'short-name') return site.locationShortName;
  return world.state.locations.find((one) => one.shortName === site.locationShortName)?.name ?? site.locationShortName;
}

export function siteView(world: World, site: Site): Row {
  // SIT-03: the view of a site adds PHP version, CNAME, SSH, domains and subscription.
  return {
    ...siteListItem(world, site),
    php_version: world.ambiguities.phpVersion === 'long' ? `${site.phpVersion}.12` : site.phpVersion,
    domain_cname: cnameOf(site),
    ssh: sshOf(site),
    domains: site.domains.map((domain) => domainRow(world, site, domain)),
    subscription: {
      id: `sub-${site.id}`,
      // SIT-09: reads active even while the site is suspended.
      status: 'active',
      ...stamps(site),
      price: { amount_cents: site.term === 'annual' ? 24_000 : 2_500, term: site.term },
      product: { id: `prod-${site.package}`, name: site.package },
    },
  };
}

export function sshOf(site: Site): Row {
  return { ipaddr: '192.0.2.10', username: `u${site.id.length}`, password: 'sandbox-ssh-password', port: 2222 };
}

export function cnameOf(site: Site): string {
  return site.temporaryHostname.replace('.tmp.', '.cdn.');
}

export function domainRow(world: World, site: Site, domain: Domain): Row {
  // DOM-01: a row of the account-wide domain list names its site and account.
  return { ...siteDomainRow(world, site, domain), site_id: site.id, account_id: site.accountId };
}

/** DOM-05: a row of a site's own domain list does not. */
export function siteDomainRow(world: World, site: Site, domain: Domain): Row {
  // DOM-13: a domain carries its DNS zone and records.
  const shown = domain.method === 'dns' || world.ambiguities['GAP-18'] === 'always';
  // DOM-06: a domain reads as `hostname`; how it was attached is not read back.
  return {
    id: domain.id,
    hostname: domain.hostname,
    dns_zone: shown ? dnsZone(world, site, domain) : blank(),
    dns_zone_records: shown ? domain.records.map((record) => dnsRecord(domain, record)) : listOrNull(world, []),
  };
}

function dnsZone(world: World, site: Site, domain: Domain): Row {
  return {
    id: `zone-${domain.id}`,
    name: domain.hostname,
    dnssec: false,
    dnssec_data: blank(),
    ...stamps(domain),
    account: accountRef(world.state, site.accountId),
  };
}

function dnsRecord(domain: Domain, record: Domain['records'][number]): Row {
  return {
    id: record.id,
    record_type: record.recordType,
    ttl: record.ttl,
    value: record.value,
    name: record.name,
    priority: 0,
    weight: 0,
    port: 0,
    flags: blank(),
    comment: blank(),
    ...stamps(domain),
  };
}

export function taskView(world: World, task: Task): Row {
  const timestamp = (atMs: number | null): unknown => {
    if (atMs === null) return null;
    return world.ambiguities['GAP-14.timestamps'] === 'iso' ? new Date(atMs).toISOString() : Math.floor(atMs / 1000);
  };
  // TSK-01: a task has its ten fields.
  return {
    // CNV-03: ids are strings, except task ids, which are integers.
    id: task.id,
    name: task.name,
    data: task.data,
    labels: task.labels,
    status: task.status,
    start_on: timestamp(task.startOn),
    // TSK-03: end_on is not always set when a task has ended.
    end_on: timestamp(task.endOn),
    ...stamps(task),
    performed_by: task.performedBy,
  };
}
