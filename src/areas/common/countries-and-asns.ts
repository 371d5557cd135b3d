// Which country codes and AS numbers there are: for lists and rules that name them.

// What stands for several countries or for none in the list of regions.
const NO_COUNTRIES = ['ZZ', 'XA', 'XB', 'QO', 'EZ', 'UN'];
let names: Intl.DisplayNames | undefined;
const judged = new Map<string, string | undefined>();

/** What is wrong with a code of two letters, as the end of a sentence; undefined for a country. */
export function wrongCountry(code: string): string | undefined {
  if (!judged.has(code)) judged.set(code, judgeCountry(code));
  return judged.get(code);
}

function judgeCountry(code: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return 'is no code of a country';
  names ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const { region } = new Intl.Locale(`und-${code}`);
  if (names.of(code) === undefined || NO_COUNTRIES.includes(code)) return 'is the code of no country';
  return region === code ? undefined : `is no code of a country today; ${names.of(code)} is ${region}`;
}

/** First and last of those that no network on the internet has (RFC 7607, 6793, 5398, 6996, 7300). */
const RESERVED: readonly (readonly [first: number, last: number])[] = [
  [0, 0],
  [23_456, 23_456],
  [64_496, 131_071],
  [4_200_000_000, 4_294_967_295],
];

/** The same for an AS number such as `AS13335`. */
export function wrongAsn(text: string): string | undefined {
  const digits = /^AS(\d{1,10})$/.exec(text)?.[1];
  if (digits === undefined || Number(digits) > 4_294_967_295) return 'is no AS number';
  const isReserved = RESERVED.some(([first, last]) => Number(digits) >= first && Number(digits) <= last);
  return isReserved ? 'is reserved, so no network on the internet has it' : undefined;
}
