// Decides how the transactional mail of a site looks on the wire: effective values beside stored ones, verdict,
// suspension. Must not decide who may see it.
import { isSuspended } from './state.ts';
import type { MailAccount } from './state.ts';
import { blank, stamps } from '../../core/present.ts';
import { rule } from '../../rules/rules.ts';
import type { Site } from '../../core/state.ts';
import type { World } from '../../core/world.ts';

const alwaysPresent = rule('TML-06', 'every field is always there, what is empty as null');
const allThree = rule('TML-08', 'all_verified means all three records');
const storedOnly = rule(
  'TML-10',
  'mail_from_local_part and mail_from_name are the stored overrides, the rest is what applies',
);
const composed = rule('TML-10/composed', 'from_email is composed with the DKIM domain, and null without one');
const suspensionFields = rule('TML-19', 'a suspension says who raised it, why, and whether the customer may lift it');

const ALLOWED_UNBLOCKS = 2;
const ALLOWANCE_MS = 30 * 86_400_000;

type Row = Record<string, unknown>;

/** How many blocks the customer may still lift within thirty days. */
export function unblocksLeft(world: World, mail: MailAccount): number {
  return Math.max(0, ALLOWED_UNBLOCKS - mail.unblocks.filter((at) => world.clock.now() - at < ALLOWANCE_MS).length);
}

export function presentMail(world: World, site: Site, mail: MailAccount): Row {
  const { dns } = mail;
  const flags = [dns.spf, dns.dkim, dns.lockdown];
  const row: Row = {
    status: mail.status,
    configured: mail.configured,
    notifications_active: mail.notificationsActive,
    dns: {
      verdict: dns.verdict,
      spf_verified: dns.spf,
      dkim_verified: dns.dkim,
      lockdown_verified: dns.lockdown,
      all_verified: world.rules.on(allThree) ? flags.every(Boolean) : flags.some(Boolean),
      locally_checked: dns.locallyChecked,
      checked_at: dateOrBlank(world, dns.checkedAt),
    },
    sender_identity: senderIdentity(world, site, mail),
    suspension: suspensionOf(world, mail),
    ...stamps(world, mail),
  };
  return world.rules.on(alwaysPresent) ? row : withoutNulls(row);
}

function senderIdentity(world: World, site: Site, mail: MailAccount): Row {
  const localPart = mail.fromLocalPart ?? 'noreply';
  const name = mail.fromName ?? site.name;
  const domain = mail.dkimDomain ?? (world.rules.on(composed) ? null : site.temporaryHostname);
  return {
    from_email: domain === null ? blank(world) : `${localPart}@${domain}`,
    from_local_part: localPart,
    from_name: name,
    mail_from_local_part: mail.fromLocalPart ?? (world.rules.on(storedOnly) ? blank(world) : localPart),
    mail_from_name: mail.fromName ?? (world.rules.on(storedOnly) ? blank(world) : name),
    dkim_domain: mail.dkimDomain ?? blank(world),
  };
}

function suspensionOf(world: World, mail: MailAccount): Row {
  const { abuse, system, reason, suspendedAt } = mail.suspension;
  const left = unblocksLeft(world, mail);
  const row = {
    suspended: isSuspended(mail),
    abuse,
    system,
    reason: reason ?? blank(world),
    suspended_at: dateOrBlank(world, suspendedAt),
  };
  return world.rules.on(suspensionFields)
    ? { ...row, can_self_unsuspend: abuse && !system && left > 0, remaining_self_unsuspends: left }
    : row;
}

export function dateOrBlank(world: World, atMs: number | null): string | null {
  return atMs === null ? blank(world) : new Date(atMs).toISOString();
}

function withoutNulls(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) => {
      if (value === null) return [];
      return [[key, typeof value === 'object' ? withoutNulls(value as Row) : value]];
    }),
  );
}
