// How the domains of a mailspace are listed, found, changed and removed.
import { notShown, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { any, keys, text } from '../../core/http/schema.ts';
import { mailspaceEndpoints } from '../guards.ts';
import { isKnownToOwn, seePending, servePending } from '../clock.ts';
import { clearZone, writeZone } from '../dns.ts';
import { domainOf, isHostname, normalDomain } from '../../core/names.ts';
import { allPrincipals, fails, mailWrite, remember, shows } from '../server.ts';
import type { WriteCodes } from '../server.ts';
import type { MailDomain, Mailspace, PendingDomain } from '../state.ts';
import { pendingDomain, servedDomain } from '../present.ts';
import { inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';
import { checkDns, readDns } from './dns.ts';
import { isUnread } from '../../core/copy/answers.ts';
import { nextId } from '../../core/state.ts';

function addMailDomain(call: Call, space: Mailspace): Answer {
  const { body } = call;
  const name = normalDomain(typeof body['name'] === 'string' ? body['name'] : '');
  if (!isHostname(name.toLowerCase())) refuse(400, 'invalid_domain', 'name is not a domain');
  refuseConflict(call, space, name);
  const text = typeof body['description'] === 'string' ? body['description'] : null;
  // MDM-11: a blank description is none.
  const description = text?.trim() === '' ? null : text;
  return isKnownToOwn(call, space.accountId, name)
    ? addServed(call, space, name, description)
    : addPending(call, space, name, description);
}

/** Somebody else's pending domain holds nothing: whoever proves ownership first gets it. */
function refuseConflict(world: World, space: Mailspace, name: string): void {
  // MDM-16: adding what is there answers 409.
  const isServed = [...world.state.mail.spaces.values()].some(
    (one) => one.domain === name || (!isUnread(one, 'domains') && one.domains.some((domain) => domain.name === name)),
  );
  if (isServed) refuse(409, 'domain_exists', `${name} is on a mailspace already`);
  if (space.pendingDomains.some((domain) => domain.name === name))
    refuse(409, 'domain_pending_verification', `${name} waits to be verified`);
}

function addServed(world: World, space: Mailspace, name: string, description: string | null): Answer {
  return mailWrite(space, codesFor('create'), () => {
    const domain = { name, description };
    space.domains.push(domain);
    writeZone(world, space, name);
    remember(world, space, 'domain', name);
    return ok({ domain: servedDomain(world, space, domain) }, 201);
  });
}

function addPending(world: World, space: Mailspace, name: string, description: string | null): Answer {
  const now = world.clock.now();
  // MDM-26: each pending domain gets a token of its own.
  const token = nextId(world.state).replaceAll('-', '');
  const domain = { name, description, token, verified: false, lastCheckedAt: null, createdAt: now, updatedAt: now };
  space.pendingDomains.push(domain);
  remember(world, space, 'domain', name);
  // MDM-07: adding a domain answers 201, served or pending.
  return ok({ domain: pendingDomain(domain) }, 201);
}

function listDomains(call: Call, space: Mailspace): Answer {
  const { query } = call;
  // MDM-02: where the served domains cannot be read, nothing is shown.
  if (fails(space, 'domains')) refuse(503, 'domains_unavailable', 'The domains cannot be read');
  const needle = query.get('q')?.toLowerCase() ?? '';
  const fits = ({ name }: MailDomain): boolean => name.includes(needle);
  const served = space.domains.filter(({ name }) => shows(call, space, 'domain', name));
  const pending = space.pendingDomains.filter(({ name }) => shows(call, space, 'domain', name));
  return ok({
    primary_domain: space.domain,
    domains: inListOrder(call, served.filter(fits)).map((one) => servedDomain(call, space, one)),
    // MDM-01: the query filters served and pending domains, whatever its case.
    pending_domains: inListOrder(call, pending.filter(fits)).map((one) => pendingDomain(one)),
  });
}

interface Found {
  readonly served?: MailDomain;
  readonly pending?: PendingDomain;
  /** The mail server did not answer. */
  readonly degraded: boolean;
}

function find(space: Mailspace, given = ''): Found {
  // MDM-18: a domain is addressed by its normal name.
  const wanted = normalDomain(given);
  const degraded = fails(space, 'domain');
  const served = degraded ? undefined : space.domains.find(({ name }) => name === wanted);
  if (served !== undefined) return { served, degraded };
  const pending = space.pendingDomains.find(({ name }) => name === wanted);
  // MDM-17: where the mail server cannot be read, pending domains are found all the same.
  if (pending !== undefined) return { pending, degraded };
  if (degraded) refuse(503, 'mailhost_unavailable', 'The mail server cannot be read');
  return refuse(404, 'unknown_domain', 'The domain is not on this mailspace');
}

function readDomain(call: Call, space: Mailspace): Answer {
  return ok({ domain: show(call, space, find(space, call.params['name'])) });
}

function show(world: World, space: Mailspace, { served, pending }: Found): unknown {
  return served === undefined
    ? pending === undefined
      ? null
      : pendingDomain(pending)
    : servedDomain(world, space, served);
}

/** GAP-39: the documents say it once of an unreadable mail server, and once in general. */
function refusePending(world: World, { pending, degraded }: Found): void {
  const locked = degraded || world.ambiguities['GAP-39'] === 'always';
  // MDM-15: a pending domain is neither changed nor removed.
  if (pending !== undefined && locked) refuse(409, 'domain_pending_verification', 'The domain is not verified yet');
}

/** MDM-27: what the mail server refuses has a code for each verb. */
function codesFor(verb: 'create' | 'update' | 'delete'): WriteCodes {
  return { refused: `domain_${verb}_failed` };
}

function updateDomain(call: Call, space: Mailspace): Answer {
  const found = find(space, call.params['name']);
  refusePending(call, found);
  const description = call.body['description'] as string | undefined;
  const target = found.served ?? found.pending;
  return mailWrite(space, codesFor('update'), () => {
    const before = show(call, space, found);
    // MDM-10: a description that is left out stays, an empty one is cleared.
    if (target !== undefined) target.description = description === '' ? null : (description ?? target.description);
    // MDM-10/read-back: an update answers what was known before when it cannot be read back.
    const unread = fails(space, 'domain-readback');
    return ok({ domain: unread ? before : show(call, space, found) });
  });
}

function removeDomain(call: Call, space: Mailspace): Answer {
  const found = find(space, call.params['name']);
  refusePending(call, found);
  if (found.pending !== undefined) space.pendingDomains = space.pendingDomains.filter((one) => one !== found.pending);
  const { served } = found;
  if (served === undefined) return { status: 200 };
  // MDM-14: the primary domain answers 409 primary_domain.
  if (served.name === space.domain) refuse(409, 'primary_domain', 'The primary domain cannot be removed');
  const blockers = blockersOf(call, space, served.name);
  if (blockers.length > 0) refuse(422, 'domain_delete_failed', `The domain is in use: ${blockers.join(', ')}`);
  return mailWrite(space, codesFor('delete'), () => {
    space.domains = space.domains.filter((one) => one !== served);
    space.probes.delete(served.name);
    // MDM-12/records: the DNS records that the service wrote go with the domain.
    clearZone(call, served.name);
    if (call.ambiguities['GAP-68.aliases'] === 'vanish') dropAliases(space, served.name);
    // MDM-12: removing a domain answers 200 without a body.
    return { status: 200 };
  });
}

function blockersOf(world: World, space: Mailspace, domain: string): readonly string[] {
  // MDM-13: a domain with mailboxes, groups or lists is not removed.
  const counts = allPrincipals(space).filter(
    (one) => one.kind !== 'mailbox' || one.status !== 'pending_deletion' || world.ambiguities['GAP-68'] === 'block',
  );
  // MDM-13/aliases: aliases do not keep a domain.
  return counts.map(({ email }) => email).filter((address) => domainOf(address) === domain);
}

function dropAliases(space: Mailspace, domain: string): void {
  for (const one of allPrincipals(space)) one.aliases = one.aliases.filter((alias) => domainOf(alias) !== domain);
}

/** GAP-38: the end of this path is not documented. */
function verifySecondary(path: 'verify' | 'domain_verification') {
  return (call: Call, space: Mailspace): Answer => {
    if (call.ambiguities['GAP-38.secondary'] !== path) notShown();
    const found = find(space, call.params['name']);
    const { pending } = found;
    if (pending === undefined || !seePending(call, space, pending)) return ok({ domain: show(call, space, found) });
    servePending(call, space, pending);
    return ok({ domain: servedDomain(call, space, pending) });
  };
}

export const mailDomainEndpoints = mailspaceEndpoints('/domains', 'inside', {
  GET: listDomains,
  POST: { body: keys('name', 'description'), handle: addMailDomain },
  'GET /dns': readDns,
  'POST /dns_check': { body: keys('domain'), handle: checkDns },
  'GET /:name': readDomain,
  'PATCH /:name': { body: { description: text, name: any }, handle: updateDomain },
  'DELETE /:name': removeDomain,
  'POST /:name/verify': verifySecondary('verify'),
  'POST /:name/domain_verification': verifySecondary('domain_verification'),
});
