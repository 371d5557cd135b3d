// The requests that buy a name, and the reads around them: what was reviewed is asked once more, then it is ordered,
// then it is waited for.
import type { Address } from '../../../../model/address.ts';
import { BILLING_LOCK } from '../../../../model/kind/kind.ts';
import type { Price } from '../../../../model/price.ts';
import { showPrice } from '../../../../model/price.ts';
import type { Condition, LookUp, WaitFor, Step, Template } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { cartRow } from '../../../common/purchase.ts';
import type { OrderedName } from './order.ts';
import { actionOf, priceKeyOf, registrationQuote } from './order.ts';
import { contactsOf } from './order-contacts.ts';

const LOST_GRACE_MS = 60_000;
/**
 * A registry answers in seconds or, for a transfer, in days; what takes longer is continued by a later run (GAP-55).
 */
const DELIVERED_WITHIN_MS = 120_000;

/**
 * Buys a name: asks once more whether it is as reviewed, orders it once, and waits until the account has it. `authcode`
 * is the place of a secret.
 */
export function buySteps(
  self: Address,
  wanted: OrderedName,
  price: Price,
  authcode: Template | undefined,
): readonly Step[] {
  const { name, order, contacts } = wanted;
  const action = actionOf(order);
  const words = action === 'register' ? 'register' : 'transfer here';
  return [
    {
      do: 'look-up',
      name: 'price',
      lookUp: {
        read: [registrationQuote.path],
        ask: registrationQuote.body(wanted),
        rows: '',
        where: asReviewed(wanted, price),
        capture: {},
      },
      reason: `${name} can be had and costs ${showPrice(price)}, as it was reviewed`,
      unless: `${name} can no longer be had for ${showPrice(price)}: its price, or whether it is free, is another than when the plan was made`,
    },
    {
      do: 'request',
      name: 'order',
      method: 'POST',
      path: path`/api/orders/domain`,
      body: { domain: { name, action, ...(authcode !== undefined && { authcode }), ...contactsOf(contacts) } },
      idempotent: false,
      unlocks: [BILLING_LOCK],
      answers: [cartRow(self, 'the order of the name is completed')],
      // No list shows carts, and an order shows up only once it is paid: nothing found proves nothing (ORD-44). An
      // order that is there names its domain (ORD-07).
      recovery: { lookUp: orderOf(name), ifNotFound: 'unknown', graceMs: LOST_GRACE_MS, rule: 'GAP-11' },
      reason: `${words} ${name} for ${showPrice(price)}`,
      rule: 'ORD-30',
    },
    // A completed order says where to look, not that it is there already (ORD-45).
    {
      do: 'wait-for',
      name: 'delivered',
      waitFor: {
        how: 'cart',
        cart: ref(self, 'cart'),
        capture: { id: '/domain/registration/id' },
        deadlineMs: DELIVERED_WITHIN_MS,
        reason: 'the order shows the registration',
      },
    },
    { do: 'wait-for', name: 'listed', waitFor: untilListed(self, [], 'the list of registrations shows it') },
    {
      do: 'wait-for',
      name: 'ready',
      waitFor: untilListed(
        self,
        [
          { pointer: '/status', value: 'OK' },
          { pointer: '/pending_async', value: false },
        ],
        'it is here and the registrar has nothing more to do',
      ),
      open: true,
    },
  ];
}

/** Another price is another purchase, a lower one too: what was reviewed is what is bought. */
function asReviewed({ order }: OrderedName, { amountCents, currency }: Price): readonly Condition[] {
  const key = priceKeyOf(order);
  return [
    { pointer: '/available', value: actionOf(order) === 'register' },
    { pointer: '/premium', value: false },
    { pointer: '/owned_by_account', value: false },
    { pointer: `/${key}/amount_cents`, value: amountCents },
    { pointer: `/${key}/currency`, value: currency },
  ];
}

function orderOf(name: string): LookUp {
  return {
    read: path`/api/orders?per_page=100`,
    rows: '/orders',
    since: '/created_at',
    view: { path: path`/api/orders`, id: '/id' },
    where: [{ pointer: '/domain/name', value: name, as: 'hostname' }],
    capture: { order: '/order/id' },
  };
}

function untilListed(self: Address, conditions: readonly Condition[], reason: string): WaitFor {
  return {
    how: 'until',
    found: true,
    lookUp: {
      read: path`/api/domain_registrations`,
      rows: '/domain_registrations',
      where: [{ pointer: '/id', value: ref(self) }, ...conditions],
      capture: {},
    },
    deadlineMs: DELIVERED_WITHIN_MS,
    reason,
  };
}
