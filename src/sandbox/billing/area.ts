// What is bought: carts, orders, payments, and the callbacks and events that tell of them. Sites, mailspaces, panel
// accounts and registrations are bought through it.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import type { State } from '../core/state.ts';
import type { World } from '../core/world.ts';
import { billingControls, paymentEvents } from './control.ts';
import { payCart } from './purchases.ts';
import { orderEndpoints } from './routes.ts';
import { emptyWebhooks } from './state.ts';
import type { Billing, Cart, Order, Webhooks } from './state.ts';
import { rowIn, stampsIn, textOr, textOrNull, unread } from '../core/copy/answers.ts';
import type { Copying } from '../core/copy/answers.ts';

const BILLING_AMBIGUITIES = {
  /** The status of an order between pending and its end. */
  'GAP-10': ['provisioning', 'pending'],
  /** Cancelling an order that has ended. */
  'GAP-10.cancel': ['refuse', 'accept'],
  /** When a callback is repeated: after a wait that its age chooses, or at marks counted from its beginning. */
  'GAP-60': ['by-age', 'by-marks'],
} as const;

declare module '../core/state.ts' {
  interface Account {
    /** How it pays; what is absent is as usual (billingOf). */
    billing?: Partial<Billing>;
  }
  interface State {
    readonly orders: Map<string, Order>;
    readonly carts: Map<string, Cart>;
    readonly webhooks: Webhooks;
  }
  interface Area {
    /** What the view of an order says of the thing of this area that was bought. */
    readonly orderBlock?: (world: World, order: Order) => Readonly<Record<string, unknown>>;
  }
}
declare module '../core/ambiguities.ts' {
  interface Ambiguities extends Readings<typeof BILLING_AMBIGUITIES> {}
}

/** The small account, paying in another way. */
const PAYING: Readonly<Record<string, Partial<Billing>>> = {
  'billing-bank': { methodType: 'sepa_debit', outcome: 'processing' },
  'billing-3ds': { outcome: 'authentication' },
  'billing-declined': { outcome: 'declined' },
  'billing-external': { processor: false, methodType: null, hasCustomer: false },
  'billing-no-method': { methodType: null },
  'billing-trial': { trial: true },
};

const eachWay = <T>(made: (billing: Partial<Billing>) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(PAYING).map(([name, billing]) => [name, made(billing)]));

export const billing: Area = {
  endpoints: orderEndpoints,
  ambiguities: BILLING_AMBIGUITIES,
  state: () => ({ orders: new Map(), carts: new Map(), webhooks: emptyWebhooks() }),
  scenarios: eachWay(() => ({ from: 'small' as const })),
  parts: eachWay((given) => ({ accounts }: State) => {
    const account = accounts.get('acc-acme');
    if (account !== undefined) account.billing = given;
  }),
  controls: billingControls,
  load: loadOrders,
  oblige(world) {
    for (const cart of world.state.carts.values()) payCart(world, cart);
  },
  outside: paymentEvents,
};

function loadOrders(copying: Copying): void {
  const { answers, state, accountId } = copying;
  const rows = answers.rows('/api/orders', 'orders');
  if (rows === undefined) return unread(state, 'the list of orders', 'orders');
  for (const row of rows) {
    const id = String(row['id']);
    const order: Order = {
      id,
      accountId: textOr(rowIn(row, 'account')['id'], accountId),
      status: String(row['status']),
      locationShortName: textOrNull(row['location']),
      ...stampsIn(copying, row),
    };
    state.orders.set(id, order);
    unread(order, `the order ${id}`, 'purchase');
  }
}
