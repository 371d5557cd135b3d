// What an edit of the holder changes by itself: the roles of the same name that have the very same contact. It must not
// say it of a copy, which looks the same and stays (GAP-58), nor of a role that gets a contact of its own first.
import type { JsonObject } from '../../../../model/json.ts';
import type { SideEffect } from '../../../../model/kind/kind.ts';
import { DETAILS, samePerson } from '../contact-wire.ts';
import type { ContactUse } from './shared-contact.ts';
import { rolesToPart } from './shared-contact.ts';

/** What editing the holder changes in them. Another holder changes none. */
export function followers(
  desired: object,
  members: readonly { readonly spec: object; readonly computed: JsonObject }[],
): readonly SideEffect[] {
  const wanted = desired as JsonObject;
  return members
    .filter(({ spec }) => samePerson(wanted, spec as JsonObject))
    .flatMap(({ spec, computed }) => {
      const changed = DETAILS.filter((field) => wanted[field] !== (spec as JsonObject)[field]);
      const uses = computed.uses as readonly ContactUse[];
      const parted = new Set<string>(rolesToPart(wanted, spec as JsonObject, uses).map(([role]) => role));
      const roles = uses.filter(({ own, role }) => own && !parted.has(role)).map(({ role }) => role);
      return roles.flatMap((role) =>
        changed.map((field) => ({
          beside: 'RegistrationContacts',
          path: `/${role}/${field}`,
          value: wanted[field] as string,
        })),
      );
    });
}
