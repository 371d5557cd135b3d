// The contacts of an order: the owner in full, the other roles as themselves or as the owner. These keys are those of
// an order alone; a registration that is there takes others (ORD-35). It must not send an id: no readable one is what
// an order takes (GAP-12).
import type { Json, JsonObject } from '../../../../model/json.ts';
import { sameJson } from '../../../../model/json.ts';
import type { Template } from '../../../../model/plan/step.ts';
import { literal } from '../../../../model/plan/step.ts';

/** A person or company as a manifest writes it. */
export interface OrderContact {
  readonly firstName: string;
  readonly lastName: string;
  readonly organization?: string;
  readonly streetAddress: string;
  readonly postCode: string;
  readonly city: string;
  readonly state?: string;
  readonly country: string;
  readonly email: string;
  readonly phone: string;
  readonly extraProperties?: JsonObject;
}

/** Said in the plan of each role that nobody is named for. */
const AS_OWNER = 'as the owner';

type Role = OrderContact | typeof AS_OWNER;

export interface RegistrationContacts {
  readonly owner?: OrderContact;
  readonly admin?: Role;
  readonly tech?: Role;
  readonly billing?: Role;
}

const ROLES = ['admin', 'billing', 'tech'] as const;

const KEYS = {
  firstName: 'first_name',
  lastName: 'last_name',
  organization: 'organization',
  streetAddress: 'street_address',
  postCode: 'post_code',
  city: 'city',
  state: 'state',
  country: 'country',
  email: 'email',
  phone: 'phone',
  extraProperties: 'extra_properties',
} as const;

/** The contacts as a plan shows them: all roles, those that are left out too. */
export function everyRole(contacts: JsonObject): JsonObject {
  return { ...contacts, ...Object.fromEntries(ROLES.map((role) => [role, contacts[role] ?? AS_OWNER])) };
}

/** What of an order's body says who stands behind the name. */
export function contactsOf({ owner, ...others }: RegistrationContacts): Readonly<Record<string, Template>> {
  const roles = ROLES.map((role): readonly [string, Template] => {
    const contact = others[role];
    const isOwner =
      contact === undefined || contact === AS_OWNER || sameJson(contact as unknown as Json, owner as unknown as Json);
    return [role, isOwner ? { source: 'same_as_owner' } : { source: 'new', ...onWire(contact) }];
  });
  return { contact: onWire(owner as OrderContact), role_contacts: Object.fromEntries(roles) };
}

function onWire(contact: OrderContact): Readonly<Record<string, Template>> {
  return Object.fromEntries(
    Object.entries(KEYS).flatMap(([field, key]) =>
      contact[field as keyof OrderContact] === undefined
        ? []
        : [[key, literal(contact[field as keyof OrderContact] as Json)]],
    ),
  );
}
