// How domains are attached, listed, found, promoted and detached. GAP-19: what happens when a hostname cannot be attached
// is not documented.
import { reachableSites } from '../../core/http/access.ts';
import { oneOf, text } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { done, endpointsAt, notFound, ok, onItem, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/site-endpoints.ts';
import { consistencyLag, isListed, listed, pageIfRead } from '../../core/lists.ts';
import { cnameOf, domainRow, siteDomainRow } from '../../core/present.ts';
import { Domain, addDomain, nextId } from '../../core/state.ts';
import type { ProvisionMethod, Site, State } from '../../core/state.ts';
import { countCreation, inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';
import { isUnread } from '../../core/copy/answers.ts';

const HOSTNAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/i;

const ATTACH_BODY: Properties = {
  domain: { type: 'string', required: true, pattern: HOSTNAME },
  provision_method: oneOf('dns', 'cname'),
};

function attachDomain(call: Call, site: Site): Answer {
  const hostname = String(call.body['domain']).toLowerCase();
  const method = call.body['provision_method'] as ProvisionMethod;
  const holder = holderOf(call.state, hostname);
  if (holder !== undefined) {
    const answer = resolveConflict(call, site, holder, hostname);
    if (answer !== undefined) return answer;
  }
  return answerAttached(site, attach(call, site, hostname, method));
}

/** Somebody else's site counts too: one hostname leads to one place. */
function holderOf(state: State, hostname: string): Placed | undefined {
  for (const site of state.sites.values()) {
    if (isUnread(site, 'domains')) continue;
    const domain = site.domains.find((one) => one.hostname === hostname);
    if (domain !== undefined) return { site, domain };
  }
  return undefined;
}

/** undefined: attach all the same. */
function resolveConflict(world: World, site: Site, holder: Placed, hostname: string): Answer | undefined {
  switch (world.ambiguities['GAP-19']) {
    case 'duplicate':
      return undefined;
    case 'conflict':
      return refuse(409, null, `${hostname} is attached already`);
    case 'refuse':
      return refuse(422, null, `${hostname} is attached already`);
    case 'same':
      if (holder.site === site) return answerAttached(site, holder.domain);
      return refuse(422, null, `${hostname} is attached already`);
    case 'move':
      if (holder.site === site) return answerAttached(site, holder.domain);
      holder.site.domains = holder.site.domains.filter((one) => one !== holder.domain);
      if (holder.site.primaryDomainId === holder.domain.id) holder.site.primaryDomainId = null;
      return undefined;
  }
}

function attach(world: World, site: Site, hostname: string, method: ProvisionMethod): Domain {
  const now = world.clock.now();
  // GAP-67: what the integers of record types mean is not documented.
  const record = { recordType: 0, name: '@', value: '192.0.2.10', ttl: 300 };
  // DOM-08: the first domain of a site becomes its primary.
  const domain = addDomain(world.state, site, {
    hostname,
    method,
    hasCertificate: false,
    createdAt: now,
    updatedAt: now,
    hidden: consistencyLag(world),
  });
  if (method === 'dns') domain.records.push({ id: nextId(world.state), ...record });
  // GAP-20: no endpoint activates the CDN; a first domain may.
  if (site.domains.length === 1 && world.ambiguities['GAP-20'] === 'first-domain') site.cdn.zone = 'active';
  site.updatedAt = now;
  countCreation(world, `domain ${hostname} on ${site.id}`);
  return domain;
}

function answerAttached(site: Site, domain: Domain): Answer {
  // DOM-07: attaching answers name servers for dns and a CNAME for cname, and an id.
  if (domain.method === 'cname') return ok({ id: domain.id, cname: cnameOf(site) });
  return ok({ id: domain.id, ns1: 'ns1.zone.sandbox.example', ns2: 'ns2.zone.sandbox.example' });
}

interface Placed {
  readonly site: Site;
  readonly domain: Domain;
}

/** GAP-19: whether a site's temporary hostname is a row like the others is not documented. */
function rowsOf(world: World, site: Site): readonly Domain[] {
  if (world.ambiguities['GAP-19.temporary'] === 'unlisted') return site.domains;
  const temporary = Object.assign(new Domain(), {
    id: `dom-temporary-${site.id}`,
    hostname: site.temporaryHostname,
    createdAt: site.createdAt,
    updatedAt: site.createdAt,
  });
  return [...site.domains, temporary];
}

function reachableDomains(call: Call): readonly Placed[] {
  const narrowTo = call.ambiguities['GAP-19.header'] === 'narrows' ? call.accountId : null;
  return reachableSites(call)
    .filter((site) => narrowTo === null || site.accountId === narrowTo)
    .flatMap((site) => rowsOf(call, site).map((domain) => ({ site, domain })));
}

function answerListed(call: Call, placed: readonly Placed[]): Answer {
  const rows = placed.filter(({ domain }) => isListed(call, domain));
  return ok({
    domains: pageIfRead(call, inListOrder(call, rows)).map(({ site, domain }) => domainRow(call, site, domain)),
  });
}

function queryDomains(call: Call): Answer {
  const needle = String(call.body['q']).toLowerCase();
  // DOM-03: the query is a prefix of the hostname, whatever its case.
  return answerListed(
    call,
    reachableDomains(call).filter(({ domain }) => domain.hostname.toLowerCase().startsWith(needle)),
  );
}

function listSiteDomains(call: Call, site: Site): Answer {
  const rows = listed(call, rowsOf(call, site));
  return ok({ domains: inListOrder(call, rows).map((domain) => siteDomainRow(call, site, domain)) });
}

function promote(call: Call, site: Site, domain: Domain): Answer {
  // DOM-09: promotion makes a domain primary and the previous primary an alias. The PATCH takes no body (CNV-32).
  site.primaryDomainId = domain.id;
  site.updatedAt = call.clock.now();
  return done(call, { domain: siteDomainRow(call, site, domain) });
}

function detach(call: Call, site: Site, domain: Domain): Answer {
  site.domains = site.domains.filter((one) => one !== domain);
  if (site.primaryDomainId === domain.id) {
    // SIT-14: detaching the primary leaves the site on its temporary hostname.
    site.primaryDomainId = null;
  }
  site.updatedAt = call.clock.now();
  return done(call, {});
}

const onDomain = onItem(({ params }, { domains }: Site) => domains.find(({ id }) => id === params['domain']));

/**
 * GAP-17: DELETE says `domain` where PATCH and GET say `domains`; the documents stress it, so the plural answers 404.
 */
export const domainEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/domains',
    scope: 'domains:read',
    handle: (call) => answerListed(call, reachableDomains(call)),
  },
  ...endpointsAt<Endpoint<Placed>>(
    '/api/domains/:domain',
    () => ({
      scope: 'domains:read',
      admit: (call) => reachableDomains(call).find(({ domain }) => domain.id === call.params['domain']) ?? notFound(),
    }),
    // DOM-02: one domain answers under `domain`.
    { GET: (call, { site, domain }) => ok({ domain: domainRow(call, site, domain) }) },
  ),
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
    'PATCH /domains/:domain': onDomain(promote),
    'DELETE /domain/:domain': onDomain(detach),
    // DOM-10: a domain is detached at the singular path only.
    'DELETE /domains/:domain': notFound,
  }),
];
