// What an edit of the holder changes by itself: the roles of the same name that have the very same contact. It must not
// say it of a copy, which looks the same and stays (GAP-58).
import type { JsonObject } from '../../../model/json.ts';
import type { SideEffect } from '../../../model/kind/kind.ts';
import { DETAILS, samePerson } from '../contact-wire.ts';
import type { ContactUse } from './shared-contact.ts';

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
      const roles = (computed.uses as readonly ContactUse[]).filter(({ own }) => own).map(({ role }) => role);
      return roles.flatMap((role) =>
        changed.map((field) => ({
          beside: 'RegistrationContacts',
          path: `/${role}/${field}`,
          value: wanted[field] as string,
        })),
      );
    });
}
