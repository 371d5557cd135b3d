// How domains are listed, found, attached, promoted and detached.
import { reachableSites } from '../../core/http/access.ts';
import { text } from '../../core/http/schema.ts';
import { done, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/table.ts';
import { isListed } from '../../core/consistency-lag.ts';
import { domainRow, siteDomainRow } from '../../core/present.ts';
import type { Domain, Site } from '../../core/state.ts';
import { inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';
import { ATTACH_BODY, attachDomain } from './attach.ts';
import { pageIfRead } from '../../core/http/paging.ts';

interface Placed {
  readonly site: Site;
  readonly domain: Domain;
}

/** GAP-19: whether a site's temporary hostname is a row like the others is not documented. */
function rowsOf(world: World, site: Site): readonly Domain[] {
  if (world.ambiguities['GAP-19.temporary'] === 'unlisted') return site.domains;
  const temporary: Domain = {
    id: `dom-temporary-${site.id}`,
    hostname: site.temporaryHostname,
    method: 'cname',
    forceSsl: true,
    hasCertificate: true,
    records: [],
    createdAt: site.createdAt,
    updatedAt: site.createdAt,
    hidden: null,
  };
  return [...site.domains, temporary];
}

function reachableDomains(call: Call): readonly Placed[] {
  const { world } = call;
  const narrowTo = world.ambiguities['GAP-19.header'] === 'narrows' ? call.accountId : null;
  return reachableSites(world, call.credential)
    .filter((site) => narrowTo === null || site.accountId === narrowTo)
    .flatMap((site) => rowsOf(world, site).map((domain) => ({ site, domain })));
}

function listed(call: Call, placed: readonly Placed[]): Answer {
  const { world } = call;
  const rows = placed.filter(({ domain }) => isListed(world, domain));
  return ok({
    domains: pageIfRead(call, inListOrder(world, rows)).map(({ site, domain }) => domainRow(world, site, domain)),
  });
}

function readDomain(call: Call): Answer {
  const { world } = call;
  const found = reachableDomains(call).find(({ domain }) => domain.id === call.params['domain']);
  if (found === undefined) return refuse(404, null, 'Not Found');
  // DOM-02: one domain answers under `domain`.
  return ok({ domain: domainRow(world, found.site, found.domain) });
}

function queryDomains(call: Call): Answer {
  const needle = String(call.body['q']).toLowerCase();
  // DOM-03: the query is a prefix of the hostname, whatever its case.
  return listed(
    call,
    reachableDomains(call).filter(({ domain }) => domain.hostname.toLowerCase().startsWith(needle)),
  );
}

function listSiteDomains(call: Call, site: Site): Answer {
  const { world } = call;
  const rows = rowsOf(world, site).filter((domain) => isListed(world, domain));
  return ok({ domains: inListOrder(world, rows).map((domain) => siteDomainRow(world, site, domain)) });
}

function promote(call: Call, site: Site): Answer {
  const { world } = call;
  const domain = site.domains.find((one) => one.id === call.params['domain']);
  if (domain === undefined) return refuse(404, null, 'Not Found');
  // DOM-09: promotion makes a domain primary and the previous primary an alias. The PATCH takes no body (CNV-32).
  site.primaryDomainId = domain.id;
  site.updatedAt = world.clock.now();
  return done(world, { domain: siteDomainRow(world, site, domain) });
}

function detach(call: Call, site: Site): Answer {
  const { world } = call;
  const domain = site.domains.find((one) => one.id === call.params['domain']);
  if (domain === undefined) return refuse(404, null, 'Not Found');
  site.domains = site.domains.filter((one) => one !== domain);
  if (site.primaryDomainId === domain.id) {
    // SIT-14: detaching the primary leaves the site on its temporary hostname.
    site.primaryDomainId = null;
  }
  site.updatedAt = world.clock.now();
  return done(world, {});
}

/**
 * GAP-17: DELETE says `domain` where PATCH and GET say `domains`; the documents stress it, so the plural answers 404.
 */
export const domainEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/domains',
    scope: 'domains:read',
    handle: (call) => listed(call, reachableDomains(call)),
  },
  { method: 'GET', path: '/api/domains/:domain', scope: 'domains:read', handle: readDomain },
  {
    method: 'POST',
    path: '/api/domains/query',
    body: { q: { ...text, required: true } },
    handle: queryDomains,
    // CNV-31: the POST that queries domains is a read.
    scope: 'domains:read',
  },
  ...siteEndpoints({ scope: ({ ambiguities }) => `${ambiguities['GAP-19.scope']}:write` }, '', {
    'GET /domains': {
      scope: ({ ambiguities }) => `${ambiguities['GAP-19.scope']}:read`,
      handle: listSiteDomains,
    },
    'POST /domains': { body: ATTACH_BODY, handle: attachDomain },
    'PATCH /domains/:domain': promote,
    'DELETE /domain/:domain': detach,
    // DOM-10: a domain is detached at the singular path only.
    'DELETE /domains/:domain': () => refuse(404, null, 'Not Found'),
  }),
];
