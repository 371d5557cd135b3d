// Decides who stands behind an ordered domain: the registrant, inline or from a registration, and the other roles.
// Must not order anything: the contacts are made only when everything else is right.
import { isRecord, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import {
  CONTACT_KEYS,
  makeContact,
  malformedFields,
  missingFields,
  missingProperties,
  readContact,
  shownViolations,
  violationsOf,
} from '../contact-forms.ts';
import { ownRegistrations } from '../gates.ts';
import type { Contact, ContactFields, Registration } from '../state.ts';
import type { Tld } from '../tlds.ts';
import { rule } from '../../rules/rules.ts';
import type { World } from '../../core/world.ts';
import { recordAt } from './search.ts';
import { follower } from './holder.ts';

const oneWay = rule('ORD-33', 'the registrant comes inline or from a registration: one of them, not both');
const ownWithOwner = rule('ORD-34', "a registration to take a contact from is one's own and has an owner");
const rolesRead = rule(
  'ORD-35',
  'other roles follow the owner unless they name an existing registration or a new contact',
);
const saysWhatIsWrong = rule(
  'ORD-39',
  'what the registry does not take is told by violations, what it lacks by needs_augmentation',
);

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

export function readContacts(call: Call, domain: Record<string, unknown>, tld: Tld): OrderContacts | Answer {
  const { world } = call;
  const owner = readOwner(call, domain);
  if ('status' in owner) return owner;
  const others: Record<OtherRole, Source> = { admin: null, billing: null, tech: null };
  const roles = recordAt(domain, 'role_contacts') ?? {};
  const strange = unknownKeys(world, roles, OTHER_ROLES);
  if (strange !== undefined) return strange;
  for (const role of OTHER_ROLES) {
    const source = readRole(call, roles[role]);
    if (source !== null && 'status' in source) return source;
    others[role] = world.rules.on(rolesRead) ? source : null;
  }
  const all = [owner, ...Object.values(others)].filter((one) => one !== null).map(fieldsOf);
  return {
    owner,
    others,
    later: all.map((fields) => refuseByRegistry(world, fields, tld)).find((answer) => answer !== undefined),
  };
}

function fieldsOf(source: Contact | ContactFields): ContactFields {
  return 'fields' in source ? source.fields : source;
}

function readOwner(call: Call, domain: Record<string, unknown>): Contact | ContactFields | Answer {
  const { world } = call;
  const inline = recordAt(domain, 'contact');
  const source = recordAt(domain, 'contact_source');
  if (inline !== undefined && source !== undefined && world.rules.on(oneWay))
    return refuse(world, 400, 'invalid_contact_source', 'contact and contact_source exclude each other');
  if (source !== undefined && inline === undefined) {
    return (
      unknownKeys(world, source, ['registration_id']) ??
      ownerOf(call, source['registration_id']) ??
      invalidSource(world)
    );
  }
  return readInline(world, inline ?? {}, []);
}

function invalidSource(world: World): Answer {
  return refuse(world, 400, 'invalid_contact_source', 'There is no such registration with an owner');
}

function readInline(world: World, given: Record<string, unknown>, others: readonly string[]): ContactFields | Answer {
  const strange = unknownKeys(world, given, [...CONTACT_KEYS, ...others]);
  if (strange !== undefined) return strange;
  const fields = readContact(given);
  const missing = missingFields(world, fields, 'order');
  if (missing.length > 0) return refuse(world, 400, 'incomplete_contact', ...missing.map((key) => `${key} is missing`));
  const malformed = malformedFields(world, fields);
  return malformed.length > 0
    ? refuse(world, 400, 'invalid_contact', ...malformed.map((key) => `${key} is malformed`))
    : fields;
}

/** GAP-12: the integer is shown nowhere; whether the guid is taken too is not documented. */
function ownerOf(call: Call, id: unknown): Contact | undefined {
  const { world } = call;
  const { registrar } = world.state;
  const fits = (one: Registration): boolean =>
    one.number === id || (world.readings['GAP-12'] === 'guid-too' && one.id === id);
  const rows = world.rules.on(ownWithOwner) ? ownRegistrations(call) : [...registrar.registrations.values()];
  return registrar.contacts.get(rows.find(fits)?.ownerId ?? -1);
}

function readRole(call: Call, given: unknown): Source | Answer {
  const { world } = call;
  const role = isRecord(given) ? given : {};
  switch (role['source'] ?? 'same_as_owner') {
    case 'same_as_owner':
      return unknownKeys(world, role, ['source']) ?? null;
    case 'existing':
      return (
        unknownKeys(world, role, ['source', 'source_registration_id']) ??
        ownerOf(call, role['source_registration_id']) ??
        invalidSource(world)
      );
    case 'new':
      return readInline(world, role, ['source']);
    default:
      return refuse(world, 400, 'invalid_contact_source', 'source is one of same_as_owner, existing, new');
  }
}

function refuseByRegistry(world: World, fields: ContactFields, tld: Tld): Answer | undefined {
  const violations = violationsOf(world, fields, tld);
  const lacking = missingProperties(fields, tld);
  if (Object.keys(violations).length > 0)
    return withKey(world, refuse(world, 422, 'domain_contact_invalid', 'The registry refuses the contact'), {
      violations: shownViolations(world, violations),
    });
  if (lacking.length > 0)
    return withKey(world, refuse(world, 422, 'domain_contact_needs_augmentation', 'The registry asks for more'), {
      needs_augmentation: lacking,
    });
  return undefined;
}

function withKey(world: World, answer: Answer, extra: Record<string, unknown>): Answer {
  return world.rules.on(saysWhatIsWrong) && isRecord(answer.body)
    ? { ...answer, body: { ...answer.body, ...extra } }
    : answer;
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
