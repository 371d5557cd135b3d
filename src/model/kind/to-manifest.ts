// What it means to say live objects as lines of a manifest: the inverse of `section.expand`.
import type { Json, JsonObject } from '../json.ts';
import type { Live } from './collection.ts';

/** A live object, as far as it matters for its lines. */
export interface LiveMember {
  readonly identity: string;
  readonly id: string;
  readonly spec: JsonObject;
  readonly computed: JsonObject;
  /** Why what was read of it cannot be relied on. */
  readonly doubt?: string;
}

/** A notice that becomes a comment: what the API does not tell, what is to be filled in, why something is not there. */
export interface Comment {
  /** Into the spec of the root; in `item` into the value of one member, '' being all of it. */
  readonly pointer: string;
  /** One line, without the `#`. */
  readonly text: string;
  /** above: on a line before what stands at the pointer. below: as the last line inside of it. Absent: above. */
  readonly at?: 'above' | 'below';
}

/** What is live and is not written. */
export interface LeftOut {
  /** The place in the root's spec, as in `section.fields`, and the member where it is one of several. */
  readonly what: string;
  /** Absent: it is empty or off, so there is nothing to write. */
  readonly reason?: string;
  /** Identities of the members that are not written, where others of the list are: the plan tells them as unmanaged. */
  readonly members?: readonly string[];
  /** It could not be read: nobody knows what is there. */
  readonly unknown?: true;
  /** What would be written of it: a part of the root's spec, shown as a comment for whoever wants it all the same. */
  readonly spec?: JsonObject;
}

/**
 * Plain data that stands in a manifest of its own: equal data is one manifest, and a reference to it is put at the
 * pointer.
 */
export interface ManifestData {
  /** A data kind. */
  readonly kind: string;
  /** Into the spec of the root: where `{ ref: Kind/name }` goes. */
  readonly pointer: string;
  readonly spec: JsonObject;
  /** Where manifests of its kind are written. */
  readonly folder: string;
  /** What its manifest may be called, the best first. */
  readonly called: readonly string[];
  /** Pointers into `spec`. */
  readonly comments?: readonly Comment[];
}

/** How the manifest of a live root is called and where it is written. */
export interface ManifestFile<Spec> {
  /** Inside the folder that everything is written to. */
  readonly folder: string;
  /**
   * What it may be called, the best first. Where manifests of the kind are named by their hostname, the first is that.
   */
  readonly called: (
    member: Omit<LiveMember, 'spec' | 'doubt'> & { readonly spec: Spec; readonly keys: readonly (readonly string[])[] },
  ) => readonly string[];
}

/** How live objects of a kind are written down. */
export interface ManifestDefinition<Spec> {
  /** What is said of one: every field that can be read and declared. Absent: the fields of its spec. */
  readonly item?: (member: Live<Spec>) => Json;
  /** What is said beside those lines: pointers into what `item` gives. */
  readonly comments?: (member: Live<Spec>) => readonly Comment[];
  /** Of a root: how it is written down when no manifest names it. Absent: it never is. */
  readonly file?: ManifestFile<Spec>;
}

/** Part of the spec of a root. */
export interface ManifestPart {
  /** Merged into the other parts at every depth. Empty: nothing is written. */
  readonly spec: JsonObject;
  readonly comments?: readonly Comment[];
  readonly leftOut?: readonly LeftOut[];
  readonly data?: readonly ManifestData[];
}

/** The lines of one member, as its list or its section holds it. */
export interface ManifestItem {
  readonly value: Json;
  /** Pointers into `value`. */
  readonly comments: readonly Comment[];
}

/**
 * The lines of the members of one section, in live order where order is meaning, else by identity. Given are those that
 * are to be written: not the platform's own, not what is on its way out. `items` are their lines, one each. `root` is
 * the live root that they are in (for a root itself: the only member).
 */
export type SectionToManifest = (
  members: readonly LiveMember[],
  context: { readonly root: LiveMember; readonly items: readonly ManifestItem[] },
) => ManifestPart;

/**
 * The object without its empty texts and lists, but for the keys named. What is absent from a manifest is left as it
 * is.
 */
export function withoutEmpty(
  spec: Readonly<Record<string, Json | undefined>>,
  keep: readonly string[] = [],
): JsonObject {
  const isEmpty = (value: Json | undefined): boolean =>
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.entries(spec).filter((entry): entry is [string, Json] => keep.includes(entry[0]) || !isEmpty(entry[1])),
  );
}

/** `{ shield: { waf: value } }` for `shield/waf`. */
export function placedAt(place: string, value: Json): JsonObject {
  return place.split('/').reduceRight<Json>((below, key) => ({ [key]: below }), value) as JsonObject;
}

/** What is live in some fields and has no meaning that is known: it is not written, and that is said. */
export function unclearComments(computed: JsonObject): readonly Comment[] {
  const fields = (computed.unclear ?? []) as readonly string[];
  return fields.length === 0
    ? []
    : [{ pointer: '', text: `Not written, because nobody knows what is live there: ${fields.join(', ')}.` }];
}

/** Items as a list at a place, with their notes. */
export function itemsPlacedAt(place: string, items: readonly ManifestItem[]): ManifestPart {
  if (items.length === 0) return { spec: {} };
  return {
    spec: placedAt(
      place,
      items.map(({ value }) => value),
    ),
    comments: items.flatMap(({ comments }, index) => commentsAt(`/${place}/${index}`, comments)),
  };
}

/** Notes on a value, where that value stands at a pointer. */
export function commentsAt(pointer: string, comments: readonly Comment[]): readonly Comment[] {
  return comments.map((comment) => ({ ...comment, pointer: `${pointer}${comment.pointer}` }));
}
