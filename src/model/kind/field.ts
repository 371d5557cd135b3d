// How a field of a kind is written and compared.
import type { Json } from '../json.ts';
import type { Lowers } from './protection.ts';

/** What every field of a kind says. */
interface AnyField {
  /**
   * set: order and repeats do not matter. list: order is meaning. Both change as a whole. position: a number that says
   * where a member stands among its neighbours; only the order counts, the engine chooses the numbers and manifests
   * never write one.
   */
  readonly shape: 'value' | 'set' | 'list' | 'position';
  /**
   * Where in a value of it there is something about a person, as pointers: formats made for sharing do not show that.
   * Absent: nowhere.
   */
  readonly personal?: (value: Json) => readonly string[];
  /** Which changes of it lower protection. Absent: its kind has nothing to do with protection. */
  readonly lowers?: Lowers | 'never';
}

/** `why` is shown to whoever tries to change what cannot be changed. */
interface Restricted {
  readonly why: string;
}

/** Compared, written. */
interface Updatable {
  readonly rule: 'updatable';
}

/** The same of what every wanted member has, and manifests never write. */
interface Implied extends Updatable {
  readonly implied: Json;
}

/** Compared, cannot change. */
interface Immutable extends Restricted {
  readonly rule: 'immutable';
}

/** The same where no document says how it is changed: a person does it, and the next plan sees it. */
interface Manual extends Immutable {
  /** Says exactly what to do. */
  readonly manual: { readonly rule: string; readonly remedy: (from: Json | undefined, to: Json) => string };
}

/** Sent at creation, never compared. */
interface CreateOnly extends Restricted {
  readonly rule: 'createOnly';
}

/** The same of the field that holds the file, as `{ file }`, that what is told only once goes to. */
interface SecretFile extends CreateOnly {
  readonly secretFile: true;
}

/**
 * A secret, declared as a `SecretSource` and never read back: sent at creation, and by the update that writes it when its
 * `rotate` token differs from the ledger's.
 */
interface WriteOnly extends Restricted {
  readonly rule: 'writeOnly';
}

/**
 * A `rotate` token by itself, of what is no secret and cannot be read: its update does what it stands for when it differs
 * from the ledger's.
 */
interface RotationToken extends Restricted {
  readonly rule: 'rotation-token';
  /** The field that is true while what it rotates exists. */
  readonly existsWhile: string;
}

/** How a field of a kind is written and compared. */
export type FieldRule = AnyField &
  (Updatable | Implied | Immutable | Manual | CreateOnly | SecretFile | WriteOnly | RotationToken);

/** The fields of a kind by name, in the order in which they are written down. */
export type Fields = Readonly<Record<string, FieldRule>>;

type Rule = FieldRule['rule'];

const byRule = new WeakMap<Fields, Map<Rule, readonly string[]>>();

/** The fields with a rule, in the order of the kind: asked of every object, so each kind is looked through once. */
export function fieldsWith(fields: Fields, rule: Rule): readonly string[] {
  const known = byRule.get(fields)?.get(rule);
  if (known !== undefined) return known;
  const rules = byRule.get(fields) ?? new Map<Rule, readonly string[]>();
  const found = Object.keys(fields).filter((field) => fields[field]?.rule === rule);
  byRule.set(fields, rules.set(rule, found));
  return found;
}

export const updatable = (): AnyField & Updatable => ({ rule: 'updatable', shape: 'value' });
export const unordered = (): FieldRule => ({ rule: 'updatable', shape: 'set' });
export const positioned = (): FieldRule => ({ rule: 'updatable', shape: 'position' });
export const immutable = (why: string): AnyField & Immutable => ({ rule: 'immutable', shape: 'value', why });
export const createOnly = (why: string): AnyField & CreateOnly => ({ rule: 'createOnly', shape: 'value', why });
export const writeOnly = (why: string): FieldRule => ({ rule: 'writeOnly', shape: 'value', why });
export const rotationToken = (existsWhile: string, why: string): FieldRule => ({
  rule: 'rotation-token',
  shape: 'value',
  existsWhile,
  why,
});
/** A field that is about a person: all of it, or what `within` says. */
export const personal = (field: FieldRule, within: NonNullable<FieldRule['personal']> = () => ['']): FieldRule => ({
  ...field,
  personal: within,
});
