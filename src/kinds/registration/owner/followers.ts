// Which roles have the very contact of the holder, and so change when it is edited. Must not say it of a copy, which
// looks the same and stays (GAP-58).
import type { JsonObject } from '../../../model/json.ts';
import { isJsonObject } from '../../../model/json.ts';
import type { SideEffect } from '../../../model/kind/kind.ts';
import { DETAILS, samePerson } from '../contact-wire.ts';

/** The roles of a row whose contact is that of the holder. */
export function rolesOf(row: JsonObject): readonly string[] {
  const idOf = (role: string) => {
    const contact = row[`${role}_contact`];
    return isJsonObject(contact) ? contact.id : undefined;
  };
  const holder = idOf('owner');
  return holder === undefined ? [] : ['admin', 'tech', 'billing'].filter((role) => idOf(role) === holder);
}

/** What editing the holder changes in them. Another holder changes none. */
export function followers(
  desired: object,
  members: readonly { readonly spec: object; readonly facts: JsonObject }[],
): readonly SideEffect[] {
  const wanted = desired as JsonObject;
  return members
    .filter(({ spec }) => samePerson(wanted, spec as JsonObject))
    .flatMap(({ spec, facts }) => {
      const changed = DETAILS.filter((field) => wanted[field] !== (spec as JsonObject)[field]);
      return (facts.roles as readonly string[]).flatMap((role) =>
        changed.map((field) => ({
          beside: 'RegistrationContacts',
          path: `/${role}/${field}`,
          value: wanted[field] as string,
        })),
      );
    });
}
