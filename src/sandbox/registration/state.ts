// What the platform remembers of domain registration: contacts, registrations, what a registrar is still working on,
// names that others hold. Tests change it directly ("behind the engine's back").
import { EPOCH_MS } from '../core/clock.ts';
import type { Hidden } from '../core/lists.ts';
import { everyTld } from './tlds.ts';
import type { Tld } from './tlds.ts';

/** Spelt as on the wire. */
export interface ContactFields {
  first_name: string;
  last_name: string;
  organization: string | null;
  street_address: string | null;
  post_code: string | null;
  city: string | null;
  state: string | null;
  country: string;
  email: string;
  phone: string;
  extra_properties: Record<string, unknown>;
}

export interface Contact {
  readonly id: number;
  readonly handle: string;
  readonly accountId: string;
  /** Registries check different fields, so it belongs to one of them. */
  readonly tld: string;
  fields: ContactFields;
  /** Whether the registrant has confirmed name and address. */
  validated: boolean;
  readonly splitFromId: number | null;
  hidden: Hidden;
  createdAt: number;
  updatedAt: number;
}

export interface Host {
  readonly name: string;
  addresses: readonly string[];
}

export interface DnssecKey {
  readonly flags: number;
  readonly algorithm: number;
  readonly publicKey: string;
}

/** What a request, and with it a process, can change. */
export interface Settings {
  autoRenew: boolean;
  locked: boolean;
  privacyProtect: boolean;
  dnssecEnabled: boolean;
  dnssecKeys: readonly DnssecKey[];
  nameservers: readonly string[];
  hosts: readonly Host[];
  ownerId: number | null;
  adminId: number | null;
  techId: number | null;
  billingId: number | null;
  pushTransferPending: boolean;
}

export interface ContactEdit {
  readonly id: number;
  readonly fields: ContactFields;
  /** The registrant has to confirm anew. */
  readonly touched: boolean;
}

/** A change that the registrar is still working on. */
export interface Process {
  readonly id: string;
  /** The registrar's command; null: unlabelled. */
  readonly action: string | null;
  /** null: the registrar has not said anything yet. */
  status: string | null;
  readonly openedAt: number;
  /** null: stuck. */
  endsAt: number | null;
  fails: boolean;
  readonly changes: Partial<Settings>;
  /** What was there before, where the changes show at once (GAP-63). */
  readonly before: Partial<Settings>;
  readonly contact: ContactEdit | null;
  readonly contactBefore: ContactFields | null;
}

export interface Registration extends Settings {
  /** The guid. */
  readonly id: string;
  /** An internal number, shown nowhere (GAP-12). */
  readonly number: number;
  readonly name: string;
  readonly accountId: string;
  readonly tld: string;
  status: string;
  expiresAt: number;
  /** null: there is no such window. */
  cancellationDeadlineAt: number | null;
  serverTransferProhibited: boolean;
  localContactActive: boolean;
  /** The registry refuses other contact data for this name. */
  rejectsContacts: boolean;
  /** Privacy was paid for at the portal (GAP-64). */
  privacyPaid: boolean;
  transferOutPending: boolean;
  process: Process | null;
  /** The one before. */
  lastProcess: { readonly id: string; readonly status: string } | null;
  /** When a transfer to here, or from here, is over. */
  arrivesAt: number | null;
  leavesAt: number | null;
  subscriptionId: string | null;
  authcode: string;
  /** What the registry knows and this copy does not: a sync brings it in. */
  registry: Partial<Registration>;
  refunds: number;
  hidden: Hidden;
  createdAt: number;
  updatedAt: number;
}

/** What goes wrong with the registrar; a client cannot see it coming. */
export const REGISTRAR_TROUBLES = ['before', 'after', 'lookup', 'suggestions', 'authcode', 'push'] as const;
export type RegistrarTrouble = (typeof REGISTRAR_TROUBLES)[number];

/** What becomes of the next process that fits. */
export interface ProcessFate {
  readonly name?: string;
  readonly outcome: 'fails' | 'stuck';
}

export interface Registrar {
  /** The feature flag. */
  enabled: boolean;
  readonly tlds: Tld[];
  readonly contacts: Map<number, Contact>;
  readonly registrations: Map<string, Registration>;
  /** Names that others hold, and those that cost more. */
  taken: string[];
  premium: string[];
  /** Of a copy: the names that were asked about; of all others nobody knows whether they can be had. */
  checked?: Set<string>;
  /** Of a copy: contacts that no name uses are not known. */
  contactsUnread?: boolean;
  /** Without it nobody suggests anything. */
  suggestionsKey: boolean;
  /** Each strikes so many times; null: until somebody mends it. */
  troubles: { readonly part: RegistrarTrouble; times: number | null }[];
  readonly fates: ProcessFate[];
}

const YEAR_MS = 365 * 86_400_000;

export function emptyRegistrar(): Registrar {
  return {
    enabled: true,
    tlds: everyTld(),
    contacts: new Map(),
    registrations: new Map(),
    taken: ['taken.com', 'taken.eu', 'moving.com', 'moving.nl'],
    premium: ['gold.com'],
    suggestionsKey: true,
    troubles: [],
    fates: [],
  };
}

export function tldOfName(registrar: Registrar, name: string): Tld | undefined {
  const label = name.slice(name.lastIndexOf('.') + 1);
  return registrar.tlds.find((one) => one.name === label);
}

/** Puts a contact into the store without any of the checks of the API. */
export function addContact(
  registrar: Registrar,
  given: Pick<Contact, 'id' | 'accountId'> &
    Partial<Omit<Contact, 'fields'>> & { readonly fields?: Partial<ContactFields> },
): Contact {
  const { fields, ...rest } = given;
  const contact: Contact = {
    handle: `SBX-${given.id}`,
    tld: 'com',
    validated: true,
    splitFromId: null,
    hidden: null,
    createdAt: EPOCH_MS,
    updatedAt: EPOCH_MS,
    ...rest,
    fields: {
      first_name: 'Ada',
      last_name: 'Vries',
      organization: null,
      street_address: 'Main Street 1',
      post_code: '1000 AA',
      city: 'Amsterdam',
      state: null,
      country: 'NL',
      email: 'ada@acme.example',
      phone: '+31.201234567',
      extra_properties: {},
      ...fields,
    },
  };
  registrar.contacts.set(contact.id, contact);
  return contact;
}

/** Puts a registration with everyday values into the store; `given` overrides any of them. */
export function addRegistration(
  registrar: Registrar,
  given: Pick<Registration, 'name' | 'accountId'> & Partial<Registration>,
): Registration {
  const number = given.number ?? 70_001 + registrar.registrations.size;
  const ownerId = given.ownerId ?? null;
  const registration: Registration = {
    id: `reg-${given.name}`,
    number,
    tld: given.name.slice(given.name.lastIndexOf('.') + 1),
    status: 'OK',
    expiresAt: EPOCH_MS + YEAR_MS,
    autoRenew: true,
    cancellationDeadlineAt: null,
    locked: false,
    privacyProtect: false,
    dnssecEnabled: false,
    dnssecKeys: [],
    serverTransferProhibited: false,
    localContactActive: false,
    rejectsContacts: false,
    privacyPaid: false,
    nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'],
    hosts: [],
    adminId: ownerId,
    techId: ownerId,
    billingId: ownerId,
    transferOutPending: false,
    pushTransferPending: false,
    process: null,
    lastProcess: null,
    arrivesAt: null,
    leavesAt: null,
    subscriptionId: `sub-${given.name}`,
    authcode: `sandbox-code-${given.name}`,
    registry: {},
    refunds: 0,
    hidden: null,
    createdAt: EPOCH_MS,
    updatedAt: EPOCH_MS,
    ...given,
    ownerId,
  };
  registrar.registrations.set(registration.id, registration);
  return registration;
}

export const ROLES = ['owner', 'admin', 'tech', 'billing'] as const;
export type ContactRole = (typeof ROLES)[number];
export const ROLE_KEYS = { owner: 'ownerId', admin: 'adminId', tech: 'techId', billing: 'billingId' } as const;

function contactIds(registration: Registration): readonly (number | null)[] {
  return ROLES.map((role) => registration[ROLE_KEYS[role]]);
}

/** The registrations of which it is a contact. */
export function linkedTo(registrar: Registrar, contactId: number): readonly Registration[] {
  return [...registrar.registrations.values()].filter((one) => contactIds(one).includes(contactId));
}
