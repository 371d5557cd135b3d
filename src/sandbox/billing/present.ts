// How carts and orders look on the wire. The two have a payment each, with different values: they are not to be shared.
// Written from the API documents alone.
import type { Row } from '../core/http/endpoint.ts';
import { accountRef, primaryHostname, sshOf, stamps } from '../core/present.ts';
import type { Cart, Order } from './state.ts';
import type { Site } from '../core/state.ts';
import type { World } from '../core/world.ts';

/** Not where this sandbox listens: a client that follows URLs instead of taking the token from them is found out. */
const HOST = 'https://platform.sandbox.example';

function pollUrl(path: string): string {
  // CNV-29: the poll URLs of carts and orders are absolute.
  return HOST + path;
}

export function cartEnvelope(world: World, cart: Cart): Row {
  return {
    // ORD-11: an envelope has status accepted, a cart, a payment and a list of orders.
    status: 'accepted',
    cart: {
      token: cart.token,
      status: cart.status,
      rollup_status: cart.rollupStatus,
      poll_url: pollUrl(`/api/carts/${cart.token}`),
    },
    payment: { status: cart.payment, method_type: cart.methodType, hosted_invoice_url: cart.hostedInvoiceUrl },
    orders: cart.orderIds.map((id) => ({
      id,
      status: world.state.orders.get(id)?.status ?? 'pending',
      poll_url: pollUrl(`/api/orders/${id}`),
    })),
  };
}

export function orderListItem(world: World, order: Order): Row {
  return {
    id: order.id,
    status: order.status,
    ...stamps(order),
    location: order.locationShortName,
    account: accountRef(world.state, order.accountId),
  };
}

export function orderView(world: World, order: Order): Row {
  const { account: _account, ...row } = orderListItem(world, order);
  // ORD-04: the view of an order is nested: order, tasks, payment, account, user.
  const tasks = (order.purchase?.taskIds ?? []).map((id) => ({
    id,
    status: world.state.tasks.get(id)?.status ?? 'PENDING',
  }));
  const areaBlocks = Object.assign({}, ...world.state.areas.map((area) => area.orderBlock?.(world, order))) as Row;
  return {
    // ORD-48: the location of an order is the short name.
    order: row,
    tasks,
    ...siteBlock(world, order),
    ...subscriptionBlock(order),
    ...areaBlocks,
    payment: payment(world, order),
    account: accountRef(world.state, order.accountId),
    user: user(world, order),
  };
}

function siteBlock(world: World, order: Order): Row {
  const made = order.purchase?.site ?? null;
  const site = made === null ? undefined : world.state.sites.get(made.id);
  // ORD-05: an order has a `site` only once it provisioned one, with keys of its own.
  if (made === null || site === undefined) return {};
  return {
    site: {
      id: site.id,
      name: site.name,
      domain: primaryHostname(site),
      variant: made.variant,
      location: site.locationShortName,
      ssh_data: sshOf(site),
    },
  };
}

function subscriptionBlock(order: Order): Row {
  const id = order.purchase?.subscriptionId ?? null;
  // ORD-06: the subscription of an order has an internal integer id, and is there only when it exists.
  if (id === null) return {};
  const started = new Date(order.updatedAt);
  return {
    subscription: {
      id,
      status: 'active',
      bucket_type: 'monthly',
      bucket_year: started.getUTCFullYear(),
      bucket_month: started.getUTCMonth() + 1,
      processor_id: `processor-sub-${id}`,
    },
  };
}

function payment(world: World, order: Order): Row {
  const { purchase } = order;
  const mirrored = purchase !== undefined && !purchase.external && world.clock.now() >= purchase.mirroredAt;
  return {
    // ORD-08: the payment of an order has five values, from the status of the order.
    status: paymentStatus(order),
    method_type: purchase?.methodType ?? null,
    hosted_invoice_url: purchase?.hostedInvoiceUrl ?? null,
    // ORD-10: the amounts are null until the invoice is mirrored.
    amount_charged_cents: mirrored ? purchase.cents : null,
    credit_applied_cents: mirrored ? 0 : null,
  };
}

/** Where somebody else bills, nothing is ever written to a payment. */
function paymentStatus({ status, purchase }: Order): string {
  if (purchase?.external === true) return 'pending';
  switch (status) {
    case 'awaiting_payment':
      return 'processing';
    case 'awaiting_authentication':
      return 'awaiting_authentication';
    case 'provisioning':
    case 'completed':
      return 'succeeded';
    case 'failed':
    case 'cancelled':
      return 'failed';
    default:
      return 'pending';
  }
}

function user(world: World, order: Order): Row | null {
  const stored = world.state.users.get(order.purchase?.userId ?? '');
  if (stored === undefined) return null;
  const { id, firstName, lastName, email } = stored;
  return { id, fname: firstName, lname: lastName, email, account_brand_id: 1, locale: 'en', ...stamps(order) };
}

export function priceOf(site: Pick<Site, 'term'>): number {
  return site.term === 'annual' ? 24_000 : 2_500;
}
