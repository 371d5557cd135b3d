// How the package of a panel account changes: what is refused, when the change is in flight, when the mirror shows it.
import { announcePanel } from '../events.ts';
import { callbackOf } from '../../billing/messages.ts';
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { NotRead } from '../../core/copy/answers.ts';
import { findPackage, panelPackages, priceOfPackage } from '../state.ts';
import type { PanelAccount, PanelPackage } from '../state.ts';
import { cartEnvelope } from '../../billing/present.ts';
import { TERMINAL } from '../../billing/state.ts';
import { purchase } from '../../billing/purchases.ts';
import type { World } from '../../core/world.ts';
import { afterMirrorLag, namedPackage, refusePanelCharge } from './purchase.ts';

export function resizePanelAccount(call: Call, account: PanelAccount): Answer {
  const product = namedPackage(call, call.body);
  refuseChange(call, account, product);
  refusePanelCharge(call, account.accountId, 'resize');
  return resize(call, account, product);
}

function refuseChange(world: World, account: PanelAccount, product: PanelPackage): void {
  // PNL-15: a second resize while one is applied is refused.
  if (inFlight(world, account)) refuse(409, 'resize_in_flight', 'A change of package is in flight');
  if (account.mirror === null && world.ambiguities['GAP-49.provisioning'] === 'refuse')
    refuse(422, null, 'The account is being provisioned');
  // PNL-17/same: the package that an account has already is refused.
  if (isSame(world, account, product)) refuse(422, 'same_package', 'The account is already on this package');
  // PNL-17: a smaller package has to hold what is used; a larger one is not checked.
  if (exceeds(world, account, product))
    refuse(422, 'usage_exceeds_package', 'The package is too small for what is used');
  if (world.state.panel.unavailable.includes(product.key))
    refuse(400, 'product_unavailable', 'This package cannot be ordered');
}

/**
 * GAP-48: until the order has ended, or until the mirror shows it too. A cart that nobody pays is in flight until it
 * expires.
 */
function inFlight(world: World, { resizeCart, local, mirror }: PanelAccount): boolean {
  const lagging = mirror !== null && local !== null && mirror.packageCode !== local.packageCode;
  if (lagging && world.ambiguities['GAP-48.inFlight'] === 'mirror') return true;
  const cart = world.state.carts.get(resizeCart ?? '');
  if (cart === undefined || cart.status === 'expired') return false;
  return (
    cart.orderIds.length === 0 ||
    cart.orderIds.some((id) => !TERMINAL.includes(world.state.orders.get(id)?.status ?? ''))
  );
}

/** Checked against the mirror and against what was provisioned last; GAP-48: whether one of them is enough. */
function isSame(world: World, { local, mirror }: PanelAccount, { code }: PanelPackage): boolean {
  const known = [local?.packageCode, mirror?.packageCode].filter((one) => one !== undefined);
  return world.ambiguities['GAP-48.same'] === 'either' ? known.includes(code) : known.every((one) => one === code);
}

function exceeds(world: World, { local, mirror }: PanelAccount, product: PanelPackage): boolean {
  if (mirror === null) return false;
  const sizes = panelPackages(world).map(({ key }) => key);
  const current = findPackage(world, mirror.packageCode ?? local?.packageCode ?? null);
  const smaller = current !== undefined && sizes.indexOf(product.key) < sizes.indexOf(current.key);
  if (smaller && world.state.panel.packagesUnread === true)
    throw new NotRead(`how much fits into the package ${product.key}`);
  return (
    smaller &&
    (mirror.usedMb > product.diskMb || mirror.mailboxes > product.mailboxes || mirror.addons.length > product.addons)
  );
}

function resize(call: Call, account: PanelAccount, product: PanelPackage): Answer {
  // PNL-14: a resize is priced on the term of the subscription.
  const term = account.subscription?.term ?? 'monthly';
  // CBK-12/once: resized is told once, when the package has really changed.
  const cart = purchase(call, {
    name: `resize of panel account ${account.username} to ${product.key}`,
    accountId: account.accountId,
    siteId: account.id,
    cents: priceOfPackage(product, term),
    taskName: 'panel_account.resize',
    callback: callbackOf(call.body),
    fulfil: () => {
      account.local = {
        packageCode: product.code,
        primaryDomain: account.local?.primaryDomain ?? account.mirror?.primaryDomain ?? '',
      };
      announcePanel(call, account, 'resized');
      afterMirrorLag(call, () => showResized(call, account));
    },
  });
  account.resizeCart = cart.token;
  return ok(cartEnvelope(call, cart), 202);
}

function showResized(world: World, { local, mirror }: PanelAccount): void {
  if (local === null || mirror === null) return;
  mirror.packageCode = local.packageCode;
  mirror.quotaMb = findPackage(world, local.packageCode)?.diskMb ?? mirror.quotaMb;
}
