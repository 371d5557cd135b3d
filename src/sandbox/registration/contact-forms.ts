// How the fields of a contact are read and what is wrong with them: missing, malformed, not what the registry asks for.
import { isRecord, refuseWith } from '../core/http/endpoint.ts';
import { keys } from '../core/http/schema.ts';
import type { Value } from '../core/http/schema.ts';
import { takeSerial } from '../core/state.ts';
import type { World } from '../core/world.ts';
import { consistencyLag } from '../core/lists.ts';
import { addContact } from './state.ts';
import type { Contact, ContactFields } from './state.ts';
import type { Tld } from './tlds.ts';

export const CONTACT_KEYS = [
  'first_name',
  'last_name',
  'organization',
  'street_address',
  'post_code',
  'city',
  'state',
  'country',
  'email',
  'phone',
  'extra_properties',
] as const satisfies readonly (keyof ContactFields)[];
/** The fields of a contact in a body. */
export const CONTACT: Value = { properties: keys(...CONTACT_KEYS) };
const ORDER_NEEDS = [
  'first_name',
  'last_name',
  'street_address',
  'post_code',
  'city',
  'country',
  'email',
  'phone',
] as const;
const CHANGE_NEEDS = ['first_name', 'last_name', 'country', 'email', 'phone'] as const;
/** Which fields a registrant confirms is not documented; these name the person. */
const VALIDATED = ['first_name', 'last_name', 'organization', 'email'] as const;

type Violations = Readonly<Record<string, string>>;

/** What is left out stays as it is in `before`; a blank is null, or empty where there has to be a text. */
export function readContact(given: unknown, before?: ContactFields): ContactFields {
  const body = isRecord(given) ? given : {};
  const texts = CONTACT_KEYS.map((key) => {
    const value = body[key] === undefined ? before?.[key] : body[key];
    const text = typeof value === 'string' ? value.trim() : '';
    return [key, text === '' && !CHANGE_NEEDS.some((one) => one === key) ? null : text] as const;
  });
  const extra = body['extra_properties'];
  return {
    ...(Object.fromEntries(texts) as unknown as ContactFields),
    extra_properties: isRecord(extra) ? extra : (before?.extra_properties ?? {}),
  };
}

export function missingFields(fields: ContactFields, kind: 'order' | 'change'): readonly string[] {
  // ORD-32: a contact in a domain order has eight required fields.
  const needed = kind === 'change' ? CHANGE_NEEDS : ORDER_NEEDS;
  return needed.filter((key) => fields[key] === null || fields[key] === '');
}

export function malformedFields({ country, phone }: ContactFields): readonly string[] {
  // ORD-41: a country has two letters and a phone number a plus, a code and a dot.
  return [
    ...(/^[A-Za-z]{2}$/.test(country) ? [] : ['country']),
    ...(/^\+\d{1,3}\.\d{4,14}$/.test(phone) ? [] : ['phone']),
  ];
}

/** What the registry of this TLD would not take. */
export function violationsOf(fields: ContactFields, tld: Tld | undefined): Violations {
  const found: Record<string, string> = {};
  for (const key of missingFields(fields, 'change')) found[key] = 'is missing';
  for (const key of malformedFields(fields)) found[key] = 'is malformed';
  if (fields.email !== '' && !/^[^@\s]+@[^@\s]+$/.test(fields.email)) found['email'] = 'is malformed';
  if (tld?.needsState === true && fields.state === null) found['state'] = 'is missing';
  return found;
}

/** Refuses contact data; codes are documented where it is bought with a name, or for one. */
export function refuseContact(
  world: World,
  fields: ContactFields,
  tld: Tld | undefined,
  code: string | null = null,
): void {
  const violations = violationsOf(fields, tld);
  if (Object.keys(violations).length === 0) return;
  // The shape of the list is not documented.
  const shown =
    world.ambiguities.violations === 'map'
      ? violations
      : Object.entries(violations).map(([field, text]) => `${field} ${text}`);
  const message = code === null ? 'The contact is invalid' : 'The registry refuses the contact';
  refuseWith({ violations: shown }, 422, code, message);
}

/** Properties that the registry of this TLD asks for, and that are not there. */
export function missingProperties(fields: ContactFields, tld: Tld | undefined): readonly string[] {
  return (tld?.properties ?? []).filter((name) => fields.extra_properties[name] === undefined);
}

export function makeContact(
  world: World,
  accountId: string,
  tld: string,
  fields: ContactFields,
  splitFromId: number | null = null,
): Contact {
  const now = world.clock.now();
  const id = 9_000 + takeSerial(world.state);
  return addContact(world.state.registrar, {
    id,
    accountId,
    tld,
    fields,
    splitFromId,
    validated: false,
    hidden: consistencyLag(world),
    createdAt: now,
    updatedAt: now,
  });
}

/** Whether the two differ in a field that the registrant has to confirm again. */
export function touchesValidated(
  world: World,
  tld: Tld | undefined,
  before: ContactFields,
  after: ContactFields,
): boolean {
  const counts = tld?.validation === true || world.ambiguities.validatedFields === 'always';
  return counts && VALIDATED.some((key) => before[key] !== after[key]);
}
