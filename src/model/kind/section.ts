// How the manifest of a root holds objects of a kind; whether it does, and whether that can be looked into yet.
import type { Manifest } from '../desired.ts';
import type { JsonObject } from '../json.ts';
import { valueAt } from '../json.ts';
import type { PlacedReference } from '../manifest-reference.ts';
import { isWithin } from '../manifest-reference.ts';
import type { Traced, TracedRequest } from '../plan/trace.ts';
import type { SectionToManifest } from './to-manifest.ts';

export interface Section {
  /**
   * Places in the root's spec, as keys joined by `/` (`caching`, `shield/waf`); the section is managed when one of them
   * is there.
   */
  readonly fields: readonly string[];
  /** `name` is the local name of the root. */
  readonly expand: (spec: JsonObject, name?: string) => readonly SectionItem[];
  /** Key under the root's `unlisted:` that says what becomes of live members that nobody named. */
  readonly unlisted?: string;
  /**
   * Returns what the schema cannot check in a root's spec that has the section, without the account. `name`: the local
   * name of the root.
   */
  readonly lint?: (spec: JsonObject, name?: string) => readonly Lint[];
  /** What the section says of a request to the root, in the order in which it is written. */
  readonly trace?: (spec: JsonObject, request: TracedRequest) => readonly Traced[];
  /**
   * The inverse of `expand`. Absent: a list of all items, or the only one, at the first of `fields`; the fields of a
   * root at the top.
   */
  readonly toManifest?: SectionToManifest;
}

/** Something about a manifest, at a place of the root's spec. */
export interface Lint {
  /**
   * contradiction, missing and refused (by the platform, whatever is live): errors. idle: something takes its effect
   * from something else, worth a notice. A code: what is allowed and hardly meant, a warning.
   */
  readonly is: 'contradiction' | 'missing' | 'refused' | 'idle' | Judgement;
  readonly pointer: string;
  readonly what: string;
}

/** What is judged of rules and lists. */
export type Judgement =
  | 'HW2701'
  | 'HW2702'
  | 'HW2703'
  | 'HW2704'
  | 'HW2705'
  | 'HW2706'
  | 'HW2707'
  | 'HW2708'
  | 'HW2709'
  | 'HW2710'
  | 'HW2711'
  | 'HW2713'
  | 'HW2714'
  | 'HW2715';

/** A judgement that an item takes on itself, in its field `accept`. */
export interface Accepted {
  readonly code: Judgement;
  readonly reason: string;
}

export interface SectionItem {
  /** null for the only one of its kind. */
  readonly name: string | null;
  readonly spec: JsonObject;
  /** Where it stands in the root's spec, and where single fields stand if elsewhere. */
  readonly pointer: string;
  readonly pointers?: Readonly<Record<string, string>>;
  /** Names that it takes in a namespace that several kinds share. */
  readonly claims?: readonly { readonly namespace: string; readonly name: string }[];
}

interface WithSection {
  readonly section: Section;
}

const expanded = new WeakMap<Pick<Manifest, 'spec' | 'name'>, Map<Section, readonly SectionItem[]>>();

/** What a manifest holds in a section. Whoever asks, each section of a manifest is expanded once. */
export function itemsOf({ section }: WithSection, manifest: Pick<Manifest, 'spec' | 'name'>): readonly SectionItem[] {
  const known = expanded.get(manifest)?.get(section);
  if (known !== undefined) return known;
  const sections = expanded.get(manifest) ?? new Map<Section, readonly SectionItem[]>();
  const items = section.expand(manifest.spec, manifest.name);
  expanded.set(manifest, sections.set(section, items));
  return items;
}

/** True when the spec of a root has the section of this kind. */
export function isSectionDeclared({ section }: WithSection, spec: JsonObject): boolean {
  return section.fields.some((field) => isFieldDeclared(spec, field));
}

/** `field`: one of the places of a section. */
export function isFieldDeclared(spec: JsonObject, field: string): boolean {
  return field.includes('/') ? valueAt(spec, `/${field}`) !== undefined : Object.hasOwn(spec, field);
}

/** The references in a section that stand for values: until they are known nobody can say what is declared there. */
export function unresolvedIn(
  { section }: WithSection,
  { references = [] }: Pick<Manifest, 'references'>,
): readonly PlacedReference[] {
  if (references.length === 0) return references;
  return references.filter(
    ({ pointer, output }) => output !== undefined && section.fields.some((field) => isWithin(pointer, `/${field}`)),
  );
}

/** True when a manifest has the section of this kind, and all values in it stand there. */
export function isSectionWhole(kind: WithSection, manifest: Pick<Manifest, 'spec' | 'references'>): boolean {
  return isSectionDeclared(kind, manifest.spec) && unresolvedIn(kind, manifest).length === 0;
}
