// What the platform remembers: accounts, users, sites with their domains and pull zones, tasks; each area adds what is
// its own. Tests change it directly ("behind the engine's back"). A class says of each field what it is on an everyday
// object; what differs from object to object is declared and given.
import { EPOCH_MS } from './clock.ts';
import type { Hidden } from './lists.ts';
import { guid } from './random.ts';
import { traffic } from './traffic-state.ts';
import type { Traffic } from './traffic-state.ts';

export type Role = 'none' | 'read' | 'modify' | 'full';
export type TaskStatus = 'OK' | 'PENDING' | 'RUNNING' | 'CANCELLED' | 'PAUSED' | 'FAILED';
export type ProvisionMethod = 'dns' | 'cname';
export type Term = 'monthly' | 'annual';

export const LAYERS = ['redis', 'nginx', 'cdn'] as const;
export type Layer = (typeof LAYERS)[number];

export interface Account {
  readonly id: string;
  name: string;
  /** The term of what it buys without naming one; absent: monthly. */
  billingTerm?: Term;
  /** May make users with sub-accounts. */
  reseller?: boolean;
  /** Belongs to the platform itself. */
  platformAdmin?: boolean;
  /** Whose sub-account it is, and who is billed for it. */
  readonly parentId?: string;
}

export interface User {
  readonly id: string;
  firstName: string;
  lastName: string;
  email: string;
  accountIds: string[];
  /** On sites that `siteRoles` does not name. */
  role: Role;
  /** Where it differs from account to account. */
  readonly accountRoles?: Map<string, Role>;
  readonly siteRoles: Map<string, Role>;
  readonly locale?: 'en' | 'nl';
  readonly createdAt?: number;
  /** Told once, when the user was made. */
  readonly apiToken?: string;
  readonly hidden?: Hidden;
}

interface DnsRecord {
  readonly id: string;
  recordType: number;
  name: string;
  value: string;
  ttl: number;
}

export class Domain {
  declare readonly id: string;
  declare hostname: string;
  method: ProvisionMethod = 'cname';
  forceSsl = true;
  hasCertificate = true;
  records: DnsRecord[] = [];
  createdAt = EPOCH_MS;
  updatedAt = EPOCH_MS;
  hidden: Hidden = null;
}

/** The settings of a pull zone; at first as nobody has touched them. */
export class Caching {
  smart_cache = false;
  cache_expiration: number = -1;
  browser_cache_expiration = 0;
  query_string_ordering = false;
  cache_error_responses = false;
  vary_avif = false;
  vary_webp = false;
  vary_mobile = false;
  vary_hostname = false;
  vary_country_code = false;
  vary_country_state_code = false;
  vary_cookie = false;
  disable_cookies = false;
  cache_slice = false;
  stale_while_offline = false;
  stale_while_updating = false;
  cookie_vary_parameters: string[] = [];
  query_string_vary_parameters: string[] = [];
}

interface Cdn {
  /** `inactive`: a pull zone that is switched off; `none`: no pull zone at all. */
  zone: 'active' | 'inactive' | 'none';
  type: 'premium' | 'volume';
  caching: Caching;
  /** Of a copy: the status as it was read, while what is in it is not known in other ways. */
  shown?: unknown;
  purges: number;
  /** The CDN's own API fails: every call that needs it answers 502. */
  upstreamDown: boolean;
}

export interface Site {
  readonly id: string;
  name: string;
  accountId: string;
  locationShortName: string;
  region: string;
  package: string;
  /** The label of the PHP variant in use. */
  phpVersion: string;
  temporaryHostname: string;
  term: Term;
  suspended: boolean;
  pendingDelete: boolean;
  /** null: the site answers at its temporary hostname. */
  primaryDomainId: string | null;
  domains: Domain[];
  /** Of a copy that knows the name in the list of sites, and not which hostnames there are. */
  shownPrimary?: string;
  /** Of a copy: which tasks it had before is not known. */
  tasksUnread?: true;
  cdn: Cdn;
  traffic: Traffic;
  createdAt: number;
  updatedAt: number;
}

export class Task {
  declare readonly id: number;
  /** The site that it works on, or will have made. */
  declare readonly siteId: string;
  /** Where the site may not be there yet. */
  readonly accountId: string | null = null;
  declare name: string;
  data = '';
  labels: Record<string, string> = {};
  status: TaskStatus = 'PENDING';
  startOn: number | null = null;
  endOn: number | null = null;
  declare createdAt: number;
  declare updatedAt: number;
  performedBy: { id: string; name: string; email: string } | null = null;
  /** Digests of the reports taken, so that a repeated one does nothing. */
  reports: string[] = [];
}

/** What becomes of the next task that fits: it ends, or stops, otherwise than well. */
export interface TaskFate {
  /** A prefix of the task's name; absent: any task. */
  readonly name?: string;
  readonly siteId?: string;
  readonly status: TaskStatus;
}

export interface Plan {
  readonly shortName: string;
  readonly name: string;
  /** The cache layers that it comes with. */
  readonly layers: readonly Layer[];
  /** Absent: true. */
  orderable?: boolean;
  unpricedTerms?: readonly string[];
}

interface Location {
  readonly shortName: string;
  readonly name: string;
  /** How many more orders find no capacity there. */
  soldOutFor?: number;
}

/** An area of the platform, as the store sees it; `area.ts` adds what else it brings. */
export interface Area {
  /** What the platform remembers of this area at the start. */
  readonly state?: () => Partial<State>;
  /** What it remembers of a new site. `serial` is the site's own number. */
  readonly siteState?: (site: { readonly serial: number; readonly createdAt: number }) => Partial<Site>;
}

export interface State {
  /** What this sandbox is made of; not stored. */
  readonly areas: readonly Area[];
  readonly seed: number;
  /** Serial number of the next generated id. */
  nextSerial: number;
  readonly accounts: Map<string, Account>;
  readonly users: Map<string, User>;
  /** Of a copy: only who sends the requests is known. */
  usersUnread?: true;
  readonly sites: Map<string, Site>;
  readonly tasks: Map<number, Task>;
  /** Each strikes once, in this order. */
  readonly taskFates: TaskFate[];
  readonly locations: Location[];
  readonly plans: Plan[];
  /** Of a copy: `plans` are those of its sites, and there may be others. */
  catalogueUnread?: true;
  /** The DNS zones that the service hosts. */
  readonly dnsZones: { readonly name: string; readonly accountId: string }[];
}

/** A platform without accounts. */
export function emptyState(areas: readonly Area[]): State {
  const stored = {
    seed: 1,
    nextSerial: 1,
    accounts: new Map(),
    users: new Map(),
    sites: new Map(),
    tasks: new Map(),
    taskFates: [],
    dnsZones: [],
    locations: [
      { shortName: 'ams', name: 'Europe West' },
      { shortName: 'nyc', name: 'North America East' },
    ],
    plans: [
      { shortName: 'mini', name: 'Mini', layers: ['cdn'] },
      { shortName: 'pro', name: 'Pro', layers: ['cdn', 'nginx'] },
      { shortName: 'max', name: 'Max', layers: ['cdn', 'nginx', 'redis'] },
    ],
  };
  Object.assign(stored, ...areas.map((area) => area.state?.()));
  // What is not enumerable is in no copy and in no answer.
  return Object.defineProperty(stored, 'areas', { value: areas }) as unknown as State;
}

export function nextId(state: State): string {
  return guid(state.seed, takeSerial(state));
}

export function takeSerial(state: State): number {
  const serial = state.nextSerial;
  state.nextSerial += 1;
  return serial;
}

export function planLayers(state: State, site: Site): readonly Layer[] {
  return state.plans.find(({ shortName }) => shortName === site.package)?.layers ?? [];
}

/** Puts a site with everyday values into the store; `given` overrides any of them. */
export function addSite(state: State, given: Pick<Site, 'id' | 'accountId'> & Partial<Site>): Site {
  const label = given.name ?? given.id;
  const serial = state.sites.size + 1;
  const createdAt = given.createdAt ?? EPOCH_MS;
  const temporaryHostname = given.temporaryHostname ?? `${given.id.replace(/[^A-Za-z0-9-]/g, '-')}.tmp.sandbox.example`;
  const site = {
    name: label,
    locationShortName: 'ams',
    region: 'ams-1',
    package: 'pro',
    phpVersion: '8.3',
    temporaryHostname,
    term: 'monthly' as const,
    suspended: false,
    pendingDelete: false,
    primaryDomainId: null,
    domains: [],
    cdn: { zone: 'active', type: 'premium', caching: new Caching(), purges: 0, upstreamDown: false },
    traffic: traffic(temporaryHostname),
    createdAt: EPOCH_MS,
    updatedAt: EPOCH_MS,
    ...Object.assign({}, ...state.areas.map((area) => area.siteState?.({ serial, createdAt }))),
    ...given,
  } as Site;
  state.sites.set(site.id, site);
  return site;
}

/** Attaches a hostname without any of the checks of the API; the site's first becomes its primary. */
export function addDomain(state: State, site: Site, given: Pick<Domain, 'hostname'> & Partial<Domain>): Domain {
  const id = given.id ?? nextId(state);
  const domain: Domain = Object.assign(new Domain(), { id }, given);
  site.domains.push(domain);
  if (site.domains.length === 1) site.primaryDomainId = id;
  return domain;
}

export function addTask(state: State, given: Pick<Task, 'siteId' | 'name' | 'createdAt'> & Partial<Task>): Task {
  const id = given.id ?? 1000 + takeSerial(state);
  const task: Task = Object.assign(new Task(), { updatedAt: given.createdAt, id }, given);
  state.tasks.set(id, task);
  return task;
}

/** A second account that has nothing. Ada may look at the other account and change her own. */
export function addBareAccount({ accounts, users }: State): void {
  accounts.set('acc-bare', { id: 'acc-bare', name: 'bare' });
  const ada = users.get('user-ada');
  if (ada !== undefined)
    users.set(ada.id, {
      ...ada,
      accountIds: [...ada.accountIds, 'acc-bare'],
      accountRoles: new Map([['acc-other', 'read']]),
    });
}
