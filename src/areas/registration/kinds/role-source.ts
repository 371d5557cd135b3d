// Where the contact of a role comes from: the holder, a contact that is there, a new one.
import type { JsonObject } from '../../../model/json.ts';
import { isJsonObject } from '../../../model/json.ts';
import { textAt } from '../../../model/kind/rows.ts';
import type { Template } from '../../../model/plan/step.ts';
import { contactAt, newContact, sameContact } from './contact-wire.ts';
import type { Role } from './owner/shared-contact.ts';
import { idOf, ROLES } from './owner/shared-contact.ts';

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

interface Source {
  readonly body: { readonly [key: string]: Template };
  readonly text: string;
}

/** A new contact is made by the request that uses it, so it is there before its use (O-52). */
export function sourceOf(role: Role, contact: JsonObject, owner: JsonObject | null, others: JsonObject): Source {
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
