// Decides how an answer with a cart is taken and followed: the same for everything that is bought, whatever it is.
// Must not know what is bought, nor when.
import type { Address } from '../../model/address.ts';
import type { AnswerRow } from '../../model/plan/step.ts';
import { ref } from '../../model/plan/step.ts';

// A card settles within seconds; a bank transfer takes days and is continued by a later run (ORD-18).
const BOUGHT_WITHIN_MS = 900_000;

/** Keeps the token of the cart, and waits until its order is completed and shows what is to be taken. */
export function cartRow(self: Address, because: string, take: Readonly<Record<string, string>> = {}): AnswerRow {
  return {
    status: '2xx',
    has: '/cart/token',
    then: 'settle',
    take: { cart: '/cart/token' },
    settle: { how: 'cart', cart: ref(self, 'cart'), take, deadlineMs: BOUGHT_WITHIN_MS, because },
    rule: 'O-05',
  };
}
