// How a domain is ordered: what is refused beforehand, which contacts are made, what the order leaves behind.
import { refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, Row } from '../../core/http/endpoint.ts';
import { consistencyLag } from '../../core/lists.ts';
import { keys } from '../../core/http/schema.ts';
import { isHostname } from '../../core/names.ts';
import type { DomainPurchase } from '../../billing/state.ts';
import { buy, refuseAccount, refuseCharge, refuseItem, refuseMethod } from '../../billing/purchases.ts';
import { refuseFlag } from '../guards.ts';
import { addRegistration, tldOfName } from '../state.ts';
import type { Registration } from '../state.ts';
import { runRegistrarTime } from '../clock.ts';
import { fails } from '../processes.ts';
import { nextId } from '../../core/state.ts';
import type { World } from '../../core/world.ts';
import { contactsBody, makeContacts, readContacts } from './order-contacts.ts';
import type { OrderContacts } from './order-contacts.ts';
import { CALLBACK, callbackOf } from '../../billing/messages.ts';
import { isFree, nameOf, recordAt, registered } from './search.ts';

type Wanted = ReturnType<typeof readWanted>;

const YEAR_MS = 365 * 86_400_000;
/** How long a registrar takes where it takes time, and any transfer does; the documents do not say. */
const TRANSFER_MS = 5 * 86_400_000;

function refuseBuyer(call: Call): void {
  refuseFlag(call);
  refuseAccount(call, call.accountId ?? '');
  runRegistrarTime(call);
}

function orderDomain(call: Call): Answer {
  const accountId = call.accountId ?? '';
  const wanted = readWanted(call, call.body);
  const contacts = readContacts(call, recordAt(call.body, 'domain') ?? {}, wanted.tld);
  refuseMethod(call, accountId);
  refuseName(call, wanted);
  refuseItem(call, accountId, 422, 'domain_add_failed');
  contacts.refuseByRegistry();
  // ORD-40: a charge that could not start leaves no contacts behind.
  refuseCharge(call, accountId);
  return buyDomain(call, accountId, wanted, contacts);
}

/** ORD-36: a domain order is refused by codes of its own, and nothing is bought. */
function readWanted(world: World, body: Row) {
  const domain = recordAt(body, 'domain') ?? {};
  // ORD-31: a transfer needs a code where the TLD asks for one; without an action it is a registration.
  const action = domain['action'] ?? 'register';
  if (action !== 'register' && action !== 'transfer')
    return refuse(400, 'invalid_action', 'action is register or transfer');
  const name = nameOf(domain['name']);
  if (!isHostname(name)) refuse(400, 'invalid_domain', 'name is not fully qualified');
  const tld = tldOfName(world, name);
  if (tld === undefined || tld.registrar === null) return refuse(400, 'unsupported_tld', 'This TLD is not sold');
  const cents = action === 'register' ? tld.registerCents : tld.transferCents;
  if (cents === null) return refuse(400, 'pricing_unavailable', 'This has no price');
  const authcode = typeof domain['authcode'] === 'string' && domain['authcode'] !== '' ? domain['authcode'] : null;
  const lacking = action === 'transfer' && tld.needsAuthcode && authcode === null;
  if (lacking) refuse(400, 'authcode_required', 'A transfer of this name needs its code');
  return { name, action, authcode, tld, cents } as const;
}

function refuseName(world: World, { name, action }: Wanted): void {
  // ORD-37: a name that cannot be registered is refused, and one that is transferred is not asked about.
  if (action === 'transfer') return;
  // ORD-38: a check that fails says domain_availability_unknown.
  if (fails(world, 'lookup')) refuse(422, 'domain_availability_unknown', 'Nobody knows whether the name is free');
  if (!isFree(world, name)) refuse(422, 'domain_unavailable', 'The name cannot be registered');
}

function buyDomain(call: Call, accountId: string, wanted: Wanted, contacts: OrderContacts): Answer {
  const roles = makeContacts(call, accountId, wanted.tld, contacts);
  const id = nextId(call.state);
  const domain: DomainPurchase = { name: wanted.name, action: wanted.action, registrationId: null };
  return buy(call, {
    name: `domain order ${wanted.action} ${wanted.name}`,
    accountId,
    siteId: id,
    cents: wanted.cents,
    taskName: `order.domain.${wanted.action}`,
    domain,
    callback: callbackOf(call.body),
    fulfil: () => deliver(call, domain, wanted, { id, accountId, ...roles }),
  });
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
  const arriving = wanted.action === 'transfer' && world.ambiguities['GAP-55.arriving'] === 'listed';
  const at = world.clock.now() + durationMs;
  // ORD-07/null: a completed order may be without its registration for a while.
  if (durationMs === 0 || arriving) make(world, domain, wanted, given, arriving ? at : null);
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
  const { registrar, dnsZones } = world.state;
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
    hidden: consistencyLag(world),
    createdAt: now,
    updatedAt: now,
    ...(authcode === null ? {} : { authcode }),
    // ORD-30: a domain order makes a registration, a subscription and a DNS zone.
    subscriptionId: `sub-${nextId(world.state)}`,
  });
  domain.registrationId = registration.id;
  const hosted = dnsZones.some((zone) => zone.name === name);
  if (!hosted) dnsZones.push({ name, accountId: given.accountId });
}

export const domainOrderEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/orders/domain',
    scope: 'never',
    account: true,
    user: () => true,
    admit: refuseBuyer,
    body: (call) => ({
      ...CALLBACK,
      domain: { properties: { ...keys('name', 'action', 'authcode'), ...contactsBody(call) } },
    }),
    handle: orderDomain,
  },
];
