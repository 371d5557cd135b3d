// Decides how a domain is ordered: what is refused beforehand, which contacts are made, what the order leaves behind.
// Must not charge (purchases.ts does) nor read contacts (domain-order-contacts.ts).
import { ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { lateness } from '../../core/consistency-lag.ts';
import { isHostname } from '../../mail/names.ts';
import { cartEnvelope } from '../../billing/present.ts';
import type { DomainPurchase } from '../../billing/state.ts';
import { billingOf } from '../../billing/state.ts';
import { purchase, refuseAccount, refuseMethod } from '../../billing/purchases.ts';
import { bodyOf, refuseFlag } from '../gates.ts';
import { addRegistration, tldOfName } from '../state.ts';
import type { Registration } from '../state.ts';
import type { Tld } from '../tlds.ts';
import { runRegistrarTime } from '../clock.ts';
import { fails } from '../outages.ts';
import { rule } from '../../rules/rules.ts';
import { nextId } from '../../core/state.ts';
import type { World } from '../../core/world.ts';
import { makeContacts, readContacts } from './order-contacts.ts';
import type { OrderContacts } from './order-contacts.ts';
import { callbackOf, refuseCallback } from '../../billing/callbacks.ts';
import { isFree, nameOf, recordAt, registered } from './search.ts';

const leavesMore = rule('ORD-30', 'a domain order makes a registration, a subscription and a DNS zone');
const codeNeeded = rule(
  'ORD-31',
  'a transfer needs a code where the TLD asks for one; without an action it is a registration',
);
const ownCodes = rule('ORD-36', 'a domain order is refused by codes of its own, and nothing is bought');
const freeOnly = rule(
  'ORD-37',
  'a name that cannot be registered is refused, and one that is transferred is not asked about',
);
const unknownIsNotTaken = rule('ORD-38', 'a check that fails says domain_availability_unknown');
const tornDown = rule('ORD-40', 'a charge that could not start leaves no contacts behind');
const nullAtFirst = rule('ORD-07/null', 'a completed order may be without its registration for a while');

interface Wanted {
  readonly name: string;
  readonly action: 'register' | 'transfer';
  readonly authcode: string | null;
  readonly tld: Tld;
  readonly cents: number;
}

const YEAR_MS = 365 * 86_400_000;
/** How long a registrar takes where it takes time, and any transfer does; the documents do not say. */
const TRANSFER_MS = 5 * 86_400_000;

function orderDomain(call: Call): Answer {
  const { world, accountId } = call;
  if (accountId === null) return refuse(world, 400, 'missing_account', 'X-Auth-Account is missing');
  const early = refuseFlag(world) ?? refuseAccount(world, accountId);
  if (early !== undefined) return early;
  runRegistrarTime(world);
  const body = bodyOf(call);
  const wanted = readWanted(world, body);
  if ('status' in wanted) return wanted;
  const contacts = readContacts(call, recordAt(body, 'domain') ?? {}, wanted.tld);
  if ('status' in contacts) return contacts;
  const refusal =
    refuseCallback(world, body['callback']) ??
    refuseMethod(world, accountId) ??
    refuseName(world, wanted) ??
    refuseItem(world, accountId) ??
    contacts.later;
  if (refusal !== undefined) return refusal;
  return buy(call, accountId, wanted, contacts);
}

function reject(world: World, status: number, code: string, message: string): Answer {
  return refuse(world, status, world.rules.on(ownCodes) ? code : null, message);
}

function readWanted(world: World, body: Record<string, unknown>): Wanted | Answer {
  const domain = recordAt(body, 'domain') ?? {};
  const strange =
    unknownKeys(world, body, ['domain', 'callback']) ??
    unknownKeys(world, domain, ['name', 'action', 'authcode', 'contact', 'contact_source', 'role_contacts']);
  if (strange !== undefined) return strange;
  const action = domain['action'] ?? (world.rules.on(codeNeeded) ? 'register' : 'transfer');
  if (action !== 'register' && action !== 'transfer')
    return reject(world, 400, 'invalid_action', 'action is register or transfer');
  const name = nameOf(domain['name']);
  if (!isHostname(name)) return reject(world, 400, 'invalid_domain', 'name is not fully qualified');
  const tld = tldOfName(world.state.registrar, name);
  if (tld === undefined || tld.registrar === null) return reject(world, 400, 'unsupported_tld', 'This TLD is not sold');
  const cents = action === 'register' ? tld.registerCents : tld.transferCents;
  if (cents === null) return reject(world, 400, 'pricing_unavailable', 'This has no price');
  const authcode = typeof domain['authcode'] === 'string' && domain['authcode'] !== '' ? domain['authcode'] : null;
  const lacking = action === 'transfer' && tld.needsAuthcode && authcode === null;
  if (lacking && world.rules.on(codeNeeded))
    return reject(world, 400, 'authcode_required', 'A transfer of this name needs its code');
  return { name, action, authcode, tld, cents };
}

function refuseName(world: World, { name, action }: Wanted): Answer | undefined {
  if (action === 'transfer' && world.rules.on(freeOnly)) return undefined;
  if (fails(world, 'lookup'))
    return reject(
      world,
      422,
      world.rules.on(unknownIsNotTaken) ? 'domain_availability_unknown' : 'domain_unavailable',
      'Nobody knows whether the name is free',
    );
  return isFree(world, name) || (!world.rules.on(freeOnly) && action === 'register')
    ? undefined
    : reject(world, 422, 'domain_unavailable', 'The name cannot be registered');
}

function refuseItem(world: World, accountId: string): Answer | undefined {
  return billingOf(world.state.accounts.get(accountId)).refusesItems
    ? reject(world, 422, 'domain_add_failed', 'The cart refuses this name')
    : undefined;
}

function buy(call: Call, accountId: string, wanted: Wanted, contacts: OrderContacts): Answer {
  const { world } = call;
  const billing = billingOf(world.state.accounts.get(accountId));
  const made = makeContacts(world, accountId, wanted.tld, contacts);
  if (billing.refusesCharges && billing.processor) {
    if (world.rules.on(tornDown)) for (const id of made.fresh) world.state.registrar.contacts.delete(id);
    return reject(world, 422, 'cart_pay_failed', 'The charge could not be started');
  }
  const id = nextId(world.state);
  const domain: DomainPurchase = { name: wanted.name, action: wanted.action, registrationId: null };
  const cart = purchase(call, {
    name: `domain order ${wanted.action} ${wanted.name}`,
    accountId,
    siteId: id,
    locationShortName: null,
    cents: wanted.cents,
    taskName: `order.domain.${wanted.action}`,
    domain,
    callback: callbackOf(call.body),
    fulfil: () => deliver(world, domain, wanted, { id, accountId, ...made.roles }),
  });
  return ok(cartEnvelope(world, cart), 202);
}

/**
 * The order is completed before a slow registrar is: until then there is no registration, or one that is on its way.
 */
function deliver(
  world: World,
  domain: DomainPurchase,
  wanted: Wanted,
  given: Pick<Registration, 'id' | 'accountId'> & Partial<Registration>,
): void {
  const durationMs = wanted.action === 'transfer' ? TRANSFER_MS : wanted.tld.processMs;
  const arriving = wanted.action === 'transfer' && world.readings['GAP-55.arriving'] === 'listed';
  const at = world.clock.now() + durationMs;
  if (durationMs === 0 || arriving || !world.rules.on(nullAtFirst))
    make(world, domain, wanted, given, arriving ? at : null);
  else world.clock.at(at, () => make(world, domain, wanted, given, null));
}

/**
 * Two orders of one name that were on their way at the same time end in one registration: the second is paid for
 * nothing.
 */
function make(
  world: World,
  domain: DomainPurchase,
  { name, authcode }: Wanted,
  given: Pick<Registration, 'id' | 'accountId'> & Partial<Registration>,
  arrivesAt: number | null,
): void {
  const { registrar, mail } = world.state;
  const now = world.clock.now();
  const there = registered(world, name);
  if (there !== undefined) {
    domain.registrationId = there.accountId === given.accountId ? there.id : null;
    return;
  }
  registrar.taken = registrar.taken.filter((one) => one !== name);
  const registration = addRegistration(registrar, {
    ...given,
    name,
    status: arrivesAt === null ? 'OK' : 'PENDING_TRANSFER',
    arrivesAt,
    expiresAt: now + YEAR_MS,
    hidden: lateness(world),
    createdAt: now,
    updatedAt: now,
    ...(authcode === null ? {} : { authcode }),
    subscriptionId: world.rules.on(leavesMore) ? `sub-${nextId(world.state)}` : null,
  });
  domain.registrationId = registration.id;
  const hosted = mail.zones.some((zone) => zone.name === name);
  if (world.rules.on(leavesMore) && !hosted) mail.zones.push({ name, accountId: given.accountId });
}

export const domainOrderEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '/api/orders/domain', scope: 'never', account: true, user: () => true, handle: orderDomain },
];
