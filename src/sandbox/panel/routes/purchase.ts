// How a panel account is bought: what is refused beforehand, what the cart is for, when the account appears.
import { announcePanel } from '../events.ts';
import { callbackOf } from '../../billing/messages.ts';
import { refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Row } from '../../core/http/endpoint.ts';
import { consistencyLag } from '../../core/lists.ts';
import { ownsDomain, registeredNames } from '../../core/area.ts';
import { isAddressable, passPanelGuards, refuseDuty, unavailable } from '../guards.ts';
import { addPanelAccount, findPackage, panelMirror, priceOfPackage } from '../state.ts';
import type { PanelAccount, PanelPackage } from '../state.ts';
import { buy, refuseCharge, refuseItem, refuseMethod } from '../../billing/purchases.ts';
import { nextId, takeSerial } from '../../core/state.ts';
import type { World } from '../../core/world.ts';

const MIRROR_LAG_MS = 180_000;

type Wanted = ReturnType<typeof readWanted>;

/** Refuses callers that cannot buy a panel account, whatever it is. */
export function refuseBuyer(call: Call): void {
  passPanelGuards(call, { user: true, paid: true });
  refuseDuty(call, call.accountId ?? '', 'billing');
}

export function buyPanelAccount(call: Call): Answer {
  const accountId = call.accountId ?? '';
  const wanted = readWanted(call, accountId, call.body);
  const { product, term, domain } = wanted;
  if (domain !== null) refuseOwnership(call, accountId, domain);
  refusePanelCharge(call, accountId, 'create');
  const made: { account?: PanelAccount } = {};
  const appear = (): PanelAccount => (made.account ??= addOrdered(call, accountId, wanted));
  return buy(call, {
    name: `panel account ${domain ?? '-'} ${product.key}/${term}`,
    accountId,
    siteId: `panel-${nextId(call.state)}`,
    cents: priceOfPackage(product, term),
    taskName: 'order.panel_account',
    callback: callbackOf(call.body),
    settled: () => {
      if (call.ambiguities['GAP-46.listed'] === 'settled') appear();
    },
    undo: () => call.state.panel.accounts.delete(made.account?.username ?? ''),
    fulfil: (order) => {
      const account = appear();
      announcePanel(call, account, 'created');
      if (order.purchase !== undefined) order.purchase.panelUsername = account.username;
      afterMirrorLag(call, () => {
        account.mirror = panelMirror({
          packageCode: account.local?.packageCode ?? product.code,
          primaryDomain: account.local?.primaryDomain ?? null,
          usedMb: 0,
          quotaMb: product.diskMb,
        });
      });
    },
  });
}

/** PNL-16: buying and resizing are refused by codes of their own, and nothing is charged. */
function readWanted(world: World, accountId: string, body: Row) {
  const product = namedPackage(world, body);
  // PNL-13: without a term an account is bought for the term of its workspace.
  const usual = world.state.accounts.get(accountId)?.billingTerm ?? 'monthly';
  const term = body['term'] ?? usual;
  if (term !== 'monthly' && term !== 'annual') return refuse(400, 'invalid_term', 'term is monthly or annual');
  if (world.state.panel.unavailable.includes(product.key))
    refuse(400, 'product_unavailable', 'This package cannot be ordered');
  if (world.state.panel.unpriced.includes(`${product.key}/${term}`))
    refuse(422, 'no_price_for_plan', 'This package has no price for this term');
  const { domain } = body;
  return {
    product,
    term,
    domain: typeof domain === 'string' && domain !== '' ? domain.trim().toLowerCase() : null,
  } as const;
}

export function namedPackage(world: World, body: Row): PanelPackage {
  return findPackage(world, body['package']) ?? refuse(400, 'unknown_package', 'package is unknown');
}

/** Owned means: registered with the service by this workspace. */
export function refuseOwnership(world: World, accountId: string, domain: string): void {
  const { troubles, accounts } = world.state.panel;
  // PNL-16/domain: the domain of an account is one's own, registered, and on no other account.
  if (troubles.includes('domains')) unavailable();
  if (!ownsDomain(world, accountId, domain)) {
    if (registeredNames(world).some(({ name }) => name === domain))
      refuse(422, 'domain_not_owned', `${domain} belongs to somebody else`);
    refuse(422, 'domain_not_registered', `${domain} is not registered here`);
  }
  if ([...accounts.values()].some((account) => isAddressable(world, account) && serves(account, domain)))
    refuse(422, 'domain_in_use', `${domain} is on another hosting account`);
}

function serves({ local, mirror }: PanelAccount, domain: string): boolean {
  return [local?.primaryDomain, mirror?.primaryDomain, ...(mirror?.addons ?? []), ...(mirror?.aliases ?? [])].includes(
    domain,
  );
}

/** GAP-48: the codes of a resize that its cart refuses are not shown. */
export function refusePanelCharge(world: World, accountId: string, verb: 'create' | 'resize'): void {
  // PNL-14/external: where somebody else bills, nobody asks for a payment method, and nothing is charged.
  refuseMethod(world, accountId);
  const reading = verb === 'create' ? 'like-create' : world.ambiguities['GAP-48.resize'];
  const codeOf = (code: string) => ({ 'like-create': code, own: 'resize_failed', bare: null })[reading];
  refuseItem(world, accountId, 422, codeOf('cart_add_failed'));
  refuseCharge(world, accountId, codeOf('cart_pay_failed'));
}

/** GAP-46: what the account is called can only be learnt from the list. */
function addOrdered(world: World, accountId: string, { product, term, domain }: Wanted): PanelAccount {
  const serial = takeSerial(world.state);
  const stem =
    world.ambiguities['GAP-46.name'] === 'from-domain' && domain !== null
      ? domain.replace(/[^a-z0-9]/g, '').slice(0, 6)
      : 'u';
  const username = `${stem}${serial}`;
  return addPanelAccount(world.state.panel, {
    username,
    accountId,
    id: nextId(world.state),
    mirror: null,
    hidden: consistencyLag(world),
    createdAt: world.clock.now(),
    local: {
      packageCode: product.code,
      // PNL-13/placeholder: without a domain an account gets a placeholder.
      primaryDomain: domain ?? `${username}.placeholder.sandbox.example`,
    },
    subscription: { id: nextId(world.state), status: 'active', term },
  });
}

export function afterMirrorLag(world: World, change: () => void): void {
  // PNL-05: the mirror shows a change minutes after it was made.
  world.clock.at(world.clock.now() + MIRROR_LAG_MS, change);
}
