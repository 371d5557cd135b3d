// Which members of an ordered list have to be written so that they stand as declared, and with which numbers. Only the
// order counts: a list that was numbered anew is as wanted.

/** Room between new numbers, so that a later insert moves nothing else. */
const STEP = 10;

/**
 * The positions to write, by identity. `wanted` is the declared order; `live` has every live member, undefined for one
 * without a number. Fewest writes where the platform leaves numbers alone. Where numbers stand so close that it may
 * count them anew after each write (GAP-25), several writes in the midst would not end where they were meant to: then
 * everything behind the first change is put at the end, in order.
 */
export function assignPositions(
  wanted: readonly string[],
  live: ReadonlyMap<string, number | undefined>,
): ReadonlyMap<string, number> {
  const numbers = wanted.map((identity) => live.get(identity));
  const known = [...live.values()].filter((value) => value !== undefined);
  const between = fitBetween(numbers);
  if (between.size > 1) {
    const behind = putBehind(numbers, Math.max(0, ...known));
    if (behind.size === between.size || isDense(known)) return named(wanted, behind);
  }
  return named(wanted, between);
}

type Writes = ReadonlyMap<number, number>;

function named(wanted: readonly string[], writes: Writes): ReadonlyMap<string, number> {
  return new Map([...writes].map(([index, value]) => [wanted[index] as string, value]));
}

function isDense(numbers: readonly number[]): boolean {
  return Math.max(...numbers) - Math.min(...numbers) < 2 * numbers.length;
}

/**
 * Keeps the longest beginning that stands in order already, and counts on from the highest number. Only for what is not
 * in order.
 */
function putBehind(numbers: readonly (number | undefined)[], highest: number): Writes {
  const from = numbers.findIndex((value, index) => value === undefined || value <= (numbers[index - 1] ?? -Infinity));
  return new Map(numbers.slice(from).map((_, offset) => [from + offset, highest + STEP * (offset + 1)]));
}

/** Keeps as many numbers as can be kept with room for the others in between, and spreads the others over that room. */
function fitBetween(numbers: readonly (number | undefined)[]): Writes {
  const kept = longestFit(numbers);
  const writes = new Map<number, number>();
  let before = { index: -1, value: 0 };
  for (const index of [...kept, numbers.length]) {
    const gap = index - before.index;
    const end = numbers[index];
    for (let offset = 1; offset < gap; offset += 1) {
      writes.set(
        before.index + offset,
        before.value + (end === undefined ? STEP * offset : Math.floor(((end - before.value) * offset) / gap)),
      );
    }
    before = { index, value: end ?? 0 };
  }
  return writes;
}

/**
 * The longest run of indexes whose numbers rise with room for what stands between; the first numbers given out are 1 or
 * more.
 */
function longestFit(numbers: readonly (number | undefined)[]): readonly number[] {
  const best: { readonly length: number; readonly previous: number }[] = [];
  let last = -1;
  numbers.forEach((value, index) => {
    let found = { length: value !== undefined && (index === 0 || value > index) ? 1 : 0, previous: -1 };
    for (let earlier = 0; earlier < index && value !== undefined; earlier += 1) {
      const { length } = best[earlier] as { readonly length: number };
      const fits = length > 0 && value - (numbers[earlier] as number) >= index - earlier;
      if (fits && length + 1 > found.length) found = { length: length + 1, previous: earlier };
    }
    best.push(found);
    if (found.length > (best[last]?.length ?? 0)) last = index;
  });
  const kept: number[] = [];
  for (let index = last; index !== -1; index = (best[index] as { readonly previous: number }).previous)
    kept.unshift(index);
  return kept;
}
