// What settings come to when they are laid over each other, as profiles are in YAML: mappings merge field by field, lists
// of items with a name merge by it with the earlier items first, everything else is replaced, and `null` takes out what
// was said before. A test holds it to what the program does with profiles.

/**
 * What merges at a place: a mapping by these fields (`alone`: the fields of which a mapping has one, or only others), a
 * list by this key of its items. `0`: nothing.
 */
export type MergeRule = MergeFields | 0;

interface MergeFields {
  readonly fields?: Readonly<Record<string, MergeRule>>;
  readonly alone?: readonly string[];
  readonly key?: string;
  readonly items?: MergeRule;
}

/** Settings over others: any field may be left out, and `null` takes out what was said before. */
export type Over<Value> = Value extends readonly (infer Item)[]
  ? readonly Over<Item>[]
  : Value extends Opaque
    ? Value
    : Value extends object
      ? { readonly [Field in keyof Value]?: Over<Value[Field]> | null }
      : Value;

/** What is an object and no mapping of settings: a construct, or an output of one. */
type Opaque = { readonly toDocument: unknown } | { readonly root: unknown; readonly ref: string };

type Mapping = Readonly<Record<string, unknown>>;

/** The layers over each other, the later over the earlier. */
export function mergeLayers(layers: readonly unknown[], rule: MergeRule): Mapping {
  return layers.reduce<Mapping>((earlier, later) => {
    if (later === undefined) return earlier;
    if (!isMapping(later)) throw new TypeError('merge() takes objects of settings.');
    return mergeMappings(earlier, later, rule === 0 ? {} : rule);
  }, {});
}

function mergeMappings(earlier: Mapping, later: Mapping, { fields = {} }: MergeFields): Mapping {
  const merged = new Map(Object.entries(earlier));
  for (const [field, value] of Object.entries(later)) {
    // A field that is not set says nothing, as if it were not written.
    if (value === undefined) continue;
    if (value === null && Object.hasOwn(fields, field)) merged.delete(field);
    else merged.set(field, mergeValues(merged.get(field), value, (Object.hasOwn(fields, field) && fields[field]) || 0));
  }
  return Object.fromEntries(merged);
}

function mergeValues(earlier: unknown, later: unknown, rule: MergeRule): unknown {
  if (rule === 0) return later;
  if (isMapping(later) && rule.fields !== undefined)
    return mergeMappings(isMapping(earlier) && isOneForm(rule, earlier, later) ? earlier : {}, later, rule);
  if (Array.isArray(later) && rule.key !== undefined)
    return mergeLists(Array.isArray(earlier) ? (earlier as readonly unknown[]) : [], later, rule);
  return later;
}

function mergeLists(
  earlier: readonly unknown[],
  later: readonly unknown[],
  { key = '', items = 0 }: MergeFields,
): readonly unknown[] {
  const nameOf = (item: unknown): unknown => (isMapping(item) && Object.hasOwn(item, key) ? item[key] : undefined);
  const merged: unknown[] = [...earlier];
  const first = new Map<unknown, number>();
  for (const [index, item] of earlier.entries()) {
    const name = nameOf(item);
    if (typeof name === 'string' && !first.has(name)) first.set(name, index);
  }
  for (const item of later) {
    const name = nameOf(item);
    const at = typeof name === 'string' ? first.get(name) : undefined;
    if (at === undefined) {
      merged.push(mergeValues(undefined, item, items));
    } else {
      merged[at] = mergeValues(merged[at], item, items);
      // A key that stands twice in one list stays there twice.
      first.delete(name);
    }
  }
  return merged;
}

/** True when two mappings say the same of several things that one can say, so that one completes the other. */
function isOneForm({ alone = [] }: MergeFields, left: Mapping, right: Mapping): boolean {
  const formOf = (value: Mapping): string => Object.keys(value).find((field) => alone.includes(field)) ?? '';
  return alone.length === 0 || formOf(left) === formOf(right);
}

/** An object literal or the like; constructs and other instances are taken whole. */
export function isMapping(value: unknown): value is Mapping {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
