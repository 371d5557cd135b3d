// How mailspaces look in a hand-written fixture: by domain and address, no generated ids, no times, no passwords,
// everything sorted.
import type { Row } from '../core/http/endpoint.ts';
import { byName, section } from '../core/snapshot.ts';
import { groupsOf } from './server.ts';
import type { MailDomain, MailGroup, MailPlatform, Mailbox, Mailspace } from './state.ts';

export function mailSnapshot({ spaces }: MailPlatform): Readonly<Row> {
  return section(
    'mailspaces',
    [...spaces.values()].map((space) => [space.domain, spaceSnapshot(space)]),
  );
}

function spaceSnapshot(space: Mailspace): unknown {
  const described = ({ name, description }: MailDomain) => [name, description] as const;
  const groups = (kind: MailGroup['kind']): unknown =>
    byName(space.groups.filter((one) => one.kind === kind).map((one) => [one.email, groupSnapshot(one)]));
  return {
    account: space.accountId,
    package: space.package,
    suspended: space.suspended,
    verified: space.verified,
    provisioned: space.provisioned,
    pendingDelete: space.deleteScheduledAt !== null,
    domains: byName(space.domains.map(described)),
    pendingDomains: byName(space.pendingDomains.map(described)),
    mailboxes: byName(space.mailboxes.map((one) => [one.email, mailboxSnapshot(space, one)])),
    groups: groups('group'),
    lists: groups('list'),
    passwordsSet: space.audit.length,
  };
}

function mailboxSnapshot(
  space: Mailspace,
  { email, displayName, status, quotaMb, aliases, allowedIps }: Mailbox,
): unknown {
  const memberships = (kind: MailGroup['kind']): readonly string[] =>
    groupsOf(space, kind, email)
      .map((one) => one.email)
      .sort();
  return {
    displayName,
    status,
    quotaMb,
    aliases: [...aliases].sort(),
    allowedIps: [...allowedIps].sort(),
    groups: memberships('group'),
    lists: memberships('list'),
  };
}

function groupSnapshot({ description, aliases, members }: MailGroup): unknown {
  return { description, aliases: [...aliases].sort(), members: [...members].sort() };
}
