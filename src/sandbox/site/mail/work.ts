// What happens to a site's mail behind its endpoints: the queued reconcile that configures the container or takes the
// configuration away, and the result of a DNS check.
import { isSuspended } from './state.ts';
import type { MailAccount } from './state.ts';
import type { Site } from '../../core/state.ts';
import type { World } from '../../core/world.ts';

const RECONCILED_AFTER_MS = 2_000;
const CHECKED_AFTER_MS = 3_000;
const GRACE_MS = 86_400_000;

export function queueReconcile(world: World, site: Site): void {
  // TML-13/queued: a reconcile is queued, and the provider never called while a request waits.
  world.clock.at(world.clock.now() + RECONCILED_AFTER_MS, () => reconcile(world, site));
}

function reconcile(world: World, site: Site): void {
  const { mail } = site;
  // TML-17/inactive: nothing changes on an account that is not active.
  if (mail === null || mail.status !== 'active') return;
  mail.configured = mail.configured ? keeps(world, site, mail) : mayConfigure(site, mail);
}

function mayConfigure(site: Site, mail: MailAccount): boolean {
  // TML-14: a verified, active, unsuspended account of a matching domain is configured.
  if (mail.dns.verdict !== 'verified' || isSuspended(mail) || mailDomain(site) === null) return false;
  // TML-14/domain: only where the DKIM domain is the primary domain.
  return mail.dkimDomain === mailDomain(site);
}

/** Evaluated in the documented order. */
function keeps(world: World, site: Site, mail: MailAccount): boolean {
  // TML-16: a suspension, a missing domain or a blank DKIM domain takes the configuration away.
  if (isSuspended(mail) || mailDomain(site) === null || mail.dkimDomain === null) return false;
  // TML-17: a DKIM domain that is not the primary domain is a hold.
  if (mail.dkimDomain !== mailDomain(site)) return true;
  const { verdict, failedSince } = mail.dns;
  // TML-09: an unknown verdict is a hold: nothing is pushed and nothing torn down.
  if (verdict === 'unknown') return true;
  // TML-15: a failed verdict takes the configuration away after a day of grace.
  const past = failedSince !== null && world.clock.now() - failedSince >= GRACE_MS;
  return verdict !== 'failed' || !past;
}

export function queueDnsCheck(world: World, site: Site): void {
  // TML-23/later: the result of a DNS check shows up later in the status.
  world.clock.at(world.clock.now() + CHECKED_AFTER_MS, () => finishDnsCheck(world, site));
}

function finishDnsCheck(world: World, site: Site): void {
  const { mail } = site;
  if (mail === null) return;
  const now = world.clock.now();
  // Nothing writes the DKIM domain; how it comes to be, and whether it follows the primary domain, is not documented
  // (GAP-34).
  if (world.ambiguities['GAP-34.dkim'] === 'follows') mail.dkimDomain = mailDomain(site) ?? mail.dkimDomain;
  Object.assign(mail.dns, mail.published, { checkedAt: now, locallyChecked: mail.providerSilent });
  mail.updatedAt = now;
  if (mail.providerSilent) return;
  const { spf, dkim, lockdown } = mail.dns;
  const verified = spf && dkim && lockdown;
  mail.dns.failedSince = verified ? null : (mail.dns.failedSince ?? now);
  mail.dns.verdict = verified ? 'verified' : 'failed';
  // How the status of an account moves is not documented (GAP-34).
  if (verified && mail.status === 'pending' && world.ambiguities['GAP-34'] === 'activates') mail.status = 'active';
  queueReconcile(world, site);
  if (!verified) world.clock.at((mail.dns.failedSince ?? now) + GRACE_MS, () => reconcile(world, site));
}

/** The hostname that the site's mail goes by; null while none is attached. */
function mailDomain(site: Site): string | null {
  return site.domains.find(({ id }) => id === site.primaryDomainId)?.hostname ?? null;
}
