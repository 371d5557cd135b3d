// What the platform remembers of domain registration: contacts, registrations, what a registrar is still working on,
// names that others hold. Tests change it directly ("behind the engine's back").
import { EPOCH_MS } from '../core/clock.ts';
import type { Hidden } from '../core/lists.ts';
import type { Trouble } from '../core/world.ts';
import { everyTld } from './tlds.ts';
import type { Tld } from './tlds.ts';

const YEAR_MS = 365 * 86_400_000;

/** Spelt as on the wire. */
export class ContactFields {
  first_name = 'Ada';
  last_name = 'Vries';
  organization: string | null = null;
  street_address: string | null = 'Main Street 1';
  post_code: string | null = '1000 AA';
  city: string | null = 'Amsterdam';
  state: string | null = null;
  country = 'NL';
  email = 'ada@acme.example';
  phone = '+31.201234567';
  extra_properties: Record<string, unknown> = {};
}

export class Contact {
  declare readonly id: number;
  declare readonly handle: string;
  declare readonly accountId: string;
  /** Registries check different fields, so it belongs to one of them. */
  readonly tld: string = 'com';
  declare fields: ContactFields;
  /** Whether the registrant has confirmed name and address. */
  validated = true;
  readonly splitFromId: number | null = null;
  hidden: Hidden = null;
  createdAt = EPOCH_MS;
  updatedAt = EPOCH_MS;
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
export class Settings {
  autoRenew = true;
  locked = false;
  privacyProtect = false;
  dnssecEnabled = false;
  dnssecKeys: readonly DnssecKey[] = [];
  nameservers: readonly string[] = ['ns1.sandbox.example', 'ns2.sandbox.example'];
  hosts: readonly Host[] = [];
  ownerId: number | null = null;
  adminId: number | null = null;
  techId: number | null = null;
  billingId: number | null = null;
  pushTransferPending = false;
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

export class Registration extends Settings {
  /** The guid. */
  declare readonly id: string;
  /** An internal number, shown nowhere (GAP-12). */
  declare readonly number: number;
  declare readonly name: string;
  declare readonly accountId: string;
  declare readonly tld: string;
  status = 'OK';
  expiresAt = EPOCH_MS + YEAR_MS;
  /** null: there is no such window. */
  cancellationDeadlineAt: number | null = null;
  serverTransferProhibited = false;
  localContactActive = false;
  /** The registry refuses other contact data for this name. */
  rejectsContacts = false;
  /** Privacy was paid for at the portal (GAP-64). */
  privacyPaid = false;
  transferOutPending = false;
  process: Process | null = null;
  /** The one before. */
  lastProcess: { readonly id: string; readonly status: string } | null = null;
  /** When a transfer to here, or from here, is over. */
  arrivesAt: number | null = null;
  leavesAt: number | null = null;
  declare subscriptionId: string | null;
  declare authcode: string;
  /** What the registry knows and this copy does not: a sync brings it in. */
  registry: Partial<Registration> = {};
  refunds = 0;
  hidden: Hidden = null;
  createdAt = EPOCH_MS;
  updatedAt = EPOCH_MS;
}

/** What goes wrong with the registrar. */
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
  troubles: Trouble<RegistrarTrouble>[];
  readonly fates: ProcessFate[];
}

interface InState {
  readonly state: { readonly registrar: Registrar };
}

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

export function tldOfName({ state }: InState, name: string): Tld | undefined {
  const label = name.slice(name.lastIndexOf('.') + 1);
  return state.registrar.tlds.find((one) => one.name === label);
}

/** Puts a contact into the store without any of the checks of the API. */
export function addContact(
  registrar: Registrar,
  given: Pick<Contact, 'id' | 'accountId'> &
    Partial<Omit<Contact, 'fields'>> & { readonly fields?: Partial<ContactFields> },
): Contact {
  const fields = Object.assign(new ContactFields(), given.fields);
  const contact: Contact = Object.assign(new Contact(), { handle: `SBX-${given.id}` }, given, { fields });
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
  const registration: Registration = Object.assign(
    new Registration(),
    {
      id: `reg-${given.name}`,
      number,
      tld: given.name.slice(given.name.lastIndexOf('.') + 1),
      adminId: ownerId,
      techId: ownerId,
      billingId: ownerId,
      subscriptionId: `sub-${given.name}`,
      authcode: `sandbox-code-${given.name}`,
    },
    given,
  );
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
export function linkedTo({ state }: InState, contactId: number): readonly Registration[] {
  return [...state.registrar.registrations.values()].filter((one) => contactIds(one).includes(contactId));
}
