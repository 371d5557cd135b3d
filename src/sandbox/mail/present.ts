// Decides how mailspaces and what is in them look on the wire. Must not decide who may see them, and must not read the
// mail server: what is shown was read before. Written from the API documents alone.
import { TXT_PREFIX, isHosted } from './dns.ts';
import { localPartOf } from './names.ts';
import { allPrincipals, groupsOf, liveMailboxes } from './server.ts';
import { mostMailboxes, packageOf } from './state.ts';
import type { MailDomain, MailGroup, Mailbox, Mailspace, PendingDomain } from './state.ts';
import { accountRef, blank, dateTime, listOrNull, stamps } from '../core/present.ts';
import { rule } from '../rules/rules.ts';
import type { World } from '../core/world.ts';

const rowIsLong = rule('MSP-02', 'a row of the list has all its fields, the purge date among them');
const viewAdds = rule('MSP-04', 'the view adds webmail, the TXT record while it is needed, and the subscription');
const countedBefore = rule('MSP-04/measured', 'used space and number of mailboxes are as last measured');
const domainShapes = rule('MDM-03', 'served and pending domains have shapes of their own');
const manualIsNoProof = rule('MDM-05', 'external DNS that nobody has looked at reads manual');
const groupShape = rule('GRP-01', 'the name of a group is its local part; its number of members is never null');
const rowFields = rule('MBX-04', 'a mailbox row shows quota, use rounded up, aliases and principal');
const pendingFields = rule('MBX-05', 'a mailbox that waits to be deleted says for how many days');
const viewFields = rule('MBX-06', 'the view of a mailbox adds addresses, memberships, two-factor and stamps');
const degrades = rule('MBX-07', 'the view answers empty values when the mail server cannot be read');

const DAY_MS = 86_400_000;

type Row = Record<string, unknown>;

export function mailspaceRow(world: World, space: Mailspace): Row {
  const { name, storageGb } = packageOf(space);
  const account = accountRef(world.state, space.accountId);
  const counted = world.rules.on(countedBefore) ? space.measured.mailboxes : liveMailboxes(space).length;
  const row = {
    id: space.id,
    domain: space.domain,
    package: space.package,
    status: statusOf(world, space),
    storage_gb: storageGb,
    max_mailboxes: mostMailboxes(space),
    used_mb: space.measured.usedMb,
    mailbox_count: counted,
    provisioned: space.provisioned,
    verified: space.verified,
    needs_domain_verification: !space.verified,
    pending_deletion: space.deleteScheduledAt !== null,
    ...stamps(world, space),
  };
  if (!world.rules.on(rowIsLong)) return row;
  return {
    ...row,
    account_name: account.name,
    package_name: name,
    delete_scheduled_at: dateOrNull(world, space.deleteScheduledAt),
    account,
  };
}

/** GAP-35: how the status moves is not documented. */
function statusOf(world: World, space: Mailspace): string {
  if (space.suspended) return 'suspended';
  if (world.readings['GAP-35'] === 'active-at-once') return 'active';
  if (space.deleteScheduledAt !== null) return 'inactive';
  return space.provisioned ? 'active' : 'pending';
}

export function mailspaceView(world: World, space: Mailspace): Row {
  const row = mailspaceRow(world, space);
  if (!world.rules.on(viewAdds)) return row;
  const verification = { txt_prefix: TXT_PREFIX, txt_host: `${TXT_PREFIX}.${space.domain}`, txt_value: space.token };
  const price = { amount_cents: packageOf(space).cents, term: 'annual' };
  return {
    ...row,
    synced_at: dateOrNull(world, space.syncedAt),
    webmail_url: 'https://webmail.sandbox.example/',
    ...(space.verified ? {} : { verification }),
    ...(space.subscriptionId === null
      ? {}
      : { subscription: { id: space.subscriptionId, status: 'active', ...stamps(world, space), price } }),
  };
}

function dateOrNull(world: World, atMs: number | null): unknown {
  return atMs === null ? null : dateTime(world, atMs);
}

export function servedDomain(world: World, space: Mailspace, domain: MailDomain): Row {
  const row = {
    name: domain.name,
    description: domain.description,
    state: domain.name === space.domain ? 'primary' : 'served',
  };
  return world.rules.on(domainShapes)
    ? { ...row, verified: true, dns_state: dnsState(world, space, domain.name) }
    : row;
}

function dnsState(world: World, space: Mailspace, name: string): string {
  if (isHosted(world, space, name)) return 'managed';
  const rows = space.probes.get(name)?.rows;
  if (rows === undefined) return world.rules.on(manualIsNoProof) ? 'manual' : 'setup_needed';
  const missing = Object.entries(rows).some(([key, { status }]) => status !== 'ok' && !key.startsWith('AAAA '));
  return missing ? 'setup_needed' : 'manual';
}

export function pendingDomain(world: World, domain: PendingDomain): Row {
  return {
    name: domain.name,
    description: domain.description,
    state: 'pending_verification',
    verified: domain.verified,
    verification: { txt_host: `${TXT_PREFIX}.${domain.name}`, txt_value: domain.token, txt_type: 'TXT' },
    last_checked_at: dateOrNull(world, domain.lastCheckedAt),
    ...stamps(world, domain),
  };
}

export function aliasRow(space: Mailspace, address: string): Row {
  const target = allPrincipals(space).find(({ aliases }) => aliases.includes(address));
  const described = target?.kind === 'mailbox' ? target.displayName : target?.description;
  return {
    address,
    target_email: target?.email ?? null,
    target_name: described ?? (target === undefined ? null : localPartOf(target.email)),
    target_type: target?.kind ?? null,
    target_id: target?.principalId ?? null,
  };
}

/** `counted`: the members among the principals that one read yields. */
export function groupRow(world: World, group: MailGroup, counted: number | null): Row {
  return {
    id: group.principalId,
    name: world.rules.on(groupShape) ? localPartOf(group.email) : group.description,
    email: group.email,
    aliases: listOrNull(world, group.aliases),
    description: group.description === '' ? null : group.description,
    member_count: counted,
  };
}

export function groupView(world: World, group: MailGroup): Row {
  return { ...groupRow(world, group, group.members.length), members: listOrNull(world, group.members) };
}

export function mailboxRow(world: World, mailbox: Mailbox): Row {
  const core = {
    id: mailbox.id,
    email: mailbox.email,
    display_name: displayName(world, mailbox),
    status: mailbox.status,
  };
  if (!world.rules.on(rowFields)) return core;
  return {
    ...core,
    quota_mb: mailbox.quotaMb,
    used_mb: Math.ceil(mailbox.usedBytes / 1_048_576),
    aliases: listOrNull(world, mailbox.aliases),
    principal_id: mailbox.principalId,
    scheduled_deletion_at: dateOrNull(world, mailbox.scheduledDeletionAt),
  };
}

function displayName(world: World, { displayName: name }: Mailbox): string | null {
  if (name !== null && name !== '') return name;
  return world.readings.emptyTexts === 'text' ? '' : blank(world);
}

export function pendingMailbox(world: World, { id, email, scheduledDeletionAt }: Mailbox): Row {
  const row = { id, email, status: 'pending_deletion', scheduled_deletion_at: dateOrNull(world, scheduledDeletionAt) };
  if (!world.rules.on(pendingFields)) return row;
  const days =
    scheduledDeletionAt === null ? null : Math.max(0, Math.ceil((scheduledDeletionAt - world.clock.now()) / DAY_MS));
  return { ...row, days_until_deletion: days };
}

/** What a create answers, too. */
export function mailboxCreated(world: World, mailbox: Mailbox): Row {
  return { ...mailboxRow(world, mailbox), ...stamps(world, mailbox) };
}

/** `readable`: whether the mail server answers. GAP-45: nothing in the answer says so. */
export function mailboxView(world: World, space: Mailspace, mailbox: Mailbox, readable: boolean): Row {
  const row = mailboxCreated(world, mailbox);
  if (!world.rules.on(viewFields)) return row;
  const memberships = (kind: MailGroup['kind']): unknown =>
    listOrNull(
      world,
      groupsOf(space, kind, mailbox.email).map(({ email }) => email),
    );
  if (readable || !world.rules.on(degrades)) {
    return {
      ...row,
      allowed_ips: listOrNull(world, mailbox.allowedIps),
      groups: memberships('group'),
      lists: memberships('list'),
      two_factor: { enabled: mailbox.twoFactor },
      app_passwords: listOrNull(world, []),
    };
  }
  const status =
    world.readings['GAP-45.status'] === 'empty' && mailbox.status !== 'pending_deletion' ? '' : mailbox.status;
  return {
    ...row,
    status,
    display_name: '',
    quota_mb: 0,
    used_mb: 0,
    aliases: [],
    allowed_ips: [],
    groups: [],
    lists: [],
    two_factor: { enabled: false },
    app_passwords: [],
  };
}
