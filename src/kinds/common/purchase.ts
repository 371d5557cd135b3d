// How an answer with a cart is taken and followed: the same for everything that is bought, whatever it is.
import type { Address } from '../../model/address.ts';
import type { AnswerRow } from '../../model/plan/step.ts';
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
