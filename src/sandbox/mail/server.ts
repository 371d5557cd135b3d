// What the mail server behind a mailspace knows, and when it cannot be read or written. It keeps no copy: what is asked
// of it is true at that moment (MSP-05).
import { isUnread } from '../core/copy/answers.ts';
import { consistencyLag, isListed } from '../core/lists.ts';
import { countCreation, strikes } from '../core/world.ts';
import { refuse } from '../core/http/endpoint.ts';
import type { Answer } from '../core/http/endpoint.ts';
import type { MailGroup, Mailbox, Mailspace, TroublePart } from './state.ts';
import type { World } from '../core/world.ts';
import { domainOf, readAddress } from '../core/names.ts';

const MOST_PRINCIPALS = 500;
/** What still works when nothing can be reached: these strike only by name. */
const BY_NAME_ONLY: readonly TroublePart[] = ['refusal', 'write-after', 'follow-up'];

type MailThing = 'alias' | 'domain' | 'group' | 'mailbox';
export type Principal = Mailbox | MailGroup;

export function fails(space: Mailspace, part: TroublePart): boolean {
  return strikes(space.troubles, (one) => one === part || (one === 'everything' && !BY_NAME_ONLY.includes(part)));
}

/** As the strict lists read them. */
export function readPrincipals(space: Mailspace): readonly Principal[] {
  // LIM-04: one read yields at most 500 principals, mailboxes before groups, and does not say so.
  return allPrincipals(space).slice(0, MOST_PRINCIPALS);
}

export function allPrincipals(space: Mailspace): readonly Principal[] {
  return [...space.mailboxes, ...space.groups];
}

/** Mailboxes that are not about to be deleted. */
export function liveMailboxes(space: Mailspace): readonly Mailbox[] {
  return space.mailboxes.filter(({ status }) => status !== 'pending_deletion');
}

/** Its memberships go with it. */
export function eraseMailbox(space: Mailspace, mailbox: Mailbox): void {
  space.mailboxes = space.mailboxes.filter((one) => one !== mailbox);
  if (space.mailboxes.some(({ email }) => email === mailbox.email)) return;
  for (const group of space.groups) group.members = group.members.filter((one) => one !== mailbox.email);
}

export function findPrimary(space: Mailspace, address: string): Principal | undefined {
  return allPrincipals(space).find(({ email }) => email === address);
}

export function findAliasTarget(space: Mailspace, address: string): Principal | undefined {
  return allPrincipals(space).find(({ aliases }) => aliases.includes(address));
}

/**
 * Whether an address is taken, by anything but `except`. GAP-43: whether a mailbox that waits to be deleted keeps its
 * address.
 */
export function isTaken(world: World, space: Mailspace, address: string, except?: Principal): boolean {
  // ALS-11: mailboxes, groups, lists and aliases share one namespace.
  return allPrincipals(space).some((one) => {
    if (one === except) return false;
    if (one.kind === 'mailbox' && one.status === 'pending_deletion' && world.ambiguities['GAP-43.address'] === 'free')
      return false;
    // In a copy: an alias that nobody has read stands in nobody's way.
    return one.email === address || (!isUnread(one, 'aliases') && one.aliases.includes(address));
  });
}

/** Whether lists already show it: an alias, a domain, a group or a mailbox by its name. */
export function shows(world: World, { late }: Mailspace, kind: MailThing, name: string): boolean {
  return isListed(world, { hidden: late.get(`${kind} ${name}`) ?? null });
}

/** Of what was made just now. */
export function remember(world: World, space: Mailspace, kind: MailThing, name: string): void {
  const hidden = consistencyLag(world);
  if (hidden !== null) space.late.set(`${kind} ${name}`, hidden);
  countCreation(world, `${kind === 'domain' ? 'mail domain' : kind} ${name} on ${space.domain}`);
}

/** The primary domain is, as soon as there is a server. */
export function isServed(space: Mailspace, domain: string): boolean {
  return (space.provisioned && domain === space.domain) || space.domains.some(({ name }) => name === domain);
}

export function groupsOf(space: Mailspace, kind: MailGroup['kind'], address: string): readonly MailGroup[] {
  const membersOf = (one: MailGroup): readonly string[] =>
    isUnread(one, 'members') ? (one.knownMembers ?? []) : one.members;
  return space.groups.filter((one) => one.kind === kind && membersOf(one).includes(address));
}

export interface WriteCodes {
  /** Nothing was attempted. Absent: mailhost_unavailable. */
  readonly before?: string;
  /** Attempted, and nobody knows what became of it; absent where the documents name no code, as of a refusal. */
  readonly after?: string;
  readonly refused?: string;
}

/** A write that the mail server may not be there for, may refuse, or may do without answering. */
export function mailWrite(
  space: Mailspace,
  { before = 'mailhost_unavailable', after, refused }: WriteCodes,
  write: () => Answer,
): Answer {
  if (fails(space, 'write-before')) refuse(503, before, 'The mail server cannot be reached; nothing was attempted');
  if (fails(space, 'refusal')) refuse(422, refused ?? null, 'The mail server refused');
  const answer = write();
  // MBX-29: a write may be done although it answers 503.
  if (answer.status >= 300 || !fails(space, 'write-after')) return answer;
  return refuse(503, after ?? null, 'The mail server did not answer; the outcome is unknown');
}

/**
 * `owner`: whose addresses they may be already; `fail`: refuses them. Bare local parts are not documented here, so they
 * are no addresses.
 */
export function readAddresses(
  world: World,
  space: Mailspace,
  given: unknown,
  fail: (message: string) => never,
  owner?: Principal,
): string[] {
  if (!Array.isArray(given)) return fail('Addresses come as a list');
  const addresses = new Set<string>();
  for (const text of given.map(String)) {
    const address = readAddress(text) ?? fail(`'${text}' is not an address`);
    // MDM-09: there are no addresses on a domain that is not served.
    if (!isServed(space, domainOf(address))) fail(`${address} is not on a domain of this mailspace`);
    if (address === owner?.email || isTaken(world, space, address, owner)) fail(`${address} is in use`);
    addresses.add(address);
  }
  return [...addresses];
}
