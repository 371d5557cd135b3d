// Changes the lines of a ledger as an attacker can who has read it: deletes, repeats and reorders lines, exchanges ids and
// addresses, and invents entries. Deterministic: the same numbers make the same ledger.
import type { Json } from '../../src/model/json.ts';

/** A ledger as text lines of JSON; the first is its header. */
export type Lines = readonly Readonly<Record<string, Json>>[];

/** Returns the lines of a ledger. */
export function linesOf(text: string): Lines {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, Json>);
}

/** Returns the text of a ledger whose lines are numbered again, so that no missing line is noticed. */
export function textOf([header, ...lines]: Lines): string {
  const after = typeof header?.after === 'number' ? header.after : 0;
  return [header, ...lines.map((line, index) => ({ ...line, n: after + index + 1 }))]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

/** One change: its kind, and numbers that choose what it changes. */
export interface Mutation {
  readonly kind: (typeof MUTATIONS)[number];
  readonly at: number;
  readonly other: number;
  readonly value: number;
}

export const MUTATIONS = [
  'drop',
  'cut',
  'repeat',
  'swap',
  'leaf',
  'leaf',
  'leaf',
  'exchange',
  'graft',
  'bound',
  'owned',
  'done',
  'failed',
  'confirmed',
  'answered',
  'begin',
  'hook',
] as const;

/** Values that no honest ledger has, for ids, steps and rows. */
const HOSTILE: readonly string[] = [
  'a/b',
  '../site-blog',
  '..%2fsite-blog',
  'site-blog?x=1',
  'site-blog#x',
  '.',
  '',
  '__proto__',
  'x'.repeat(300),
];

/** Returns the lines after these changes. `ids`: ids of live objects; `addresses`: addresses of live and other objects. */
export function mutated(
  lines: Lines,
  mutations: readonly Mutation[],
  { ids, addresses }: { readonly ids: readonly string[]; readonly addresses: readonly string[] },
): Lines {
  return mutations.reduce((before, mutation) => apply(before, mutation, ids, addresses), lines);
}

const AT = '2026-01-01T00:00:00.000Z';

function apply(
  lines: Lines,
  { kind, at, other, value }: Mutation,
  ids: readonly string[],
  addresses: readonly string[],
): Lines {
  const [header = {}, ...rest] = lines;
  const strings = [...new Set(rest.flatMap((line) => stringsIn(line)))];
  const pool: readonly string[] = [...strings, ...ids, ...addresses, ...HOSTILE];
  const pick = <Value>(from: readonly Value[], number: number): Value | undefined =>
    from.length === 0 ? undefined : from[number % from.length];
  const index = rest.length === 0 ? 0 : at % rest.length;
  const line = rest[index];
  const known = [...new Set(rest.flatMap(({ address, action }) => [address, memberOf(action, 'address')]))].filter(
    (one) => typeof one === 'string',
  );
  const address = pick([...addresses, ...known], other) ?? 'Site/shop';
  const id = pick([...ids, ...ids, ...HOSTILE], value) ?? 'x';
  const insert = (...made: readonly Readonly<Record<string, Json>>[]): Lines => [
    header,
    ...rest.slice(0, index + 1),
    ...made.map((one) => ({ n: 0, at: AT, ...one })),
    ...rest.slice(index + 1),
  ];
  const replaceLine = (changed: Readonly<Record<string, Json>>): Lines => [
    header,
    ...rest.map((one, place) => (place === index ? changed : one)),
  ];
  const begins = rest.filter(({ type }) => type === 'begin');
  const begin = pick(begins, other);
  const steps = begins.flatMap(({ action }) => namesIn(memberOf(action, 'requests')));
  const step = pick([...steps, 'order', 'create'], value) ?? 'order';
  switch (kind) {
    case 'drop':
      return [header, ...rest.slice(0, index), ...rest.slice(index + 1 + (other % 3))];
    case 'cut':
      return [header, ...rest.slice(0, index)];
    case 'repeat':
      return line === undefined ? lines : [header, ...rest, ...rest.slice(index, index + 1 + (other % 4))];
    case 'swap': {
      const to = rest.length === 0 ? 0 : other % rest.length;
      const moved = rest[to];
      if (line === undefined || moved === undefined) return lines;
      return [header, ...rest.map((one, place) => (place === index ? moved : place === to ? line : one))];
    }
    case 'leaf': {
      if (line === undefined) return lines;
      const paths = leavesOf(line).filter(([first]) => first !== 'n' && first !== 'at');
      const path = pick(paths, other);
      return path === undefined ? lines : replaceLine(replaced(line, path, pool, value) as Record<string, Json>);
    }
    case 'exchange': {
      // Everything that the ledger says of one address or id, it says of another.
      const from = pick(strings, other);
      const to = pick(pool, value);
      if (from === undefined || to === undefined) return lines;
      return [header, ...rest.map((one) => exchanged(one, from, to) as Record<string, Json>)];
    }
    case 'graft': {
      // One member of an action in flight comes from another action.
      const source = begin?.action;
      if (line?.type !== 'begin' || source === undefined) return lines;
      const member = pick(['changes', 'expect', 'desired', 'requests', 'template', 'verb', 'intent', 'risk'], value);
      const taken = memberOf(source, member ?? 'changes');
      if (taken === undefined || member === undefined) return lines;
      return replaceLine({ ...line, action: { ...(line.action as Record<string, Json>), [member]: taken } });
    }
    case 'bound':
      return insert({ type: 'bound', address, id, owned: true, applied: {}, outputs: { order: id, cart: id } });
    case 'owned':
      return insert({ type: 'bound', address, id, owned: value % 2 === 0, applied: {} }, { type: 'recorded' });
    case 'done':
      return insert({ type: 'succeeded', address, id, gone: value % 3 === 0, applied: {}, outputs: {} });
    case 'failed':
      return insert({ type: 'failed', address, reason: 'x' });
    case 'confirmed':
      return insert({ type: 'confirmed', address, id: value % 2 === 0 ? null : id });
    case 'answered':
      return insert(
        { type: 'sent', address, step },
        {
          type: 'answered',
          address,
          step,
          status: 200,
          row: value % 2 === 0 ? null : '2xx wait-for',
          outputs: { id, order: id, cart: id, task: id },
          ...(value % 3 === 0 && { follow: 'wait-for' }),
        },
      );
    case 'begin':
    case 'hook': {
      if (begin === undefined) return lines;
      const action = begin.action as Record<string, Json>;
      const hook = pick(['before', 'after', 'command'], value) ?? 'after';
      return insert(
        {
          ...begin,
          action: { ...action, address, ...(kind === 'hook' && { hook }) },
          known: { [address]: { id } },
          ...(kind === 'hook' && { triggeredBy: [...known, address], triggered: true }),
        },
        { type: 'sent', address, step },
      );
    }
  }
}

type Path = readonly (string | number)[];

function leavesOf(value: Json, path: Path = []): readonly Path[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => leavesOf(item, [...path, index]));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
  return [path];
}

function replaced(value: Json, [first, ...rest]: Path, pool: readonly string[], number: number): Json {
  if (first !== undefined) {
    if (Array.isArray(value))
      return value.map((item: Json, index) => (index === first ? replaced(item, rest, pool, number) : item));
    const object = value as Record<string, Json>;
    return { ...object, [first]: replaced(object[first] as Json, rest, pool, number) };
  }
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return number % 2 === 0 ? 0 : value + 1;
  return pool[number % pool.length] ?? null;
}

function exchanged(value: Json, from: string, to: string): Json {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((item: Json) => exchanged(item, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key === from ? to : key, exchanged(item, from, to)]),
  );
}

function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item: Json) => stringsIn(item));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([, item]) => stringsIn(item));
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, Json>)[name]
    : undefined;
}

function namesIn(requests: Json | undefined): readonly string[] {
  if (!Array.isArray(requests)) return [];
  return requests.map((request: Json) => memberOf(request, 'name')).filter((name) => typeof name === 'string');
}
