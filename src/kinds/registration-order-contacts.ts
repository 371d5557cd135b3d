// The contacts of an order: the owner in full, the other roles as themselves or as the owner. These keys are those of an order alone; a registration
// that is there takes others (ORD-35). Must not send an id: no readable one is what an order takes (GAP-12).
import type { Json } from '../model/json.ts';
import { sameJson } from '../model/json.ts';
import type { Template } from '../model/request.ts';
import { literal } from '../model/request.ts';

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
  readonly extraProperties?: Readonly<Record<string, string>>;
}

export interface RegistrationContacts {
  readonly owner?: OrderContact;
  readonly admin?: OrderContact;
  readonly tech?: OrderContact;
  readonly billing?: OrderContact;
}

const ROLES = ['admin', 'billing', 'tech'] as const;

const KEYS = {
  firstName: 'first_name', lastName: 'last_name', organization: 'organization', streetAddress: 'street_address', postCode: 'post_code', city: 'city',
  state: 'state', country: 'country', email: 'email', phone: 'phone', extraProperties: 'extra_properties',
} as const;

/** What of an order's body says who stands behind the name. Roles that are as the owner say so, so that the plan shows it. */
export function contactsOf({ owner, ...others }: RegistrationContacts): Readonly<Record<string, Template>> {
  const roles = ROLES.map((role): readonly [string, Template] => {
    const contact = others[role];
    return [role, contact === undefined || sameJson(contact as unknown as Json, owner as unknown as Json) ? { source: 'same_as_owner' } : { source: 'new', ...onWire(contact) }];
  });
  return { contact: onWire(owner as OrderContact), role_contacts: Object.fromEntries(roles) };
}

function onWire(contact: OrderContact): Readonly<Record<string, Template>> {
  return Object.fromEntries(Object.entries(KEYS).flatMap(([field, key]) => (contact[field as keyof OrderContact] === undefined ? [] : [[key, literal(contact[field as keyof OrderContact] as Json)]])));
}
