// What specs come to when they are applied over each other, and which of them says what stands at a place of the
// result: mappings merge field by field where both say the same one of several things, lists whose items have a key merge by it with the earlier items first,
// everything else is replaced, and `null` takes out what was said before. Pure; must not know where specs come from.
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, isJsonObject, unescapePointer } from '../../model/json.ts';
import type { Shape } from '../shape.ts';
import { isOneForm } from '../shape.ts';

type Mapping = Extract<Shape, { readonly is: 'object' }>;
type List = Extract<Shape, { readonly is: 'list' }>;

/**
 * The later spec over the earlier one, which holds no `null` any more. Only in fields of `shape` can `null` be said;
 * elsewhere it is a value, for the schema to refuse.
 */
export function mergeSpecs(earlier: JsonObject, later: JsonObject, shape: Shape | undefined): JsonObject {
  const merged = new Map<string, Json>(Object.entries(earlier));
  for (const [field, value] of Object.entries(later)) {
    const below = fieldShape(shape, field);
    if (value === null && below !== undefined) merged.delete(field);
    else merged.set(field, mergeValues(merged.get(field), value, below));
  }
  // As own keys, whatever their names.
  return Object.fromEntries(merged);
}

function mergeValues(earlier: Json | undefined, later: Json, shape: Shape | undefined): Json {
  const branch = branchFor(shape, later);
  if (branch?.is === 'object') {
    const isMerged = isJsonObject(earlier) && isOneForm(branch, earlier, later);
    return mergeSpecs(isMerged ? earlier : {}, later as JsonObject, branch);
  }
  if (branch?.is === 'list')
    return mergeLists(Array.isArray(earlier) ? (earlier as readonly Json[]) : [], later as readonly Json[], branch);
  return later;
}

function mergeLists(earlier: readonly Json[], later: readonly Json[], { key = '', items }: List): readonly Json[] {
  return alignItems([earlier, later], key).map((row) => {
    const [before, after] = [row.get(0), row.get(1)];
    const item = before === undefined ? undefined : (earlier[before] as Json);
    return after === undefined ? (item as Json) : mergeValues(item, later[after] as Json, items);
  });
}

/**
 * What a value is merged by: undefined where it is replaced whole. Of a choice, a branch that is the only one of its
 * type.
 */
export function branchFor(shape: Shape | undefined, value: Json): Mapping | List | undefined {
  const branches = shape?.is === 'choice' ? shape.of : shape === undefined ? [] : [shape];
  const fitting = branches.filter(
    (branch) => (branch.is === 'object' && isJsonObject(value)) || (branch.is === 'list' && Array.isArray(value)),
  );
  const [only] = fitting;
  if (fitting.length !== 1 || only === undefined) return undefined;
  return only.is === 'object' || (only.is === 'list' && only.key !== undefined) ? only : undefined;
}

export function fieldShape(shape: Shape | undefined, field: string): Shape | undefined {
  return shape?.is === 'object' && Object.hasOwn(shape.fields, field) ? shape.fields[field] : undefined;
}

/**
 * For each item of the merged list its index in each of the lists that has it. A key that stands twice in one list
 * stays there twice.
 */
function alignItems(lists: readonly (readonly Json[])[], key: string): readonly ReadonlyMap<number, number>[] {
  const rows: Map<number, number>[] = [];
  const first = new Map<string, Map<number, number>>();
  for (const [number, list] of lists.entries()) {
    for (const [index, item] of list.entries()) {
      const name = isJsonObject(item) && Object.hasOwn(item, key) ? item[key] : undefined;
      const known = typeof name === 'string' ? first.get(name) : undefined;
      if (known !== undefined && !known.has(number)) {
        known.set(number, index);
        continue;
      }
      const row = new Map([[number, index]]);
      rows.push(row);
      if (typeof name === 'string' && known === undefined) first.set(name, row);
    }
  }
  return rows;
}

/** A place in one of the specs. */
export interface Origin {
  /** The number of the spec. */
  readonly spec: number;
  readonly pointer: string;
}

interface Candidate {
  readonly spec: number;
  readonly value: Json;
  readonly pointer: string;
}

/**
 * The last of the specs that says what stands at a pointer into what they come to; for what none says, the nearest
 * thing around it.
 */
export function originOf(specs: readonly JsonObject[], shape: Shape | undefined, pointer: string): Origin {
  const tokens = pointer.split('/').slice(1);
  let found: readonly Candidate[] = specs.map((value, spec) => ({ spec, value, pointer: '' }));
  let at = shape;
  for (const [depth, escaped] of tokens.entries()) {
    const token = unescapePointer(escaped);
    const branch = branchFor(at, lastOf(found).value);
    const below = branch?.is === 'list' ? branch.items : fieldShape(branch, token);
    const next =
      branch?.is === 'list'
        ? contributors(itemsAt(found, branch.key ?? '', Number(token)), below)
        : contributors(afterNull(fieldsAt(found, token), below), below);
    if (next.length === 0) {
      const { spec, pointer: around } = lastOf(found);
      return { spec, pointer: [around, ...tokens.slice(depth)].join('/') };
    }
    found = next;
    at = below;
  }
  const { spec, pointer: place } = lastOf(found);
  return { spec, pointer: place };
}

function lastOf(found: readonly Candidate[]): Candidate {
  return found.at(-1) as Candidate;
}

function fieldsAt(found: readonly Candidate[], field: string): readonly Candidate[] {
  return found.flatMap(({ spec, value, pointer }) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return [];
    return [{ spec, value: (value as JsonObject)[field] as Json, pointer: `${pointer}/${escapePointer(field)}` }];
  });
}

function itemsAt(found: readonly Candidate[], key: string, index: number): readonly Candidate[] {
  const lists = found.map(({ value }) => value as readonly Json[]);
  return [...(alignItems(lists, key)[index] ?? [])].map(([number, item]) => {
    const { spec, pointer } = found[number] as Candidate;
    return { spec, value: lists[number]?.[item] as Json, pointer: `${pointer}/${item}` };
  });
}

/** Those that have a part in the result: from the last one on that replaces what was said before it. */
function contributors(candidates: readonly Candidate[], shape: Shape | undefined): readonly Candidate[] {
  let kept: readonly Candidate[] = [];
  for (const candidate of candidates) {
    const { value } = candidate;
    const before = kept.at(-1)?.value;
    const branch = branchFor(shape, value);
    const merges =
      (branch?.is === 'object' && isJsonObject(before) && isOneForm(branch, before, value)) ||
      (branch?.is === 'list' && Array.isArray(before));
    kept = merges ? [...kept, candidate] : [candidate];
  }
  return kept;
}

/** What comes after the last `null`, which takes out all before it. */
function afterNull(candidates: readonly Candidate[], shape: Shape | undefined): readonly Candidate[] {
  return shape === undefined
    ? candidates
    : candidates.slice(candidates.findLastIndex(({ value }) => value === null) + 1);
}
