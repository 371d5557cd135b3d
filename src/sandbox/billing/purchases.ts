// How a purchase lives: refused beforehand, charged, settled, fulfilled, or left waiting for a person.
import { callBack } from './messages.ts';
import type { Callback } from './messages.ts';
import type { Answer, Call } from '../core/http/endpoint.ts';
import { ok, refuse, refuseWith } from '../core/http/endpoint.ts';
import { cartEnvelope } from './present.ts';
import { TERMINAL, billingOf } from './state.ts';
import type { Billing, Cart, DomainPurchase, Order } from './state.ts';
import { nextId, takeSerial } from '../core/state.ts';
import { setTaskStatus, startTask } from '../core/tasks.ts';
import { countCreation } from '../core/world.ts';
import type { World } from '../core/world.ts';

const SETTLES_AFTER_MS = 3_000;
const BANK_SETTLES_AFTER_MS = 3 * 86_400_000;
const EXPIRES_AFTER_MS = 86_400_000;
const MIRRORED_AFTER_MS = 60_000;

export interface Item {
  /** What the oracle of creations counts it under. */
  readonly name: string;
  readonly accountId: string;
  /** Where it has one. */
  readonly locationShortName?: string;
  readonly cents: number;
  readonly siteId: string;
  readonly taskName: string;
  /** Where it is about a domain. */
  readonly domain?: DomainPurchase;
  /** Whether the order is there with the first answer (GAP-66). */
  readonly atOnce?: boolean;
  /** Makes what was bought. */
  readonly fulfil: (order: Order) => void;
  /** What is there once the charge has settled, and is taken back where the order fails. */
  readonly settled?: () => void;
  readonly undo?: () => void;
  /** Fired when the task ends. */
  readonly callback?: Callback | undefined;
}

export function refuseTrial({ state }: World, accountId: string): void {
  // CNV-17: a trial account may not order.
  if (billingOf(state.accounts.get(accountId)).trial) refuse(403, 'trial_account', 'Trial accounts cannot order');
}

/** Refuses accounts that may not buy at all. */
export function refuseAccount(world: World, accountId: string): void {
  refuseTrial(world, accountId);
  if (!billingOf(world.state.accounts.get(accountId)).canOrder)
    refuse(400, 'account_cannot_order', 'This account cannot order');
}

/** Nobody charges what cannot be paid. */
export function refuseMethod({ state }: World, accountId: string, extra: Readonly<Record<string, unknown>> = {}): void {
  const { processor, hasCustomer, methodType, contactComplete } = billingOf(state.accounts.get(accountId));
  // ORD-25: without customer, default payment method and billing contact nothing is bought. ORD-25/external: without the
  // processor nobody asks for a payment method.
  if (processor && !(hasCustomer && methodType !== null && contactComplete))
    refuseWith(extra, 400, 'no_default_payment_method', 'There is no saved payment method');
}

/** Each product has a status and a code of its own where the cart does not take it. */
export function refuseItem({ state }: World, accountId: string, status: number, code: string | null): void {
  if (billingOf(state.accounts.get(accountId)).refusesItems) refuse(status, code, 'The cart refuses this item');
}

/** ORD-29: a charge that cannot start is a 422 and leaves nothing behind. */
export function refuseCharge({ state }: World, accountId: string, code: string | null = 'cart_pay_failed'): void {
  const { processor, refusesCharges } = billingOf(state.accounts.get(accountId));
  if (processor && refusesCharges) refuse(422, code, 'The charge could not be started');
}

/** Why the cart of a site cannot be paid. */
export function refusePayment(world: World, accountId: string): void {
  refuseItem(world, accountId, 400, 'item_add_failed');
  refuseMethod(world, accountId);
  refuseCharge(world, accountId);
}

/** ORD-22: what is bought answers 202 and an envelope. */
export function buy(call: Call, item: Item): Answer {
  return ok(cartEnvelope(call, purchase(call, item)), 202);
}

export function purchase(call: Call, item: Item): Cart {
  const billing = billingOf(call.state.accounts.get(item.accountId));
  countCreation(call, item.name);
  const cart = openCart(call, item, billing);
  call.state.carts.set(cart.token, cart);
  const settle = (): void => settleCart(call, cart, item, billing);
  // ORD-15: the order is there only after the charge has settled.
  if (cart.payment === 'awaiting_authentication') {
    call.parkedCarts.set(cart.token, settle);
    call.clock.at(cart.createdAt + EXPIRES_AFTER_MS, () => expireCart(call, cart));
  } else if (item.atOnce !== true) {
    const days = billing.processor && billing.outcome === 'processing';
    call.clock.at(cart.createdAt + (days ? BANK_SETTLES_AFTER_MS : SETTLES_AFTER_MS), settle);
  } else settle();
  return cart;
}

function openCart(world: World, item: Item, billing: Billing): Cart {
  const token = `cart-${nextId(world.state)}`;
  // ORD-16: a declined charge is a 202 that awaits a person.
  const parked = billing.processor && (billing.outcome === 'authentication' || billing.outcome === 'declined');
  return {
    token,
    accountId: item.accountId,
    status: 'active',
    rollupStatus: 'pending',
    orderIds: [],
    createdAt: world.clock.now(),
    // ORD-13: the payment of an envelope is processing, succeeded or awaiting_authentication.
    payment: parked ? 'awaiting_authentication' : 'processing',
    methodType: billing.processor ? billing.methodType : null,
    // ORD-17: what awaits a person has a URL to send that person to.
    hostedInvoiceUrl: parked ? `https://pay.sandbox.example/invoices/${token}` : null,
  };
}

/** Somebody paid: by themselves at the hosted invoice, or the charge went through. */
export function payCart(world: World, cart: Cart): boolean {
  const settle = world.parkedCarts.get(cart.token);
  world.parkedCarts.delete(cart.token);
  settle?.();
  return settle !== undefined;
}

/** Nobody pays any more. */
export function expireCart(world: World, cart: Cart): boolean {
  // ORD-12/expired: a cart that nobody pays expires, and with it the purchase.
  if (!world.parkedCarts.delete(cart.token)) return false;
  cart.status = 'expired';
  cart.rollupStatus = 'failed';
  return true;
}

function settleCart(call: Call, cart: Cart, item: Item, billing: Billing): void {
  const now = call.clock.now();
  // ORD-14: without the processor the payment stays processing, and the order completes.
  if (billing.processor) cart.payment = 'succeeded';
  move(cart, 'processing', 'processing');
  const order: Order = {
    id: nextId(call.state),
    accountId: item.accountId,
    status: 'pending',
    locationShortName: item.locationShortName ?? null,
    createdAt: now,
    updatedAt: now,
  };
  const bought = {
    userId: call.credential.userId,
    cartToken: cart.token,
    taskIds: [] as number[],
    cents: item.cents,
    external: !billing.processor,
    methodType: cart.methodType,
    hostedInvoiceUrl: cart.hostedInvoiceUrl,
    mirroredAt: now + MIRRORED_AFTER_MS,
    site: null,
    subscriptionId: null,
    ...(item.domain === undefined ? {} : { domain: item.domain }),
  };
  order.purchase = bought;
  call.state.orders.set(order.id, order);
  cart.orderIds.push(order.id);
  item.settled?.();
  const task = startTask(call, { id: item.siteId, accountId: item.accountId }, item.taskName, {
    running: () => {
      move(cart, 'awaiting_provisioning', 'processing');
      // GAP-10: which statuses lie between pending and the end is not documented.
      if (call.ambiguities['GAP-10'] === 'provisioning') setOrderStatus(call, order, 'provisioning');
    },
    ok: () => {
      if (TERMINAL.includes(order.status)) return;
      item.fulfil(order);
      if (order.purchase !== undefined) order.purchase.subscriptionId = takeSerial(call.state);
      setOrderStatus(call, order, 'completed');
      move(cart, 'checked_out', 'completed');
      callBack(call, item.callback, task);
    },
    failed: () => {
      item.undo?.();
      if (TERMINAL.includes(order.status)) return;
      setOrderStatus(call, order, 'failed');
      move(cart, 'checked_out', 'failed');
      callBack(call, item.callback, task);
    },
  });
  bought.taskIds.push(task.id);
}

function move(cart: Cart, status: Cart['status'], rollup: Cart['rollupStatus']): void {
  cart.rollupStatus = rollup;
  // ORD-12: a cart goes from active over processing and awaiting_provisioning to checked_out.
  cart.status = status;
}

/** ORD-03: from pending to completed, failed or cancelled. */
function setOrderStatus(world: World, order: Order, status: string): void {
  order.status = status;
  order.updatedAt = world.clock.now();
}

export function cancelOrder(world: World, order: Order): void {
  // ORD-20: DELETE cancels an order in progress.
  setOrderStatus(world, order, 'cancelled');
  const cart = world.state.carts.get(order.purchase?.cartToken ?? '');
  if (cart !== undefined) move(cart, 'checked_out', 'cancelled');
  for (const id of order.purchase?.taskIds ?? []) {
    const task = world.state.tasks.get(id);
    if (task !== undefined) setTaskStatus(world, task, 'CANCELLED');
  }
}
