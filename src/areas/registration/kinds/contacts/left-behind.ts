// Which contacts nothing uses any more once roles are given to somebody else. The platform keeps them (DCT-06), and no
// manifest names them, so the plan says how they are deleted.
import { diagnose } from '../../../../model/diagnostic.ts';
import type { JsonObject } from '../../../../model/json.ts';
import type { Notice } from '../../../../model/kind/kind.ts';
import { sameContact } from '../contact-wire.ts';
import { idOf, ROLES } from '../owner/shared-contact.ts';
import type { RegistrationContactsSpec } from './spec.ts';

const EVERY_ROLE = ['owner', ...ROLES] as const;

/** By id, the contacts that this registration alone uses, and in which roles. */
export function soleUses(row: JsonObject, list: readonly JsonObject[]): JsonObject {
  const elsewhere = new Set(
    list.filter(({ id }) => id !== row.id).flatMap((other) => EVERY_ROLE.map((role) => idOf(other, role))),
  );
  const own = new Map<number, string[]>();
  for (const role of EVERY_ROLE) {
    const id = idOf(row, role);
    if (id !== undefined && !elsewhere.has(id)) own.set(id, [...(own.get(id) ?? []), role]);
  }
  return Object.fromEntries([...own].map(([id, roles]) => [String(id), roles]));
}

/** Said with the plan that changes the last role of a contact. */
export function leftBehind(
  live: Partial<RegistrationContactsSpec>,
  computed: JsonObject,
  desired: Partial<RegistrationContactsSpec>,
): readonly Notice[] {
  const changed = ROLES.filter((role) => {
    const [wanted, has] = [desired[role], live[role]];
    return wanted !== undefined && has !== undefined && !sameContact(wanted, has);
  });
  const ids = Object.entries((computed.soleUses ?? {}) as Readonly<Record<string, readonly string[]>>)
    .filter(([, roles]) => roles.every((role) => changed.some((one) => one === role)))
    .map(([id]) => id);
  if (ids.length === 0) return [];
  const which = ids.length === 1 ? `The contact ${ids.join()} is` : `The contacts ${ids.join(' and ')} are`;
  return [
    diagnose(
      'HW2580',
      `${which} used by no registration after this change, and the platform keeps ${ids.length === 1 ? 'it' : 'them'}. To delete ${ids.length === 1 ? 'it' : 'them'} after the apply, run ${ids.map((id) => `\`hostwright run delete DomainContact/${id}\``).join(' and ')}.`,
    ),
  ];
}
