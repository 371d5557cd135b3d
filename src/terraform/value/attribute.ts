// What an attribute of a resource is, and what it stands for in a manifest. The tables of all resources are generated
// from the schemas of the manifests.

/** A value of one word, as it stands in a manifest. word: text there, or a number; here always text. */
export type Plain = 'text' | 'number' | 'bool' | 'word';

/** The allowed values of an attribute that a manifest spells in camel case, by the spelling of a configuration. */
export type Spellings = Readonly<Record<string, string>>;

export type Attribute =
  | { readonly is: Plain; readonly spellings?: Spellings }
  /** An object without a schema; here its JSON. */
  | { readonly is: 'json' }
  | { readonly is: 'list' | 'set'; readonly of: Plain; readonly spellings?: Spellings }
  | Group
  /** A list of objects, by the field that tells them apart. `short`: one that has only this field may be that text. */
  | { readonly is: 'map'; readonly key: string; readonly short?: true; readonly fields: Fields }
  /** A list of objects whose order is meaning. `key`: the attribute that tells them apart; absent: nothing does. */
  | { readonly is: 'groups'; readonly key?: string; readonly forms?: Forms; readonly fields: Fields }
  /** Where a secret is, or the secret itself, which is in no plan and no state. */
  | { readonly is: 'secret'; readonly fields: Fields }
  /** A person: plain data of this kind in a manifest of its own. */
  | { readonly is: 'data'; readonly kind: string; readonly fields: Fields }
  /** The name of another resource: an order for Terraform, of which no manifest says anything. */
  | { readonly is: 'rests' }
  /** The name of another resource of this kind, which a manifest calls by its address. */
  | { readonly is: 'address'; readonly kind: string };

export interface Group {
  readonly is: 'group';
  /** A manifest may say this list alone in place of the object. */
  readonly short?: string;
  readonly forms?: Forms;
  readonly fields: Fields;
}

/**
 * Objects that a manifest has under a key which says what they are: `redirect: { to: ... }`. Here the word is in `type`,
 * and what is below the key stands beside it: a field for each key would be null in all but one. An object with another
 * `type` has no form, and is in the manifest as it is here.
 */
export type Forms = Readonly<Record<string, { readonly field: string; readonly attribute: Group }>>;

export interface AttributeField {
  readonly attribute: Attribute;
  /** The field of the manifest; absent: no manifest says it. */
  readonly field?: string;
  readonly required?: true;
  /** The provider gives it, nobody sets it. */
  readonly computed?: true;
  /** Where a configuration does not write it, it is as it is live, as far as that is in the state. */
  readonly live?: true;
  readonly writeOnly?: true;
}

/** By the name that Terraform knows each by. */
export type Fields = Readonly<Record<string, AttributeField>>;

export interface ResourceTable {
  /** The kind of manifest. */
  readonly kind: string;
  /** It is about a part of an object that another resource is about; its `name` is in this attribute. */
  readonly part?: { readonly name: string };
  /** Its name is that of the live object: another name is another object. */
  readonly isNamedByHostname?: true;
  /** The platform has no call that deletes it. */
  readonly isKept?: true;
  /** Creating an object of this kind charges the account. */
  readonly isPaid?: true;
  /** Those with a field stand in the spec of the manifest. */
  readonly fields: Fields;
}
