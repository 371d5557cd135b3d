// Where else the contact of a holder is in use. An edit in place changes it everywhere (DCT-08, GAP-58), so manifests
// that want different things of one contact would undo each other for ever.
import type { JsonObject } from '../../../../model/json.ts';
import { isJsonObject } from '../../../../model/json.ts';
import type { Blocker, WantedIn } from '../../../../model/kind/kind.ts';
import { canonicalHostname } from '../../../../model/hostname.ts';
import { textAt } from '../../../../model/kind/rows.ts';
import { contradicts, sameContact, samePerson } from '../contact-wire.ts';

export const ROLES = ['admin', 'tech', 'billing'] as const;
export type Role = (typeof ROLES)[number];

/** A use of the contact: as `owner`, or in another role, of the name. `own`: of the name whose holder it is. */
export type ContactUse = { readonly name: string; readonly role: string; readonly own: boolean };

/** Every use of the holder's contact beside that of being the holder of this name. */
export function usesOf(row: JsonObject, list: readonly JsonObject[]): readonly ContactUse[] {
  const id = idOf(row, 'owner');
  if (id === undefined) return [];
  return list.flatMap((other) => {
    const roles = ['owner', ...ROLES].filter(
      (role) => idOf(other, role) === id && !(other.id === row.id && role === 'owner'),
    );
    return roles.map((role) => ({ name: canonicalHostname(textAt(other, '/name')), role, own: other.id === row.id }));
  });
}

/** The id of a contact of a row; only a number is one (GAP-12). */
export function idOf(row: JsonObject, role: string): number | undefined {
  const contact = row[`${role}_contact`];
  return isJsonObject(contact) && typeof contact.id === 'number' ? contact.id : undefined;
}

/**
 * The roles of the same name that have the holder's contact and are declared to keep its details: an edit of the holder
 * gives them a contact of their own first.
 */
export function rolesToPart(
  desired: JsonObject,
  live: JsonObject | null,
  uses: readonly ContactUse[],
): readonly (readonly [Role, JsonObject])[] {
  if (live === null || !samePerson(desired, live)) return [];
  const declared = isJsonObject(desired.roles) ? desired.roles : {};
  return ROLES.flatMap((role) => {
    const kept = declared[role];
    const parts =
      uses.some((use) => use.own && use.role === role) &&
      isJsonObject(kept) &&
      sameContact(kept, live) &&
      contradicts(kept, desired);
    return parts ? [[role, kept] as const] : [];
  });
}

/**
 * Why the holder cannot be edited in place: the same contact is declared with other details in another name. Roles of
 * the same name are parted from it first.
 */
export function sharedBlocker(
  wanted: JsonObject,
  live: JsonObject | null,
  uses: readonly ContactUse[],
  wantedIn: WantedIn,
): Blocker | null {
  if (live === null || sameContact(wanted, live) || !samePerson(wanted, live)) return null;
  const against = uses.filter((use) => {
    if (use.own) return false;
    const declared = declaredFor(use, wantedIn);
    return isJsonObject(declared) && keepsContact(use, declared, live) && contradicts(declared, wanted);
  });
  const [first] = against;
  if (first === undefined) return null;
  const others = against.length === 1 ? '' : ` (and ${against.length - 1} more)`;
  return {
    reason:
      `the same contact is the ${first.role} of ${first.name}${others}, which is declared with other details: ` +
      'an edit changes both, and the next run would change it back',
    remedy: 'Declare the same details in both places, or have one of them given a contact of its own in the dashboard.',
    rule: 'DCT-08',
  };
}

function declaredFor({ name, role }: ContactUse, wantedIn: WantedIn): JsonObject[string] | undefined {
  return role === 'owner' ? wantedIn(name, 'RegistrationOwner') : wantedIn(name, 'RegistrationContacts')?.[role];
}

/** Another holder, or a role that is written anyway, gets a contact of its own. */
function keepsContact({ role }: ContactUse, declared: JsonObject, live: JsonObject): boolean {
  return role === 'owner' ? samePerson(declared, live) : sameContact(declared, live);
}
