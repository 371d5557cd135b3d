// The small account with mailspaces in every state that matters: a full life, not verified yet, one mailbox about to be
// deleted, hardly any room left, suspended, about to be deleted, and somebody else's. Beside it an account without any.
import { EPOCH_MS } from '../core/clock.ts';
import { measure } from './clock.ts';
import { addMailGroup, addMailbox, addMailspace } from './state.ts';
import type { Mailspace } from './state.ts';
import type { State } from '../core/state.ts';
import { addBareAccount } from '../core/state.ts';
import { HOSTILE_NAMES } from '../core/hostile-names.ts';

const DAY_MS = 86_400_000;
const MIB = 1_048_576;

export function mail(state: State): void {
  addBareAccount(state);
  for (const name of ['zoned.example.com', 'docs.example.com']) state.dnsZones.push({ name, accountId: 'acc-acme' });
  fillShop(add(state, 'shop', 1, { package: 'mail_20' }));
  add(state, 'blog', 2, { provisioned: false });
  fillDocs(add(state, 'docs', 3, {}));
  fillFull(add(state, 'full', 4, {}));
  add(state, 'held', 5, { suspended: true });
  add(state, 'leaving', 6, { deleteScheduledAt: EPOCH_MS + 20 * DAY_MS });
  const foreign = add(state, 'foreign', 7, { accountId: 'acc-other' });
  addMailbox(foreign, { id: 'mbx-foreign', email: 'info@foreign.example.com' });
  addMailGroup(foreign, { principalId: 'grp-foreign', email: 'team@foreign.example.com' });
  for (const space of state.mail.spaces.values()) measure(space, EPOCH_MS);
}

export function hostile(state: State): void {
  const space = addMailspace(state.mail, {
    id: 'mail/ansi?a=%25',
    domain: 'hostile.example.net',
    accountId: 'acc-acme',
    token: 'e'.repeat(32),
    package: 'mail_50',
  });
  HOSTILE_NAMES.forEach(([id, name], index) => {
    addMailbox(space, { id: `mbx ${id}`, email: `m${index}@hostile.example.net`, displayName: name });
    addMailGroup(space, { principalId: `grp ${id}`, email: `g${index}@hostile.example.net`, description: name });
  });
}

function add(state: State, label: string, number: number, given: Partial<Mailspace>): Mailspace {
  const createdAt = EPOCH_MS - (30 - number) * DAY_MS;
  const token = String(number).repeat(32);
  return addMailspace(state.mail, {
    id: `mail-${label}`,
    domain: `${label}.example.com`,
    accountId: 'acc-acme',
    token,
    createdAt,
    updatedAt: createdAt,
    ...given,
  });
}

function fillShop(space: Mailspace): void {
  space.domains.push({ name: 'shop.example.net', description: 'the other shop' });
  space.pendingDomains.push({
    name: 'shop.example.org',
    description: null,
    token: 'a1'.repeat(16),
    verified: false,
    lastCheckedAt: null,
    createdAt: EPOCH_MS,
    updatedAt: EPOCH_MS,
  });
  addMailbox(space, {
    id: 'mbx-anna',
    email: 'anna@shop.example.com',
    displayName: 'Anna',
    quotaMb: 2_048,
    usedBytes: 3 * MIB + 1,
    aliases: ['sales@shop.example.com', 'anna@shop.example.net'],
    allowedIps: ['192.0.2.0/24'],
    twoFactor: true,
  });
  addMailbox(space, { id: 'mbx-ben', email: 'ben@shop.example.com', status: 'suspended' });
  addMailbox(space, { id: 'mbx-cleo', email: 'cleo@shop.example.com', displayName: 'Cleo' });
  addMailGroup(space, {
    principalId: 'grp-team',
    email: 'team@shop.example.com',
    description: 'The team',
    aliases: ['crew@shop.example.com'],
    members: ['anna@shop.example.com', 'ben@shop.example.com'],
  });
  addMailGroup(space, { principalId: 'grp-everyone', email: 'everyone@shop.example.com' });
  addMailGroup(space, {
    principalId: 'lst-news',
    kind: 'list',
    email: 'news@shop.example.com',
    description: 'News',
    members: ['anna@shop.example.com'],
  });
}

/** Its zone is hosted here. */
function fillDocs(space: Mailspace): void {
  addMailbox(space, { id: 'mbx-dora', email: 'dora@docs.example.com' });
  addMailbox(space, {
    id: 'mbx-left',
    email: 'left@docs.example.com',
    status: 'pending_deletion',
    scheduledDeletionAt: EPOCH_MS + 10 * DAY_MS,
    aliases: ['gone@docs.example.com'],
  });
  addMailbox(space, {
    id: 'mbx-soon',
    email: 'soon@docs.example.com',
    status: 'pending_deletion',
    scheduledDeletionAt: EPOCH_MS + 2 * DAY_MS - 1,
  });
}

/** Four of five: one more fits, or, where those about to be deleted do not count, two. */
function fillFull(space: Mailspace): void {
  for (const name of ['a', 'b']) addMailbox(space, { id: `mbx-full-${name}`, email: `${name}@full.example.com` });
  addMailbox(space, { id: 'mbx-full-idle', email: 'idle@full.example.com', status: 'suspended' });
  addMailbox(space, {
    id: 'mbx-full-left',
    email: 'left@full.example.com',
    status: 'pending_deletion',
    scheduledDeletionAt: EPOCH_MS + 10 * DAY_MS,
  });
}

/** A mailspace of any size, with two groups that one read shows or cuts off. */
export function mailboxes(state: State, count: number): void {
  const space = addMailspace(state.mail, {
    id: 'mail-big',
    domain: 'big.example.com',
    accountId: 'acc-acme',
    token: 'b'.repeat(32),
    package: 'mail_500',
  });
  for (let number = 1; number <= count; number += 1) {
    const label = `u${String(number).padStart(5, '0')}`;
    addMailbox(space, {
      id: `mbx-${label}`,
      email: `${label}@big.example.com`,
      aliases: number % 10 === 0 ? [`alias-${label}@big.example.com`] : [],
    });
  }
  const addresses = space.mailboxes.map(({ email }) => email);
  addMailGroup(space, { principalId: 'grp-first', email: 'first@big.example.com', members: addresses.slice(0, 1) });
  addMailGroup(space, { principalId: 'grp-all', email: 'all@big.example.com', members: addresses });
  measure(space, EPOCH_MS);
}
