// How an answer with a cart is taken and followed: the same for everything that is bought, whatever it is.
import type { Address } from '../../model/address.ts';
import type { Json } from '../../model/json.ts';
import { valueAt } from '../../model/json.ts';
import type { OrderedObject } from '../../model/kind/capabilities/purchase.ts';
import type { AnswerRow, Step } from '../../model/plan/step.ts';
import { ref } from '../../model/plan/step.ts';

// A card settles within seconds; a bank transfer takes days and is continued by a later run (ORD-18).
const BOUGHT_WITHIN_MS = 900_000;

/** Keeps the token of the cart, and waits until its order is completed and shows what is to be taken. */
export function cartRow(self: Address, reason: string, capture: Readonly<Record<string, string>> = {}): AnswerRow {
  return {
    status: '2xx',
    has: '/cart/token',
    then: 'wait-for',
    capture: { cart: '/cart/token' },
    waitFor: { how: 'cart', cart: ref(self, 'cart'), capture, deadlineMs: BOUGHT_WITHIN_MS, reason },
    rule: 'O-05',
  };
}

/** What became of the payment of an order, where a person has to see to it; undefined otherwise (ORD-08). */
export function paymentTrouble(order: Json): { readonly id: string; readonly says: string } | undefined {
  const status = valueAt(order, '/payment/status');
  // The payment of a cancelled order reads as failed too, and nobody waits for it.
  if (valueAt(order, '/order/status') === 'cancelled') return undefined;
  const says =
    status === 'failed' ? 'failed' : status === 'awaiting_authentication' ? 'waits for the card holder' : undefined;
  const id = valueAt(order, '/order/id');
  return says === undefined || typeof id !== 'string'
    ? undefined
    : { id, says: `The payment of the newest order (${id}) ${says}` };
}

/** CBK-01: no other request takes a callback. */
const TAKES_CALLBACK: ReadonlySet<unknown> = new Set(['/api/orders', '/api/orders/domain', '/api/panel_accounts']);

/** Whether the platform says of the order that a step sends when its task has ended, to an address in the request. */
export function takesCallback(step: Step): boolean {
  return step.do === 'request' && step.method === 'POST' && step.path.length === 1 && TAKES_CALLBACK.has(step.path[0]);
}

/** How far a purchase has come, by its cart or its order. */
export type PurchaseStage =
  /** It ended without an object: the cart expired, or the order failed or was cancelled (ORD-03, ORD-12). */
  | { readonly is: 'over'; readonly says: string }
  /** The order is completed: the object was bought. */
  | { readonly is: 'bought'; readonly says: string; readonly order: string }
  /** An order that has not ended: `run cancel` may cancel it (ORD-20). */
  | { readonly is: 'ordered'; readonly says: string; readonly order: string; readonly payAt?: string }
  /** A cart without an order: no call of the platform ends it before it expires (GAP-10). */
  | { readonly is: 'in-cart'; readonly says: string; readonly payAt?: string };

/** Returns how far a cart has come; the ids of its orders where it has some, which tell the rest (ORD-15). */
export function cartStage(
  envelope: Json,
  token: string,
): PurchaseStage | { readonly is: 'orders'; readonly ids: readonly string[] } {
  const orders = valueAt(envelope, '/orders');
  const ids = Array.isArray(orders)
    ? orders.flatMap((row: Json) => {
        const id = valueAt(row, '/id');
        return typeof id === 'string' ? [id] : [];
      })
    : [];
  if (ids.length > 0) return { is: 'orders', ids };
  const status = valueAt(envelope, '/cart/status');
  if (status === 'expired') return { is: 'over', says: `the cart ${token} expired: nothing was bought (ORD-12)` };
  return {
    is: 'in-cart',
    says: `the cart ${token} is ${typeof status === 'string' ? status : 'in an unknown state'} and can still be paid`,
    ...payAtOf(envelope),
  };
}

/** Returns how far an order has come. Any status but the three documented ends means that it continues (ORD-03). */
export function orderStage(view: Json, order: string): PurchaseStage {
  const status = valueAt(view, '/order/status');
  if (status === 'failed' || status === 'cancelled')
    return { is: 'over', says: `the order ${order} ended as ${status}` };
  if (status === 'completed') return { is: 'bought', says: `the order ${order} is completed`, order };
  const state = typeof status === 'string' ? status : 'in an unknown state';
  return { is: 'ordered', says: `the order ${order} is ${state}`, order, ...payAtOf(view) };
}

function payAtOf(document: Json): { readonly payAt?: string } {
  const url = valueAt(document, '/payment/hosted_invoice_url');
  return typeof url === 'string' && valueAt(document, '/payment/status') !== 'succeeded' ? { payAt: url } : {};
}

/** Names a live paid object in messages: its id, what it is known by, and when it was created, where its list says so. */
export function describePaid(id: string, knownBy: Json | undefined, createdAt: Json | undefined): string {
  const details = [
    ...(typeof knownBy === 'string' ? [knownBy] : []),
    ...(typeof createdAt === 'string' ? [`created ${createdAt}`] : []),
  ];
  return details.length === 0 ? id : `${id} (${details.join(', ')})`;
}

/**
 * Returns what an order is for that names neither a site nor a domain, as orders of mailspaces and panel accounts do
 * (ORD-02, ORD-05, ORD-07); null for any other order.
 */
export function orderedUnnamed(view: Json): OrderedObject | null {
  const names = ['/order/location', '/site/id', '/domain/name'].map((pointer) => valueAt(view, pointer));
  return names.some((name) => typeof name === 'string') ? null : { what: 'the order names no object' };
}
