// How registrations, their processes, contacts and hosts look on the wire. Written from the API documents alone.
import { isIPv6 } from 'node:net';
import { ok } from '../core/http/endpoint.ts';
import type { Answer, Row } from '../core/http/endpoint.ts';
import { dateTime, listOrNull, stamps } from '../core/present.ts';
import type { World } from '../core/world.ts';
import { ROLE_KEYS, tldOfName } from './state.ts';
import type { Contact, ContactRole, Host, Registration } from './state.ts';
import type { Tld } from './tlds.ts';

type Kind = 'read' | 'write';

export function contactView(world: World, contact: Contact): Row {
  const state = contact.validated ? 'verified' : 'pending';
  const validations =
    world.ambiguities['GAP-50.validations'] === 'texts' ? [`email:${state}`] : [{ type: 'email', status: state }];
  return {
    id: contact.id,
    handle: contact.handle,
    ...contact.fields,
    validations,
    split_from_id: contact.splitFromId,
    // DCT-01: a contact does not show the TLD that it is pinned to.
    ...stamps(contact),
  };
}

export function registrationView(world: World, registration: Registration, kind: Kind): Row {
  const tld = tldOfName(world, registration.name);
  const contact = (role: ContactRole): Row | null => {
    const found = world.state.registrar.contacts.get(registration[ROLE_KEYS[role]] ?? -1);
    return found === undefined ? null : contactView(world, found);
  };
  const shown = processFields(world, registration);
  return {
    id: registration.id,
    name: registration.name,
    status: statusOf(world, registration),
    expires_at: dateTime(registration.expiresAt),
    auto_renew: registration.autoRenew,
    locked: registration.locked,
    privacy_protect: registration.privacyProtect,
    dnssec_enabled: registration.dnssecEnabled,
    server_transfer_prohibited: registration.serverTransferProhibited,
    local_contact_active: registration.localContactActive,
    ...cancellation(world, registration),
    nameservers: listOrNull(world, registration.nameservers),
    tld: { id: tld?.id ?? 0, name: registration.tld, registrar: tld?.registrar ?? null },
    owner_contact: contact('owner'),
    admin_contact: contact('admin'),
    tech_contact: contact('tech'),
    billing_contact: contact('billing'),
    ...shown,
    transfer_out_pending: registration.transferOutPending,
    push_transfer_pending: registration.pushTransferPending,
    // REG-04: a registration shows its settings, dates, name servers, TLD, contacts and process.
    subscription_id: registration.subscriptionId,
    feature_flags: featureFlags(tld),
    fees: fees(tld, registration, kind),
    ...stamps(registration),
  };
}

/**
 * REG-35/words: a status is OK, EXPIRED or PENDING_TRANSFER. GAP-55: what an expired name reads as until it is purged is
 * not documented beyond EXPIRED.
 */
function statusOf(world: World, { status }: Registration): string {
  return status === 'EXPIRED' && world.ambiguities['GAP-55.expired'] === 'redemption' ? 'REDEMPTION' : status;
}

/** Where there is no such window the fields are left out, or null: "when applicable" says no more. */
function cancellation(world: World, { cancellationDeadlineAt: deadline }: Registration): Row {
  if (deadline !== null)
    return {
      cancellation_deadline_at: dateTime(deadline),
      within_cancellation_window: world.clock.now() <= deadline,
    };
  return world.ambiguities['GAP-53.fields'] === 'null'
    ? { cancellation_deadline_at: null, within_cancellation_window: null }
    : {};
}

function processFields(world: World, { process, lastProcess }: Registration): Row {
  const last = world.ambiguities['GAP-51.ended'] === 'kept' ? lastProcess : null;
  // PRC-03: id and status of a process show twice, and are the same.
  const id = process?.id ?? last?.id ?? null;
  return {
    pending_async: process !== null,
    rtr_process_id: id,
    rtr_process_status: process === null ? (last?.status ?? null) : (process.status ?? 'pending'),
  };
}

function featureFlags(tld: Tld | undefined): Row {
  // REG-05: a registration says what its TLD supports.
  return {
    supports_privacy: tld?.privacy ?? false,
    supports_transfer_lock: tld?.lock ?? false,
    supports_push_transfer: tld?.push ?? false,
    supports_dnssec: tld?.dnssec ?? false,
    requires_contact_validation: tld?.validation ?? false,
    authcode_behavior: tld?.authcode ?? 'hidden',
  };
}

function fees(tld: Tld | undefined, registration: Registration, kind: Kind): Row {
  // REG-06: fees are priced on list and view, and null in every other answer.
  const priced = kind === 'read';
  const paid = registration.privacyPaid || registration.privacyProtect;
  return {
    privacy_enable: priced && !paid ? money(tld?.privacyCents ?? null) : null,
    registrant_change: priced ? money(tld?.registrantChangeCents ?? null) : null,
  };
}

export function money(cents: number | null): Row | null {
  return cents === null ? null : { amount_cents: cents, currency: 'EUR' };
}

export function pendingProcess({ id, process }: Registration): Row {
  // REG-07: a process on its way shows as pending_process, and is left out otherwise.
  if (process === null) return {};
  const path = `/api/domain_registrations/${id}/processes/${process.id}`;
  return {
    pending_process: {
      id: process.id,
      action: process.action,
      status: process.status ?? 'pending',
      // PRC-01: the poll URL of a process is relative.
      poll_url: path,
    },
  };
}

/** One envelope for every answer with a registration; where additions stand is not documented. */
export function registrationEnvelope(world: World, registration: Registration, kind: Kind, additions: Row = {}): Row {
  const extras = { ...pendingProcess(registration), ...additions };
  const view = registrationView(world, registration, kind);
  const beside = world.ambiguities.registrationExtras === 'beside';
  const inner = beside ? view : { ...view, ...extras };
  return {
    ...(world.ambiguities['GAP-50'] === 'bare' ? inner : { domain_registration: inner }),
    ...(beside ? extras : {}),
  };
}

/** The answer of a change: done, or begun. `more`: keys beside the registration. */
export function changed(world: World, registration: Registration, more: Row = {}): Answer {
  // REG-10: a change that the registrar works on answers 202.
  const status = registration.process !== null ? 202 : 200;
  return ok({ ...registrationEnvelope(world, registration, 'write'), ...more }, status);
}

export function contactEnvelope(world: World, contact: Contact): Row {
  return world.ambiguities['GAP-50'] === 'bare'
    ? contactView(world, contact)
    : { domain_contact: contactView(world, contact) };
}

/** What a view adds. GAP-55: the fields of a transfer away are not documented. */
export function viewAdditions(world: World, registration: Registration): Row {
  const { sites, dnsZones } = world.state;
  const own = [...sites.values()].filter(({ accountId }) => accountId === registration.accountId);
  const site = own.find(({ domains }) => domains.some(({ hostname }) => hostname === registration.name));
  const hosted =
    dnsZones.some(({ name, accountId }) => name === registration.name && accountId === registration.accountId) ||
    own.some(({ domains }) =>
      domains.some(({ hostname, method }) => hostname === registration.name && method === 'dns'),
    );
  const live =
    world.ambiguities['GAP-55.transfer'] === 'empty' ? {} : { status: 'pending', requested_by: 'another registrar' };
  const all: Row = {
    dns_zone: hosted ? { id: `zone-${registration.name}`, name: registration.name } : null,
    linked_site: site === undefined ? null : { id: site.id, name: site.name },
    transfer_out: registration.transferOutPending ? live : null,
  };
  // REG-08: a view adds zone, site and transfer where there are any, and never null.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

export function hostView(host: Host): Row {
  // HST-01: each address of a host says its version.
  const version = (address: string): Row => ({ version: isIPv6(address) ? 6 : 4 });
  return { host_name: host.name, addresses: host.addresses.map((address) => ({ address, ...version(address) })) };
}
