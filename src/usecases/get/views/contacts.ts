// Contacts, and which registrations use them in which roles. One list of each says all of it (DCT-02, REG-09).
import type { JsonObject } from '../../../model/json.ts';
import { isJsonObject } from '../../../model/json.ts';
import type { Look } from '../look.ts';
import { idAt, objectOf } from '../view.ts';
import type { Wanted } from '../view.ts';
import { chosen } from './common.ts';

const ROLES = ['owner', 'admin', 'tech', 'billing'] as const;

/** A registration and the roles that a contact has in it. */
interface ContactUse {
  readonly registration: string;
  readonly roles: readonly (typeof ROLES)[number][];
}

/** A contact as the platform shows it, and where it is used. */
export interface ContactUsed {
  readonly contact: JsonObject;
  readonly usedBy: readonly ContactUse[];
}

/** By id, one read tells it; by anything else, the list does. */
export async function readContacts(look: Look, { name }: Wanted): Promise<readonly ContactUsed[]> {
  const [found, uses] = await Promise.all([findContacts(look, name), readUses(look)]);
  return found
    .map((contact) => ({ contact, usedBy: uses.get(idAt(contact)) ?? [] }))
    .sort((left, right) => Number(left.contact.id) - Number(right.contact.id));
}

async function findContacts(look: Look, name: string | undefined): Promise<readonly JsonObject[]> {
  if (name === undefined || !/^\d+$/.test(name))
    return chosen(look, await look.list('contacts', look.query), name, ['/handle', '/email']);
  const one = await look.attempt(`/api/domain_contacts/${encodeURIComponent(name)}`, [[404, null]]);
  if (one.is === 'unknown') look.miss({ what: `contact ${name}`, reason: one.reason });
  // Bare or wrapped: not documented (GAP-50).
  return one.is === 'read' ? [objectOf(one, 'domain_contact')] : [];
}

/** By the id of a contact. */
export async function readUses(look: Look): Promise<ReadonlyMap<string, readonly ContactUse[]>> {
  const uses = new Map<string, ContactUse[]>();
  for (const row of await look.list('registrations')) {
    const roles = new Map<string, (typeof ROLES)[number][]>();
    for (const role of ROLES) {
      const contact = row[`${role}_contact`];
      if (isJsonObject(contact)) roles.set(idAt(contact), [...(roles.get(idAt(contact)) ?? []), role]);
    }
    for (const [id, held] of roles)
      uses.set(id, [...(uses.get(id) ?? []), { registration: idAt(row, '/name'), roles: held }]);
  }
  return uses;
}
