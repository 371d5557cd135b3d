// Who stands behind an ordered domain: the registrant, inline or from a registration, and the other roles.
import { isRecord, refuse, refuseWith } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { keys } from '../../core/http/schema.ts';
import type { Properties, Value } from '../../core/http/schema.ts';
import {
  CONTACT,
  CONTACT_KEYS,
  makeContact,
  malformedFields,
  missingFields,
  missingProperties,
  readContact,
  refuseContact,
} from '../contact-forms.ts';
import { ownRegistrations } from '../guards.ts';
import type { Contact, ContactFields, Registration } from '../state.ts';
import type { Tld } from '../tlds.ts';
import type { World } from '../../core/world.ts';
import { recordAt } from './search.ts';
import { follower } from './holder.ts';

const OTHER_ROLES = ['admin', 'billing', 'tech'] as const;
type OtherRole = (typeof OTHER_ROLES)[number];

/** An existing contact, fields of a new one, or null: as the owner. */
type Source = Contact | ContactFields | null;

export interface OrderContacts {
  readonly owner: Contact | ContactFields;
  readonly others: Readonly<Record<OtherRole, Source>>;
  /** What the registry would say: refused after everything else. */
  readonly later: Answer | undefined;
}

/** What the contacts of an order may say. */
export function contactsBody({ body: { domain } }: Call): Properties {
  const roles = isRecord(domain) && isRecord(domain['role_contacts']) ? domain['role_contacts'] : {};
  return {
    contact: CONTACT,
    contact_source: { properties: keys('registration_id') },
    role_contacts: { properties: Object.fromEntries(OTHER_ROLES.map((role) => [role, roleBody(roles[role])])) },
  };
}

function roleBody(given: unknown): Value {
  const source = isRecord(given) ? given['source'] : undefined;
  const own = source === 'existing' ? ['source_registration_id'] : source === 'new' ? CONTACT_KEYS : [];
  return { properties: keys('source', ...own) };
}

export function readContacts(call: Call, domain: Record<string, unknown>, tld: Tld): OrderContacts | Answer {
  const owner = readOwner(call, domain);
  if ('status' in owner) return owner;
  const others: Record<OtherRole, Source> = { admin: null, billing: null, tech: null };
  const roles = recordAt(domain, 'role_contacts') ?? {};
  for (const role of OTHER_ROLES) {
    const source = readRole(call, roles[role]);
    if (source !== null && 'status' in source) return source;
    // ORD-35: other roles follow the owner unless they name an existing registration or a new contact.
    others[role] = source;
  }
  const all = [owner, ...Object.values(others)].filter((one) => one !== null).map(fieldsOf);
  return {
    owner,
    others,
    later: all.map((fields) => refuseByRegistry(call, fields, tld)).find((answer) => answer !== undefined),
  };
}

function fieldsOf(source: Contact | ContactFields): ContactFields {
  return 'fields' in source ? source.fields : source;
}

function readOwner(call: Call, domain: Record<string, unknown>): Contact | ContactFields | Answer {
  const inline = recordAt(domain, 'contact');
  const source = recordAt(domain, 'contact_source');
  // ORD-33: the registrant comes inline or from a registration: one of them, not both.
  if (inline !== undefined && source !== undefined)
    return refuse(400, 'invalid_contact_source', 'contact and contact_source exclude each other');
  if (source !== undefined) return ownerOf(call, source['registration_id']) ?? invalidSource();
  return readInline(inline ?? {});
}

function invalidSource(): Answer {
  return refuse(400, 'invalid_contact_source', 'There is no such registration with an owner');
}

function readInline(given: Record<string, unknown>): ContactFields | Answer {
  const fields = readContact(given);
  const missing = missingFields(fields, 'order');
  if (missing.length > 0) return refuse(400, 'incomplete_contact', ...missing.map((key) => `${key} is missing`));
  const malformed = malformedFields(fields);
  return malformed.length > 0
    ? refuse(400, 'invalid_contact', ...malformed.map((key) => `${key} is malformed`))
    : fields;
}

/** GAP-12: the integer is shown nowhere; whether the guid is taken too is not documented. */
function ownerOf(call: Call, id: unknown): Contact | undefined {
  const { registrar } = call.state;
  const fits = (one: Registration): boolean =>
    one.number === id || (call.ambiguities['GAP-12'] === 'guid-too' && one.id === id);
  // ORD-34: a registration to take a contact from is one's own and has an owner.
  return registrar.contacts.get(ownRegistrations(call).find(fits)?.ownerId ?? -1);
}

function readRole(call: Call, given: unknown): Source | Answer {
  const role = isRecord(given) ? given : {};
  switch (role['source'] ?? 'same_as_owner') {
    case 'same_as_owner':
      return null;
    case 'existing':
      return ownerOf(call, role['source_registration_id']) ?? invalidSource();
    case 'new':
      return readInline(role);
    default:
      return refuse(400, 'invalid_contact_source', 'source is one of same_as_owner, existing, new');
  }
}

function refuseByRegistry(world: World, fields: ContactFields, tld: Tld): Answer | undefined {
  // ORD-39: what the registry does not take is told by violations, what it lacks by needs_augmentation.
  const refusal = refuseContact(world, fields, tld, 'domain_contact_invalid');
  const lacking = missingProperties(fields, tld);
  if (refusal !== undefined || lacking.length === 0) return refusal;
  const extra = { needs_augmentation: lacking };
  return refuseWith(extra, 422, 'domain_contact_needs_augmentation', 'The registry asks for more');
}

/** What is taken from elsewhere is copied where it belongs to another TLD. `fresh`: those made just now. */
export function makeContacts(
  world: World,
  accountId: string,
  tld: Tld,
  contacts: OrderContacts,
): { readonly roles: Partial<Registration>; readonly fresh: readonly number[] } {
  const fresh: number[] = [];
  const of = (source: Contact | ContactFields): Contact => {
    if ('fields' in source && source.tld === tld.name) return source;
    const made = makeContact(world, accountId, tld.name, fieldsOf(source), 'fields' in source ? source.id : null);
    fresh.push(made.id);
    return made;
  };
  const owner = of(contacts.owner);
  const follow = (): Contact => {
    const made = follower(world, { accountId, tld: tld.name }, owner);
    if (made !== owner) fresh.push(made.id);
    return made;
  };
  const { admin, billing, tech } = contacts.others;
  const other = (source: Source): number => (source === null ? follow() : of(source)).id;
  return { roles: { ownerId: owner.id, adminId: other(admin), billingId: other(billing), techId: other(tech) }, fresh };
}
