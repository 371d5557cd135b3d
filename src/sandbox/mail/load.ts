// Puts mailspaces and what is in them into the store of a copy, as they were read.
import {
  isUnread,
  numberOr,
  ownerOf,
  rowIn,
  settleEmptyList,
  stampsIn,
  textOr,
  textOrNull,
  textsIn,
  timeOrNull,
  unread,
} from '../core/copy/answers.ts';
import type { Copying } from '../core/copy/answers.ts';
import { isRecord } from '../core/http/endpoint.ts';
import type { Row } from '../core/http/endpoint.ts';
import { localPartOf } from '../core/names.ts';
import { addMailGroup, addMailbox, addMailspace, packageOf } from './state.ts';
import type { Mailbox, Mailspace, ProbedRow } from './state.ts';

export function loadMailspaces(copying: Copying): void {
  const { answers, state, nowMs } = copying;
  const rows = answers.rows('/api/mailspace', 'mailspaces');
  if (rows === undefined) return unread(state, 'the list of mailspaces', 'mail');
  state.mail.sweptAt = nowMs;
  state.mail.wantedRecordsUnread = true;
  // The newest stands first.
  for (const row of [...rows].reverse()) {
    const space = addMailspace(state.mail, {
      id: String(row['id']),
      domain: String(row['domain']),
      accountId: ownerOf(copying, row),
      token: '',
      package: textOr(row['package'], '') as Mailspace['package'],
      suspended: row['status'] === 'suspended',
      provisioned: row['provisioned'] === true,
      verified: row['verified'] === true,
      deleteScheduledAt: timeOrNull(row['delete_scheduled_at']),
      measured: { at: nowMs, mailboxes: numberOr(row['mailbox_count'], 0), usedMb: numberOr(row['used_mb'], 0) },
      ...stampsIn(copying, row),
      storageGb: numberOr(row['storage_gb'], 0),
    });
    const most = numberOr(row['max_mailboxes'], 0);
    if (most !== packageOf(space).maxMailboxes) space.agreedMailboxes = most;
    if (answers.object(`/api/mailspace/${space.id}`) === undefined)
      unread(space, `the view of mailspace ${space.domain}`, 'subscriptionId');
    loadDomains(copying, space);
    loadMailboxes(copying, space);
    loadGroups(copying, space);
  }
}

function loadDomains(copying: Copying, space: Mailspace): void {
  const { answers, state, nowMs } = copying;
  const path = `/api/mailspace/${space.id}/domains`;
  const [served, pending] = [answers.rows(path, 'domains'), answers.rows(path, 'pending_domains')];
  if (served === undefined || pending === undefined)
    return unread(space, `the domains of mailspace ${space.domain}`, 'domains', 'pendingDomains');
  space.domains = served.map(({ name, description }) => ({ name: String(name), description: textOrNull(description) }));
  for (const { name, dns_state: dns } of served) {
    if (dns === 'managed') state.dnsZones.push({ name: String(name), accountId: space.accountId });
    const missing: ProbedRow = { status: 'missing', found: null };
    if (dns === 'setup_needed') space.probes.set(String(name), { at: nowMs, rows: { MX: missing } });
  }
  space.pendingDomains = pending.map((row) => ({
    name: String(row['name']),
    description: textOrNull(row['description']),
    token: textOr(rowIn(row, 'verification')['txt_value'], ''),
    verified: row['verified'] === true,
    lastCheckedAt: timeOrNull(row['last_checked_at']),
    ...stampsIn(copying, row),
  }));
}

function loadMailboxes(copying: Copying, space: Mailspace): void {
  const { answers } = copying;
  const path = `/api/mailspace/${space.id}/mailboxes`;
  const [live, pending] = [answers.rows(path, 'mailboxes'), answers.rows(path, 'pending')];
  if (live === undefined || pending === undefined)
    return unread(space, `the mailboxes of mailspace ${space.domain}`, 'mailboxes');
  for (const row of live) loadMailbox(copying, space, row, path);
  const aliases = answers.rows(`/api/mailspace/${space.id}/aliases`, 'aliases');
  for (const row of pending) {
    const view = answers.object(`${path}/${String(row['id'])}`)?.['mailbox'];
    if (isRecord(view)) {
      loadMailbox(copying, space, view, path);
      continue;
    }
    // MBX-05: of those that wait to be deleted the list shows only the address and the day; their aliases show more.
    const own = aliases?.filter(({ target_email: target }) => target === row['email']);
    const [alias] = own ?? [];
    const mailbox = loadMailbox(copying, space, { ...row, principal_id: alias?.['target_id'] ?? '' }, path);
    const what = `the mailbox ${mailbox.email}, which waits to be deleted`;
    unread(mailbox, what, 'displayName', 'quotaMb');
    if (own === undefined) unread(mailbox, what, 'aliases');
    else mailbox.aliases = own.map(({ address }) => String(address));
    if (alias !== undefined)
      mailbox.displayName =
        alias['target_name'] === localPartOf(mailbox.email) ? null : textOrNull(alias['target_name']);
  }
}

function loadMailbox(copying: Copying, space: Mailspace, row: Row, path: string): Mailbox {
  const { answers, settle } = copying;
  settleEmptyList(copying, row['aliases']);
  if (row['display_name'] === '') settle('emptyTexts', 'text');
  const mailbox = addMailbox(space, {
    id: String(row['id']),
    email: String(row['email']),
    principalId: String(row['principal_id']),
    displayName: textOrNull(row['display_name']),
    status: textOr(row['status'], 'active') as Mailbox['status'],
    quotaMb: numberOr(row['quota_mb'], 0),
    usedBytes: numberOr(row['used_mb'], 0) * 1_048_576,
    aliases: textsIn(row['aliases']),
    scheduledDeletionAt: timeOrNull(row['scheduled_deletion_at']),
  });
  const view = answers.object(`${path}/${mailbox.id}`)?.['mailbox'];
  if (!isRecord(view)) {
    unread(mailbox, `the mailbox ${mailbox.email}`, 'allowedIps', 'twoFactor', 'createdAt', 'updatedAt');
    return mailbox;
  }
  const twoFactor = rowIn(view, 'two_factor')['enabled'] === true;
  return Object.assign(mailbox, { allowedIps: textsIn(view['allowed_ips']), twoFactor, ...stampsIn(copying, view) });
}

function loadGroups(copying: Copying, space: Mailspace): void {
  const { answers } = copying;
  const aliases = answers.rows(`/api/mailspace/${space.id}/aliases`, 'aliases');
  if (aliases !== undefined) space.shownAliases = aliases;
  const path = `/api/mailspace/${space.id}/groups`;
  const rows = answers.rows(path, 'groups');
  if (rows === undefined) return unread(space, `the groups of mailspace ${space.domain}`, 'groups');
  const viewed = isUnread(space, 'mailboxes')
    ? []
    : space.mailboxes.flatMap(({ id }) => {
        const view = answers.object(`/api/mailspace/${space.id}/mailboxes/${id}`)?.['mailbox'];
        return isRecord(view) ? [view] : [];
      });
  space.listsUnread = true;
  for (const email of new Set(viewed.flatMap(({ lists }) => textsIn(lists)))) {
    const list = addMailGroup(space, { principalId: '', email, kind: 'list' });
    list.knownMembers = viewed.flatMap((view) =>
      textsIn(view['lists']).includes(email) ? [String(view['email'])] : [],
    );
    unread(list, `the members of the mailing list ${email}`, 'members');
  }
  for (const row of rows) {
    settleEmptyList(copying, row['aliases']);
    const group = addMailGroup(space, {
      principalId: String(row['id']),
      email: String(row['email']),
      aliases: textsIn(row['aliases']),
      description: textOrNull(row['description']),
    });
    const view = answers.object(`${path}/${group.principalId}`)?.['group'];
    if (isRecord(view)) {
      group.members = textsIn(view['members']);
      continue;
    }
    group.shownMembers = numberOr(row['member_count'], 0);
    group.knownMembers = viewed.flatMap(({ email, groups }) =>
      textsIn(groups).includes(group.email) ? [String(email)] : [],
    );
    unread(group, `the members of the group ${group.email}`, 'members');
  }
}
