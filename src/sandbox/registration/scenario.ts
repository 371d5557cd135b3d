// The small account with registrations in every state that matters: plain, metered, slow, being worked on, stuck,
// lapsed, on its way in and out, with and without what its TLD can do; contacts shared, split, used by nobody; and
// somebody else's.
import { EPOCH_MS } from '../core/clock.ts';
import { addContact, addRegistration } from './state.ts';
import type { Process, Registrar, Registration } from './state.ts';
import type { State } from '../core/state.ts';
import { addBareAccount } from '../core/state.ts';

const DAY_MS = 86_400_000;

export function registrar(state: State): void {
  addBareAccount(state);
  addContacts(state.registrar);
  addPlain(state.registrar);
  addMoving(state.registrar);
  state.dnsZones.push({ name: 'plain.com', accountId: 'acc-acme' });
}

/** What mailspaces are about: a name of one's own, and one that lapsed. */
export function mail({ registrar: names }: State): void {
  addRegistration(names, { name: 'owned.example.com', accountId: 'acc-acme' });
  addRegistration(names, {
    name: 'lapsed.example.com',
    accountId: 'acc-acme',
    status: 'EXPIRED',
    expiresAt: EPOCH_MS - DAY_MS,
  });
}

/** What panel accounts are about: the same, names of their own, and somebody else's. */
export function panel(state: State): void {
  for (const name of ['spare.example.com', 'acmeblog.example.com'])
    addRegistration(state.registrar, { name, accountId: 'acc-acme' });
  mail(state);
  addRegistration(state.registrar, { name: 'theirs.example.com', accountId: 'acc-other' });
}

function addContacts(registrar: Registrar): void {
  const contact = (id: number, first_name: string, tld = 'com', accountId = 'acc-acme'): void => {
    addContact(registrar, {
      id,
      accountId,
      tld,
      fields: { first_name, email: `${first_name.toLowerCase()}@acme.example` },
    });
  };
  contact(801, 'Ada');
  contact(802, 'Ben');
  contact(803, 'Cleo', 'eu');
  contact(804, 'Dora', 'shop');
  // Used by nobody.
  contact(805, 'Orphan', 'net');
  contact(806, 'Shared');
  contact(807, 'Fay', 'nl');
  contact(808, 'Gil', 'store');
  contact(890, 'Foreign', 'com', 'acc-other');
}

function add(registrar: Registrar, name: string, given: Partial<Registration> = {}): Registration {
  return addRegistration(registrar, { name, accountId: 'acc-acme', ownerId: 801, ...given });
}

/** What can be changed, and what its TLD does not let be changed. */
function addPlain(registrar: Registrar): void {
  add(registrar, 'plain.com', { hosts: [{ name: 'ns1.plain.com', addresses: ['192.0.2.53'] }], techId: 802 });
  add(registrar, 'shop.example.com');
  add(registrar, 'locked.com', { locked: true });
  add(registrar, 'signed.com', {
    dnssecEnabled: true,
    dnssecKeys: [{ flags: 257, algorithm: 13, publicKey: 'c2FuZGJveA==' }],
  });
  add(registrar, 'frozen.com', { serverTransferProhibited: true });
  add(registrar, 'ownerless.com', { ownerId: null });
  add(registrar, 'window.com', { cancellationDeadlineAt: EPOCH_MS + 5 * DAY_MS });
  add(registrar, 'late.com', { cancellationDeadlineAt: EPOCH_MS - DAY_MS });
  add(registrar, 'unrenewed.com', { autoRenew: false, expiresAt: EPOCH_MS + 20 * DAY_MS });
  add(registrar, 'one.com', { ownerId: 806 });
  add(registrar, 'two.com', { ownerId: 806, rejectsContacts: true });
  add(registrar, 'bare.nl', { ownerId: 807 });
  add(registrar, 'slow.eu', { ownerId: 803 });
  add(registrar, 'paid.shop', { ownerId: 804 });
  add(registrar, 'paid.store', { ownerId: 808 });
  add(registrar, 'orphan.zz');
  add(registrar, 'foreign.com', { accountId: 'acc-other', ownerId: 890 });
}

/** What waits, is over, or is about to go. */
function addMoving(registrar: Registrar): void {
  add(registrar, 'busy.eu', {
    ownerId: 803,
    process: process(
      'busy',
      EPOCH_MS + DAY_MS,
      { nameservers: ['ns1.elsewhere.example'] },
      'domain-update-nameservers',
    ),
  });
  add(registrar, 'stuck.eu', { ownerId: 803, process: process('stuck', null, { locked: true }, null) });
  add(registrar, 'lapsed.com', { status: 'EXPIRED', expiresAt: EPOCH_MS - 10 * DAY_MS, autoRenew: false });
  add(registrar, 'arriving.com', { status: 'PENDING_TRANSFER', arrivesAt: EPOCH_MS + 3 * DAY_MS });
  add(registrar, 'leaving.com', { transferOutPending: true });
  add(registrar, 'pushed.com', { pushTransferPending: true, leavesAt: EPOCH_MS + 5 * DAY_MS });
  // The registry has moved on, and this copy has not noticed.
  add(registrar, 'stale.com', { registry: { locked: true, nameservers: ['ns9.elsewhere.example'] } });
}

function process(label: string, endsAt: number | null, changes: Process['changes'], action: string | null): Process {
  return {
    id: `rtr-${label}`,
    action,
    status: null,
    openedAt: EPOCH_MS - DAY_MS,
    endsAt,
    fails: false,
    changes,
    before: {},
    contact: null,
    contactBefore: null,
  };
}

/** An account with any number of names, two for each contact. */
export function registrations(state: State, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const label = `n${String(number).padStart(5, '0')}`;
    const id = 10_000 + Math.ceil(number / 2);
    addContact(state.registrar, { id, accountId: 'acc-acme', fields: { email: `c${id}@acme.example` } });
    add(state.registrar, `${label}.com`, { ownerId: id });
  }
}
