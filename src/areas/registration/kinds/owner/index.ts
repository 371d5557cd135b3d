// The holder of a registration. What is said of the same person is edited in place, for nothing; another person is
// another holder, and comes only with a consent, and where that costs money with one to pay (REG-25).
import type { ManifestPart, LiveMember } from '../../../../model/kind/to-manifest.ts';
import type { JsonObject } from '../../../../model/json.ts';
import { isJsonObject } from '../../../../model/json.ts';
import type { WantedIn } from '../../../../model/kind/kind.ts';
import { createOnly, defineChild, personal, updatable } from '../../../../model/kind/kind.ts';
import { rowsAt } from '../../../../model/kind/rows.ts';
import { priceOf } from '../../../common/money.ts';
import {
  contactAt,
  contactData,
  contradicts,
  declaredContact,
  DETAILS,
  normalContact,
  PERSON,
  samePerson,
} from '../contact-wire.ts';
import { changeFee, contactOf, ownerComputed, ownerBlocker } from './change.ts';
import { ownerNotices } from './notices.ts';
import { followers } from './followers.ts';
import { editSteps, replaceSteps } from './steps.ts';
import { LISTS } from '../../../common/lists.ts';
import { registrationRow } from '../guards.ts';
import { reusable } from '../role-source.ts';
import { registrationSection } from '../section.ts';
import type { ContactUse } from './shared-contact.ts';
import { idOf, ROLES } from './shared-contact.ts';
import type { RegistrationOwnerSpec } from './spec.ts';

const refuse = (
  desired: Partial<RegistrationOwnerSpec>,
  { computed }: { readonly computed: JsonObject },
  wantedIn: WantedIn,
) => ownerBlocker(contactOf(desired), desired, computed, wantedIn);

export const registrationOwner = defineChild<RegistrationOwnerSpec>({
  kind: 'RegistrationOwner',
  ...registrationSection,
  section: {
    fields: ['contacts/owner'],
    expand: (spec) => [
      {
        name: null,
        spec: { ...declaredOwner(spec), ...differingRoles(spec) },
        pointer: '/contacts/owner',
        pointers: { ownerChange: '/ownerChange', confirmReverification: '/confirmReverification' },
      },
    ],
    toManifest: ownerToManifest,
  },
  fields: {
    firstName: personal(updatable()),
    lastName: personal(updatable()),
    organization: personal(updatable()),
    streetAddress: personal(updatable()),
    postCode: personal(updatable()),
    city: personal(updatable()),
    state: personal(updatable()),
    country: personal(updatable()),
    email: personal(updatable()),
    phone: personal(updatable()),
    extraProperties: personal(updatable()),
    ownerChange: personal(createOnly('It is a consent, and nothing that could be compared.')),
    confirmReverification: personal(createOnly('It is a consent, and nothing that could be compared.')),
    roles: personal(createOnly('They say which roles must not change with the holder.')),
  },
  normalise: (spec) => normalContact(spec),
  reads: { row: registrationRow, list: LISTS.registrations },
  decode: ({ row, list }) =>
    rowsAt(row).map((one) => ({
      id: 'owner',
      spec: contactAt(one, 'owner') ?? {},
      computed: {
        ...ownerComputed(one, rowsAt(list)),
        contactId: idOf(one, 'owner') ?? null,
        reusable: reusable(one, rowsAt(list)),
      },
    })),
  update: {
    person: {
      writes: PERSON,
      refuse,
      risk: (_desired, _observed, computed) =>
        changeFee(computed) === null ? ['irreversible'] : ['charge', 'irreversible'],
      cost: (_desired, computed) => priceOf(changeFee(computed) ?? {}),
      steps: replaceSteps,
    },
    details: {
      writes: [...DETAILS, 'extraProperties'],
      refuse,
      effects: followers,
      steps: editSteps,
    },
  },
  notices: ({ spec, computed }, desired) => ownerNotices(spec, computed, desired),
  capabilities: {
    shared: {
      // Another person is another contact: the one that is shared stays as it is.
      key: ({ contactId }, fields) =>
        typeof contactId === 'number' && !PERSON.some((field) => fields.includes(field))
          ? String(contactId)
          : undefined,
      uses: ({ uses }) =>
        (uses as readonly ContactUse[]).map(({ name, role }) =>
          role === 'owner'
            ? { root: name, kind: 'RegistrationOwner', at: '' }
            : { root: name, kind: 'RegistrationContacts', at: `/${role}` },
        ),
      reason: 'its contact is the same',
      rule: 'DCT-08',
    },
  },
});

/** The declared holder with the consents to it, in the form in which they are compared. */
export function declaredOwner({ contacts, ownerChange, confirmReverification }: JsonObject): JsonObject {
  const { owner } = contacts as { readonly owner: JsonObject };
  const change = ownerChange as { readonly to: JsonObject } | undefined;
  return {
    ...declaredContact(owner),
    ...(change !== undefined && { ownerChange: { ...change, to: declaredContact(change.to) } }),
    ...(typeof confirmReverification === 'string' && {
      confirmReverification: normalContact({ email: confirmReverification }).email,
    }),
  };
}

/** The declared contacts beside the holder, in the form in which they are compared. */
export function otherRoles({ contacts }: JsonObject): JsonObject {
  const declared = contacts as Readonly<Record<string, JsonObject>>;
  return Object.fromEntries(
    ROLES.flatMap((role) => (declared[role] === undefined ? [] : [[role, declaredContact(declared[role])] as const])),
  );
}

/** The roles that the same person has with other details: only these can share the holder's contact and must keep it. */
function differingRoles(spec: JsonObject): JsonObject {
  const owner = declaredOwner(spec);
  const differing = Object.entries(otherRoles(spec)).filter(
    ([, contact]) => isJsonObject(contact) && samePerson(contact, owner) && contradicts(contact, owner),
  );
  return differing.length === 0 ? {} : { roles: Object.fromEntries(differing) };
}

/** Consents are for changes to come. */
function ownerToManifest(members: readonly LiveMember[]): ManifestPart {
  const held = members.filter(({ computed }) => computed.owner !== null);
  const leftOut =
    held.length === members.length
      ? []
      : [{ what: 'contacts/owner', reason: 'the registration shows nobody who holds it' }];
  return { spec: {}, leftOut, data: held.map(({ spec }) => contactData('/contacts/owner', spec)) };
}
