// The contacts of a registration beside its holder: who decides, who runs it, who pays. A role that is not declared is
// left as it is; those that differ go in one request. It must not make a contact where one of the account is the same
// (GAP-50), nor follow a holder who may not come.
import type { ManifestPart, LiveMember } from '../../../../model/kind/to-manifest.ts';
import type { JsonObject } from '../../../../model/json.ts';
import type { Blocker, WantedIn } from '../../../../model/kind/kind.ts';
import { createOnly, defineChild, personal, updatable } from '../../../../model/kind/kind.ts';
import { rowsAt } from '../../../../model/kind/rows.ts';
import { contactAt, contactData, normalContact, sameContact } from '../contact-wire.ts';
import { LISTS } from '../../../common/lists.ts';
import { registrationRow } from '../guards.ts';
import { declaredOwner, otherRoles } from '../owner/index.ts';
import { ownerComputed, ownerBlocker } from '../owner/change.ts';
import { leftBehind, soleUses } from './left-behind.ts';
import { roleSteps, wantedOwner } from './steps.ts';
import { registrationSection } from '../section.ts';
import { reusable } from '../role-source.ts';
import { ROLES } from '../owner/shared-contact.ts';
import type { RegistrationContactsSpec } from './spec.ts';

export const registrationContacts = defineChild<RegistrationContactsSpec>({
  kind: 'RegistrationContacts',
  ...registrationSection,
  section: {
    fields: ROLES.map((role) => `contacts/${role}`),
    expand: (spec) => [{ name: null, spec: declaredRoles(spec), pointer: '/contacts' }],
    toManifest: rolesToManifest,
  },
  fields: {
    admin: personal(updatable()),
    tech: personal(updatable()),
    billing: personal(updatable()),
    owner: personal(createOnly('It is what a role is held against that is to be the same.')),
  },
  normalise: (spec) =>
    Object.fromEntries(Object.entries(spec).map(([role, contact]) => [role, normalContact(contact)])) as typeof spec,
  reads: { row: registrationRow, list: LISTS.registrations },
  decode: ({ row, list }) =>
    rowsAt(row).map((one) => {
      const live = ROLES.map((role) => [role, contactAt(one, role)] as const);
      return {
        id: 'contacts',
        spec: Object.fromEntries(live.filter(([, contact]) => contact !== null)),
        computed: {
          ...ownerComputed(one, rowsAt(list)),
          reusable: reusable(one, rowsAt(list)),
          soleUses: soleUses(one, rowsAt(list)),
        },
      };
    }),
  update: {
    roles: {
      writes: ROLES,
      refuse: (desired, { computed }, wantedIn) => refuse(desired, computed, wantedIn),
      steps: roleSteps,
    },
  },
  notices: ({ spec, computed }, desired) => leftBehind(spec, computed, desired),
  order: [
    {
      rule: 'O-55',
      reason: 'a role that is the same as the holder is the same as the new one',
      within: 'parent',
      before: ({ kind }) => kind === 'RegistrationOwner',
      after: ({ kind }) => kind === 'RegistrationContacts',
    },
  ],
});

function declaredRoles(spec: JsonObject): JsonObject {
  const contacts = spec.contacts as Readonly<Record<string, JsonObject>>;
  return { ...otherRoles(spec), ...(contacts.owner !== undefined && { owner: declaredOwner(spec) }) };
}

/** A role that is to be the same as a holder who cannot come would become the same as the present one. */
function refuse(desired: Partial<RegistrationContactsSpec>, computed: JsonObject, wantedIn: WantedIn): Blocker | null {
  const owner = wantedOwner(desired, computed);
  if (
    desired.owner === undefined ||
    owner === null ||
    !ROLES.some((role) => desired[role] !== undefined && sameContact(desired[role], owner))
  )
    return null;
  const blocker = ownerBlocker(owner, desired.owner, computed, wantedIn);
  return blocker === null
    ? null
    : { ...blocker, reason: `a role is to be the same as the holder, and ${blocker.reason}` };
}

/**
 * Each role is named, the same as the holder or not: one that a manifest does not name is left as it is, whoever holds
 * the name.
 */
function rolesToManifest(members: readonly LiveMember[]): ManifestPart {
  const roles = members.flatMap(({ spec }) =>
    ROLES.map((role) => ({ place: `contacts/${role}`, contact: spec[role] })),
  );
  return {
    spec: {},
    leftOut: roles.flatMap(({ place, contact }) => (contact === undefined ? [{ what: place }] : [])),
    data: roles.flatMap(({ place, contact }) =>
      contact === undefined ? [] : [contactData(`/${place}`, contact as JsonObject)],
    ),
  };
}
