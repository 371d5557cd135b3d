// What an update of a mailbox changes. Everything is checked before anything is written.
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Row } from '../../core/http/endpoint.ts';
import { unlessUnread } from '../../core/copy/answers.ts';
import { keys } from '../../core/http/schema.ts';
import { fails, mailWrite, readAddresses } from '../server.ts';
import type { Mailbox, Mailspace } from '../state.ts';
import { mailboxCreated, mailboxView } from '../present.ts';
import type { World } from '../../core/world.ts';
import { checkQuota, fitsBack, noRoom, readMemberships, setMemberships } from './mailbox-room.ts';
import { isIPv4, isIPv6 } from 'node:net';

const MOST = 20;

/** The entries as they are stored. */
function readAllowedIps(given: unknown): string[] {
  const fail = (message: string): never => refuse(400, null, message);
  const texts = Array.isArray(given) ? given.map(String) : splitText(given);
  const entries = texts
    .map((one) => one.trim())
    .filter((one) => one !== '')
    // MBX-20/malformed: what is no address is refused and named.
    .map((text) => normalEntry(text) ?? fail(`'${text}' is not an IP address or range`));
  // MBX-20/masked: a range is stored without its host bits, and once.
  const unique = [...new Set(entries)];
  // LIM-06: a mailbox has at most 20 allowed addresses. What one more answers is not documented.
  if (unique.length > MOST) fail(`There can be at most ${MOST} addresses`);
  return unique;
}

function splitText(given: unknown): readonly string[] {
  if (typeof given !== 'string') return [];
  // MBX-20: allowed addresses come as a list or as one text with commas, semicolons or spaces.
  return given.split(/[,;\s]+/);
}

function normalEntry(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const size = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : 0;
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= size);
  if (size === 0 || !isRange || rest.length > 0) return undefined;
  return bits === undefined ? masked(address, size, size) : `${masked(address, size, Number(bits))}/${Number(bits)}`;
}

/** Without its host bits and in the short form. */
function masked(address: string, size: 32 | 128, bits: number): string {
  const groups = size === 32 ? address.split('.').map(Number) : expand(address);
  const width = size / groups.length;
  const kept = groups.map((group, index) => {
    const left = Math.min(width, Math.max(0, bits - index * width));
    return group - (group % 2 ** (width - left));
  });
  return size === 32 ? kept.join('.') : shortForm(kept.map((group) => group.toString(16)).join(':'));
}

function shortForm(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

/** The eight groups of an IPv6 address. */
function expand(address: string): number[] {
  const [left = [], right] = shortForm(address)
    .split('::')
    .map((side) => (side === '' ? [] : side.split(':').map((group) => Number.parseInt(group, 16))));
  if (right === undefined) return left;
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

export const UPDATE_BODY = keys(
  'display_name',
  'quota_mb',
  'status',
  'password',
  'aliases',
  'groups',
  'lists',
  'allowed_ips',
);

interface Changes {
  displayName?: string | null;
  quotaMb?: number;
  status?: Mailbox['status'];
  password?: string;
  aliases?: string[];
  allowedIps?: string[];
  groups?: readonly string[];
  lists?: readonly string[];
}

export function updateMailbox(call: Call, space: Mailspace, mailbox: Mailbox): Answer {
  const { body } = call;
  const changes = readChanges(call, space, mailbox, body);
  const restored = mailbox.status === 'pending_deletion' && changes.status === 'active';
  const codes = { refused: 'update_failed', ...(restored ? { after: 'restore_unconfirmed' } : {}) };
  return mailWrite(space, codes, () => {
    apply(call, space, mailbox, changes);
    // MBX-22: a password that is set leaves an audit line with mailbox and credential.
    if (changes.password !== undefined) {
      space.audit.push({
        at: call.clock.now(),
        mailbox: mailbox.email,
        by: `${call.credential.kind} ${call.credential.userId ?? ''}`.trim(),
      });
    }
    // GAP-45: an answer that says nothing is one of its readings.
    return unlessUnread(() => answerUpdated(call, space, mailbox), ok({}));
  });
}

function failed(message: string): never {
  return refuse(422, 'update_failed', message);
}

function readChanges(world: World, space: Mailspace, mailbox: Mailbox, body: Row): Changes {
  const changes: Changes = {};
  if (body['allowed_ips'] !== undefined) changes.allowedIps = readAllowedIps(body['allowed_ips']);
  const status = readStatus(world, space, mailbox, body['status']);
  if (status !== undefined) changes.status = status;
  if (mailbox.status === 'pending_deletion' && status !== 'active' && Object.keys(body).some((key) => key !== 'status'))
    failed('The mailbox is about to be deleted');
  // MBX-19: memberships are checked before anything is written.
  Object.assign(changes, readBoth(space, body));
  if (body['aliases'] !== undefined) changes.aliases = readAddresses(world, space, body['aliases'], failed, mailbox);
  const plain = readPlain(body);
  if (plain.quotaMb !== undefined) checkQuota(space, plain.quotaMb, failed);
  return { ...changes, ...plain };
}

/** What needs no look at anything else. */
function readPlain({ display_name: name, quota_mb: quota, password }: Row): Changes {
  // MBX-15/exceptions: a blank password and an empty quota count as left out.
  const strange = quota === undefined || quota === null || quota === '';
  const blank = typeof password !== 'string' || password.trim() === '';
  // MBX-15: what is left out stays, what is empty is cleared.
  const clears = name === null || name === '';
  return {
    ...(clears ? { displayName: null } : typeof name === 'string' ? { displayName: name } : {}),
    ...(strange ? {} : { quotaMb: quota === '' ? 0 : (quota as number) }),
    ...(blank ? {} : { password }),
  };
}

/** undefined: it stays. What else may become of a mailbox about to be deleted is not documented, so it is refused. */
function readStatus(world: World, space: Mailspace, mailbox: Mailbox, wanted: unknown): Mailbox['status'] | undefined {
  if (wanted === undefined || wanted === null || wanted === '') return undefined;
  const refused = (): never => failed('The status cannot be set');
  const isPending = mailbox.status === 'pending_deletion';
  // MBX-17: the status pending_deletion is refused, except where it is so already.
  if (wanted === 'pending_deletion') return isPending ? undefined : refused();
  if (wanted !== 'active' && wanted !== 'suspended') return refused();
  // MBX-24: the status active restores a mailbox about to be deleted.
  if (isPending && wanted === 'suspended') refused();
  // MBX-18: reactivating needs room in the package.
  if (wanted === 'active' && mailbox.status !== 'active' && !fitsBack(world, space, mailbox)) noRoom();
  return wanted;
}

function readBoth(space: Mailspace, { groups, lists }: Row): ReturnType<typeof readMemberships> {
  const asked = groups !== undefined || lists !== undefined;
  if (asked && fails(space, 'memberships')) failed('The memberships cannot be verified');
  const orNone = (given: unknown): unknown => (given === null ? [] : given);
  return readMemberships(space, { groups: orNone(groups), lists: orNone(lists) }, failed);
}

function apply(world: World, space: Mailspace, mailbox: Mailbox, changes: Changes): void {
  const { groups, lists, aliases, ...plain } = changes;
  Object.assign(mailbox, plain, { updatedAt: world.clock.now() });
  if (plain.status === 'active') mailbox.scheduledDeletionAt = null;
  // MBX-16: lists replace whole lists.
  if (aliases !== undefined) mailbox.aliases = aliases;
  setMemberships(space, mailbox, { ...(groups && { groups }), ...(lists && { lists }) });
}

/** GAP-45: beyond what is missing from it, this answer is not shown. */
function answerUpdated(world: World, space: Mailspace, mailbox: Mailbox): Answer {
  if (world.ambiguities['GAP-45'] === 'empty') return ok({});
  if (world.ambiguities['GAP-45'] === 'create-shape') return ok({ mailbox: mailboxCreated(world, mailbox) });
  const { allowed_ips: _allowed, ...rest } = mailboxView(world, space, mailbox, true);
  // MBX-21: allowed addresses are missing from the answer.
  return ok({ mailbox: rest });
}
