// How a kind lists the objects of the same parent that its fields name. An object that is named must exist after a run.

/** A reference by name from a field of an object to another object of the same parent. */
export interface NamedObject {
  /** The kinds that the name may belong to. */
  readonly kinds: readonly string[];
  /** The identity of the other object. */
  readonly name: string;
  /** The field of the spec that has the name. */
  readonly field: string;
  /** The relation in a message, between the two names: `points at`, `has the member`, `is on`. */
  readonly relation: string;
  /** The rule that requires the other object to exist. */
  readonly rule: string;
}

/** Returns the objects that a spec names; a field that is absent names none. */
export type RefersTo<Spec> = (spec: Partial<Spec>) => readonly NamedObject[];
