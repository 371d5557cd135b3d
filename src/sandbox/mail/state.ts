// What the platform remembers of mailspaces: their domains, mailboxes, groups and lists, and the DNS around them. Tests
// change it directly ("behind the engine's back").
import { EPOCH_MS } from '../core/clock.ts';
import type { Hidden } from '../core/lists.ts';
import type { Trouble } from '../core/world.ts';

export const PACKAGES = [
  { shortName: 'mail_5', name: 'Mail 5', maxMailboxes: 5, storageGb: 25, cents: 6_000 },
  { shortName: 'mail_20', name: 'Mail 20', maxMailboxes: 20, storageGb: 100, cents: 18_000 },
  { shortName: 'mail_50', name: 'Mail 50', maxMailboxes: 50, storageGb: 250, cents: 36_000 },
  { shortName: 'mail_200', name: 'Mail 200', maxMailboxes: 200, storageGb: 1_000, cents: 120_000 },
  { shortName: 'mail_500', name: 'Mail 500', maxMailboxes: 500, storageGb: 2_500, cents: 240_000 },
] as const;
export type MailPackage = (typeof PACKAGES)[number];

/** What the mail server cannot do for a while. */
export const TROUBLE_PARTS = [
  'everything',
  'aliases',
  'groups',
  'members',
  'mailing_lists',
  'mailboxes',
  'domains',
  'archived_items',
  'purged_mailboxes',
  'mailbox',
  'domain',
  'check',
  'memberships',
  'domain-readback',
  'group-readback',
  'follow-up',
  'dkim',
  'refusal',
  'write-before',
  'write-after',
] as const;
export type TroublePart = (typeof TROUBLE_PARTS)[number];

class Principal {
  /** The id that the mail server gives. */
  declare readonly principalId: string;
  declare email: string;
  aliases: string[] = [];
}

export class Mailbox extends Principal {
  readonly kind = 'mailbox';
  declare readonly id: string;
  displayName: string | null = null;
  status: 'active' | 'suspended' | 'pending_deletion' = 'active';
  quotaMb = 0;
  usedBytes = 0;
  password = 'sandbox-mailbox-password';
  allowedIps: string[] = [];
  twoFactor = false;
  scheduledDeletionAt: number | null = null;
  createdAt = EPOCH_MS;
  updatedAt = EPOCH_MS;
}

export class MailGroup extends Principal {
  readonly kind: 'group' | 'list' = 'group';
  description: string | null = null;
  members: string[] = [];
  /** Of a copy that knows how many there are, and not which. */
  declare shownMembers?: number;
  /** Those of them whose view names the group. */
  declare knownMembers?: readonly string[];
}

export interface MailDomain {
  readonly name: string;
  description: string | null;
}

export interface PendingDomain extends MailDomain {
  readonly token: string;
  /** Owned, and not on the mail server yet. */
  verified: boolean;
  lastCheckedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface ProbedRow {
  readonly status: 'ok' | 'mismatch' | 'missing';
  readonly found: string | null;
}

export interface Probe {
  readonly at: number;
  /** By type and name. */
  readonly rows: Readonly<Record<string, ProbedRow>>;
}

export class Mailspace {
  declare readonly id: string;
  declare domain: string;
  declare accountId: string;
  package: MailPackage['shortName'] = 'mail_5';
  /** How many mailboxes were agreed on where the package has another number; null: as its package has. */
  agreedMailboxes: number | null = null;
  /** What the package holds, where it was read; absent: as its package has. */
  declare storageGb?: number;
  /** On a staff block, or an invoice is unpaid. */
  suspended = false;
  declare verified: boolean;
  declare provisioned: boolean;
  declare readonly token: string;
  /** When it will be purged; null while it lives. */
  deleteScheduledAt: number | null = null;
  declare subscriptionId: string | null;
  syncedAt: number | null = null;
  /** As last counted, which is not now. */
  measured: { at: number; mailboxes: number; usedMb: number } = { at: EPOCH_MS, mailboxes: 0, usedMb: 0 };
  declare domains: MailDomain[];
  pendingDomains: PendingDomain[] = [];
  mailboxes: Mailbox[] = [];
  groups: MailGroup[] = [];
  /** Of a copy: of mailing lists only those are known that a mailbox is on. */
  declare listsUnread?: true;
  /** Of a copy that does not know what they lead to. */
  declare shownAliases?: readonly Readonly<Record<string, unknown>>[];
  readonly probes: Map<string, Probe> = new Map();
  readonly late: Map<string, Hidden> = new Map();
  troubles: Trouble<TroublePart>[] = [];
  audit: { readonly at: number; readonly mailbox: string; readonly by: string }[] = [];
  hidden: Hidden = null;
  createdAt = EPOCH_MS;
  updatedAt = EPOCH_MS;
}

export interface DnsEntry {
  readonly type: 'MX' | 'A' | 'AAAA' | 'TXT' | 'CNAME';
  readonly name: string;
  readonly value: string;
  readonly priority: number | null;
  /** `mail`: the service wrote it. */
  readonly by: 'user' | 'mail';
}

export interface MailPlatform {
  /** false: mail hosting is not configured on the platform. */
  configured: boolean;
  readonly spaces: Map<string, Mailspace>;
  /** The DNS of the whole world. Names under `.invalid` do not exist in it. */
  dns: DnsEntry[];
  /** Of a copy: which records mail wants is not known. */
  wantedRecordsUnread?: true;
  /** Up to when the sweeps have run. */
  sweptAt: number;
}

export function emptyMail(): MailPlatform {
  return { configured: true, spaces: new Map(), dns: [], sweptAt: EPOCH_MS };
}

export function packageOf({ package: wanted }: Pick<Mailspace, 'package'>): MailPackage {
  return PACKAGES.find(({ shortName }) => shortName === wanted) ?? PACKAGES[0];
}

export function mostMailboxes(space: Pick<Mailspace, 'package' | 'agreedMailboxes'>): number {
  return space.agreedMailboxes ?? packageOf(space).maxMailboxes;
}

/** Puts a mailspace into the store without any of the checks of the API: provisioned, unless `given` says otherwise. */
export function addMailspace(
  mail: MailPlatform,
  given: Pick<Mailspace, 'id' | 'domain' | 'accountId' | 'token'> & Partial<Mailspace>,
): Mailspace {
  const provisioned = given.provisioned ?? true;
  const space: Mailspace = Object.assign(
    new Mailspace(),
    {
      verified: provisioned,
      provisioned,
      subscriptionId: `sub-${given.id}`,
      domains: provisioned ? [{ name: given.domain, description: null }] : [],
    },
    given,
  );
  mail.spaces.set(space.id, space);
  return space;
}

export function addMailbox(space: Mailspace, given: Pick<Mailbox, 'id' | 'email'> & Partial<Mailbox>): Mailbox {
  const mailbox: Mailbox = Object.assign(new Mailbox(), { principalId: `principal-${given.id}` }, given);
  space.mailboxes.push(mailbox);
  return mailbox;
}

export function addMailGroup(
  space: Mailspace,
  given: Pick<MailGroup, 'principalId' | 'email'> & Partial<MailGroup>,
): MailGroup {
  const group: MailGroup = Object.assign(new MailGroup(), given);
  space.groups.push(group);
  return group;
}
