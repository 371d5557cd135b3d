// Decides what the CDN endpoints show and write: status, caching settings, purge.
// Must not activate a CDN: nothing documented does.
import { done, isRecord, ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { blank, listOrNull } from '../../core/present.ts';
import { rule } from '../../rules/rules.ts';
import { defaultCaching } from '../../core/state.ts';
import type { Caching, Site } from '../../core/state.ts';
import { startTask } from '../../core/tasks.ts';
import { inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

const statusFields = rule('CDN-02', 'the CDN status has its twelve fields');
const cachingFields = rule('CDN-06', 'the caching settings have their eighteen fields');
const ttlSentinels = rule('CDN-07', 'cache_expiration takes -1 (respect the origin) and 0 (cache nothing)');
const partialWrite = rule('CDN-08', 'only the keys sent are written, and the refreshed settings answer');
const purgeIsSynchronous = rule('CDN-10', 'the purge of the whole zone is done when it answers, without a task');

const NUMBERS = ['cache_expiration', 'browser_cache_expiration'];
const LISTS = ['cookie_vary_parameters', 'query_string_vary_parameters'];

function status(call: Call, site: Site): Answer {
  const { world } = call;
  const { cdn } = site;
  const body = {
    active: cdn.zone === 'active',
    cdn_type: cdn.type,
    optimizer_enabled: false,
    origin_url: `https://${site.temporaryHostname}`,
    origin_type: 0,
    enable_logging: true,
    origin_shield_enabled: false,
    auto_ssl: true,
    cache_control_max_age_override: cdn.caching.cache_expiration,
    smart_cache: cdn.caching.smart_cache,
    cache_enabled: cdn.caching.cache_expiration !== 0,
  };
  return ok(world.rules.on(statusFields) ? { ...body, hostnames: hostnames(world, site) } : body);
}

function hostnames(world: World, site: Site): unknown {
  const own = { value: site.temporaryHostname, force_ssl: true, has_certificate: true, is_system_hostname: true };
  const attached = site.domains.map((domain) => ({
    value: domain.hostname,
    force_ssl: domain.forceSsl,
    has_certificate: domain.hasCertificate,
    is_system_hostname: false,
  }));
  return inListOrder(world, [own, ...attached]);
}

function showCaching(world: World, caching: Caching): Record<string, unknown> {
  const shown: Record<string, unknown> = {
    ...caching,
    cookie_vary_parameters: listOrNull(world, caching.cookie_vary_parameters),
    query_string_vary_parameters: listOrNull(world, caching.query_string_vary_parameters),
  };
  if (!world.rules.on(cachingFields)) shown['vary_country_state_code'] = blank(world);
  return shown;
}

function writeCaching(call: Call, site: Site): Answer {
  const { world, body } = call;
  if (!isRecord(body)) return refuse(world, 422, null, 'The body must be an object of caching settings');
  const refusal = unknownKeys(world, body, Object.keys(defaultCaching())) ?? wrongTypes(world, body);
  if (refusal !== undefined) return refusal;
  const before: Caching = world.rules.on(partialWrite) ? site.cdn.caching : defaultCaching();
  const written = Object.entries(body).map(([key, value]) => [
    key,
    LISTS.includes(key) ? stored(world, before, key, value as string[]) : value,
  ]);
  site.cdn.caching = { ...before, ...(Object.fromEntries(written) as Partial<Caching>) };
  return ok(showCaching(world, site.cdn.caching));
}

function wrongTypes(world: World, body: Record<string, unknown>): Answer | undefined {
  const problems = Object.entries(body).flatMap(([key, value]) => {
    if (NUMBERS.includes(key)) return isSeconds(world, key, value) ? [] : [`${key} must be a number of seconds`];
    if (LISTS.includes(key)) return isTextList(value) ? [] : [`${key} must be a list of texts`];
    return typeof value === 'boolean' ? [] : [`${key} must be true or false`];
  });
  return problems.length === 0 ? undefined : refuse(world, 422, null, ...problems);
}

function isSeconds(world: World, key: string, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isInteger(value)) return false;
  if (key !== 'cache_expiration') return value >= 0;
  return value >= (world.rules.on(ttlSentinels) ? -1 : 1);
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** GAP-21: whether a list replaces or adds, and what becomes of odd values, is not documented. */
function stored(world: World, before: Caching, key: string, sent: readonly string[]): string[] {
  const kept =
    world.readings['GAP-21.characters'] === 'keep' ? sent : sent.filter((value) => /^[A-Za-z0-9_-]+$/.test(value));
  const old = world.readings['GAP-21'] === 'merge' ? before[key as 'cookie_vary_parameters'] : [];
  return [...new Set([...old, ...kept])];
}

function purge(call: Call, site: Site): Answer {
  const { world } = call;
  if (world.rules.on(purgeIsSynchronous)) site.cdn.purges += 1;
  else startTask(world, call.credential, site, 'site.cache.cdn_purge');
  return done(world, {});
}

export const cdnEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/sites/:site/cdn', scope: 'sites:read', site: 'read', cdn: 'zone', handle: status },
  {
    method: 'GET',
    path: '/api/sites/:site/cdn/caching',
    scope: 'sites:read',
    site: 'read',
    cdn: 'active',
    handle: ({ world }, site) => ok(showCaching(world, site.cdn.caching)),
  },
  {
    method: 'PATCH',
    path: '/api/sites/:site/cdn/caching',
    scope: 'sites:write',
    site: 'can_modify',
    cdn: 'active',
    handle: writeCaching,
  },
  {
    method: 'POST',
    path: '/api/sites/:site/cdn/caching/purge',
    scope: 'sites:write',
    site: 'can_modify',
    cdn: 'active',
    handle: purge,
  },
];
