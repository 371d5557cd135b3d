import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignPositions } from '../../src/planner/collections/positions.ts';

const place = (wanted: string, live: Readonly<Record<string, number | undefined>>): Record<string, number> =>
  Object.fromEntries(assignPositions([...wanted], new Map(Object.entries(live))));

describe('placeMembers', () => {
  it('writes nothing when the order is as declared, whatever the numbers', () => {
    expect(place('abc', { a: 10, b: 20, c: 30 })).toEqual({});
    expect(place('abc', { a: 0, b: 1, c: 2 })).toEqual({});
    expect(place('ac', { a: 1, b: 2, c: 7 })).toEqual({});
    expect(place('', {})).toEqual({});
  });

  it('numbers a new list with room in between', () => {
    expect(place('abc', {})).toEqual({ a: 10, b: 20, c: 30 });
  });

  it('an insert first among ten is one number, where there is room', () => {
    const live = Object.fromEntries([...'abcdefghij'].map((name, index) => [name, (index + 1) * 10]));
    expect(place('xabcdefghij', live)).toEqual({ x: 5 });
    expect(place('abcdexfghij', live)).toEqual({ x: 55 });
    expect(place('abcdefghijx', live)).toEqual({ x: 110 });
  });

  it('an insert without room moves what stands behind it, and nothing before', () => {
    expect(place('axbc', { a: 0, b: 1, c: 2 })).toEqual({ x: 12, b: 22, c: 32 });
    expect(place('xab', { a: 0, b: 1 })).toEqual({ x: 11, a: 21, b: 31 });
  });

  it('a swap of neighbours is one number, of the ends two', () => {
    expect(Object.keys(place('bacd', { a: 10, b: 20, c: 30, d: 40 }))).toHaveLength(1);
    expect(place('dbca', { a: 10, b: 20, c: 30, d: 40 })).toEqual({ d: 10, a: 40 });
  });

  it('a tie is no order, and a missing number no place (GAP-25)', () => {
    expect(place('abc', { a: 0, b: 0, c: 0 })).toEqual({ b: 10, c: 20 });
    expect(place('ab', { a: undefined, b: 5 })).toEqual({ a: 2 });
    expect(place('ab', { a: undefined, b: undefined })).toEqual({ a: 10, b: 20 });
  });

  it('keeps clear of what is about to be removed', () => {
    expect(place('ba', { a: 1, b: 2, gone: 50 })).toEqual({ a: 12 });
    expect(place('cba', { a: 1, b: 2, c: 3, gone: 4 })).toEqual({ b: 14, a: 24 });
  });
});

interface Row {
  readonly name: string;
  place: number;
}

/** The platform carries the writes out in order; one that renumbers counts anew after each. */
function carryOut(live: readonly Row[], writes: ReadonlyMap<string, number>, renumbers: boolean): Row[] {
  const rows = live.map((row) => ({ ...row }));
  for (const [name, value] of [...writes].sort(([, left], [, right]) => left - right)) {
    const row = rows.find((one) => one.name === name);
    if (row === undefined) rows.push({ name, place: value });
    else row.place = value;
    if (renumbers)
      [...rows]
        .sort((left, right) => left.place - right.place)
        .forEach((one, index) => {
          one.place = index;
        });
  }
  return rows;
}

const orderOf = (rows: readonly Row[], wanted: readonly string[]): readonly (number | undefined)[] =>
  wanted.map((name) => rows.find((row) => row.name === name)?.place);
const rises = (places: readonly (number | undefined)[]): boolean =>
  places.every((value, index) => value !== undefined && (index === 0 || value > (places[index - 1] as number)));

describe('placeMembers, for any lists', () => {
  const names = [...'abcdefg'];
  const lists = fc.tuple(
    fc.uniqueArray(fc.constantFrom(...names)),
    fc.uniqueArray(fc.constantFrom(...names)),
    fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 7, maxLength: 7 }),
  );

  it('ends in the declared order where numbers stay as written', () => {
    fc.assert(
      fc.property(lists, ([wanted, liveNames, numbers]) => {
        const live = liveNames.map((name, index) => ({ name, place: numbers[index] as number }));
        const rows = carryOut(live, assignPositions(wanted, new Map(live.map((row) => [row.name, row.place]))), false);
        expect(rises(orderOf(rows, wanted))).toBe(true);
      }),
    );
  });

  it('ends in the declared order where the platform counts anew after each write', () => {
    fc.assert(
      fc.property(lists, ([wanted, liveNames]) => {
        const live = liveNames.map((name, index) => ({ name, place: index }));
        const rows = carryOut(live, assignPositions(wanted, new Map(live.map((row) => [row.name, row.place]))), true);
        expect(rises(orderOf(rows, wanted))).toBe(true);
      }),
    );
  });

  it('writes nothing a second time', () => {
    fc.assert(
      fc.property(lists, fc.boolean(), ([wanted, liveNames], renumbers) => {
        const live = liveNames.map((name, index) => ({ name, place: index }));
        const rows = carryOut(
          live,
          assignPositions(wanted, new Map(live.map((row) => [row.name, row.place]))),
          renumbers,
        );
        expect(assignPositions(wanted, new Map(rows.map((row) => [row.name, row.place]))).size).toBe(0);
      }),
    );
  });
});
