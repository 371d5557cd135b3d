// Puts registrations, their contacts and hosts into the store of a copy, and what was asked of names that are not
// registered here.
import {
  numberOr,
  rowIn,
  rowsIn,
  settleEmptyList,
  stampsIn,
  textOr,
  textOrNull,
  textsIn,
  timeOr,
  timeOrNull,
  unread,
} from '../core/copy/answers.ts';
import type { Copying } from '../core/copy/answers.ts';
import { isRecord } from '../core/http/endpoint.ts';
import type { Row } from '../core/http/endpoint.ts';
import { CONTACT_KEYS } from './contact-forms.ts';
import { ROLES, ROLE_KEYS, addContact, addRegistration } from './state.ts';
import type { Registration } from './state.ts';
import { tldOf } from './tlds.ts';
import type { Tld } from './tlds.ts';

export function loadRegistrations(copying: Copying): void {
  const { answers, state, settle, accountId, nowMs } = copying;
  const rows = answers.rows('/api/domain_registrations', 'domain_registrations');
  if (rows === undefined) return unread(state, 'the list of registrations', 'registrar');
  const { registrar } = state;
  Object.assign(registrar, { taken: [], premium: [], checked: new Set() });
  registrar.tlds.length = 0;
  for (const row of rows) {
    loadTld(copying, row);
    const name = String(row['name']);
    if (row['status'] === 'REDEMPTION') settle('GAP-55.expired', 'redemption');
    if (row['cancellation_deadline_at'] === null) settle('GAP-53.fields', 'null');
    settleEmptyList(copying, row['nameservers']);
    const registration = addRegistration(registrar, {
      id: String(row['id']),
      name,
      accountId,
      status: row['status'] === 'REDEMPTION' ? 'EXPIRED' : textOr(row['status'], 'OK'),
      expiresAt: timeOr(row['expires_at'], nowMs),
      autoRenew: row['auto_renew'] === true,
      locked: row['locked'] === true,
      privacyProtect: row['privacy_protect'] === true,
      dnssecEnabled: row['dnssec_enabled'] === true,
      serverTransferProhibited: row['server_transfer_prohibited'] === true,
      localContactActive: row['local_contact_active'] === true,
      cancellationDeadlineAt: timeOrNull(row['cancellation_deadline_at']),
      nameservers: textsIn(row['nameservers']),
      transferOutPending: row['transfer_out_pending'] === true,
      pushTransferPending: row['push_transfer_pending'] === true,
      subscriptionId: textOrNull(row['subscription_id']),
      ...stampsIn(copying, row),
    });
    for (const role of ROLES)
      registration[ROLE_KEYS[role]] = loadContact(copying, row[`${role}_contact`], registration.tld);
    loadProcess(copying, row, registration);
    loadHosts(copying, registration);
  }
  registrar.contactsUnread = answers.rows('/api/domain_contacts', 'domain_contacts') === undefined;
  loadChecks(copying);
}

/** What a TLD can do is shown by each of its names; what it costs, only where it is asked. */
function loadTld({ state }: Copying, row: Row): void {
  const [tld, flags, fees] = [rowIn(row, 'tld'), rowIn(row, 'feature_flags'), rowIn(row, 'fees')];
  const centsOf = (fee: unknown): number | null => (isRecord(fee) ? numberOr(fee['amount_cents'], 0) : null);
  const name = textOr(tld['name'], '');
  const known = state.registrar.tlds.find((one) => one.name === name);
  const privacyCents = centsOf(fees['privacy_enable']);
  // A name that has privacy does not show what it costs.
  if (known !== undefined) return void (known.privacyCents ??= privacyCents);
  state.registrar.tlds.push(
    tldOf(numberOr(tld['id'], 0), name, {
      registrar: textOrNull(tld['registrar']),
      registerCents: null,
      transferCents: null,
      privacyCents,
      registrantChangeCents: centsOf(fees['registrant_change']),
      privacy: flags['supports_privacy'] === true,
      lock: flags['supports_transfer_lock'] === true,
      push: flags['supports_push_transfer'] === true,
      dnssec: flags['supports_dnssec'] === true,
      validation: flags['requires_contact_validation'] === true,
      authcode: textOr(flags['authcode_behavior'], 'hidden') as Tld['authcode'],
    }),
  );
}

function loadContact(copying: Copying, row: unknown, tld: string): number | null {
  const { state, settle, accountId } = copying;
  if (!isRecord(row)) return null;
  const validations = Array.isArray(row['validations']) ? (row['validations'] as unknown[]) : [];
  if (typeof validations[0] === 'string') settle('GAP-50.validations', 'texts');
  const id = Number(row['id']);
  addContact(state.registrar, {
    id,
    accountId,
    tld,
    handle: textOr(row['handle'], ''),
    fields: Object.fromEntries(CONTACT_KEYS.map((key) => [key, row[key]])),
    validated: validations.every((one) => /verified$/.test(isRecord(one) ? String(one['status']) : String(one))),
    splitFromId: typeof row['split_from_id'] === 'number' ? row['split_from_id'] : null,
    ...stampsIn(copying, row),
  });
  return id;
}

/** When it ends is not shown: it does not, while anybody looks. */
function loadProcess({ settle, nowMs }: Copying, row: Row, registration: Registration): void {
  const pending = rowIn(row, 'pending_process');
  const id = textOrNull(row['rtr_process_id']);
  const status = textOrNull(row['rtr_process_status']);
  if (row['pending_async'] !== true) {
    if (id === null) return;
    settle('GAP-51.ended', 'kept');
    registration.lastProcess = { id, status: status ?? '' };
    return;
  }
  registration.process = {
    id: id ?? String(pending['id']),
    action: textOrNull(pending['action']),
    status: status === 'pending' ? null : status,
    openedAt: nowMs,
    endsAt: null,
    fails: false,
    changes: {},
    before: {},
    contact: null,
    contactBefore: null,
  };
}

function loadHosts({ answers }: Copying, registration: Registration): void {
  const rows = answers.rows(`/api/domain_registrations/${registration.id}/hosts`, 'hosts');
  if (rows === undefined) return unread(registration, `the hosts of ${registration.name}`, 'hosts');
  registration.hosts = rows.map((row) => ({
    name: String(row['host_name']),
    addresses: rowsIn(row['addresses']).map((one) => String(one['address'])),
  }));
}

/** Names that were asked about: whether they can be had, and at what price. */
function loadChecks({ answers, state }: Copying): void {
  const { registrar } = state;
  for (const { path, status, body } of answers.all) {
    if (path !== '/api/domain_registrations/check' || status !== 200 || !isRecord(body)) continue;
    const name = String(body['domain']);
    registrar.checked?.add(name);
    if (body['available'] !== true && body['owned_by_account'] !== true) registrar.taken.push(name);
    if (body['premium'] === true) registrar.premium.push(name);
    const cents = (price: unknown): number | null => (isRecord(price) ? numberOr(price['amount_cents'], 0) : null);
    const label = name.slice(name.lastIndexOf('.') + 1);
    const tld = registrar.tlds.find((one) => one.name === label) ?? tldOf(0, label);
    if (!registrar.tlds.includes(tld)) registrar.tlds.push(tld);
    Object.assign(tld, { registerCents: cents(body['price']), transferCents: cents(body['transfer_price']) });
  }
}
