// What the platform remembers: accounts, users, sites with their domains and CDN, tasks, orders. Tests change it directly ("behind the engine's back").
import { EPOCH_MS } from './clock.ts';
import type { Hidden } from './consistency-lag.ts';
import { emptyMail } from '../mail/state.ts';
import type { MailPlatform } from '../mail/state.ts';
import { mailAccount } from '../site/mail/state.ts';
import type { MailAccount } from '../site/mail/state.ts';
import { emptyPanel } from '../panel/state.ts';
import type { PanelDuty, PanelPlatform, Term } from '../panel/state.ts';
import type { Billing, Cart, Order } from '../billing/state.ts';
import { guid } from './random.ts';
import { emptyRegistrar } from '../registration/state.ts';
import type { Registrar } from '../registration/state.ts';
import type { Shield } from '../shield/state.ts';
import { cacheLayers, phpVariants, volumes } from '../site/state.ts';
import { emptyWebhooks } from '../billing/webhook-state.ts';
import type { Webhooks } from '../billing/webhook-state.ts';
import type { CacheLayer, EdgeRule, Layer, PhpVariant, Volume } from '../site/state.ts';
import { traffic } from '../site/traffic-state.ts';
import type { Traffic } from '../site/traffic-state.ts';

export type Role = 'none' | 'read' | 'modify' | 'full';
export type TaskStatus = 'OK' | 'PENDING' | 'RUNNING' | 'CANCELLED' | 'PAUSED' | 'FAILED';
export type ProvisionMethod = 'dns' | 'cname';

export interface Account {
  readonly id: string;
  name: string;
  /** How it pays; what is absent is as usual (billingOf). */
  billing?: Partial<Billing>;
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
  /** What it may do with the panel accounts of a workspace, where that is not as its role says. */
  readonly duties?: Map<string, PanelDuty[]>;
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

export interface Domain {
  readonly id: string;
  hostname: string;
  method: ProvisionMethod;
  forceSsl: boolean;
  hasCertificate: boolean;
  records: DnsRecord[];
  createdAt: number;
  updatedAt: number;
  hidden: Hidden;
}

export interface Caching {
  smart_cache: boolean;
  cache_expiration: number;
  browser_cache_expiration: number;
  query_string_ordering: boolean;
  cache_error_responses: boolean;
  vary_avif: boolean;
  vary_webp: boolean;
  vary_mobile: boolean;
  vary_hostname: boolean;
  vary_country_code: boolean;
  vary_country_state_code: boolean;
  vary_cookie: boolean;
  disable_cookies: boolean;
  cache_slice: boolean;
  stale_while_offline: boolean;
  stale_while_updating: boolean;
  cookie_vary_parameters: string[];
  query_string_vary_parameters: string[];
}

interface Cdn {
  /** `inactive`: a pull zone that is switched off; `none`: no pull zone at all. */
  zone: 'active' | 'inactive' | 'none';
  type: 'premium' | 'volume';
  caching: Caching;
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
  phpVariants: PhpVariant[];
  temporaryHostname: string;
  term: 'monthly' | 'annual';
  suspended: boolean;
  pendingDelete: boolean;
  /** null: the site answers at its temporary hostname. */
  primaryDomainId: string | null;
  domains: Domain[];
  cdn: Cdn;
  edgeRules: EdgeRule[];
  shield: Shield;
  layers: Record<Layer, CacheLayer>;
  volumes: Volume[];
  restarts: { cms: number; database: number; cache: number };
  /** Its transactional mail; null where the site has no account. */
  mail: MailAccount | null;
  traffic: Traffic;
  createdAt: number;
  updatedAt: number;
}

export interface Task {
  readonly id: number;
  /** The site that it works on, or will have made. */
  readonly siteId: string;
  /** Where the site may not be there yet. */
  readonly accountId: string | null;
  name: string;
  data: string;
  labels: Record<string, string>;
  status: TaskStatus;
  startOn: number | null;
  endOn: number | null;
  createdAt: number;
  updatedAt: number;
  performedBy: { id: string; name: string; email: string } | null;
  /** Digests of the reports taken, so that a repeated one does nothing. */
  reports: string[];
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
  /** Whether it comes with Shield. Absent: true. */
  readonly shield?: boolean;
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

export interface State {
  readonly seed: number;
  /** Serial number of the next generated id. */
  nextSerial: number;
  readonly accounts: Map<string, Account>;
  readonly users: Map<string, User>;
  readonly sites: Map<string, Site>;
  readonly tasks: Map<number, Task>;
  /** Each strikes once, in this order. */
  readonly taskFates: TaskFate[];
  readonly orders: Map<string, Order>;
  readonly carts: Map<string, Cart>;
  readonly locations: Location[];
  readonly plans: Plan[];
  readonly mail: MailPlatform;
  /** The platform has no transactional mail at present. */
  mailDown: boolean;
  readonly panel: PanelPlatform;
  readonly webhooks: Webhooks;
  readonly registrar: Registrar;
}

export function emptyState(seed = 1): State {
  return {
    seed,
    nextSerial: 1,
    accounts: new Map(),
    users: new Map(),
    sites: new Map(),
    tasks: new Map(),
    taskFates: [],
    orders: new Map(),
    carts: new Map(),
    locations: [
      { shortName: 'ams', name: 'Europe West' },
      { shortName: 'nyc', name: 'North America East' },
    ],
    plans: [
      { shortName: 'mini', name: 'Mini', layers: ['cdn'] },
      { shortName: 'pro', name: 'Pro', layers: ['cdn', 'nginx'] },
      { shortName: 'max', name: 'Max', layers: ['cdn', 'nginx', 'redis'] },
    ],
    mail: emptyMail(),
    mailDown: false,
    panel: emptyPanel(),
    webhooks: emptyWebhooks(),
    registrar: emptyRegistrar(),
  };
}

export function nextId(state: State): string {
  return guid(state.seed, takeSerial(state));
}

export function takeSerial(state: State): number {
  const serial = state.nextSerial;
  state.nextSerial += 1;
  return serial;
}

/** The settings of a pull zone that nobody has touched. */
export function defaultCaching(): Caching {
  return {
    smart_cache: false,
    cache_expiration: -1,
    browser_cache_expiration: 0,
    query_string_ordering: false,
    cache_error_responses: false,
    vary_avif: false,
    vary_webp: false,
    vary_mobile: false,
    vary_hostname: false,
    vary_country_code: false,
    vary_country_state_code: false,
    vary_cookie: false,
    disable_cookies: false,
    cache_slice: false,
    stale_while_offline: false,
    stale_while_updating: false,
    cookie_vary_parameters: [],
    query_string_vary_parameters: [],
  };
}

export function planLayers(state: State, site: Site): readonly Layer[] {
  return state.plans.find(({ shortName }) => shortName === site.package)?.layers ?? [];
}

export function planHasShield(state: State, site: Site): boolean {
  return state.plans.find(({ shortName }) => shortName === site.package)?.shield ?? true;
}

/** Puts a site with everyday values into the store; `given` overrides any of them. */
export function addSite(state: State, given: Pick<Site, 'id' | 'accountId'> & Partial<Site>): Site {
  const label = given.name ?? given.id;
  const serial = state.sites.size + 1;
  const temporaryHostname = given.temporaryHostname ?? `${given.id.replace(/[^A-Za-z0-9-]/g, '-')}.tmp.sandbox.example`;
  const site: Site = {
    name: label,
    locationShortName: 'ams',
    region: 'ams-1',
    package: 'pro',
    phpVersion: '8.3',
    phpVariants: phpVariants(serial),
    temporaryHostname,
    term: 'monthly',
    suspended: false,
    pendingDelete: false,
    primaryDomainId: null,
    domains: [],
    cdn: { zone: 'active', type: 'premium', caching: defaultCaching(), purges: 0, upstreamDown: false },
    edgeRules: [],
    shield: { zone: null, upstreamDown: false },
    layers: cacheLayers(),
    volumes: volumes(serial),
    restarts: { cms: 0, database: 0, cache: 0 },
    // The account comes with the site (TML-07).
    mail: mailAccount(given.createdAt ?? EPOCH_MS),
    traffic: traffic(temporaryHostname),
    createdAt: EPOCH_MS,
    updatedAt: EPOCH_MS,
    ...given,
  };
  state.sites.set(site.id, site);
  return site;
}

/** Attaches a hostname without any of the checks of the API; the site's first becomes its primary. */
export function addDomain(state: State, site: Site, given: Pick<Domain, 'hostname'> & Partial<Domain>): Domain {
  const id = given.id ?? nextId(state);
  const domain: Domain = {
    method: 'cname',
    forceSsl: true,
    hasCertificate: true,
    records: [],
    createdAt: EPOCH_MS,
    updatedAt: EPOCH_MS,
    hidden: null,
    ...given,
    id,
  };
  site.domains.push(domain);
  if (site.domains.length === 1) site.primaryDomainId = id;
  return domain;
}

export function addTask(state: State, given: Pick<Task, 'siteId' | 'name' | 'createdAt'> & Partial<Task>): Task {
  const id = given.id ?? 1000 + takeSerial(state);
  const task: Task = {
    accountId: null,
    data: '',
    labels: {},
    status: 'PENDING',
    startOn: null,
    endOn: null,
    performedBy: null,
    reports: [],
    updatedAt: given.createdAt,
    ...given,
    id,
  };
  state.tasks.set(id, task);
  return task;
}
