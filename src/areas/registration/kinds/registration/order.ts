// Whether a name can be bought, and at what price, from what the platform answers when it is asked; and what a manifest
// has to say for that. It must not take a check that failed for a name that is taken (ORD-38), nor buy what the answer
// does not promise.
import { canonicalHostname } from '../../../../model/hostname.ts';
import type { Json, JsonObject } from '../../../../model/json.ts';
import type { Blocker } from '../../../../model/kind/kind.ts';
import type { Quote, QuoteDefinition } from '../../../../model/kind/quote.ts';
import type { Price } from '../../../../model/price.ts';
import { parsePrice, showPrice } from '../../../../model/price.ts';
import { flagAt, objectAt, ShapeError, textAt } from '../../../../model/kind/rows.ts';
import { priceOf } from '../../../common/money.ts';
import type { RegistrationContacts } from './order-contacts.ts';

/** The licence to buy a name: used once, never compared (ORD-30, ORD-31). */
export interface RegistrationOrder {
  readonly action?: 'register' | 'transfer';
  readonly maxPrice?: { readonly amount: string; readonly currency: string };
}

/** What is looked at before a name is bought. */
export interface OrderedName {
  readonly name: string;
  readonly order: RegistrationOrder;
  readonly contacts: RegistrationContacts;
}

/** One name a question: the documents show no way to ask about several (REG-32). */
export const registrationQuote: QuoteDefinition<OrderedName> = {
  path: '/api/domain_registrations/check',
  body: ({ name = '' }) => ({ domain: name }),
  decode: (answer, { name = '', order = {} }) => quoteFrom(objectAt(answer), name, order),
  rule: 'REG-32',
};

/** Why what is declared does not do to buy a name, or null. */
export function refuseOrder({ order, contacts }: Partial<OrderedName>): Blocker | null {
  if (order === undefined)
    return {
      reason: 'the account has no registration of this name',
      remedy: 'To buy it, write spec.order, and who is to hold it as spec.contacts.owner.',
      rule: 'ORD-30',
    };
  return contacts?.owner === undefined
    ? {
        reason: 'the name is to be bought, and nobody is named who is to hold it',
        remedy: 'Write spec.contacts.owner.',
        rule: 'ORD-33',
      }
    : null;
}

export function actionOf({ action = 'register' }: RegistrationOrder): 'register' | 'transfer' {
  return action;
}

/** The keys of the answer that the price stands under (REG-32). */
export function priceKeyOf(order: RegistrationOrder): 'price' | 'transfer_price' {
  return actionOf(order) === 'register' ? 'price' : 'transfer_price';
}

function quoteFrom(answer: JsonObject, name: string, order: RegistrationOrder): Quote {
  const about = canonicalHostname(textAt(answer, '/domain'));
  if (about !== name) throw new ShapeError(`expected an answer about ${name}, found one about ${about}`);
  if (flagAt(answer, 'owned_by_account')) {
    return {
      blocker: {
        reason: 'the platform says that the account has this name, and its list does not show it',
        remedy: 'Run plan again; when the list shows it, it is taken as it is and nothing is bought.',
        rule: 'REG-32',
        as: 'unknown',
      },
    };
  }
  const available = flagAt(answer, 'available');
  // What a premium name costs, now and at each renewal, no document says.
  if (flagAt(answer, 'premium'))
    return {
      blocker: {
        reason: 'the registry sells it as a premium name, whose price no answer is sure to show',
        remedy: 'Buy it in the dashboard, where its price is shown.',
        rule: 'REG-32',
      },
    };
  const price = priceAt(answer[priceKeyOf(order)]);
  const blocker =
    (actionOf(order) === 'register' ? refuseRegistration : refuseTransfer)(answer, available, price) ??
    tooDear(price as Price, order);
  return blocker === null ? { price: price as Price } : { blocker };
}

/** Not to be had is not the same as taken: a name without a price is neither (REG-32). */
function refuseRegistration({ reason }: JsonObject, available: boolean, price: Price | null): Blocker | null {
  if (available && price === null) throw new ShapeError('expected a price of a name that is available, found null');
  if (available) return null;
  const why = typeof reason === 'string' && reason !== '' ? `: ${reason}` : '';
  return {
    reason: `the name cannot be registered${why}`,
    remedy:
      'If it is yours at another registrar, write `action: transfer` in spec.order, and where its code is as spec.order.authcode. Otherwise choose another name.',
    rule: 'ORD-37',
  };
}

/**
 * A transfer is refused by the registry only when it is on its way: what can be seen before is that there is nothing to
 * transfer (ORD-37).
 */
function refuseTransfer(_answer: JsonObject, available: boolean, price: Price | null): Blocker | null {
  if (available)
    return {
      reason: 'nobody has registered the name, so there is nothing to transfer',
      remedy: 'To register it, write `action: register` in spec.order.',
      rule: 'ORD-31',
    };
  return price === null
    ? {
        reason: 'the platform has no price for a transfer of this name',
        remedy: 'Ask the platform, or leave the name where it is and remove its manifest.',
        rule: 'REG-32',
      }
    : null;
}

function tooDear(price: Price, { maxPrice }: RegistrationOrder): Blocker | null {
  const most = maxPrice === undefined ? undefined : parsePrice(`${maxPrice.amount} ${maxPrice.currency}`);
  if (most === undefined || (most.currency === price.currency && price.amountCents <= most.amountCents)) return null;
  const how = most.currency === price.currency ? 'more than' : 'in another currency than';
  return {
    reason: `it costs ${showPrice(price)}, ${how} the ${showPrice(most)} that spec.order.maxPrice allows`,
    remedy: 'Write the price to be paid as spec.order.maxPrice, or do without the name.',
    rule: 'ORD-42',
  };
}

function priceAt(value: Json | undefined): Price | null {
  if (value === null) return null;
  const price = priceOf(objectAt(value));
  if (price === undefined) throw new ShapeError('expected a price of whole hundredths and a currency');
  return price;
}
