// What is live of one root, as a manifest says it: every section that could be read, whether it holds something or not.
// Values that say nothing (off, empty) are folded away, and so is what is about a person. What cannot be said is named.
import type { Address } from '../../model/address.ts';
import { addressOf, rootNameOf } from '../../model/address.ts';
import type { Manifest } from '../../model/desired.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { sameJson, valueAt, withValueAt } from '../../model/json.ts';
import type { Collection, FieldRule, Kind, Member } from '../../model/kind/kind.ts';
import { isFieldDeclared, isSectionDeclared } from '../../model/kind/section.ts';
import { normaliseSpec } from '../../model/kind/normalise.ts';
import { slipIn } from '../../manifest/observed.ts';
import { withoutIgnored } from '../../manifest/read/validate.ts';
import { sectionToManifest } from '../../planner/to-manifest.ts';
import type { Addressed, Inside } from '../write/live.ts';
import { isSwitchedOff, sectionsOf } from '../write/live.ts';

/** What is live and cannot be compared, and why. */
export interface Gap {
  readonly address: Address;
  readonly reason: string;
}

/** A live root as it was found. */
export interface Seen extends Addressed {
  readonly inside: Inside;
  readonly spec: JsonObject;
  readonly gaps: readonly Gap[];
}

/** True for a value that says nothing: off, none, an empty text or list. A zero is a value. */
export function saysNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.values(value).every((item: Json) => saysNothing(item));
}

/** Compared and written, and not about a person. */
export function isCompared(rule: FieldRule | undefined, value: Json | undefined): boolean {
  return (
    rule !== undefined &&
    (rule.rule === 'updatable' || rule.rule === 'immutable') &&
    rule.shape !== 'position' &&
    !('implied' in rule) &&
    (value === undefined || (rule.personal?.(value) ?? []).length === 0)
  );
}

function isAboutPerson({ fields }: Kind, { spec }: Member): boolean {
  return Object.entries(spec).some(([field, value]) => (fields[field]?.personal?.(value) ?? []).length > 0);
}

/** A live root with what was read in it. */
export function seen(root: Addressed, inside: Inside): Seen {
  const { kind, member, address } = root;
  const gaps: Gap[] = [];
  let spec: JsonObject = {};
  const own: Collection = { state: 'read', members: [member], blockers: {} };
  for (const section of [kind, ...sectionsOf(kind)]) {
    const collection = section === kind ? own : inside.get(section.kind);
    // What has no meaning is nothing to compare.
    if (collection === undefined || isSwitchedOff(section, inside)) continue;
    const at = section === kind ? address : addressOf(address, section.kind, null);
    if (collection.state !== 'read') {
      gaps.push({ address: at, reason: collection.reason });
      continue;
    }
    const { leftOut = [], spec: said } = sectionToManifest(section, collection, member);
    // Items of which nobody knows the order can be compared all the same.
    const whole = leftOut.find(({ reason, members }) => reason !== undefined && members === undefined);
    const part = whole?.spec ?? said;
    for (const one of leftOut)
      if (one.reason !== undefined && one.spec === undefined)
        gaps.push({ address: one.members === undefined ? at : `${at}/${one.members.join(', ')}`, reason: one.reason });
    if (whole !== undefined && whole.spec === undefined) continue;
    if (collection.members.some((one) => isAboutPerson(section, one)))
      gaps.push({ address: at, reason: 'what is about a person is not recorded' });
    spec = isList(section) ? withList(section, spec, part) : withFields(section, spec, part, collection.members[0]);
  }
  return { ...root, inside, ...sound(root, spec, gaps) };
}

/** Without what no manifest takes: nobody could read it back. */
function sound(root: Addressed, spec: JsonObject, gaps: readonly Gap[]): Pick<Seen, 'spec' | 'gaps'> {
  const {
    kind: { kind },
    address,
  } = root;
  const slip = slipIn({ apiVersion: 'hostwright/v1', kind, metadata: { name: rootNameOf(address) }, spec });
  if (slip === undefined) return { spec, gaps };
  const [, , field] = slip.split('/');
  const gap = { address, reason: `no manifest can say what is live at ${slip}` };
  if (field === undefined) return { spec: {}, gaps: [...gaps, gap] };
  return sound(root, set(spec, `/${field}`, undefined), [...gaps, gap]);
}

/** True where a kind has items; false for a root, and for a section that is one object. */
export function isList({ list, parent }: Kind): boolean {
  return parent !== null && list !== 'singleton';
}

/** With its members; an empty list is said too, for whatever comes into it later. */
function withList({ section, list }: Kind, spec: JsonObject, part: JsonObject): JsonObject {
  const said = section.fields.filter((field) => isFieldDeclared(part, field));
  const empty: Json = list === 'platform-defined' ? {} : [];
  return (said.length === 0 ? section.fields.slice(0, 1) : said).reduce(
    (all, field) => withValueAt(all, `/${field}`, valueAt(part, `/${field}`) ?? empty) as JsonObject,
    spec,
  );
}

/** With the fields of the only one there, each where the section reads it from, and without those that say nothing. */
function withFields(kind: Kind, spec: JsonObject, part: JsonObject, live: Member | undefined): JsonObject {
  const wanted = Object.entries(live?.spec ?? {}).filter(([field, value]) => isCompared(kind.fields[field], value));
  if (wanted.length === 0) return spec;
  const placed = kind.section.fields.reduce((all, field) => {
    const value = valueAt(part, `/${field}`);
    return value === undefined ? all : set(all, `/${field}`, value);
  }, spec);
  const begun = isSaid(kind, placed) ? placed : firstOf(kind, placed, wanted);
  if (begun === undefined) return spec;
  const { said, placeOf } = onlyOne(kind, begun);
  const whole = wanted.reduce(
    (all, [field, value]) => (sameJson(said[field], value) ? all : set(all, placeOf(field), value)),
    begun,
  );
  const now = onlyOne(kind, whole).said;
  return Object.keys(now).reduce((all, field) => {
    const value = now[field];
    const isRight = wanted.some((one) => one[0] === field && sameJson(one[1], value));
    if (isRight && !saysNothing(value)) return all;
    const folded = set(all, placeOf(field), undefined);
    return isSaid(kind, folded) ? folded : all;
  }, whole);
}

/** The first line of a section that said nothing: the field that the section takes where it is written. */
function firstOf(kind: Kind, spec: JsonObject, wanted: readonly (readonly [string, Json])[]): JsonObject | undefined {
  const [first = ''] = kind.section.fields;
  const tries = wanted.flatMap(([field, value]) =>
    [...kind.section.fields.filter((at) => at.endsWith(`/${field}`)), `${first}/${field}`, first].map((at) => ({
      field,
      value,
      said: set(spec, `/${at}`, value),
    })),
  );
  return tries.find(({ field, value, said }) => isSaid(kind, said) && sameJson(onlyOne(kind, said).said[field], value))
    ?.said;
}

function set(spec: JsonObject, pointer: string, value: Json | undefined): JsonObject {
  return withValueAt(spec, pointer, value) as JsonObject;
}

/** True where a spec has the section of this kind; a root is its own. */
export function isSaid(kind: Kind, spec: JsonObject): boolean {
  return kind.parent === null || isSectionDeclared(kind, spec);
}

/** What a spec says of the only one of a kind, and where each of its fields stands. */
export function onlyOne(
  kind: Kind,
  spec: JsonObject,
): { readonly said: JsonObject; readonly placeOf: (field: string) => string } {
  const [item] = kind.section.expand(spec, 'x');
  return {
    said: item === undefined ? {} : normaliseSpec(kind, item.spec),
    placeOf: (field) => item?.pointers?.[field] ?? `${item?.pointer ?? ''}/${field}`,
  };
}

/** The manifest that says it, under the name that its root has. `ignored`: pointers into its spec. */
export function manifestFrom(
  { kind, name }: Pick<Manifest, 'kind' | 'name'>,
  spec: JsonObject,
  ignored: readonly string[] = [],
): Manifest {
  return {
    kind,
    name,
    lifecycle: { state: 'present', protect: false },
    spec: withoutIgnored(spec, ignored),
    sourceOf: () => undefined,
  };
}
