// Decides what adding a domain to a mailspace does: served at once where ownership is proven, pending otherwise.
// Must not verify: time does, or whatever the reading of GAP-38 says.
import { isRecord, ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { lateness } from '../../core/consistency-lag.ts';
import { isProven, writeZone } from '../dns.ts';
import { isHostname, normalDomain } from '../names.ts';
import { mailWrite } from '../server.ts';
import type { Mailspace } from '../state.ts';
import { pendingDomain, servedDomain } from '../present.ts';
import { rule } from '../../rules/rules.ts';
import { nextId } from '../../core/state.ts';
import { countCreation } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

const createdEitherWay = rule('MDM-07', 'adding a domain answers 201, served or pending');
const blankIsNone = rule('MDM-11', 'a blank description is none');
const conflicts = rule('MDM-16', 'adding what is there answers 409');
const ownToken = rule('MDM-26', 'each pending domain gets a token of its own');

export function addMailDomain(call: Call, space: Mailspace): Answer {
  const { world } = call;
  const body = isRecord(call.body) ? call.body : {};
  const refusal = unknownKeys(world, body, ['name', 'description']);
  if (refusal !== undefined) return refusal;
  const name = normalDomain(world, typeof body['name'] === 'string' ? body['name'] : '');
  if (!isHostname(name.toLowerCase())) return refuse(world, 400, 'invalid_domain', 'name is not a domain');
  const conflict = refuseConflict(world, space, name);
  if (conflict !== undefined) return conflict;
  const text = typeof body['description'] === 'string' ? body['description'] : null;
  const description = text?.trim() === '' && world.rules.on(blankIsNone) ? null : text;
  return isProven(world, space, name)
    ? addServed(world, space, name, description)
    : addPending(world, space, name, description);
}

/** Somebody else's pending domain holds nothing: whoever proves ownership first gets it. */
function refuseConflict(world: World, space: Mailspace, name: string): Answer | undefined {
  const status = world.rules.on(conflicts) ? 409 : 422;
  const isServed = [...world.state.mail.spaces.values()].some(
    (one) => one.domain === name || one.domains.some((domain) => domain.name === name),
  );
  if (isServed) return refuse(world, status, 'domain_exists', `${name} is on a mailspace already`);
  const isPending = space.pendingDomains.some((domain) => domain.name === name);
  return isPending ? refuse(world, status, 'domain_pending_verification', `${name} waits to be verified`) : undefined;
}

function addServed(world: World, space: Mailspace, name: string, description: string | null): Answer {
  const codes = { before: 'mailhost_unavailable', after: null, refused: 'domain_create_failed' };
  return mailWrite(world, space, codes, () => {
    const domain = { name, description };
    space.domains.push(domain);
    writeZone(world, space, name);
    remember(world, space, name);
    return ok({ domain: servedDomain(world, space, domain) }, 201);
  });
}

function addPending(world: World, space: Mailspace, name: string, description: string | null): Answer {
  const now = world.clock.now();
  const token = world.rules.on(ownToken) ? nextId(world.state).replaceAll('-', '') : space.token;
  const domain = { name, description, token, verified: false, lastCheckedAt: null, createdAt: now, updatedAt: now };
  space.pendingDomains.push(domain);
  remember(world, space, name);
  return ok({ domain: pendingDomain(world, domain) }, world.rules.on(createdEitherWay) ? 201 : 202);
}

function remember(world: World, space: Mailspace, name: string): void {
  const hidden = lateness(world);
  if (hidden !== null) space.late.set(`domain ${name}`, hidden);
  countCreation(world, `mail domain ${name} on ${space.domain}`);
}
