// Whether a mailbox fits into the package, by number and by size, and whether the groups that it names are those of the
// mailspace.
import { NotRead } from '../../core/copy/answers.ts';
import { refuse } from '../../core/http/endpoint.ts';
import { isTaken } from '../server.ts';
import { mostMailboxes, packageOf } from '../state.ts';
import type { Mailbox, Mailspace } from '../state.ts';
import type { World } from '../../core/world.ts';

/** Somebody may have got its address meanwhile, where GAP-43 lets them. */
export function fitsBack(world: World, space: Mailspace, mailbox: Mailbox): boolean {
  const taken = [mailbox.email, ...mailbox.aliases].some((address) => isTaken(world, space, address, mailbox));
  return !taken && hasRoom(world, space, mailbox);
}

/** GAP-43: which mailboxes count is not documented. */
export function hasRoom(world: World, space: Mailspace, except?: Mailbox): boolean {
  const reading = world.ambiguities['GAP-43'];
  const counted = space.mailboxes
    .filter((one) => one !== except)
    .filter(({ status }) => reading === 'all' || status === 'active' || (reading === 'live' && status === 'suspended'));
  return counted.length < mostMailboxes(space);
}

export function noRoom(): never {
  return refuse(422, 'update_failed', 'There is no room for this mailbox');
}

/** Refuses what does not fit. */
export function checkQuota(space: Mailspace, quotaMb: unknown, fail: (message: string) => never): void {
  if (typeof quotaMb !== 'number' || !Number.isInteger(quotaMb) || quotaMb < 0)
    return fail('quota_mb must be a whole number');
  // MBX-14: a quota is no larger than the package.
  if (quotaMb > (space.storageGb ?? packageOf(space).storageGb) * 1024) fail('quota_mb is larger than the package');
}

const KINDS = [
  ['groups', 'group'],
  ['lists', 'list'],
] as const;

interface Memberships {
  groups?: readonly string[];
  lists?: readonly string[];
}

/** The addresses that a body names, lower-cased. */
export function readMemberships(
  space: Mailspace,
  body: { readonly groups?: unknown; readonly lists?: unknown },
  fail: (message: string) => never,
): Memberships {
  const read: Memberships = {};
  for (const [key, kind] of KINDS) {
    const given = body[key];
    if (given === undefined) continue;
    if (!Array.isArray(given)) return fail(`The ${key} of a mailbox come as a list`);
    const addresses = given.map((one) => String(one).toLowerCase());
    const foreign = addresses.find(
      (address) => !space.groups.some((one) => one.kind === kind && one.email === address),
    );
    if (foreign !== undefined && kind === 'list' && space.listsUnread === true)
      throw new NotRead(`the mailing lists of mailspace ${space.domain}`);
    if (foreign !== undefined) fail(`${foreign} is not a ${kind} of this mailspace`);
    read[key] = addresses;
  }
  return read;
}

/** Makes the mailbox a member of these, and of no others of a kind that is named. */
export function setMemberships(space: Mailspace, mailbox: Mailbox, wanted: Memberships): void {
  for (const [key, kind] of KINDS) {
    const addresses = wanted[key];
    if (addresses === undefined) continue;
    for (const group of space.groups.filter((one) => one.kind === kind)) {
      const others = group.members.filter((one) => one !== mailbox.email);
      group.members = addresses.includes(group.email) ? [...others, mailbox.email] : others;
    }
  }
}
