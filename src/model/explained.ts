// What the documentation of one field, section or kind consists of: everything that the schemas and the kinds say of
// it, in one value.
import type { Json, JsonObject } from './json.ts';
import type { FieldRule } from './kind/kind.ts';
import type { Risk } from './plan/plan.ts';

/** How a value is written and what becomes of it when it is changed. */
export interface ExplainedChange {
  /** The kind of object in plans that holds it, and the field there. */
  readonly kind: string;
  readonly field: string;
  readonly rule: FieldRule['rule'];
  readonly shape: FieldRule['shape'];
  readonly why?: string;
  /** It changes as a part of this field, never by itself. Absent: it is that field. */
  readonly partOf?: string;
  /** What a change may do besides. */
  readonly risks: readonly Risk[];
  /** Whether that depends on the value. */
  readonly mayRisk: boolean;
  /** The platform documents no way to change it, so a person does. */
  readonly manual: boolean;
}

/** The objects of a plan that a section stands for. */
export interface ExplainedObject {
  readonly kind: string;
  /** Such as `Site/NAME/EdgeRule/NAME`. */
  readonly address: string;
  /** `root`: a manifest of its own. */
  readonly list: 'root' | 'additive' | 'authoritative' | 'singleton' | 'platform-defined';
  readonly hook: boolean;
  readonly create?: readonly Risk[];
  readonly remove?: readonly Risk[];
  /** Making, changing or removing one may lower protection. */
  readonly exposes: boolean;
  /** Why none is made or removed, where that is so. */
  readonly cannotCreate?: string;
  readonly cannotRemove?: string;
  /** Where it is declared. */
  readonly path: string;
}

/** What the schema says of a value. */
interface ExplainedValue {
  readonly type: string;
  readonly description: string;
  /** What it has to keep to, in words, and the values that are named. */
  readonly limits: readonly string[];
  readonly allowed: readonly Json[];
}

export interface ExplainedField extends ExplainedValue {
  readonly name: string;
  readonly path: string;
  readonly required: boolean;
}

/** One of the forms that a value can take, where a schema offers several. */
export interface ExplainedForm extends ExplainedValue {
  /** The field that is written for it, else how the schema calls it, else its type. */
  readonly name: string;
  readonly fields: readonly ExplainedField[];
  /** Lines for the manifest; absent where the schema has no example of this form. */
  readonly yaml?: string;
}

/** One page. */
export interface Explained extends ExplainedValue {
  /** `Site.edgeRules[].triggers[].type` */
  readonly path: string;
  /** The kind of manifest that it stands in. */
  readonly kind: string;
  readonly required: boolean;
  readonly default?: Json;
  readonly examples: readonly Json[];
  /** A whole manifest that is valid and has the field in it. */
  readonly manifest: JsonObject;
  readonly yaml: string;
  readonly change?: ExplainedChange;
  readonly object?: ExplainedObject;
  /** A profile can hold it: the kind of that. */
  readonly profile?: string;
  readonly fields: readonly ExplainedField[];
  /** Where a value takes one of several forms: each of them. */
  readonly forms: readonly ExplainedForm[];
  /** Of a kind: the kinds of objects that are declared in it. */
  readonly inside: readonly ExplainedObject[];
}

/** A kind of manifest, in the list of all. */
export interface ExplainedKind {
  readonly kind: string;
  readonly description: string;
  /** Kinds of objects in it. */
  readonly inside: readonly ExplainedObject[];
}

/** A diagnostic: what its code means, why it is reported, what to do. Texts are full sentences, code in backticks. */
export interface ExplainedCode {
  readonly code: string;
  /** The chapter of the list of diagnostics that it stands in. */
  readonly area: string;
  /** What every diagnostic of this code is headed with. */
  readonly summary: string;
  readonly why: string;
  readonly fix: string;
  /** Lines that can be copied. */
  readonly example?: string;
}

/** A rule of the platform that plans cite, such as O-18. Texts are full sentences, code in backticks. */
export interface ExplainedRule {
  readonly rule: string;
  readonly says: string;
  readonly means: string;
  /** Absent: there is nothing to do. */
  readonly fix?: string;
}

/** A word of plans, drift reports and outcomes, such as EXPOSES. Texts are full sentences, code in backticks. */
export interface ExplainedWord {
  /** As reports print it. */
  readonly word: string;
  readonly says: string;
  /** Absent: there is nothing to do. */
  readonly fix?: string;
}
