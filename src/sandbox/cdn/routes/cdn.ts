// What the CDN endpoints show and write: status, caching settings, purge.
import { isUnread } from '../../core/copy/answers.ts';
import { boolean, integer, texts } from '../../core/http/schema.ts';
import { done, ok } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/site-endpoints.ts';
import { listOrNull } from '../../core/present.ts';
import { Caching } from '../../core/state.ts';
import type { Site } from '../../core/state.ts';
import { inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

const LISTS = ['cookie_vary_parameters', 'query_string_vary_parameters'];

function status(call: Call, site: Site): Answer {
  const { cdn } = site;
  if (cdn.shown !== undefined && (isUnread(cdn, 'caching') || isUnread(site, 'domains'))) return ok(cdn.shown);
  // CDN-02: the CDN status has its twelve fields.
  return ok({
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
    hostnames: hostnames(call, site),
  });
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
  // CDN-06: the caching settings have their eighteen fields.
  return {
    ...caching,
    cookie_vary_parameters: listOrNull(world, caching.cookie_vary_parameters),
    query_string_vary_parameters: listOrNull(world, caching.query_string_vary_parameters),
  };
}

function writeCaching(call: Call, site: Site): Answer {
  const { body } = call;
  // CDN-08: only the keys sent are written, and the refreshed settings answer.
  const before = site.cdn.caching;
  const written = Object.entries(body).map(([key, value]) => [
    key,
    LISTS.includes(key) ? stored(call, before, key, value as string[]) : value,
  ]);
  site.cdn.caching = { ...before, ...(Object.fromEntries(written) as Partial<Caching>) };
  return ok(showCaching(call, site.cdn.caching));
}

/** GAP-21: whether a list replaces or adds, and what becomes of odd values, is not documented. */
function stored(world: World, before: Caching, key: string, sent: readonly string[]): string[] {
  const kept =
    world.ambiguities['GAP-21.characters'] === 'keep' ? sent : sent.filter((value) => /^[A-Za-z0-9_-]+$/.test(value));
  const old = world.ambiguities['GAP-21'] === 'merge' ? before[key as 'cookie_vary_parameters'] : [];
  return [...new Set([...old, ...kept])];
}

function purge(call: Call, site: Site): Answer {
  // CDN-10: the purge of the whole zone is done when it answers, without a task.
  site.cdn.purges += 1;
  return done(call, {});
}

const CACHING = {
  ...Object.fromEntries(Object.keys(new Caching()).map((key) => [key, LISTS.includes(key) ? texts : boolean])),
  // CDN-07: cache_expiration takes -1 (respect the origin) and 0 (cache nothing).
  cache_expiration: integer(-1),
  browser_cache_expiration: integer(0),
};

export const cdnEndpoints = siteEndpoints({ cdn: 'active' }, '/cdn', {
  GET: { cdn: 'zone', handle: status },
  'GET /caching': (call, site) => ok(showCaching(call, site.cdn.caching)),
  'PATCH /caching': { body: CACHING, handle: writeCaching },
  'POST /caching/purge': purge,
});
