// How contacts are listed, viewed, made, changed and removed. A change of a contact that several names use is done for
// all, split, refused by all, or being worked on.
import { isRecord, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { NotRead } from '../../core/copy/answers.ts';
import { keys } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { listed, pageIfRead } from '../../core/lists.ts';
import { CONTACT, makeContact, readContact, refuseContact, touchesValidated, violationsOf } from '../contact-forms.ts';
import { areaEndpoints, onContact } from '../guards.ts';
import { contactEnvelope, contactView, pendingProcess } from '../present.ts';
import { ROLES, ROLE_KEYS, linkedTo, tldOfName } from '../state.ts';
import type { Contact, ContactEdit, ContactFields, Registration, Settings } from '../state.ts';
import type { Tld } from '../tlds.ts';
import { carryOut, editContact, refuseTld, registrarFails } from '../processes.ts';
import { countCreation, inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

function changeContact(call: Call, contact: Contact, fields: ContactFields, touched: boolean): Answer {
  const linked = linkedTo(call, contact.id);
  const refusing = linked.filter((one) => refuses(call, one, fields));
  if (linked.length > 0 && refusing.length === linked.length)
    refuse(422, null, 'Every name of this contact refuses the change');
  const accepting = linked.filter((one) => !refusing.includes(one));
  // DCT-05: names that refuse a change keep the contact, a new one serves the rest.
  if (refusing.length > 0) return splitContact(call, contact, fields, accepting);
  const edit = { id: contact.id, fields, touched };
  if (accepting.length === 0) return editOrphan(call, contact, edit);
  for (const one of accepting) {
    if (one.process === null) carryOut(call, one, { action: 'contact-update', changes: {}, contact: edit });
    // A name that is busy with something else does not hold the contact up.
    if (one.process?.contact?.id !== contact.id) editContact(call, edit);
  }
  return answer(call, contact, accepting);
}

function editOrphan(world: World, contact: Contact, edit: ContactEdit): Answer {
  registrarFails(world, 'before');
  editContact(world, edit);
  registrarFails(world, 'after');
  return ok(contactEnvelope(world, contact));
}

function splitContact(
  world: World,
  contact: Contact,
  fields: ContactFields,
  accepting: readonly Registration[],
): Answer {
  const rest = makeContact(world, contact.accountId, contact.tld, fields, contact.id);
  countCreation(world, `contact split from ${contact.handle}`);
  for (const one of accepting) {
    const changes: Partial<Settings> = Object.fromEntries(
      ROLES.filter((role) => one[ROLE_KEYS[role]] === contact.id).map((role) => [ROLE_KEYS[role], rest.id]),
    );
    if (one.process !== null) Object.assign(one, changes);
    else carryOut(world, one, { action: 'contact-update', changes });
  }
  return answer(world, rest, accepting);
}

function refuses(world: World, registration: Registration, fields: ContactFields): boolean {
  return (
    registration.rejectsContacts || Object.keys(violationsOf(fields, tldOfName(world, registration.name))).length > 0
  );
}

/** Of several processes the first is named: the documents show one. */
function answer(world: World, contact: Contact, accepting: readonly Registration[]): Answer {
  const busy = accepting.find(({ process }) => process !== null);
  // DCT-04/process: a change that the registrar works on answers 202 and its process.
  if (busy === undefined) return ok(contactEnvelope(world, contact));
  return ok({ ...contactEnvelope(world, contact), ...pendingProcess(busy) }, 202);
}

function listContacts(call: Call): Answer {
  const { query, accountId } = call;
  if (call.state.registrar.contactsUnread === true) throw new NotRead('the list of contacts');
  // DCT-02: the query looks at handle, organization, full name and the names that use the contact.
  const needle = query.get('q')?.toLowerCase() ?? '';
  const rows = [...call.state.registrar.contacts.values()]
    .filter((one) => one.accountId === accountId)
    .filter((one) => textsOf(call, one).some((text) => text.toLowerCase().includes(needle)));
  return ok({
    domain_contacts: pageIfRead(call, inListOrder(call, listed(call, rows))).map((one) => contactView(call, one)),
  });
}

function textsOf(world: World, { id, handle, fields }: Contact): readonly string[] {
  const names = linkedTo(world, id).map(({ name }) => name);
  return [handle, fields.organization ?? '', `${fields.first_name} ${fields.last_name}`, ...names];
}

/** undefined: neither is given. */
function namedTld({ body, state }: Call): Tld | undefined {
  const { tld_id: id, tld_name: name } = body;
  if (id === undefined && name === undefined) return undefined;
  return state.registrar.tlds.find((one) => (id === undefined ? one.name === name : one.id === id)) ?? noTld();
}

function noTld(): never {
  // DCT-03: a contact is made for one TLD, and an unknown one is 404 tld_not_found.
  return refuse(404, 'tld_not_found', 'There is no such TLD');
}

const BODY: Properties = {
  ...keys('tld_id', 'tld_name'),
  domain_contact: CONTACT,
};

function createContact(call: Call): Answer {
  const tld = namedTld(call) ?? noTld();
  const given = call.body['domain_contact'];
  if (!isRecord(given)) return refuse(422, null, 'domain_contact is missing');
  const fields = readContact(given);
  refuseTld(tld);
  refuseContact(call, fields, tld);
  registrarFails(call, 'before');
  countCreation(call, `contact ${fields.email} for ${tld.name}`);
  const contact = makeContact(call, call.accountId ?? '', tld.name, fields);
  registrarFails(call, 'after');
  return ok(contactEnvelope(call, contact), 201);
}

function updateContact(call: Call, contact: Contact): Answer {
  const named = namedTld(call);
  const { registrar } = call.state;
  const linked = linkedTo(call, contact.id);
  // DCT-04: a contact that no name uses is changed with a TLD only.
  if (linked.length === 0 && named === undefined)
    refuse(422, 'tld_required_for_orphan', 'No name uses this contact: say which TLD');
  const tld = named ?? registrar.tlds.find(({ name }) => name === (linked[0]?.tld ?? contact.tld));
  const fields = readContact(call.body['domain_contact'], contact.fields);
  // GAP-57: neither a refusal while a name is busy nor one for a validated field is documented.
  if (call.ambiguities['GAP-57'] === 'busy' && linked.some(({ process }) => process !== null))
    refuse(409, 'registration_busy', 'The registrar is working on a name of this contact');
  const touched = touchesValidated(call, tld, contact.fields, fields);
  if (touched && call.ambiguities['GAP-57.validated'] === 'refused')
    refuse(409, 'reverification_required', 'The registrant would have to confirm this');
  refuseTld(tld);
  refuseContact(call, fields, tld);
  return changeContact(call, contact, fields, touched);
}

function removeContact(call: Call, contact: Contact): Answer {
  // DCT-06: a contact in use is not removed.
  if (linkedTo(call, contact.id).length > 0) refuse(422, 'contact_in_use', 'A registration uses this contact');
  call.state.registrar.contacts.delete(contact.id);
  return { status: 204 };
}

/** The code where nobody has to confirm is documented for registrations. */
function remind({ state }: Call, contact: Contact): Answer {
  const asked = state.registrar.tlds.find(({ name }) => name === contact.tld)?.validation === true;
  return asked
    ? ok({ status: 'queued' })
    : refuse(422, 'verification_not_applicable', 'Nobody has to confirm anything');
}

export const domainContactEndpoints: readonly Endpoint[] = [
  ...areaEndpoints('/api/domain_contacts', { GET: listContacts, POST: { body: BODY, handle: createContact } }),
  ...onContact({
    GET: (call, contact) => ok(contactEnvelope(call, contact)),
    PATCH: { body: BODY, handle: updateContact },
    DELETE: removeContact,
    'POST /resend_verification': remind,
  }),
];
