// Decides how stored things look on the wire: key names, which keys appear where, dates, nulls.
// Must not decide who may see them. Written from the API documents alone.
import type { Order } from '../billing/state.ts';
import { rule } from '../rules/rules.ts';
import type { Account, Domain, Site, State, Task } from './state.ts';
import type { World } from './world.ts';

const nullIsEmpty = rule('CNV-02', 'what is empty or unknown reads as null');
const idsAreStrings = rule('CNV-03', 'ids are strings, except task ids, which are integers');
const isoDates = rule('CNV-04', 'a DateTime is ISO 8601');
const listIsShort = rule('SIT-02', 'a row of the site list has its nine fields and no more');
const viewIsLong = rule('SIT-03', 'the view of a site adds PHP version, CNAME, SSH, domains and subscription');
const taskFields = rule('TSK-01', 'a task has its ten fields');
const endOnUnreliable = rule('TSK-03', 'end_on is not always set when a task has ended');
const ownersShown = rule('DOM-01', 'a row of the account-wide domain list names its site and account');
const ownersHidden = rule('DOM-05', "a row of a site's own domain list does not");
const methodNotRead = rule('DOM-06', 'a domain reads as `hostname`; how it was attached is not read back');
const zoneShown = rule('DOM-13', 'a domain carries its DNS zone and records');

type Row = Record<string, unknown>;

export function dateTime(world: World, atMs: number): unknown {
  return world.rules.on(isoDates) ? new Date(atMs).toISOString() : Math.floor(atMs / 1000);
}

export function blank(world: World): null | '' {
  return world.rules.on(nullIsEmpty) ? null : '';
}

export function listOrNull<T>(world: World, items: readonly T[]): readonly T[] | null {
  return items.length === 0 && world.readings.emptyLists === 'null' ? null : items;
}

/** Without texts that are null or empty, or with them read as the chosen reading has it. */
export function withoutEmptyTexts(world: World, fields: Readonly<Row>): Row {
  const isEmpty = (value: unknown): boolean => value === null || value === '';
  if (world.readings.emptyTexts === 'absent')
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
  const empty = world.readings.emptyTexts === 'text' ? '' : blank(world);
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, isEmpty(value) ? empty : value]));
}

export function accountRef(state: State, accountId: string): Pick<Account, 'id' | 'name'> {
  return { id: accountId, name: state.accounts.get(accountId)?.name ?? '' };
}

export function primaryHostname(site: Site): string {
  return site.domains.find((domain) => domain.id === site.primaryDomainId)?.hostname ?? site.temporaryHostname;
}

export function stamps(world: World, thing: { createdAt: number; updatedAt: number }): Row {
  return { created_at: dateTime(world, thing.createdAt), updated_at: dateTime(world, thing.updatedAt) };
}

export function siteListItem(world: World, site: Site): Row {
  const item = {
    id: site.id,
    name: site.name,
    primary_domain: primaryHostname(site),
    location: locationName(world, site),
    region: site.region,
    account: accountRef(world.state, site.accountId),
    package: site.package,
    ...stamps(world, site),
  };
  return world.rules.on(listIsShort) ? item : { ...item, php_version: site.phpVersion, suspended: site.suspended };
}

/** GAP-62: a geographic region, which need not be the short name that an order takes. */
function locationName(world: World, site: Site): string {
  if (world.readings['GAP-62'] === 'short-name') return site.locationShortName;
  return world.state.locations.find((one) => one.shortName === site.locationShortName)?.name ?? site.locationShortName;
}

export function siteView(world: World, site: Site): Row {
  const item = siteListItem(world, site);
  if (!world.rules.on(viewIsLong)) return item;
  return {
    ...item,
    php_version: world.readings.phpVersion === 'long' ? `${site.phpVersion}.12` : site.phpVersion,
    domain_cname: cnameOf(site),
    ssh: sshOf(site),
    domains: site.domains.map((domain) => domainRow(world, site, domain)),
    subscription: {
      id: `sub-${site.id}`,
      // SIT-09: reads active even while the site is suspended.
      status: 'active',
      ...stamps(world, site),
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
  const row = domainCore(world, site, domain);
  return world.rules.on(ownersShown) ? { ...row, site_id: site.id, account_id: site.accountId } : row;
}

export function siteDomainRow(world: World, site: Site, domain: Domain): Row {
  const row = domainCore(world, site, domain);
  return world.rules.on(ownersHidden) ? row : { ...row, site_id: site.id, account_id: site.accountId };
}

function domainCore(world: World, site: Site, domain: Domain): Row {
  const zone = domain.method === 'dns' || world.readings['GAP-18'] === 'always';
  const shown = zone && world.rules.on(zoneShown);
  const row = {
    id: domain.id,
    hostname: domain.hostname,
    dns_zone: shown ? dnsZone(world, site, domain) : blank(world),
    dns_zone_records: shown ? domain.records.map((record) => dnsRecord(world, domain, record)) : listOrNull(world, []),
  };
  return world.rules.on(methodNotRead) ? row : { ...row, provision_method: domain.method };
}

function dnsZone(world: World, site: Site, domain: Domain): Row {
  return {
    id: `zone-${domain.id}`,
    name: domain.hostname,
    dnssec: false,
    dnssec_data: blank(world),
    ...stamps(world, domain),
    account: accountRef(world.state, site.accountId),
  };
}

function dnsRecord(world: World, domain: Domain, record: Domain['records'][number]): Row {
  return {
    id: record.id,
    record_type: record.recordType,
    ttl: record.ttl,
    value: record.value,
    name: record.name,
    priority: 0,
    weight: 0,
    port: 0,
    flags: blank(world),
    comment: blank(world),
    ...stamps(world, domain),
  };
}

export function taskView(world: World, task: Task): Row {
  const timestamp = (atMs: number | null): unknown => {
    if (atMs === null) return null;
    return world.readings['GAP-14.timestamps'] === 'iso' ? new Date(atMs).toISOString() : Math.floor(atMs / 1000);
  };
  const view = {
    id: world.rules.on(idsAreStrings) ? task.id : String(task.id),
    name: task.name,
    data: task.data,
    labels: task.labels,
    status: task.status,
    start_on: timestamp(task.startOn),
    end_on: timestamp(task.endOn ?? (world.rules.on(endOnUnreliable) ? null : task.updatedAt)),
    ...stamps(world, task),
  };
  return world.rules.on(taskFields) ? { ...view, performed_by: task.performedBy } : view;
}

export function orderListItem(world: World, order: Order): Row {
  return {
    id: order.id,
    status: order.status,
    ...stamps(world, order),
    location: order.locationShortName,
    account: accountRef(world.state, order.accountId),
  };
}
