// How counts are worded, and lists of which only the first are told.

/** `1 object`, `2 objects`. */
export function plural(number: number, noun: string, many = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : many}`;
}

/** `3 done, 1 failed`; what there is none of is left out. */
export function countsOf(counts: readonly (readonly [number: number, words: string])[]): string {
  return counts.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`])).join(', ');
}

/** ` and 3 more`; '' for none. */
export function andMore(left: number): string {
  return left > 0 ? ` and ${left} more` : '';
}

/** The first of a list as they are shown, then what says how many are left out. */
export function cut<Item, Shown>(
  all: readonly Item[],
  most: number,
  show: (item: Item) => Shown,
  rest: (left: number) => Shown,
): readonly Shown[] {
  const shown = all.slice(0, most).map((item) => show(item));
  return all.length > most ? [...shown, rest(all.length - most)] : shown;
}
