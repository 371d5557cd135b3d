// What attaching a hostname to a site does. GAP-19: what happens when that is not possible is not documented.
import { oneOf } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { isUnread } from '../../core/copy/answers.ts';
import { consistencyLag } from '../../core/consistency-lag.ts';
import { cnameOf } from '../../core/present.ts';
import { nextId } from '../../core/state.ts';
import type { Domain, ProvisionMethod, Site, State } from '../../core/state.ts';
import { countCreation } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

const HOSTNAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/i;

export const ATTACH_BODY: Properties = {
  domain: { type: 'string', required: true, pattern: HOSTNAME },
  provision_method: oneOf('dns', 'cname'),
};

export function attachDomain(call: Call, site: Site): Answer {
  const { world, body } = call;
  const hostname = String(body['domain']).toLowerCase();
  const method = body['provision_method'] as ProvisionMethod;
  const holder = holderOf(world.state, hostname);
  if (holder !== undefined) {
    const answer = resolveConflict(world, site, holder, hostname);
    if (answer !== undefined) return answer;
  }
  return answerAttached(site, attach(world, site, hostname, method));
}

interface Holder {
  readonly site: Site;
  readonly domain: Domain;
}

/** Somebody else's site counts too: one hostname leads to one place. */
function holderOf(state: State, hostname: string): Holder | undefined {
  for (const site of state.sites.values()) {
    if (isUnread(site, 'domains')) continue;
    const domain = site.domains.find((one) => one.hostname === hostname);
    if (domain !== undefined) return { site, domain };
  }
  return undefined;
}

/** undefined: attach all the same. */
function resolveConflict(world: World, site: Site, holder: Holder, hostname: string): Answer | undefined {
  switch (world.ambiguities['GAP-19']) {
    case 'duplicate':
      return undefined;
    case 'conflict':
      return refuse(409, null, `${hostname} is attached already`);
    case 'refuse':
      return refuse(422, null, `${hostname} is attached already`);
    case 'same':
      return holder.site === site
        ? answerAttached(site, holder.domain)
        : refuse(422, null, `${hostname} is attached already`);
    case 'move':
      if (holder.site === site) return answerAttached(site, holder.domain);
      holder.site.domains = holder.site.domains.filter((one) => one !== holder.domain);
      if (holder.site.primaryDomainId === holder.domain.id) holder.site.primaryDomainId = null;
      return undefined;
  }
}

function attach(world: World, site: Site, hostname: string, method: ProvisionMethod): Domain {
  const now = world.clock.now();
  const domain: Domain = {
    id: nextId(world.state),
    hostname,
    method,
    forceSsl: true,
    hasCertificate: false,
    createdAt: now,
    updatedAt: now,
    // GAP-67: what the integers of record types mean is not documented.
    records:
      method === 'dns' ? [{ id: nextId(world.state), recordType: 0, name: '@', value: '192.0.2.10', ttl: 300 }] : [],
    hidden: consistencyLag(world),
  };
  site.domains.push(domain);
  // DOM-08: the first domain of a site becomes its primary.
  if (site.domains.length === 1) site.primaryDomainId = domain.id;
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
