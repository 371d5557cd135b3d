// How mailspaces are bought, listed, viewed, resized, deleted and restored, and how the ownership of the primary domain is
// proven.
import { mayEditAccount, reachableAccounts } from '../../core/http/access.ts';
import { done, isRecord, ok, refuse, refuseWith } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, Row } from '../../core/http/endpoint.ts';
import { consistencyLag, isListed } from '../../core/lists.ts';
import { RETENTION_MS, runMailClock, seePrimary } from '../clock.ts';
import { mailspaceEndpoints, refusePlanState, unavailable } from '../guards.ts';
import { PACKAGES, addMailspace } from '../state.ts';
import type { MailPackage, Mailspace } from '../state.ts';
import { mailspaceRow, mailspaceView } from '../present.ts';
import { notShown } from '../../core/http/not-yet.ts';
import { TXT_PREFIX } from '../dns.ts';
import { keys } from '../../core/http/schema.ts';
import { isHostname } from '../../core/names.ts';
import { liveMailboxes } from '../server.ts';
import { cartEnvelope } from '../../billing/present.ts';
import { billingOf } from '../../billing/state.ts';
import { purchase } from '../../billing/purchases.ts';
import { nextId } from '../../core/state.ts';
import type { World } from '../../core/world.ts';

interface Wanted {
  readonly domain: string;
  readonly product: MailPackage;
}

const BUY_BODY = keys('domain', 'package');

/** Why the caller cannot buy a mailspace, whatever it is. */
function refuseBuyer(call: Call): Answer | undefined {
  const { credential } = call;
  runMailClock(call);
  if (!call.state.mail.configured) return unavailable();
  const accountId = buyerOf(call);
  // MSP-08: without an account a purchase answers 400 account_required.
  if (accountId === null) return refuse(400, 'account_required', 'An account is needed');
  const allowed =
    reachableAccounts(call, credential).includes(accountId) && mayEditAccount(call, credential, accountId);
  return allowed ? undefined : refuse(403, 'not_authorized', 'Not Authorized');
}

function buyerOf({ accountId, credential }: Call): string | null {
  return accountId ?? credential.accountId;
}

function buyMailspace(call: Call): Answer {
  const accountId = buyerOf(call) ?? '';
  const wanted = readWanted(call.body);
  if ('status' in wanted) return wanted;
  const refusal = refuseExisting(call, wanted.domain) ?? refuseCharge(call, accountId);
  if (refusal !== undefined) return refusal;
  const id = nextId(call.state);
  const cart = purchase(call, {
    name: `mailspace ${wanted.domain} ${wanted.product.shortName}`,
    accountId,
    siteId: id,
    locationShortName: null,
    cents: wanted.product.cents,
    taskName: 'order.mailspace',
    fulfil: () => fulfil(call, { ...wanted, id, accountId }),
  });
  const envelope = cartEnvelope(call, cart);
  // MSP-07: the envelope of a purchase does not name the mailspace.
  return ok(envelope, 202);
}

/** MSP-09: a purchase is refused by codes of its own. */
function readWanted(body: Row): Wanted | Answer {
  const text = typeof body['domain'] === 'string' ? body['domain'] : '';
  // MSP-06: the domain is lower-cased and trimmed, and has to look like a hostname.
  const domain = text.trim().toLowerCase();
  if (!isHostname(domain)) return refuse(400, 'invalid_domain', 'domain is not a hostname');
  // MSP-03: there are five packages, the smallest of which is the default.
  const name = body['package'] ?? PACKAGES[0].shortName;
  const product = PACKAGES.find(({ shortName }) => shortName === name);
  const unregistered = domain.endsWith('.invalid')
    ? refuse(422, 'domain_not_registered', 'The domain does not exist')
    : undefined;
  // MSP-09/order: the package is checked before the domain is looked up.
  if (product === undefined) return refuse(400, 'unknown_product', 'package is unknown');
  return unregistered ?? { domain, product };
}

function refuseExisting(world: World, domain: string): Answer | undefined {
  // MSP-10: a mailspace about to be deleted holds its domain.
  return holderOf(world, domain) === undefined
    ? undefined
    : refuse(422, 'mailspace_exists', `There is a mailspace for ${domain}`);
}

function holderOf(world: World, domain: string): Mailspace | undefined {
  return [...world.state.mail.spaces.values()].find((space) => space.domain === domain);
}

/** What a purchase of mail answers where that of a site has other codes. */
function refuseCharge(world: World, accountId: string): Answer | undefined {
  const billing = billingOf(world.state.accounts.get(accountId));
  if (billing.trial) return refuse(403, 'trial_account', 'Trial accounts cannot order');
  const ready = billing.hasCustomer && billing.methodType !== null && billing.contactComplete;
  // MSP-11: where somebody else bills, nobody asks for a payment method.
  if (!ready && billing.processor) {
    // CNV-21: a missing payment method comes with a remediation.
    const extra = { remediation: 'Save a default payment method' };
    return refuseWith(extra, 400, 'no_default_payment_method', 'There is no saved payment method');
  }
  if (billing.refusesItems) return refuse(422, 'cart_item_rejected', 'The cart refuses this item');
  return billing.processor && billing.refusesCharges
    ? refuse(422, 'cart_pay_failed', 'The charge could not be started')
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
    hidden: consistencyLag(world),
    measured: { at: now, mailboxes: 0, usedMb: 0 },
    createdAt: now,
    updatedAt: now,
  });
  seePrimary(world, space);
}

/** GAP-36: the body is not documented. */
function resizeMailspace(call: Call, space: Mailspace): Answer {
  const refusal = refusePlanState(space);
  if (refusal !== undefined) return refusal;
  const reading = call.ambiguities['GAP-36'];
  if (reading === 'not-shown') return notShown();
  const fields = reading === 'flat' ? call.body : call.body['mailspace'];
  const product = PACKAGES.find(({ shortName }) => isRecord(fields) && shortName === fields['package']);
  if (product === undefined) return refuse(400, 'unknown_product', 'package is unknown');
  if (product.shortName === space.package || liveMailboxes(space).length > product.maxMailboxes)
    return refuse(422, 'cart_item_rejected', 'This package does not fit');
  const unpaid = refuseCharge(call, space.accountId);
  if (unpaid !== undefined) return unpaid;
  const cart = purchase(call, {
    name: `resize of mailspace ${space.domain} to ${product.shortName}`,
    accountId: space.accountId,
    siteId: space.id,
    locationShortName: null,
    cents: product.cents,
    taskName: 'mailspace.resize',
    fulfil: () => Object.assign(space, { package: product.shortName, updatedAt: call.clock.now() }),
  });
  // MSP-19: a change of package answers 202 and an envelope.
  return ok(cartEnvelope(call, cart), 202);
}

function show({ ambiguities }: Call, space: Mailspace): Answer {
  const state = space.provisioned ? 'provisioned' : space.verified ? 'verified' : 'pending_verification';
  const verification = {
    domain: space.domain,
    state,
    txt_host: `${TXT_PREFIX}.${space.domain}`,
    txt_value: space.token,
    txt_type: 'TXT',
  };
  return ok(ambiguities['GAP-38'] === 'wrapped' ? { domain_verification: verification } : verification);
}

function verify(call: Call, space: Mailspace): Answer {
  seePrimary(call, space);
  if (!space.verified && call.ambiguities['GAP-38.missing'] === 'refuse')
    return refuse(422, null, 'The TXT record is not there');
  return show(call, space);
}

export const mailVerificationEndpoints = mailspaceEndpoints('/domain_verification', 'verification', {
  GET: show,
  POST: verify,
});

function listMailspaces(call: Call): Answer {
  const { credential, accountId } = call;
  runMailClock(call);
  const accounts = reachableAccounts(call, credential);
  // MSP-01/header: the header narrows the list to its account.
  const rows = [...call.state.mail.spaces.values()]
    .filter((space) => accounts.includes(space.accountId))
    .filter((space) => accountId === null || space.accountId === accountId)
    .filter((space) => isListed(call, space));
  // MSP-01: the list shows the newest mailspace first, and those about to be deleted.
  rows.reverse().sort((left, right) => right.createdAt - left.createdAt);
  return ok({ mailspaces: rows.map((space) => mailspaceRow(call, space)) });
}

/** GAP-37: neither the shape of a delete nor that of a restore is documented, and a purge is nobody's business here. */
function deleteMailspace(call: Call, space: Mailspace): Answer {
  if (space.deleteScheduledAt !== null) return refusePlanState(space) ?? notShown();
  if (call.ambiguities['GAP-37'] === 'not-shown') return notShown();
  space.deleteScheduledAt = call.clock.now() + RETENTION_MS;
  space.updatedAt = call.clock.now();
  return done(call, { mailspace: mailspaceView(call, space) });
}

function restoreMailspace(call: Call, space: Mailspace): Answer {
  if (call.ambiguities['GAP-37'] === 'not-shown') return notShown();
  if (space.deleteScheduledAt === null) return refuse(422, null, 'The mailspace is not about to be deleted');
  space.deleteScheduledAt = null;
  space.updatedAt = call.clock.now();
  return done(call, { mailspace: mailspaceView(call, space) });
}

export const mailspacesEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/mailspace', scope: 'mailspace:read', handle: listMailspaces },
  {
    method: 'POST',
    path: '/api/mailspace',
    scope: 'mailspace:write',
    guard: refuseBuyer,
    body: BUY_BODY,
    handle: buyMailspace,
  },
  ...mailspaceEndpoints('', 'plan', {
    GET: (call, space) => ok({ mailspace: mailspaceView(call, space) }),
    PATCH: resizeMailspace,
    DELETE: deleteMailspace,
    'POST /restore': restoreMailspace,
    'POST /purge': notShown,
  }),
];
