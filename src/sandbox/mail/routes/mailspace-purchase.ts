// Decides how a mailspace is bought and how its package changes.
// Must not charge (purchases.ts does), and must not provision: the sweeps do, once ownership is proven.
import { mayEditAccount, reachableAccounts } from '../../core/http/access.ts';
import { isRecord, ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { lateness } from '../../core/consistency-lag.ts';
import { runMailClock, seePrimary } from '../clock.ts';
import { refusePlanState, unavailable } from '../gates.ts';
import { isHostname } from '../names.ts';
import { liveMailboxes } from '../server.ts';
import { PACKAGES, addMailspace } from '../state.ts';
import type { MailPackage, Mailspace } from '../state.ts';
import { cartEnvelope } from '../../billing/present.ts';
import { mailspaceView } from '../present.ts';
import { billingOf } from '../../billing/state.ts';
import { purchase } from '../../billing/purchases.ts';
import { rule } from '../../rules/rules.ts';
import { nextId } from '../../core/state.ts';
import type { World } from '../../core/world.ts';
import { notShown } from '../../core/http/not-yet.ts';

const smallestIsDefault = rule('MSP-03', 'there are five packages, the smallest of which is the default');
const domainTrimmed = rule('MSP-06', 'the domain is lower-cased and trimmed, and has to look like a hostname');
const idNotTold = rule('MSP-07', 'the envelope of a purchase does not name the mailspace');
const accountRequired = rule('MSP-08', 'without an account a purchase answers 400 account_required');
const ownCodes = rule('MSP-09', 'a purchase is refused by codes of its own');
const existenceLater = rule('MSP-09/order', 'the package is checked before the domain is looked up');
const deletedHolds = rule('MSP-10', 'a mailspace about to be deleted holds its domain');
const externalSkips = rule('MSP-11', 'where somebody else bills, nobody asks for a payment method');
const resizesByCart = rule('MSP-19', 'a change of package answers 202 and an envelope');
const extraKeys = rule('CNV-21', 'a missing payment method comes with a remediation');

interface Wanted {
  readonly domain: string;
  readonly product: MailPackage;
}

export function buyMailspace(call: Call): Answer {
  const { world, credential } = call;
  runMailClock(world);
  if (!world.state.mail.configured) return unavailable(world);
  const accountId = call.accountId ?? credential.accountId;
  if (accountId === null)
    return refuse(
      world,
      400,
      world.rules.on(accountRequired) ? 'account_required' : 'missing_account',
      'An account is needed',
    );
  const allowed =
    reachableAccounts(world, credential).includes(accountId) && mayEditAccount(world, credential, accountId);
  if (!allowed) return refuse(world, 403, 'not_authorized', 'Not Authorized');
  const wanted = readWanted(world, call.body);
  if ('status' in wanted) return wanted;
  const refusal = refuseExisting(world, wanted.domain) ?? refuseCharge(world, accountId);
  if (refusal !== undefined) return refusal;
  const id = nextId(world.state);
  const cart = purchase(call, {
    name: `mailspace ${wanted.domain} ${wanted.product.shortName}`,
    accountId,
    siteId: id,
    locationShortName: null,
    cents: wanted.product.cents,
    taskName: 'order.mailspace',
    fulfil: () => fulfil(world, { ...wanted, id, accountId }),
  });
  const envelope = cartEnvelope(world, cart);
  return ok(world.rules.on(idNotTold) ? envelope : { ...envelope, mailspace_id: id }, 202);
}

function reject(world: World, status: number, code: string, message: string): Answer {
  return refuse(world, status, world.rules.on(ownCodes) ? code : null, message);
}

function readWanted(world: World, given: unknown): Wanted | Answer {
  const body = isRecord(given) ? given : {};
  const refusal = unknownKeys(world, body, ['domain', 'package']);
  if (refusal !== undefined) return refusal;
  const text = typeof body['domain'] === 'string' ? body['domain'] : '';
  const domain = world.rules.on(domainTrimmed) ? text.trim().toLowerCase() : text;
  if (!isHostname(domain) && world.rules.on(domainTrimmed))
    return reject(world, 400, 'invalid_domain', 'domain is not a hostname');
  const name = body['package'] ?? PACKAGES[world.rules.on(smallestIsDefault) ? 0 : 1].shortName;
  const product = PACKAGES.find(({ shortName }) => shortName === name);
  const unregistered = domain.endsWith('.invalid')
    ? reject(world, 422, 'domain_not_registered', 'The domain does not exist')
    : undefined;
  if (unregistered !== undefined && !world.rules.on(existenceLater)) return unregistered;
  if (product === undefined) return reject(world, 400, 'unknown_product', 'package is unknown');
  return unregistered ?? { domain, product };
}

function refuseExisting(world: World, domain: string): Answer | undefined {
  const holder = holderOf(world, domain);
  const exists = holder !== undefined && (holder.deleteScheduledAt === null || world.rules.on(deletedHolds));
  return exists ? reject(world, 422, 'mailspace_exists', `There is a mailspace for ${domain}`) : undefined;
}

function holderOf(world: World, domain: string): Mailspace | undefined {
  return [...world.state.mail.spaces.values()].find((space) => space.domain === domain);
}

/** What a purchase of mail answers where that of a site has other codes. */
function refuseCharge(world: World, accountId: string): Answer | undefined {
  const billing = billingOf(world.state.accounts.get(accountId));
  if (billing.trial) return refuse(world, 403, 'trial_account', 'Trial accounts cannot order');
  const ready = billing.hasCustomer && billing.methodType !== null && billing.contactComplete;
  if (!ready && (billing.processor || !world.rules.on(externalSkips))) {
    const answer = reject(world, 400, 'no_default_payment_method', 'There is no saved payment method');
    return world.rules.on(extraKeys) && isRecord(answer.body)
      ? { ...answer, body: { ...answer.body, remediation: 'Save a default payment method' } }
      : answer;
  }
  if (billing.refusesItems) return reject(world, 422, 'cart_item_rejected', 'The cart refuses this item');
  return billing.processor && billing.refusesCharges
    ? reject(world, 422, 'cart_pay_failed', 'The charge could not be started')
    : undefined;
}

/**
 * Two purchases of one domain that were on their way at the same time end in one mailspace: the second is paid for
 * nothing.
 */
function fulfil(world: World, { id, domain, accountId, product }: Wanted & Pick<Mailspace, 'id' | 'accountId'>): void {
  if (holderOf(world, domain) !== undefined) return;
  runMailClock(world);
  const now = world.clock.now();
  const space = addMailspace(world.state.mail, {
    id,
    domain,
    accountId,
    package: product.shortName,
    provisioned: false,
    token: nextId(world.state).replaceAll('-', ''),
    hidden: lateness(world),
    measured: { at: now, mailboxes: 0, usedMb: 0 },
    createdAt: now,
    updatedAt: now,
  });
  seePrimary(world, space);
}

/** GAP-36: the body is not documented. */
export function resizeMailspace(call: Call, space: Mailspace): Answer {
  const { world } = call;
  const refusal = refusePlanState(world, space);
  if (refusal !== undefined) return refusal;
  const reading = world.readings['GAP-36'];
  if (reading === 'not-shown') return notShown(world);
  const body = isRecord(call.body) ? call.body : {};
  const fields = reading === 'flat' ? body : body['mailspace'];
  const product = PACKAGES.find(({ shortName }) => isRecord(fields) && shortName === fields['package']);
  if (product === undefined) return reject(world, 400, 'unknown_product', 'package is unknown');
  if (product.shortName === space.package || liveMailboxes(space).length > product.maxMailboxes)
    return reject(world, 422, 'cart_item_rejected', 'This package does not fit');
  const unpaid = refuseCharge(world, space.accountId);
  if (unpaid !== undefined) return unpaid;
  const cart = purchase(call, {
    name: `resize of mailspace ${space.domain} to ${product.shortName}`,
    accountId: space.accountId,
    siteId: space.id,
    locationShortName: null,
    cents: product.cents,
    taskName: 'mailspace.resize',
    fulfil: () => Object.assign(space, { package: product.shortName, updatedAt: world.clock.now() }),
  });
  return world.rules.on(resizesByCart)
    ? ok(cartEnvelope(world, cart), 202)
    : ok({ mailspace: mailspaceView(world, space) });
}
