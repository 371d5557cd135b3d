// What becomes of the values that a program gives: a copy that nobody can change any more, and the JSON of it. What is no
// JSON is told with its place; nothing is left out or turned into a text in silence.
import { isMapping } from './merge.ts';

/** Deeper than any manifest. */
const MAX_DEPTH = 64;

/** Stands where a value could not be copied. */
class Unfit {
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

/** A copy of mappings and lists, frozen; everything else stays what it is. */
export function frozenCopy(value: unknown, around: readonly unknown[] = []): unknown {
  const isList = Array.isArray(value);
  if (!isList && !isMapping(value)) return value;
  if (around.includes(value)) return new Unfit('holds itself');
  if (around.length >= MAX_DEPTH) return new Unfit(`is more than ${MAX_DEPTH} levels deep`);
  const inside = [...around, value];
  if (isList) return Object.freeze(Array.from(value as readonly unknown[], (item) => frozenCopy(item, inside)));
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, below] of Object.entries(value))
    Object.defineProperty(copy, key, { value: frozenCopy(below, inside), enumerable: true });
  // A `__proto__` in it stays a key; the copy itself is an object like others.
  return Object.freeze(Object.setPrototypeOf(copy, Object.prototype));
}

/** Where a value is not what its frozen copy has any more: the copy would be declared, and the change lost. */
export function changedIn(given: unknown, copy: unknown, pointer = '', depth = 0): readonly string[] {
  if (given === copy || copy instanceof Unfit || depth > MAX_DEPTH) return [];
  if (Array.isArray(given) && Array.isArray(copy))
    return given.length === copy.length
      ? given.flatMap((item, index) => changedIn(item, copy[index], `${pointer}/${index}`, depth + 1))
      : [pointer];
  if (!isMapping(given) || !isMapping(copy)) return Object.is(given, copy) ? [] : [pointer];
  return [...new Set([...Object.keys(given), ...Object.keys(copy)])].flatMap((name) =>
    Object.hasOwn(given, name) && Object.hasOwn(copy, name)
      ? changedIn(given[name], copy[name], `${pointer}/${escaped(name)}`, depth + 1)
      : [`${pointer}/${escaped(name)}`],
  );
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** What an instance becomes, at this place (`domains/*\/moveFrom`); or why it cannot stand there. */
export type Resolve = (instance: object, pattern: string) => { readonly value: unknown } | { readonly what: string };

/** What is wrong with a value, and where in the props it stands. */
export interface ValueProblem {
  readonly pointer: string;
  /** Continues a sentence that begins with the place. */
  readonly what: string;
}

/** The JSON of a frozen copy. A field that is undefined is left out, as everywhere in JavaScript. */
export function jsonOf(
  value: unknown,
  resolve: Resolve,
): { readonly value: unknown; readonly problems: readonly ValueProblem[] } {
  const problems: ValueProblem[] = [];
  const taken = (below: unknown, pointer: string, pattern: string): unknown => {
    if (below === null || typeof below === 'string' || typeof below === 'boolean') return below;
    if (typeof below === 'number') {
      if (Number.isFinite(below)) return below;
      problems.push({ pointer, what: `is ${below}, which no manifest can hold` });
      return null;
    }
    if (Array.isArray(below))
      return below.map((item, index) => {
        if (item !== undefined) return taken(item, `${pointer}/${index}`, `${pattern}/*`);
        problems.push({ pointer: `${pointer}/${index}`, what: 'is undefined; leave the item out of the list' });
        return null;
      });
    if (isMapping(below)) {
      const fields = Object.entries(below).filter(([, field]) => field !== undefined);
      return Object.fromEntries(
        fields.map(([name, field]) => {
          const at = `${pointer}/${escaped(name)}`;
          if (name === '__proto__') problems.push({ pointer: at, what: 'is called `__proto__`, as no field can be' });
          return [name, taken(field, at, pattern === '' ? name : `${pattern}/${name}`)];
        }),
      );
    }
    const found =
      below instanceof Unfit
        ? below
        : typeof below === 'object'
          ? resolve(below, pattern)
          : { what: `is a ${typeof below}, and a manifest holds plain values only` };
    if ('value' in found) return found.value;
    problems.push({ pointer, what: found.what });
    return null;
  };
  return { value: taken(value, '', ''), problems };
}
