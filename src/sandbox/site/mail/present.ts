// How the transactional mail of a site looks on the wire: effective values beside stored ones, verdict, suspension.
import type { Row } from '../../core/http/endpoint.ts';
import { isSuspended } from './state.ts';
import type { MailAccount } from './state.ts';
import { blank, dateOrNull, stamps } from '../../core/present.ts';
import type { Site } from '../../core/state.ts';
import type { World } from '../../core/world.ts';

const ALLOWED_UNBLOCKS = 2;
const ALLOWANCE_MS = 30 * 86_400_000;

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
      // TML-08: all_verified means all three records.
      all_verified: flags.every(Boolean),
      locally_checked: dns.locallyChecked,
      checked_at: dateOrNull(dns.checkedAt),
    },
    sender_identity: senderIdentity(site, mail),
    suspension: suspensionOf(world, mail),
    ...stamps(mail),
  };
  // TML-06: every field is always there, what is empty as null.
  return row;
}

function senderIdentity(site: Site, mail: MailAccount): Row {
  const localPart = mail.fromLocalPart ?? 'noreply';
  const name = mail.fromName ?? site.name;
  // TML-10/composed: from_email is composed with the DKIM domain, and null without one.
  return {
    from_email: mail.dkimDomain === null ? blank() : `${localPart}@${mail.dkimDomain}`,
    from_local_part: localPart,
    from_name: name,
    // TML-10: mail_from_local_part and mail_from_name are the stored overrides, the rest is what applies.
    mail_from_local_part: mail.fromLocalPart ?? blank(),
    mail_from_name: mail.fromName ?? blank(),
    dkim_domain: mail.dkimDomain ?? blank(),
  };
}

function suspensionOf(world: World, mail: MailAccount): Row {
  const { abuse, system, reason, suspendedAt } = mail.suspension;
  const left = unblocksLeft(world, mail);
  // TML-19: a suspension says who raised it, why, and whether the customer may lift it.
  return {
    suspended: isSuspended(mail),
    abuse,
    system,
    reason: reason ?? blank(),
    suspended_at: dateOrNull(suspendedAt),
    can_self_unsuspend: abuse && !system && left > 0,
    remaining_self_unsuspends: left,
  };
}
