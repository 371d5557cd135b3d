// Decides how domains are listed, found, attached, promoted and detached.
// Must not check who owns a name: the documents do not say that attaching needs it.
import { reachableSites } from '../../core/http/access.ts';
import { done, isRecord, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, ScopeDemand } from '../../core/http/endpoint.ts';
import { isListed } from '../../core/consistency-lag.ts';
import { domainRow, siteDomainRow } from '../../core/present.ts';
import { rule } from '../../rules/rules.ts';
import type { Domain, Site } from '../../core/state.ts';
import { inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';
import { attachDomain } from './attach.ts';
import { pageIfRead } from '../../core/http/paging.ts';

const singleWrapped = rule('DOM-02', 'one domain answers under `domain`');
const prefixQuery = rule('DOM-03', 'the query is a prefix of the hostname, whatever its case');
const queryOnlyReads = rule('CNV-31', 'the POST that queries domains is a read');
const promotionMoves = rule('DOM-09', 'promotion makes a domain primary and the previous primary an alias');
const promotionTakesNoBody = rule('CNV-32', 'the PATCH that promotes a domain takes no body');
const singularDelete = rule('DOM-10', 'a domain is detached at the singular path only');
const fallsToTemporary = rule('SIT-14', 'detaching the primary leaves the site on its temporary hostname');

interface Placed {
  readonly site: Site;
  readonly domain: Domain;
}

/** GAP-19: whether a site's temporary hostname is a row like the others is not documented. */
function rowsOf(world: World, site: Site): readonly Domain[] {
  if (world.readings['GAP-19.temporary'] === 'unlisted') return site.domains;
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
  const narrowTo = world.readings['GAP-19.header'] === 'narrows' ? call.accountId : null;
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
  if (found === undefined) return refuse(world, 404, null, 'Not Found');
  const row = domainRow(world, found.site, found.domain);
  return ok(world.rules.on(singleWrapped) ? { domain: row } : row);
}

function queryDomains(call: Call): Answer {
  const { world } = call;
  const wanted = isRecord(call.body) ? call.body['q'] : undefined;
  if (typeof wanted !== 'string') return refuse(world, 422, null, 'q is missing');
  const needle = wanted.toLowerCase();
  const fits = (hostname: string): boolean =>
    world.rules.on(prefixQuery) ? hostname.toLowerCase().startsWith(needle) : hostname.includes(wanted);
  return listed(
    call,
    reachableDomains(call).filter(({ domain }) => fits(domain.hostname)),
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
  if (domain === undefined) return refuse(world, 404, null, 'Not Found');
  if (call.body === undefined && !world.rules.on(promotionTakesNoBody))
    return refuse(world, 422, null, 'domain is missing');
  if (world.rules.on(promotionMoves)) site.primaryDomainId = domain.id;
  site.updatedAt = world.clock.now();
  return done(world, { domain: siteDomainRow(world, site, domain) });
}

function detach(call: Call, site: Site): Answer {
  const { world } = call;
  const domain = site.domains.find((one) => one.id === call.params['domain']);
  if (domain === undefined) return refuse(world, 404, null, 'Not Found');
  site.domains = site.domains.filter((one) => one !== domain);
  if (site.primaryDomainId === domain.id) {
    site.primaryDomainId = world.rules.on(fallsToTemporary) ? null : (site.domains[0]?.id ?? null);
  }
  site.updatedAt = world.clock.now();
  return done(world, {});
}

const scopeOf =
  (verb: 'read' | 'write') =>
  (world: World): ScopeDemand =>
    `${world.readings['GAP-19.scope']}:${verb}`;

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
    handle: queryDomains,
    scope: (world) => (world.rules.on(queryOnlyReads) ? 'domains:read' : 'domains:write'),
  },
  { method: 'GET', path: '/api/sites/:site/domains', scope: scopeOf('read'), site: 'read', handle: listSiteDomains },
  {
    method: 'POST',
    path: '/api/sites/:site/domains',
    scope: scopeOf('write'),
    site: 'can_modify',
    handle: attachDomain,
  },
  {
    method: 'PATCH',
    path: '/api/sites/:site/domains/:domain',
    scope: scopeOf('write'),
    site: 'can_modify',
    handle: promote,
  },
  {
    method: 'DELETE',
    path: '/api/sites/:site/domain/:domain',
    scope: scopeOf('write'),
    site: 'can_destroy',
    handle: detach,
  },
  {
    method: 'DELETE',
    path: '/api/sites/:site/domains/:domain',
    scope: scopeOf('write'),
    site: 'can_destroy',
    handle: (call, site) =>
      call.world.rules.on(singularDelete) ? refuse(call.world, 404, null, 'Not Found') : detach(call, site),
  },
];
