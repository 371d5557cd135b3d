// How an amount that the platform shows becomes a price.
import type { JsonObject } from '../../model/json.ts';
import type { Price } from '../../model/price.ts';

/** A fee or a price as it is read; undefined where it is not shown as an amount in a currency. */
export function priceOf({ amount_cents: amountCents, currency }: JsonObject): Price | undefined {
  const isAmount = typeof amountCents === 'number' && Number.isSafeInteger(amountCents) && amountCents >= 0;
  return isAmount && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)
    ? { amountCents, currency }
    : undefined;
}
