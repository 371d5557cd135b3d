// Registrations with their processes, the contacts that they use, and their glue records.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { rowsAt } from '../../model/kind/rows.ts';
import type { ShownValue } from '../../model/shown.ts';
import type { AccountReader, Place, Wanted } from '../common/view.ts';
import {
  chosen,
  defineView,
  idAt,
  inside,
  inWords,
  listAt,
  moneyAt,
  objectOf,
  placesIn,
  timeAt,
  noteIfUnread,
} from '../common/view.ts';

const registrations = defineView<JsonObject>({
  called: [
    ['registrations', 'registration', 'reg'],
    'expiry, renewal, cancellation deadline, fees, process going on',
    { takes: ['query'], moves: true, manifest: 'DomainRegistration' },
  ],
  items: async (reader, { name }) => {
    const rows = chosen(reader, await reader.list('registrations', reader.query), name, ['/id', '/name']);
    // The view adds zone, site and what the registry says of a transfer (REG-08).
    return name === undefined
      ? rows
      : Promise.all(
          rows.map(async (row) => {
            const answer = await reader.attempt(`/api/domain_registrations/${encodeURIComponent(idAt(row))}`);
            const view = noteIfUnread(reader, answer, { of: idAt(row, '/name'), what: 'DNS zone, site and transfer' });
            return view.is === 'read'
              ? { ...row, ...besideOf(view.answer), ...objectOf(view, 'domain_registration') }
              : row;
          }),
        );
  },
  id: (row) => idAt(row),
  names: (row) => [row.name],
  object: (row) => row,
  moving: (row) => processOf(row) !== null,
  columns: {
    name: '/name',
    status: '/status',
    expires: (row) => timeAt(row, '/expires_at', 'day'),
    renews: '/auto_renew',
    'cancel by': (row) => timeAt(row, '/cancellation_deadline_at', 'day'),
    process: (row) => processOf(row),
    locked: '/locked',
    privacy: '/privacy_protect',
  },
  wide: {
    DNSSEC: '/dnssec_enabled',
    nameservers: (row) => listAt(row, '/nameservers'),
    owner: (row) => personIn(row.owner_contact),
    registrar: '/tld/registrar',
    'privacy fee': (row) => moneyAt(row, '/fees/privacy_enable'),
    'new owner fee': (row) => moneyAt(row, '/fees/registrant_change'),
    'DNS zone': '/dns_zone/name',
    site: '/linked_site/name',
    id: '/id',
  },
});

/** Some of what a view adds may stand beside the registration. */
function besideOf(answer: Json): JsonObject {
  if (!isJsonObject(answer)) return {};
  const { domain_registration: _inner, ...beside } = answer;
  return beside;
}

/** What goes on, in words; null: nothing does. */
function processOf(row: JsonObject): string | null {
  const action = valueAt(row, '/pending_process/action');
  const status = row.rtr_process_status;
  const parts = [
    ...(row.pending_async === true
      ? [
          `${typeof action === 'string' ? action : 'change at the registrar'}${typeof status === 'string' ? `: ${status}` : ''}`,
        ]
      : []),
    ...(row.status === 'PENDING_TRANSFER' ? ['transfer to this account'] : []),
    ...(row.transfer_out_pending === true ? ['transfer away'] : []),
    ...(row.push_transfer_pending === true ? ['push to another registrar account'] : []),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

function personIn(contact: Json | undefined): ShownValue {
  if (!isJsonObject(contact)) return null;
  const { first_name: first, last_name: last, organization } = contact;
  const person = [first, last].flatMap((part) => (typeof part === 'string' && part !== '' ? [part] : [])).join(' ');
  const named = typeof organization === 'string' && organization !== '' ? `${person} (${organization})`.trim() : person;
  return named === '' ? null : named;
}

const ALL_ROLES = 4;

const contacts = defineView<ContactUsed>({
  called: [['contacts', 'contact'], 'who is at the registrar, and which registrations use them', { takes: ['query'] }],
  isOrdered: true,
  items: readContacts,
  id: ({ contact }) => idAt(contact),
  names: ({ contact }) => [contact.handle, contact.email],
  object: ({ contact, usedBy }) => ({
    ...contact,
    used_by: usedBy.map(({ registration, roles }) => ({ registration, roles })),
  }),
  columns: {
    id: '/id',
    handle: '/handle',
    name: ({ contact }) => personIn(contact),
    email: '/email',
    'used by': ({ usedBy }) => ({
      is: 'list',
      items: usedBy.map(
        ({ registration, roles }) => `${registration} (${roles.length === ALL_ROLES ? 'all roles' : roles.join(', ')})`,
      ),
    }),
    validations: ({ contact }) => listAt(contact, '/validations'),
  },
  wide: {
    phone: '/phone',
    street: '/street_address',
    'post code': '/post_code',
    city: '/city',
    state: '/state',
    country: '/country',
    'extra properties': ({ contact }) =>
      isJsonObject(contact.extra_properties) ? inWords(contact.extra_properties) || null : null,
    'split from': '/split_from_id',
  },
});

interface Host {
  readonly registration: Place;
  readonly row: JsonObject;
}

const hosts = defineView<Host>({
  called: [['hosts', 'host'], 'glue records of registrations', { takes: ['registration'] }],
  items: async (reader, { parent }) =>
    inside(reader, await placesIn(reader, 'registrations', ['/name', '/id'], parent), {
      path: ({ id }) => `/api/domain_registrations/${encodeURIComponent(id)}/hosts`,
      what: 'hosts',
      items: (answer, registration) =>
        valueAt(answer, '/hosts') === null ? [] : rowsAt(answer, '/hosts').map((row) => ({ registration, row })),
    }),
  id: ({ row }) => idAt(row, '/host_name'),
  object: ({ registration, row }) => ({ registration: registration.label, ...row }),
  columns: {
    registration: ({ registration }) => registration.label,
    host: '/host_name',
    addresses: ({ row }) => ({
      is: 'list',
      items: (row.addresses === null ? [] : rowsAt(row, '/addresses')).map((address) => idAt(address, '/address')),
    }),
  },
});

export const ROLES = ['owner', 'admin', 'tech', 'billing'] as const;

/** A registration and the roles that a contact has in it. */
interface ContactUse {
  readonly registration: string;
  readonly roles: readonly (typeof ROLES)[number][];
}

/** A contact as the platform shows it, and where it is used. */
interface ContactUsed {
  readonly contact: JsonObject;
  readonly usedBy: readonly ContactUse[];
}

/** By id, one read tells it; by anything else, the list does. */
async function readContacts(reader: AccountReader, { name }: Wanted): Promise<readonly ContactUsed[]> {
  const [found, uses] = await Promise.all([findContacts(reader, name), readUses(reader)]);
  return found
    .map((contact) => ({ contact, usedBy: uses.get(idAt(contact)) ?? [] }))
    .sort((left, right) => Number(left.contact.id) - Number(right.contact.id));
}

async function findContacts(reader: AccountReader, name: string | undefined): Promise<readonly JsonObject[]> {
  if (name === undefined || !/^\d+$/.test(name))
    return chosen(reader, await reader.list('contacts', reader.query), name, ['/handle', '/email']);
  const answer = await reader.attempt(`/api/domain_contacts/${encodeURIComponent(name)}`, [[404, null]]);
  const one = noteIfUnread(reader, answer, { what: `contact ${name}` });
  // Bare or wrapped: not documented (GAP-50).
  return one.is === 'read' ? [objectOf(one, 'domain_contact')] : [];
}

/** By the id of a contact. */
async function readUses(reader: AccountReader): Promise<ReadonlyMap<string, readonly ContactUse[]>> {
  const uses = new Map<string, ContactUse[]>();
  for (const row of await reader.list('registrations')) {
    const roles = new Map<string, (typeof ROLES)[number][]>();
    for (const role of ROLES) {
      const contact = row[`${role}_contact`];
      if (isJsonObject(contact)) roles.set(idAt(contact), [...(roles.get(idAt(contact)) ?? []), role]);
    }
    for (const [id, held] of roles)
      uses.set(id, [...(uses.get(id) ?? []), { registration: idAt(row, '/name'), roles: held }]);
  }
  return uses;
}

export const registrationViews = [registrations, contacts, hosts];
