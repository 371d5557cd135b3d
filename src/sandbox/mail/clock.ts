// What happens to mailspaces by the passing of time alone: ownership is seen, servers are set up, deletions become
// final, counts are taken. Runs when somebody looks, up to the present moment: between two looks nothing else changes,
// so nobody can tell.
import { ownsDomain } from '../core/area.ts';
import { isUnread, unlessUnread } from '../core/copy/answers.ts';
import { publishesToken, writeZone } from './dns.ts';
import { eraseMailbox, liveMailboxes } from './server.ts';
import type { Mailspace, PendingDomain } from './state.ts';
import type { World } from '../core/world.ts';

const SWEEP_MS = 60_000;
/** How long anything stays restorable; the documents do not say. */
export const RETENTION_MS = 30 * 86_400_000;
const MEASURED_EVERY_MS = 3_600_000;

export function runMailClock(world: World): void {
  const { mail } = world.state;
  const now = world.clock.now();
  for (const space of mail.spaces.values()) {
    if (isDue(space.deleteScheduledAt, now)) mail.spaces.delete(space.id);
    if (isUnread(space, 'mailboxes')) continue;
    for (const mailbox of space.mailboxes) if (isDue(mailbox.scheduledDeletionAt, now)) eraseMailbox(space, mailbox);
    if (now - space.measured.at >= MEASURED_EVERY_MS) measure(space, now);
  }
  const last = Math.floor(now / SWEEP_MS) * SWEEP_MS;
  let at = Math.floor(mail.sweptAt / SWEEP_MS) * SWEEP_MS;
  // A sweep that finds nothing new will find nothing new the next time either.
  while (at < last) at = sweep(world) ? at + SWEEP_MS : last;
  mail.sweptAt = now;
}

function isDue(atMs: number | null, now: number): boolean {
  return atMs !== null && atMs <= now;
}

export function measure(space: Mailspace, now: number): void {
  const bytes = space.mailboxes.reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  space.measured = { at: now, mailboxes: liveMailboxes(space).length, usedMb: Math.ceil(bytes / 1_048_576) };
}

function sweep(world: World): boolean {
  let moved = false;
  for (const space of world.state.mail.spaces.values()) {
    if (space.deleteScheduledAt !== null) continue;
    if (sweepPrimary(world, space)) moved = true;
    if (isUnread(space, 'pendingDomains')) continue;
    for (const pending of space.pendingDomains) if (sweepPending(world, space, pending)) moved = true;
  }
  return moved;
}

function sweepPrimary(world: World, space: Mailspace): boolean {
  if (space.provisioned) return false;
  if (space.verified) {
    provision(world, space);
    return true;
  }
  return seePrimary(world, space);
}

/** Whether ownership is proven now, and was not before. */
export function seePrimary(world: World, space: Mailspace): boolean {
  if (
    space.verified ||
    !(publishesToken(world, space.domain, space.token) || isKnownToOwn(world, space.accountId, space.domain))
  )
    return false;
  space.verified = true;
  // MSP-17: one sweep sees the TXT record, the next one provisions.
  return true;
}

function provision(world: World, space: Mailspace): void {
  space.provisioned = true;
  space.updatedAt = world.clock.now();
  space.domains = [{ name: space.domain, description: null }, ...space.domains];
  writeZone(world, space, space.domain);
}

/** GAP-38: how a secondary domain is verified is given as a path without its end. */
function sweepPending(world: World, space: Mailspace, pending: PendingDomain): boolean {
  if (pending.verified) {
    servePending(world, space, pending);
    return true;
  }
  return world.ambiguities['GAP-38.secondary'] === 'sweep' && seePending(world, space, pending);
}

export function seePending(world: World, space: Mailspace, pending: PendingDomain): boolean {
  pending.lastCheckedAt = world.clock.now();
  pending.verified =
    publishesToken(world, pending.name, pending.token) || isKnownToOwn(world, space.accountId, pending.name);
  return pending.verified;
}

/** In a copy that knows no registrations nothing is: ownership is then proven by a record, which is the longer way. */
export function isKnownToOwn(world: World, accountId: string, domain: string): boolean {
  return unlessUnread(() => ownsDomain(world, accountId, domain), false);
}

export function servePending(world: World, space: Mailspace, pending: PendingDomain): void {
  // MDM-04: a domain is either served or pending.
  space.pendingDomains = space.pendingDomains.filter((one) => one !== pending);
  space.domains.push({ name: pending.name, description: pending.description });
  writeZone(world, space, pending.name);
}
