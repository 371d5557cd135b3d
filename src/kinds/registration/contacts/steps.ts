// The request that sets the contacts of a registration beside its holder, and the choice of where each comes from: the
// holder, a contact that is there, a new one.
import type { JsonObject } from '../../../model/json.ts';
import { isJsonObject } from '../../../model/json.ts';
import type { StepContext } from '../../../model/kind/kind.ts';
import type { LookUp, Step, Template } from '../../../model/plan/step.ts';
import { path, ref } from '../../../model/plan/step.ts';
import { textAt } from '../../../model/kind/rows.ts';
import { contactAt, newContact, sameContact, showsContact } from '../contact-wire.ts';
import type { RegistrationContactsSpec } from './spec.ts';
import { changeSteps } from '../guards.ts';
import { contactOf, ownerOf } from '../owner/change.ts';
import { whileLocked } from '../section.ts';
import { idOf, ROLES } from '../owner/shared-contact.ts';

type Role = (typeof ROLES)[number];
type Context = StepContext<RegistrationContactsSpec>;

const LOST_GRACE_MS = 10_000;

/**
 * Contacts that names of the same TLD use, by id. A contact belongs to one TLD and does not show which (DCT-01,
 * GAP-50), so where it is used is the only evidence. None that is a holder's: when that holder is edited in place, the
 * role would change with it (DCT-08).
 */
export function reusable(row: JsonObject, list: readonly JsonObject[]): JsonObject {
  const tld = textAt(row, '/tld/name');
  const holders = new Set(list.map((other) => idOf(other, 'owner')));
  const sameTld = list.filter((other) => textAt(other, '/tld/name') === tld);
  const found = sameTld.flatMap((other) => ROLES.map((role) => [idOf(other, role), contactAt(other, role)] as const));
  const free = found.filter(([id, contact]) => id !== undefined && !holders.has(id) && contact !== null);
  return Object.fromEntries(free.map(([id, contact]) => [String(id), contact as JsonObject]));
}

/** The holder that there will be: the declared one, without the consents to it, or the one that is there. */
export function wantedOwner({ owner }: Partial<RegistrationContactsSpec>, computed: JsonObject): JsonObject | null {
  return owner === undefined ? ownerOf(computed) : contactOf(owner);
}

/** Writes the roles that differ; one that has come by itself, with the holder, is not written again. */
export function roleSteps({ parent, desired, computed, changed }: Context): readonly Step[] {
  const roles = ROLES.filter((role) => changed.includes(role)).map(
    (role) => [role, desired[role] as JsonObject] as const,
  );
  const sources = roles.map(([role, contact]) =>
    sourceOf(role, contact, wantedOwner(desired, computed), computed.reusable as JsonObject),
  );
  const shown: LookUp = {
    read: path`/api/domain_registrations`,
    rows: '/domain_registrations',
    where: [{ pointer: '/id', value: ref(parent) }, ...roles.flatMap(([role, contact]) => showsContact(role, contact))],
    capture: {},
  };
  return changeSteps(
    parent,
    {
      name: 'contacts',
      method: 'PATCH',
      path: path`/api/domain_registrations/${ref(parent)}/contacts`,
      body: Object.assign({}, ...sources.map(({ body }) => body)) as Template,
      // A new contact is made by every sending.
      recovery: { lookUp: shown, ifNotFound: 'send-again', graceMs: LOST_GRACE_MS, rule: 'O-73' },
      skipIf: { lookUp: shown, reason: 'the contacts came with the holder', rule: 'GAP-58' },
      reason: sources.map(({ text }) => text).join('; '),
      rule: 'REG-26',
    },
    whileLocked(computed),
  );
}

interface Source {
  readonly body: { readonly [key: string]: Template };
  readonly text: string;
}

/** A new contact is made by the request that uses it, so it is there before its use (O-52). */
function sourceOf(role: Role, contact: JsonObject, owner: JsonObject | null, others: JsonObject): Source {
  const key = `${role}_contact`;
  if (sameContact(contact, owner))
    return { body: { [key]: { source: 'same_as_owner' } }, text: `${role}: the same as the holder` };
  const same = Object.entries(others)
    .filter(([, other]) => isJsonObject(other) && sameContact(contact, other))
    .map(([id]) => id);
  const [only] = same;
  if (same.length === 1 && only !== undefined)
    return {
      body: { [key]: { source: 'existing' }, [`${role}_source_domain_contact_id`]: Number(only) },
      text: `${role}: the contact ${only}, which is the same`,
    };
  return {
    body: { [key]: { source: 'new' }, [`${role}_new_contact`]: newContact(contact) },
    text: `${role}: a new contact`,
  };
}
