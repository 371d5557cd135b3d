// How mailspaces are bought, listed, viewed, resized, deleted and restored, and how the ownership of the primary domain is
// proven.
import { mayEditAccount, reachableAccounts } from '../../core/http/access.ts';
import { done, isRecord, notShown, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, Row } from '../../core/http/endpoint.ts';
import { consistencyLag, isListed } from '../../core/lists.ts';
import { RETENTION_MS, runMailClock, seePrimary } from '../clock.ts';
import { mailspaceEndpoints, refusePlanState, refuseUnavailable } from '../guards.ts';
import { PACKAGES, addMailspace } from '../state.ts';
import type { MailPackage, Mailspace } from '../state.ts';
import { mailspaceRow, mailspaceView } from '../present.ts';
import { TXT_PREFIX } from '../dns.ts';
import { keys } from '../../core/http/schema.ts';
import { isHostname } from '../../core/names.ts';
import { liveMailboxes } from '../server.ts';
import { buy, refuseCharge, refuseItem, refuseMethod, refuseTrial } from '../../billing/purchases.ts';
import { nextId } from '../../core/state.ts';
import type { World } from '../../core/world.ts';

type Wanted = ReturnType<typeof readWanted>;

const BUY_BODY = keys('domain', 'package');

/** Refuses callers that cannot buy a mailspace, whatever it is. */
function refuseBuyer(call: Call): void {
  runMailClock(call);
  refuseUnavailable(call);
  // MSP-08: without an account a purchase answers 400 account_required.
  const accountId = buyerOf(call) ?? refuse(400, 'account_required', 'An account is needed');
  if (!reachableAccounts(call).includes(accountId) || !mayEditAccount(call, accountId))
    refuse(403, 'not_authorized', 'Not Authorized');
}

function buyerOf({ accountId, credential }: Call): string | null {
  return accountId ?? credential.accountId;
}

function buyMailspace(call: Call): Answer {
  const accountId = buyerOf(call) ?? '';
  const wanted = readWanted(call.body);
  // MSP-10: a mailspace about to be deleted holds its domain.
  if (holderOf(call, wanted.domain) !== undefined)
    refuse(422, 'mailspace_exists', `There is a mailspace for ${wanted.domain}`);
  refusePurchase(call, accountId);
  const id = nextId(call.state);
  // MSP-07: the envelope of a purchase does not name the mailspace.
  return buy(call, {
    name: `mailspace ${wanted.domain} ${wanted.product.shortName}`,
    accountId,
    siteId: id,
    cents: wanted.product.cents,
    taskName: 'order.mailspace',
    fulfil: () => fulfil(call, { ...wanted, id, accountId }),
  });
}

/** MSP-09: a purchase is refused by codes of its own. */
function readWanted(body: Row) {
  const text = typeof body['domain'] === 'string' ? body['domain'] : '';
  // MSP-06: the domain is lower-cased and trimmed, and has to look like a hostname.
  const domain = text.trim().toLowerCase();
  if (!isHostname(domain)) refuse(400, 'invalid_domain', 'domain is not a hostname');
  // MSP-03: there are five packages, the smallest of which is the default.
  // MSP-09/order: the package is checked before the domain is looked up.
  const product = findPackage(body['package'] ?? PACKAGES[0].shortName);
  if (domain.endsWith('.invalid')) refuse(422, 'domain_not_registered', 'The domain does not exist');
  return { domain, product };
}

function findPackage(name: unknown): MailPackage {
  return PACKAGES.find(({ shortName }) => shortName === name) ?? refuse(400, 'unknown_product', 'package is unknown');
}

function holderOf(world: World, domain: string): Mailspace | undefined {
  return [...world.state.mail.spaces.values()].find((space) => space.domain === domain);
}

/** What a purchase of mail answers where that of a site has other codes. */
function refusePurchase(world: World, accountId: string): void {
  refuseTrial(world, accountId);
  // MSP-11: where somebody else bills, nobody asks for a payment method.
  // CNV-21: a missing payment method comes with a remediation.
  refuseMethod(world, accountId, { remediation: 'Save a default payment method' });
  refuseItem(world, accountId, 422, 'cart_item_rejected');
  refuseCharge(world, accountId);
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
  refusePlanState(space);
  const reading = call.ambiguities['GAP-36'];
  if (reading === 'not-shown') notShown();
  const fields = reading === 'flat' ? call.body : call.body['mailspace'];
  const product = findPackage(isRecord(fields) ? fields['package'] : undefined);
  if (product.shortName === space.package || liveMailboxes(space).length > product.maxMailboxes)
    refuse(422, 'cart_item_rejected', 'This package does not fit');
  refusePurchase(call, space.accountId);
  // MSP-19: a change of package answers 202 and an envelope.
  return buy(call, {
    name: `resize of mailspace ${space.domain} to ${product.shortName}`,
    accountId: space.accountId,
    siteId: space.id,
    cents: product.cents,
    taskName: 'mailspace.resize',
    fulfil: () => Object.assign(space, { package: product.shortName, updatedAt: call.clock.now() }),
  });
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
    refuse(422, null, 'The TXT record is not there');
  return show(call, space);
}

export const mailVerificationEndpoints = mailspaceEndpoints('/domain_verification', 'verification', {
  GET: show,
  POST: verify,
});

function listMailspaces(call: Call): Answer {
  const { accountId } = call;
  runMailClock(call);
  const accounts = reachableAccounts(call);
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
  if (space.deleteScheduledAt !== null) refusePlanState(space);
  if (call.ambiguities['GAP-37'] === 'not-shown') notShown();
  space.deleteScheduledAt = call.clock.now() + RETENTION_MS;
  space.updatedAt = call.clock.now();
  return done(call, { mailspace: mailspaceView(call, space) });
}

function restoreMailspace(call: Call, space: Mailspace): Answer {
  if (call.ambiguities['GAP-37'] === 'not-shown') notShown();
  if (space.deleteScheduledAt === null) refuse(422, null, 'The mailspace is not about to be deleted');
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
    admit: refuseBuyer,
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
