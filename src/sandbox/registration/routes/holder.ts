// How the holder of a registration is edited or replaced, and how its other contacts are set.
import { isRecord, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Row } from '../../core/http/endpoint.ts';
import { any, keys, oneOf } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { CONTACT, CONTACT_KEYS, makeContact, readContact, refuseContact, touchesValidated } from '../contact-forms.ts';
import { findContact, onRegistration } from '../guards.ts';
import { change, paymentRequired } from './settings.ts';
import { ROLE_KEYS, linkedTo, tldOfName } from '../state.ts';
import type { Contact, ContactFields, Registration } from '../state.ts';
import { countCreation } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

const SOURCES: Properties = { source_domain_contact_id: any, new_contact: CONTACT };

/** Whether the other owner is named inside the holder or beside it can be read either way. */
function isBeside({ ambiguities }: World): boolean {
  return ambiguities.holderSource === 'beside';
}

function holderBody(call: Call): Properties {
  const beside = isBeside(call);
  const properties = {
    action_mode: oneOf('edit_current', 'change'),
    ...keys('confirm_reverification', ...CONTACT_KEYS),
    ...(beside ? {} : SOURCES),
  };
  return { holder_contact: { type: 'object', required: true, properties }, ...(beside ? SOURCES : {}) };
}

function writeHolder(call: Call, registration: Registration): Answer {
  const { body } = call;
  const holder = body['holder_contact'] as Row;
  return holder['action_mode'] === 'edit_current'
    ? editHolder(call, registration, holder)
    : changeHolder(call, registration, holder, isBeside(call) ? body : holder);
}

function editHolder(call: Call, registration: Registration, holder: Row): Answer {
  const owner = ownerOf(call, registration);
  const tld = tldOfName(call, registration.name);
  const fields = readContact(
    holder,
    call.ambiguities.holderFields === 'full' ? withoutOptional(owner.fields) : owner.fields,
  );
  const touched = touchesValidated(call, tld, owner.fields, fields);
  // REG-21: a validated field changes with confirm_reverification only.
  if (touched && !isAgreed(holder)) refuse(409, 'reverification_required', 'The registrant will have to confirm this');
  refuseContact(call, fields, tld);
  const shared = linkedTo(call, owner.id).length > 1 && call.ambiguities.holderShared === 'split';
  // REG-19: edit_current changes the owner's contact, change puts another in its place.
  if (!shared)
    return change(call, registration, {
      action: 'contact-update',
      changes: {},
      contact: { id: owner.id, fields, touched },
    });
  const copy = makeContact(call, registration.accountId, registration.tld, fields, owner.id);
  return change(call, registration, { action: 'contact-update', changes: { ownerId: copy.id } });
}

/** A document shows it as `1`; whether that is a text or a number it leaves open. */
function isAgreed(holder: Row): boolean {
  return holder['confirm_reverification'] === '1' || holder['confirm_reverification'] === 1;
}

/**
 * The documents ask for a confirmation "when edits touch a validated field"; whether another holder is an edit they
 * leave open.
 */
function isUnconfirmed(world: World, registration: Registration, holder: Row, fields: ContactFields): boolean {
  const owner = world.state.registrar.contacts.get(registration.ownerId ?? -1);
  if (owner === undefined || isAgreed(holder) || world.ambiguities.confirmedModes === 'edit') return false;
  return touchesValidated(world, tldOfName(world, registration.name), owner.fields, fields);
}

/** What may be empty is empty unless it is sent. */
function withoutOptional(fields: ContactFields): ContactFields {
  return { ...fields, organization: null, state: null, extra_properties: {} };
}

function changeHolder(call: Call, registration: Registration, holder: Row, sources: Row): Answer {
  const cents = tldOfName(call, registration.name)?.registrantChangeCents ?? null;
  // REG-20: change costs where the TLD charges for it, edit_current never does.
  if (cents !== null) paymentRequired(registration, 'registrant_change', cents);
  const given = sources['new_contact'];
  const source = findContact(call, sources['source_domain_contact_id']);
  const wanted = isRecord(given) ? readContact(given) : source?.fields;
  if (wanted !== undefined && isUnconfirmed(call, registration, holder, wanted))
    refuse(409, 'reverification_required', 'The registrant will have to confirm this');
  // REG-22: change takes contacts that a registration of this account uses, others are not found.
  const used = (): Contact =>
    source !== undefined && linkedTo(call, source.id).length > 0
      ? pinned(call, registration, source)
      : refuse(404, 'source_contact_not_found', 'There is no such contact in use');
  const { id } = isRecord(given) ? newContact(call, registration, given, 'holder') : used();
  return change(call, registration, { action: 'domain-trade', changes: { ownerId: id } });
}

/** GAP-50: what a contact of another TLD does is not documented. */
export function refuseOtherTld({ ambiguities }: World, registration: Registration, contact: Contact): void {
  if (contact.tld !== registration.tld && ambiguities['GAP-50.tld'] === 'refused')
    refuse(422, null, 'The contact belongs to another TLD');
}

/** The contact, or a copy of it where it belongs to another TLD. */
export function pinned(world: World, registration: Registration, contact: Contact): Contact {
  refuseOtherTld(world, registration, contact);
  return contact.tld === registration.tld
    ? contact
    : makeContact(world, registration.accountId, registration.tld, contact.fields, contact.id);
}

function newContact(call: Call, registration: Registration, given: unknown, role: string): Contact {
  const fields = readContact(given);
  refuseContact(call, fields, tldOfName(call, registration.name));
  countCreation(call, `contact ${fields.email} as ${role} of ${registration.name}`);
  return makeContact(call, registration.accountId, registration.tld, fields);
}

const OTHER_ROLES = ['admin', 'tech', 'billing'] as const;

/** Whether what belongs to a role stands in it or beside it can be read either way. */
function areNested({ ambiguities }: World): boolean {
  return ambiguities.roleKeys === 'nested';
}

function contactsBody(call: Call): Properties {
  const nested = areNested(call);
  return Object.assign(
    {},
    ...OTHER_ROLES.map((role) => {
      const own = { [`${role}_source_domain_contact_id`]: any, [`${role}_new_contact`]: CONTACT };
      return { [`${role}_contact`]: { properties: { source: any, ...(nested ? own : {}) } }, ...(nested ? {} : own) };
    }),
  ) as Properties;
}

function writeContacts(call: Call, registration: Registration): Answer {
  const { body } = call;
  const nested = areNested(call);
  const changes: Record<string, number> = {};
  for (const role of OTHER_ROLES) {
    const wanted = body[`${role}_contact`];
    if (wanted === undefined) {
      // REG-26: each role follows the owner, reuses a contact or gets a new one, and what is not named stays.
      continue;
    }
    const block = isRecord(wanted) ? wanted : {};
    changes[ROLE_KEYS[role]] = roleContact(call, registration, role, block['source'], nested ? block : body).id;
  }
  return change(call, registration, { action: 'domain-update-contacts', changes });
}

function roleContact(
  call: Call,
  registration: Registration,
  role: (typeof OTHER_ROLES)[number],
  source: unknown,
  keys: Row,
): Contact {
  if (source === 'new') return newContact(call, registration, keys[`${role}_new_contact`], role);
  if (source === 'existing') {
    // The code is documented for the holder only.
    const contact =
      findContact(call, keys[`${role}_source_domain_contact_id`]) ??
      refuse(404, 'source_contact_not_found', `There is no such ${role} contact`);
    return pinned(call, registration, contact);
  }
  if (source !== 'same_as_owner') refuse(422, null, `${role}_contact.source is one of same_as_owner, existing, new`);
  return follower(call, registration, ownerOf(call, registration));
}

function ownerOf({ state }: World, { ownerId }: Registration): Contact {
  // REG-26/owner: nobody follows an owner that is not there.
  return state.registrar.contacts.get(ownerId ?? -1) ?? refuse(422, 'owner_contact_missing', 'There is no owner');
}

/** GAP-58: whether a role that follows the owner has the same contact or a copy is not documented. */
export function follower(
  world: World,
  { accountId, tld }: Pick<Registration, 'accountId' | 'tld'>,
  owner: Contact,
): Contact {
  return world.ambiguities['GAP-58'] === 'same' ? owner : makeContact(world, accountId, tld, owner.fields, owner.id);
}

export const registrationHolderEndpoints = onRegistration('', {
  'PATCH /holder': { demand: 'queued', body: holderBody, handle: writeHolder },
  'PATCH /contacts': { demand: 'queued', body: contactsBody, handle: writeContacts },
});
