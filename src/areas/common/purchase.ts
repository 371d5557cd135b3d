// How an answer with a cart is taken and followed: the same for everything that is bought, whatever it is.
import type { Address } from '../../model/address.ts';
import type { Json } from '../../model/json.ts';
import { valueAt } from '../../model/json.ts';
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
