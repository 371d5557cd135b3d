// How orders are made, read and cancelled, and how carts are read.
import { CALLBACK, announceSite, callbackOf } from './messages.ts';
import { endpointsAt, isRecord, notFound, ok, refuse } from '../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, Method, Row } from '../core/http/endpoint.ts';
import { keys } from '../core/http/schema.ts';
import { cartEnvelope, orderListItem, orderView, priceOf } from './present.ts';
import { TERMINAL } from './state.ts';
import type { Cart, Order } from './state.ts';
import { buy, cancelOrder, refuseAccount, refusePayment } from './purchases.ts';
import { addSite, nextId } from '../core/state.ts';
import { inListOrder } from '../core/world.ts';
import type { World } from '../core/world.ts';
import { page } from '../core/lists.ts';

function listOrders(call: Call): Answer {
  // ORD-02: the list of orders shows those of the account.
  const rows = [...call.state.orders.values()].filter(
    (order) => call.accountId === null || order.accountId === call.accountId,
  );
  // Pages have to fit together, so the order may not change between two reads.
  const stable = call.ambiguities.listOrder === 'reshuffled' ? rows : inListOrder(call, rows);
  return ok({ orders: page(call, stable).map((order) => orderListItem(call, order)) });
}

function ownOrder({ params, accountId, state }: Call): Order {
  const order = state.orders.get(params['order'] ?? '');
  return order?.accountId === accountId ? order : notFound();
}

type SiteOrder = ReturnType<typeof readSiteOrder>;

function createOrder(call: Call): Answer {
  const { body } = call;
  const accountId = call.accountId ?? '';
  const wanted = readSiteOrder(call, body);
  refusePayment(call, accountId);
  const siteId = nextId(call.state);
  return buy(call, {
    name: `site order ${wanted.name} ${wanted.variant}/${wanted.location}/${wanted.plan}/${wanted.term}`,
    accountId,
    siteId,
    locationShortName: wanted.location,
    cents: priceOf(wanted),
    taskName: 'order.site',
    callback: callbackOf(body),
    fulfil: (order) => provision(call, order, siteId, wanted),
  });
}

function readSiteOrder(world: World, body: Row) {
  const site = isRecord(body['site']) ? body['site'] : {};
  const { variant, location: wantedLocation, plan: wantedPlan, term, name } = site;
  // ORD-27: what cannot be ordered is refused by a code of its own, and nothing is charged.
  const reject = (code: string, message: string): never => refuse(400, code, message);
  if (variant !== 'vanilla' && variant !== 'extended') return reject('unknown_variant', 'variant is unknown');
  const location =
    world.state.locations.find(({ shortName }) => shortName === wantedLocation) ??
    reject('unknown_location', 'location is unknown');
  // ORD-28: a location without stock answers over_capacity, and may have stock later.
  if ((location.soldOutFor ?? 0) > 0) {
    location.soldOutFor = (location.soldOutFor ?? 0) - 1;
    reject('over_capacity', 'There is no capacity at this location now');
  }
  if (term !== 'monthly' && term !== 'annual') return reject('unknown_term', 'term is unknown');
  const plan = world.state.plans.find(({ shortName }) => shortName === wantedPlan);
  if (plan?.orderable === false || plan === undefined) return reject('unknown_product', 'plan cannot be ordered');
  if (plan.unpricedTerms?.includes(term) === true) reject('no_price_for_plan', 'plan has no price for this term');
  return {
    variant,
    location: location.shortName,
    plan: plan.shortName,
    term,
    name: typeof name === 'string' ? name : '-',
  } as const;
}

/** GAP-20: where a first domain activates the CDN, a new site has none. */
function provision(world: World, order: Order, siteId: string, wanted: SiteOrder): void {
  const now = world.clock.now();
  const site = addSite(world.state, {
    id: siteId,
    accountId: order.accountId,
    package: wanted.plan,
    term: wanted.term,
    locationShortName: wanted.location,
    region: `${wanted.location}-1`,
    // ORD-23: the name in an order is ignored; the site gets a generated one.
    name: `site-${siteId.slice(0, 8)}`,
    createdAt: now,
    updatedAt: now,
  });
  if (world.ambiguities['GAP-20'] === 'first-domain') site.cdn.zone = 'none';
  if (order.purchase !== undefined) order.purchase.site = { id: siteId, variant: wanted.variant };
  announceSite(world, site, 'created');
}

/** GAP-10: what cancelling an order that has ended answers is not documented. */
function deleteOrder(call: Call, order: Order): Answer {
  const ended = TERMINAL.includes(order.status);
  if (ended && call.ambiguities['GAP-10.cancel'] === 'refuse') refuse(422, null, 'The order has ended');
  if (!ended) cancelOrder(call, order);
  return ok({}, 202);
}

function ownCart({ params, accountId, state }: Call): Cart {
  const cart = state.carts.get(params['cart'] ?? '');
  // ORD-21: a cart of another account is as unknown as one that is not there.
  return cart?.accountId === accountId ? cart : notFound();
}

/** ORD-01: reading takes billing:read; making and cancelling is closed to OAuth. */
const demands = (method: Method) => ({ scope: method === 'GET' ? 'billing:read' : 'never', account: true }) as const;

export const orderEndpoints: readonly Endpoint[] = [
  ...endpointsAt<Endpoint>('/api/orders', demands, {
    GET: listOrders,
    POST: {
      user: () => true,
      admit: (call) => refuseAccount(call, call.accountId ?? ''),
      body: { site: { properties: keys('name', 'variant', 'location', 'plan', 'term') }, ...CALLBACK },
      handle: createOrder,
    },
    // ORD-19: PATCH on an order answers 400.
    'PATCH /:order': () => refuse(400, null, 'Orders cannot be changed'),
  }),
  ...endpointsAt<Endpoint<Order>>('/api/orders/:order', (method) => ({ ...demands(method), admit: ownOrder }), {
    GET: (call, order) => ok(orderView(call, order)),
    DELETE: deleteOrder,
  }),
  ...endpointsAt<Endpoint<Cart>>('/api/carts/:cart', (method) => ({ ...demands(method), admit: ownCart }), {
    GET: (call, cart) => ok(cartEnvelope(call, cart)),
  }),
];
