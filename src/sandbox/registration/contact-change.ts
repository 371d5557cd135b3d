// What becomes of a change of a contact that several names use: done for all, split, refused by all, or being worked
// on.
import { ok, refuse } from '../core/http/endpoint.ts';
import type { Answer, Call } from '../core/http/endpoint.ts';
import { countCreation } from '../core/world.ts';
import type { World } from '../core/world.ts';
import { makeContact, violationsOf } from './contact-forms.ts';
import { contactEnvelope, pendingProcess } from './present.ts';
import { carryOut, editContact } from './processes.ts';
import { ROLES, ROLE_KEYS, linkedTo, tldOfName } from './state.ts';
import type { Contact, ContactEdit, ContactFields, Registration, Settings } from './state.ts';
import { registrarFails } from './outages.ts';

export function changeContact({ world }: Call, contact: Contact, fields: ContactFields, touched: boolean): Answer {
  const linked = linkedTo(world.state.registrar, contact.id);
  const refusing = linked.filter((one) => refuses(world, one, fields));
  if (linked.length > 0 && refusing.length === linked.length)
    return refuse(422, null, 'Every name of this contact refuses the change');
  const accepting = linked.filter((one) => !refusing.includes(one));
  // DCT-05: names that refuse a change keep the contact, a new one serves the rest.
  if (refusing.length > 0) return splitContact(world, contact, fields, accepting);
  const edit = { id: contact.id, fields, touched };
  if (accepting.length === 0) return editOrphan(world, contact, edit);
  for (const one of accepting) {
    const failed =
      one.process === null ? carryOut(world, one, { action: 'contact-update', changes: {}, contact: edit }) : undefined;
    if (failed !== undefined) return failed;
    // A name that is busy with something else does not hold the contact up.
    if (one.process?.contact?.id !== contact.id) editContact(world, edit);
  }
  return answer(world, contact, accepting);
}

function editOrphan(world: World, contact: Contact, edit: ContactEdit): Answer {
  const failed = registrarFails(world, 'before');
  if (failed !== undefined) return failed;
  editContact(world, edit);
  return registrarFails(world, 'after') ?? ok(contactEnvelope(world, contact));
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
    const busy = one.process !== null;
    if (busy) Object.assign(one, changes);
    const failed = busy ? undefined : carryOut(world, one, { action: 'contact-update', changes });
    if (failed !== undefined) return failed;
  }
  return answer(world, rest, accepting);
}

function refuses(world: World, registration: Registration, fields: ContactFields): boolean {
  return (
    registration.rejectsContacts ||
    Object.keys(violationsOf(fields, tldOfName(world.state.registrar, registration.name))).length > 0
  );
}

/** Of several processes the first is named: the documents show one. */
function answer(world: World, contact: Contact, accepting: readonly Registration[]): Answer {
  const busy = accepting.find(({ process }) => process !== null);
  // DCT-04/process: a change that the registrar works on answers 202 and its process.
  if (busy === undefined) return ok(contactEnvelope(world, contact));
  return ok({ ...contactEnvelope(world, contact), ...pendingProcess(busy) }, 202);
}
