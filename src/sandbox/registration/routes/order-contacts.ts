// Who stands behind an ordered domain: the registrant, inline or from a registration, and the other roles.
import { isRecord, refuse, refuseWith } from '../../core/http/endpoint.ts';
import type { Call, Row } from '../../core/http/endpoint.ts';
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
  /** What the registry would say: asked after everything else. */
  readonly refuseByRegistry: () => void;
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

export function readContacts(call: Call, domain: Row, tld: Tld): OrderContacts {
  const owner = readOwner(call, domain);
  const roles = recordAt(domain, 'role_contacts') ?? {};
  // ORD-35: other roles follow the owner unless they name an existing registration or a new contact.
  const others = Object.fromEntries(OTHER_ROLES.map((role) => [role, readRole(call, roles[role])])) as Record<
    OtherRole,
    Source
  >;
  return {
    owner,
    others,
    refuseByRegistry() {
      for (const source of [owner, ...Object.values(others)])
        if (source !== null) refuseByRegistry(call, fieldsOf(source), tld);
    },
  };
}

function fieldsOf(source: Contact | ContactFields): ContactFields {
  return 'fields' in source ? source.fields : source;
}

function readOwner(call: Call, domain: Row): Contact | ContactFields {
  const inline = recordAt(domain, 'contact');
  const source = recordAt(domain, 'contact_source');
  // ORD-33: the registrant comes inline or from a registration: one of them, not both.
  if (inline !== undefined && source !== undefined)
    refuse(400, 'invalid_contact_source', 'contact and contact_source exclude each other');
  if (source !== undefined) return ownerOf(call, source['registration_id']);
  return readInline(inline ?? {});
}

function readInline(given: Row): ContactFields {
  const fields = readContact(given);
  const missing = missingFields(fields, 'order');
  if (missing.length > 0) refuse(400, 'incomplete_contact', ...missing.map((key) => `${key} is missing`));
  const malformed = malformedFields(fields);
  if (malformed.length > 0) refuse(400, 'invalid_contact', ...malformed.map((key) => `${key} is malformed`));
  return fields;
}

/** GAP-12: the integer is shown nowhere; whether the guid is taken too is not documented. */
function ownerOf(call: Call, id: unknown): Contact {
  const fits = (one: Registration): boolean =>
    one.number === id || (call.ambiguities['GAP-12'] === 'guid-too' && one.id === id);
  // ORD-34: a registration to take a contact from is one's own and has an owner.
  return (
    call.state.registrar.contacts.get(ownRegistrations(call).find(fits)?.ownerId ?? -1) ??
    refuse(400, 'invalid_contact_source', 'There is no such registration with an owner')
  );
}

function readRole(call: Call, given: unknown): Source {
  const role = isRecord(given) ? given : {};
  switch (role['source'] ?? 'same_as_owner') {
    case 'same_as_owner':
      return null;
    case 'existing':
      return ownerOf(call, role['source_registration_id']);
    case 'new':
      return readInline(role);
    default:
      return refuse(400, 'invalid_contact_source', 'source is one of same_as_owner, existing, new');
  }
}

function refuseByRegistry(world: World, fields: ContactFields, tld: Tld): void {
  // ORD-39: what the registry does not take is told by violations, what it lacks by needs_augmentation.
  refuseContact(world, fields, tld, 'domain_contact_invalid');
  const lacking = missingProperties(fields, tld);
  if (lacking.length === 0) return;
  const extra = { needs_augmentation: lacking };
  refuseWith(extra, 422, 'domain_contact_needs_augmentation', 'The registry asks for more');
}

/** What is taken from elsewhere is copied where it belongs to another TLD. */
export function makeContacts(
  world: World,
  accountId: string,
  tld: Tld,
  { owner: wanted, others }: OrderContacts,
): Pick<Registration, 'ownerId' | 'adminId' | 'billingId' | 'techId'> {
  const of = (source: Contact | ContactFields): Contact =>
    'fields' in source && source.tld === tld.name
      ? source
      : makeContact(world, accountId, tld.name, fieldsOf(source), 'fields' in source ? source.id : null);
  const owner = of(wanted);
  const other = (source: Source): number =>
    (source === null ? follower(world, { accountId, tld: tld.name }, owner) : of(source)).id;
  const { admin, billing, tech } = others;
  return { ownerId: owner.id, adminId: other(admin), billingId: other(billing), techId: other(tech) };
}
