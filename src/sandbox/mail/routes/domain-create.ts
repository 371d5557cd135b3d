// What adding a domain to a mailspace does: served at once where ownership is proven, pending otherwise.
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { isUnread } from '../../core/copy/answers.ts';
import { consistencyLag } from '../../core/consistency-lag.ts';
import { writeZone } from '../dns.ts';
import { isKnownToOwn } from '../clock.ts';
import { isHostname, normalDomain } from '../../core/names.ts';
import { mailWrite } from '../server.ts';
import type { Mailspace } from '../state.ts';
import { pendingDomain, servedDomain } from '../present.ts';
import { nextId } from '../../core/state.ts';
import { countCreation } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

export function addMailDomain(call: Call, space: Mailspace): Answer {
  const { world, body } = call;
  const name = normalDomain(typeof body['name'] === 'string' ? body['name'] : '');
  if (!isHostname(name.toLowerCase())) return refuse(400, 'invalid_domain', 'name is not a domain');
  const conflict = refuseConflict(world, space, name);
  if (conflict !== undefined) return conflict;
  const text = typeof body['description'] === 'string' ? body['description'] : null;
  // MDM-11: a blank description is none.
  const description = text?.trim() === '' ? null : text;
  return isKnownToOwn(world, space.accountId, name)
    ? addServed(world, space, name, description)
    : addPending(world, space, name, description);
}

/** Somebody else's pending domain holds nothing: whoever proves ownership first gets it. */
function refuseConflict(world: World, space: Mailspace, name: string): Answer | undefined {
  // MDM-16: adding what is there answers 409.
  const isServed = [...world.state.mail.spaces.values()].some(
    (one) => one.domain === name || (!isUnread(one, 'domains') && one.domains.some((domain) => domain.name === name)),
  );
  if (isServed) return refuse(409, 'domain_exists', `${name} is on a mailspace already`);
  const isPending = space.pendingDomains.some((domain) => domain.name === name);
  return isPending ? refuse(409, 'domain_pending_verification', `${name} waits to be verified`) : undefined;
}

function addServed(world: World, space: Mailspace, name: string, description: string | null): Answer {
  const codes = { before: 'mailhost_unavailable', after: null, refused: 'domain_create_failed' };
  return mailWrite(space, codes, () => {
    const domain = { name, description };
    space.domains.push(domain);
    writeZone(world, space, name);
    remember(world, space, name);
    return ok({ domain: servedDomain(world, space, domain) }, 201);
  });
}

function addPending(world: World, space: Mailspace, name: string, description: string | null): Answer {
  const now = world.clock.now();
  // MDM-26: each pending domain gets a token of its own.
  const token = nextId(world.state).replaceAll('-', '');
  const domain = { name, description, token, verified: false, lastCheckedAt: null, createdAt: now, updatedAt: now };
  space.pendingDomains.push(domain);
  remember(world, space, name);
  // MDM-07: adding a domain answers 201, served or pending.
  return ok({ domain: pendingDomain(domain) }, 201);
}

function remember(world: World, space: Mailspace, name: string): void {
  const hidden = consistencyLag(world);
  if (hidden !== null) space.late.set(`domain ${name}`, hidden);
  countCreation(world, `mail domain ${name} on ${space.domain}`);
}
