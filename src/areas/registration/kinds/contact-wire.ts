// How a contact of a registration is compared, read and written. A contact is declared whole: what it does not have it
// is declared without, but for the properties that single registries ask for, which are left as they are.
import type { ManifestData } from '../../../model/kind/to-manifest.ts';
import { withoutEmpty } from '../../../model/kind/to-manifest.ts';
import type { JsonObject } from '../../../model/json.ts';
import { covers, escapePointer, isJsonObject, sameJson } from '../../../model/json.ts';
import { describeType, ShapeError } from '../../../model/kind/rows.ts';
import type { Condition, Template } from '../../../model/plan/step.ts';
import { literal } from '../../../model/plan/step.ts';
import { canonicalAddress } from '../../common/spellings.ts';
import { snakeCase } from '../../common/wire-names.ts';

/** Who it is: another one of these is another holder (REG-25). */
export const PERSON = ['firstName', 'lastName', 'organization'] as const;
export const DETAILS = ['streetAddress', 'postCode', 'city', 'state', 'country', 'email', 'phone'] as const;
const TEXTS = [...PERSON, ...DETAILS] as const;

/** An empty text: it has none. */
export type ContactFields = { readonly [Field in (typeof TEXTS)[number]]: string } & {
  readonly extraProperties: JsonObject;
};

/** A declared contact in the form in which contacts are compared. */
export function declaredContact(given: JsonObject): JsonObject {
  return normalContact({ organization: '', state: '', ...given });
}

/** Trimmed, the country in capitals, the address in lower case: whoever stores it does not promise a spelling. */
export function normalContact<Part extends JsonObject>(contact: Part): Part {
  const texts = Object.entries(contact).map(([field, value]) => [
    field,
    typeof value === 'string' ? normalText(field, value) : value,
  ]);
  return Object.fromEntries(texts) as Part;
}

function normalText(field: string, value: string): string {
  if (field === 'country') return value.trim().toUpperCase();
  return field === 'email' ? canonicalAddress(value) : value.trim();
}

/** A live contact; null where the registration has none. Absent is neither. */
export function contactAt(row: JsonObject, role: string): JsonObject | null {
  const contact = row[`${role}_contact`];
  if (contact === null) return null;
  if (!isJsonObject(contact))
    throw new ShapeError(`expected a contact or null at /${role}_contact, found ${describeType(contact)}`);
  const texts = TEXTS.map((field) => [field, textOf(contact, snakeCase(field))]);
  return normalContact({
    ...(Object.fromEntries(texts) as JsonObject),
    extraProperties: isJsonObject(contact.extra_properties) ? contact.extra_properties : {},
  });
}

/** Nothing is an empty text. */
function textOf(contact: JsonObject, key: string): string {
  const value = contact[key] ?? '';
  if (typeof value !== 'string')
    throw new ShapeError(`expected text at /${key} of a contact, found ${describeType(value)}`);
  return value;
}

/** True when nothing that the declared one has is otherwise in the other. */
export function sameContact(declared: JsonObject, other: JsonObject | null): boolean {
  return other !== null && covers(other, declared);
}

/** True when one contact cannot be both: a detail that both declare differs. */
export function contradicts(one: JsonObject, other: JsonObject): boolean {
  const differ = (left: JsonObject, right: JsonObject, keys: readonly string[]): boolean =>
    keys.some((key) => left[key] !== undefined && right[key] !== undefined && !sameJson(left[key], right[key]));
  const extra = (contact: JsonObject): JsonObject =>
    isJsonObject(contact.extraProperties) ? contact.extraProperties : {};
  return differ(one, other, TEXTS) || differ(extra(one), extra(other), Object.keys(extra(one)));
}

/** True when it is the same person by name and organization. */
export function samePerson(declared: JsonObject, other: JsonObject | null): boolean {
  return other !== null && PERSON.every((field) => declared[field] === other[field]);
}

/** For a contact that is made anew: what it does not have is left out. */
export function newContact(contact: JsonObject): Template {
  return Object.fromEntries(wireOf(contact).filter(([, value]) => value !== ''));
}

/** For one that is there: all of it, because what becomes of a field that is left out is not documented. */
export function wholeContact(contact: JsonObject): { readonly [key: string]: Template } {
  return Object.fromEntries(wireOf(contact).map(([key, value]) => [key, value === '' ? null : value]));
}

function wireOf(contact: JsonObject): readonly (readonly [string, Template])[] {
  return [...TEXTS, 'extraProperties'].flatMap((field) => {
    const value = contact[field];
    return value === undefined ? [] : [[snakeCase(field), literal(value)] as const];
  });
}

/** The conditions by which a row shows that a role has this contact. */
export function showsContact(role: string, contact: JsonObject): readonly Condition[] {
  const texts = TEXTS.flatMap((field): readonly Condition[] => {
    const value = contact[field];
    return value === undefined
      ? []
      : [{ pointer: `/${role}_contact/${snakeCase(field)}`, value: value, ...(value === '' && { orAbsent: true }) }];
  });
  const extra = isJsonObject(contact.extraProperties) ? contact.extraProperties : {};
  return [...texts, ...showsAll(`/${role}_contact/extra_properties`, extra)];
}

/** What is declared is there, at every depth; there may be more. */
function showsAll(pointer: string, declared: JsonObject): readonly Condition[] {
  return Object.entries(declared).flatMap(([name, value]) => {
    const at = `${pointer}/${escapePointer(name)}`;
    return isJsonObject(value) && Object.keys(value).length > 0
      ? showsAll(at, value)
      : [{ pointer: at, value: literal(value) }];
  });
}

/** A live contact as data for manifests to name: without what it does not have. */
export function contactData(pointer: string, contact: JsonObject): ManifestData {
  const { extraProperties, ...texts } = contact as { readonly extraProperties: JsonObject } & Readonly<
    Record<(typeof TEXTS)[number], string>
  >;
  // Null is nothing.
  const written = Object.entries(extraProperties).filter(([, value]) => value !== null);
  return {
    kind: 'Contact',
    folder: 'contacts',
    pointer,
    spec: { ...withoutEmpty(texts), ...(written.length > 0 && { extraProperties: Object.fromEntries(written) }) },
    called: [texts.organization, `${texts.firstName} ${texts.lastName}`, texts.email],
    comments: [],
  };
}
