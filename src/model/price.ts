// How an amount of money is held, read and written. Amounts are whole hundredths, as on the wire; two currencies are
// never added.

export interface Price {
  readonly amountCents: number;
  /** Three capital letters. */
  readonly currency: string;
}

/** `15.00 EUR` as a price; undefined for anything else. */
export function parsePrice(text: string): Price | undefined {
  const [, whole, hundredths = '', currency] = /^(\d{1,12})(?:\.(\d{1,2}))? ?([A-Z]{3})$/.exec(text) ?? [];
  return currency === undefined
    ? undefined
    : { amountCents: Number(whole) * 100 + Number(hundredths.padEnd(2, '0')), currency };
}

export function showPrice({ amountCents, currency }: Price): string {
  return `${Math.floor(amountCents / 100)}.${String(amountCents % 100).padStart(2, '0')} ${currency}`;
}

/** One sum a currency, in the order in which the currencies first come. */
export function sumPrices(prices: readonly Price[]): readonly Price[] {
  const sums = new Map<string, number>();
  for (const { amountCents, currency } of prices) sums.set(currency, (sums.get(currency) ?? 0) + amountCents);
  return [...sums].map(([currency, amountCents]) => ({ amountCents, currency }));
}
