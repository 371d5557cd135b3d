// How a kind says what its objects rest on elsewhere in the workspace, and which values of them others can take by
// reference. Pure data and pure functions; which objects there are is for whoever asks.
import type { Json, JsonObject } from '../../json.ts';

/** A root that has to be there before an object of the kind is made. */
export interface NeedsDefinition<Spec> {
  /** A kind of roots that have natural keys. */
  readonly kind: string;
  /**
   * The keys under which it may be declared, the nearest first: the first that is declared counts. A reference in the
   * manifest goes before them.
   */
  readonly keys: (spec: Partial<Spec>) => readonly string[];
  /** Whether the live root is as far as it has to be. */
  readonly isMet: (live: { readonly computed: JsonObject }) => boolean;
  readonly rule: string;
  readonly reason: string;
}

/**
 * What a value is worked out from. `reported`: what the platform told when the object was made, as far as the ledger
 * knows.
 */
export interface OutputSource<Spec> {
  readonly spec: Spec;
  readonly computed: JsonObject;
  readonly reported: Readonly<Record<string, string>>;
}

/** A value of an object that other manifests can take. */
export interface OutputDefinition<Spec> {
  /** undefined where the object is there and the value is not known all the same. */
  readonly value: (source: OutputSource<Spec>) => Json | undefined;
  /** Said then. */
  readonly unknown: { readonly reason: string; readonly remedy: string; readonly rule: string };
}

/**
 * What the manifests want of the only object of a kind in another root of the same kind, found by a natural key of that
 * root. undefined: no manifest says anything of it.
 */
export type WantedIn = (rootKey: string, kind: string) => JsonObject | undefined;

/** Of what is to be made: nothing else is looked at. */
export const NOTHING_WANTED: WantedIn = () => undefined;
