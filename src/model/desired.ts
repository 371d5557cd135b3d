// What the manifests say once they are expanded: collections of wanted objects, each with its place in the YAML.
import type { Address } from './address.ts';
import type { SourcePosition } from './diagnostic.ts';
import type { Json, JsonObject } from './json.ts';
import type { ManifestReference, PlacedReference } from './manifest-reference.ts';

/** What every manifest says. */
export const API_VERSION = 'hostwright/v1';

export interface Lifecycle {
  readonly state: 'present' | 'absent';
  /** Refuse any plan that deletes it, or something in it, or charges for it. */
  readonly protect: boolean;
}

/** One wanted object. A field that is absent from `spec` is left as it is. */
export interface Desired {
  readonly address: Address;
  readonly kind: string;
  readonly parent: Address | null;
  /** What both sides know it by inside its collection: a hostname, an address; the local name for a root. */
  readonly identity: string;
  readonly spec: JsonObject;
  readonly lifecycle: Lifecycle;
  /** `metadata.id`: the live object that this manifest is bound to. */
  readonly boundId?: string;
  /** `renamedFrom`: the address that it had; its binding in the ledger moves to this one. */
  readonly renamedFrom?: Address;
  /** Natural keys by falling rank; each rank is tried whole before the next. */
  readonly keys: readonly (readonly string[])[];
  /** The objects that its manifest names as what it rests on: it is made when they are there. */
  readonly restsOn?: readonly PlacedReference[];
  /** The references whose values stand in `spec`. */
  readonly resolvedReferences?: readonly ManifestReference[];
  /** One of those values comes from the ledger alone. */
  readonly grounds?: 'ledger';
  /** The place of a field of `spec` (or of the object itself for ''), where it is known. */
  readonly sourceOf: (field: string) => SourcePosition | undefined;
}

/**
 * All wanted objects of one kind in one parent. A collection that no manifest mentions is not here: not managed, not
 * read.
 */
export interface DesiredCollection {
  /** `Site/shop/SiteDomain`, or the kind alone for roots. */
  readonly collection: string;
  readonly kind: string;
  readonly parent: Address | null;
  readonly members: readonly Desired[];
  /** What becomes of live members that nobody ever named. */
  readonly unlisted: 'keep' | 'remove';
  readonly protect: boolean;
  /** Only single members are mentioned, not the list itself: nothing is removed and nothing reported as unmanaged. */
  readonly partial: boolean;
  /** All that the manifest of its root declares: what is possible here may depend on what is wanted beside it. */
  readonly rootSpec?: JsonObject;
  /** Values of other objects stand in it by reference: while they are not known it has no members. */
  readonly unresolved?: Unresolved;
  readonly sourceOf: (field: string) => SourcePosition | undefined;
}

/** What a collection waits for while values in it are not known. */
export interface Unresolved {
  readonly references: readonly PlacedReference[];
  /** What is written there besides. */
  readonly written: Json;
  /** The collection once the values are known, by the pointers of `references`. */
  readonly filled: (values: ReadonlyMap<string, Json>) => DesiredCollection;
}

/** One manifest document that passed validation, before it is expanded. */
export interface Manifest {
  readonly kind: string;
  readonly name: string;
  readonly id?: string;
  readonly renamedFrom?: string;
  readonly lifecycle: Lifecycle;
  /** Without references: plain data stands in their place, the others are in `references`. */
  readonly spec: JsonObject;
  readonly references?: readonly PlacedReference[];
  /** The place of a JSON pointer into the whole document. */
  readonly sourceOf: (pointer: string) => SourcePosition | undefined;
}

/** A manifest as it is once its profiles are merged into it. */
export interface ExpandedManifest {
  readonly manifest: JsonObject;
  /** The places of the values that came from profiles, by JSON pointer into `manifest`. */
  readonly fromProfiles: Readonly<Record<string, SourcePosition>>;
}
