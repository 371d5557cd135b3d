// How mailspaces and what is in them look on the wire. Written from the API documents alone.
import type { Row } from '../core/http/endpoint.ts';
import { TXT_PREFIX, isHosted } from './dns.ts';
import { localPartOf } from '../core/names.ts';
import { allPrincipals, groupsOf } from './server.ts';
import { mostMailboxes, packageOf } from './state.ts';
import type { MailDomain, MailGroup, Mailbox, Mailspace, PendingDomain } from './state.ts';
import { accountRef, blank, dateOrNull, listOrNull, stamps } from '../core/present.ts';
import type { World } from '../core/world.ts';

const DAY_MS = 86_400_000;

export function mailspaceRow(world: World, space: Mailspace): Row {
  const { name, storageGb } = packageOf(space);
  const account = accountRef(world.state, space.accountId);
  // MSP-02: a row of the list has all its fields, the purge date among them.
  return {
    id: space.id,
    domain: space.domain,
    package: space.package,
    status: statusOf(world, space),
    storage_gb: space.storageGb ?? storageGb,
    max_mailboxes: mostMailboxes(space),
    // MSP-04/measured: used space and number of mailboxes are as last measured.
    used_mb: space.measured.usedMb,
    mailbox_count: space.measured.mailboxes,
    provisioned: space.provisioned,
    verified: space.verified,
    needs_domain_verification: !space.verified,
    pending_deletion: space.deleteScheduledAt !== null,
    ...stamps(space),
    account_name: account.name,
    package_name: name,
    delete_scheduled_at: dateOrNull(space.deleteScheduledAt),
    account,
  };
}

/** GAP-35: how the status moves is not documented. */
function statusOf(world: World, space: Mailspace): string {
  if (space.suspended) return 'suspended';
  if (world.ambiguities['GAP-35'] === 'active-at-once') return 'active';
  if (space.deleteScheduledAt !== null) return 'inactive';
  return space.provisioned ? 'active' : 'pending';
}

export function mailspaceView(world: World, space: Mailspace): Row {
  const row = mailspaceRow(world, space);
  // MSP-04: the view adds webmail, the TXT record while it is needed, and the subscription.
  const verification = { txt_prefix: TXT_PREFIX, txt_host: `${TXT_PREFIX}.${space.domain}`, txt_value: space.token };
  const price = { amount_cents: packageOf(space).cents, term: 'annual' };
  return {
    ...row,
    synced_at: dateOrNull(space.syncedAt),
    webmail_url: 'https://webmail.sandbox.example/',
    ...(space.verified ? {} : { verification }),
    ...(space.subscriptionId === null
      ? {}
      : { subscription: { id: space.subscriptionId, status: 'active', ...stamps(space), price } }),
  };
}

export function servedDomain(world: World, space: Mailspace, domain: MailDomain): Row {
  // MDM-03: served and pending domains have shapes of their own.
  return {
    name: domain.name,
    description: domain.description,
    state: domain.name === space.domain ? 'primary' : 'served',
    verified: true,
    dns_state: dnsState(world, space, domain.name),
  };
}

function dnsState(world: World, space: Mailspace, name: string): string {
  if (isHosted(world, space, name)) return 'managed';
  const rows = space.probes.get(name)?.rows;
  // MDM-05: external DNS that nobody has looked at reads manual.
  if (rows === undefined) return 'manual';
  const missing = Object.entries(rows).some(([key, { status }]) => status !== 'ok' && !key.startsWith('AAAA '));
  return missing ? 'setup_needed' : 'manual';
}

export function pendingDomain(domain: PendingDomain): Row {
  return {
    name: domain.name,
    description: domain.description,
    state: 'pending_verification',
    verified: domain.verified,
    verification: { txt_host: `${TXT_PREFIX}.${domain.name}`, txt_value: domain.token, txt_type: 'TXT' },
    last_checked_at: dateOrNull(domain.lastCheckedAt),
    ...stamps(domain),
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
    // GRP-01: the name of a group is its local part; its number of members is never null.
    name: localPartOf(group.email),
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
  // MBX-04: a mailbox row shows quota, use rounded up, aliases and principal.
  return {
    id: mailbox.id,
    email: mailbox.email,
    display_name: displayName(world, mailbox),
    status: mailbox.status,
    quota_mb: mailbox.quotaMb,
    used_mb: Math.ceil(mailbox.usedBytes / 1_048_576),
    aliases: listOrNull(world, mailbox.aliases),
    principal_id: mailbox.principalId,
    scheduled_deletion_at: dateOrNull(mailbox.scheduledDeletionAt),
  };
}

function displayName(world: World, { displayName: name }: Mailbox): string | null {
  if (name !== null && name !== '') return name;
  return world.ambiguities.emptyTexts === 'text' ? '' : blank();
}

export function pendingMailbox(world: World, { id, email, scheduledDeletionAt }: Mailbox): Row {
  // MBX-05: a mailbox that waits to be deleted says for how many days.
  const days =
    scheduledDeletionAt === null ? null : Math.max(0, Math.ceil((scheduledDeletionAt - world.clock.now()) / DAY_MS));
  return {
    id,
    email,
    status: 'pending_deletion',
    scheduled_deletion_at: dateOrNull(scheduledDeletionAt),
    days_until_deletion: days,
  };
}

/** What a create answers, too. */
export function mailboxCreated(world: World, mailbox: Mailbox): Row {
  return { ...mailboxRow(world, mailbox), ...stamps(mailbox) };
}

/** `readable`: whether the mail server answers. GAP-45: nothing in the answer says so. */
export function mailboxView(world: World, space: Mailspace, mailbox: Mailbox, readable: boolean): Row {
  const row = mailboxCreated(world, mailbox);
  // MBX-06: the view of a mailbox adds addresses, memberships, two-factor and stamps.
  const memberships = (kind: MailGroup['kind']): unknown =>
    listOrNull(
      world,
      groupsOf(space, kind, mailbox.email).map(({ email }) => email),
    );
  // MBX-07: the view answers empty values when the mail server cannot be read.
  if (readable) {
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
    world.ambiguities['GAP-45.status'] === 'empty' && mailbox.status !== 'pending_deletion' ? '' : mailbox.status;
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
