// Which scenarios there are by name. A scenario is a store to start from, and the readings that belong to it: what `core`
// has there, and what each area adds to it.
import { AREAS } from './areas.ts';
import type { Scenario, ScenarioPart } from './core/area.ts';
import { addDomain, addSite, addTask, emptyState } from './core/state.ts';
import type { Role, Site, State } from './core/state.ts';
import { EPOCH_MS } from './core/clock.ts';
import { logEntry } from './core/traffic-state.ts';
import { HOSTILE_NAMES } from './core/hostile-names.ts';

export type ScenarioFn = () => State;

interface BuiltScenario {
  readonly state: State;
  /** Overridden by the readings that the caller gives. */
  readonly ambiguities: Readonly<Record<string, string>>;
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  empty: {},
  small: {},
  guards: {},
  hostile: {
    ambiguities: {
      listOrder: 'reshuffled',
      lateLists: 'reads:1',
      emptyLists: 'null',
      'GAP-19.temporary': 'listed',
    },
  },
  'sites:N': {},
  'accounts:N': {},
  ...(Object.assign({}, ...AREAS.map(({ scenarios }) => scenarios)) as Readonly<Record<string, Scenario>>),
};

/** Those of any size last. */
const NAMES = Object.keys(SCENARIOS).sort((left, right) => Number(left.endsWith(':N')) - Number(right.endsWith(':N')));

const PARTS: readonly Readonly<Record<string, ScenarioPart>>[] = [
  { empty, small, guards, hostile, 'sites:N': sites, 'accounts:N': accounts },
  ...AREAS.map(({ parts }) => parts ?? {}),
];

/** The store of a scenario: `small`, or `sites:1000` where it has a size. */
export function scenarioState(name: string): State {
  return buildScenario(name).state;
}

export function buildScenario(scenario: string | ScenarioFn): BuiltScenario {
  if (typeof scenario === 'function') return { state: scenario(), ambiguities: {} };
  const [, of, count] = /^(.+):(\d+)$/.exec(scenario) ?? [];
  const name = of === undefined ? scenario : `${of}:N`;
  const found = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
  if (found === undefined) throw new Error(`unknown scenario '${scenario}'; there are: ${NAMES.join(', ')}`);
  const state = emptyState(AREAS);
  for (const step of new Set(['empty', found.from ?? 'empty', name]))
    for (const parts of PARTS) if (Object.hasOwn(parts, step)) parts[step]?.(state, Number(count));
  return { state, ambiguities: found.ambiguities ?? {} };
}

/** A small agency: `shop` with two domains, `docs` with one, `blog` with none, and somebody else's site in reach. */
function small(state: State): void {
  const shop = addSite(state, {
    id: 'site-shop',
    accountId: 'acc-acme',
    name: 'shop',
    term: 'annual',
    phpVersion: '8.2',
  });
  addDomain(state, shop, {
    id: 'dom-shop',
    hostname: 'shop.example.com',
    method: 'dns',
    records: [{ id: 'rec-shop', recordType: 0, name: '@', value: '192.0.2.10', ttl: 300 }],
  });
  addDomain(state, shop, { id: 'dom-www-shop', hostname: 'www.shop.example.com' });
  shopTraffic(shop);
  addSite(state, { id: 'site-blog', accountId: 'acc-acme', name: 'blog', package: 'mini' });
  const docs = addSite(state, { id: 'site-docs', accountId: 'acc-acme', name: 'docs', package: 'mini' });
  addDomain(state, docs, { id: 'dom-docs', hostname: 'docs.example.com' });
  const foreign = addSite(state, { id: 'site-foreign', accountId: 'acc-other', name: 'foreign' });
  addDomain(state, foreign, { id: 'dom-foreign', hostname: 'www.example.org' });
  // Rob may change the docs, but not delete anything there, and does not get into the shop at all.
  const roles = state.users.get('user-rob')?.siteRoles;
  roles?.set('site-docs', 'modify').set('site-shop', 'none');
  addTask(state, {
    id: 501,
    siteId: 'site-shop',
    name: 'site.created',
    createdAt: EPOCH_MS - 3 * 86_400_000,
    status: 'OK',
    startOn: EPOCH_MS,
  });
}

/** An hour of requests. */
function shopTraffic(shop: Site): void {
  const minutesAgo = (minutes: number): number => EPOCH_MS - minutes * 60_000;
  shop.traffic.cdnLog.push(
    logEntry(minutesAgo(55)),
    logEntry(minutesAgo(35), {
      status: 404,
      cacheStatus: 'MISS',
      country: 'BE',
      url: 'https://shop.example.com/old/17',
    }),
    logEntry(minutesAgo(5), { cacheStatus: 'MISS', url: 'https://shop.example.com/cart', bytes: 4_096 }),
    logEntry(minutesAgo(60 * 30), { country: 'US' }),
  );
  shop.traffic.originLog.push('2026-01-14 php notice', '2026-01-15 php warning');
  shop.traffic.shieldCounts = {
    ddos: { '2026-01-14': 3 },
    bots: { '2026-01-14': 5 },
    waf: { '2025-12-01': 9, '2026-01-14': 7 },
  };
  shop.traffic.cmsUsers.push({
    id: 7,
    login: 'editor',
    displayName: 'Ed Itor',
    email: 'ed@acme.example',
    roles: 'editor',
  });
}

/** An account with its users and nothing in it: where every other scenario starts. */
function empty(state: State): void {
  state.accounts.set('acc-acme', { id: 'acc-acme', name: 'acme' });
  state.accounts.set('acc-other', { id: 'acc-other', name: 'other' });
  const person = (id: string, firstName: string, lastName: string, role: Role, ...accountIds: string[]): void => {
    const email = `${firstName.toLowerCase()}@acme.example`;
    state.users.set(id, { id, firstName, lastName, email, accountIds, role, siteRoles: new Map() });
  };
  // Reaches a second account: without the account header its things show up too.
  person('user-ada', 'Ada', 'Vries', 'full', 'acc-acme', 'acc-other');
  person('user-rob', 'Rob', 'Reader', 'read', 'acc-acme');
}

/** One site for each way in which the platform can refuse, and a healthy one beside them. */
function guards(state: State): void {
  const sites: Readonly<Record<string, Partial<Site>>> = {
    healthy: {},
    suspended: { suspended: true },
    leaving: { pendingDelete: true },
    locked: {},
    'view-only': {},
    'no-cdn': {},
    'cdn-off': {},
    'cdn-down': {},
    everything: { suspended: true, pendingDelete: true },
  };
  for (const [name, given] of Object.entries(sites)) {
    const site = addSite(state, { id: `site-${name}`, accountId: 'acc-acme', name, ...given });
    addDomain(state, site, { id: `dom-${name}`, hostname: `${name}.example.com` });
    if (name === 'no-cdn') site.cdn.zone = 'none';
    if (name === 'cdn-off') site.cdn.zone = 'inactive';
    if (name === 'cdn-down') site.cdn.upstreamDown = true;
  }
  const roles = state.users.get('user-ada')?.siteRoles;
  roles?.set('site-locked', 'none').set('site-view-only', 'read').set('site-everything', 'none');
}

/**
 * Everything that is allowed and that nobody expects: names made to break terminals, pages and parsers, ids that need
 * encoding, lists in another order at each read, empty lists as null, fresh domains that show up late.
 */
function hostile(state: State): void {
  const account = state.accounts.get('acc-acme');
  if (account !== undefined) account.name = 'acme \u001b[2J<b>|';
  HOSTILE_NAMES.forEach(([id, name], index) => {
    const site = addSite(state, {
      id,
      accountId: 'acc-acme',
      name,
      temporaryHostname: `hostile-${index}.tmp.sandbox.example`,
    });
    // Lists of two, in no particular order, one of them with an id that needs encoding.
    addDomain(state, site, { id: `dom/${index}?a=%25#x`, hostname: `h${index}.example.net` });
    addDomain(state, site, { id: `dom-${index}`, hostname: `www.h${index}.example.net` });
  });
}

/** An account of any size, the same each time: for benchmarks and for what only shows in numbers. */
function sites(state: State, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const label = `s${String(number).padStart(5, '0')}`;
    const site = addSite(state, { id: `site-${label}`, accountId: 'acc-acme', name: label });
    addDomain(state, site, { id: `dom-${label}`, hostname: `${label}.example.com` });
    addDomain(state, site, { id: `dom-www-${label}`, hostname: `www.${label}.example.com` });
    site.cdn.caching.cache_expiration = number * 60;
  }
}

/** Many accounts of three sites each, all of which the one user reaches. */
function accounts(state: State, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const id = `acc-${String(number).padStart(5, '0')}`;
    state.accounts.set(id, { id, name: `Client ${number}` });
    for (const user of state.users.values()) user.accountIds.push(id);
    for (const name of ['shop', 'blog', 'docs']) {
      const site = addSite(state, { id: `site-${id}-${name}`, accountId: id, name });
      addDomain(state, site, { id: `dom-${id}-${name}`, hostname: `${name}.${id}.example.com` });
    }
  }
}
