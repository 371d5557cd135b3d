// Decides what happens to a site's mail behind its endpoints: the queued reconcile that configures the container or
// takes the configuration away, and the result of a DNS check. Must not answer requests.
import { isSuspended, mailDomain } from './state.ts';
import type { MailAccount } from './state.ts';
import { rule } from '../../rules/rules.ts';
import type { Site } from '../../core/state.ts';
import type { World } from '../../core/world.ts';

const unknownHolds = rule('TML-09', 'an unknown verdict is a hold: nothing is pushed and nothing torn down');
const queued = rule('TML-13/queued', 'a reconcile is queued, and the provider never called while a request waits');
const configures = rule('TML-14', 'a verified, active, unsuspended account of a matching domain is configured');
const sameDomain = rule('TML-14/domain', 'only where the DKIM domain is the primary domain');
const grace = rule('TML-15', 'a failed verdict takes the configuration away after a day of grace');
const tearsDown = rule('TML-16', 'a suspension, a missing domain or a blank DKIM domain takes the configuration away');
const otherDomainHolds = rule('TML-17', 'a DKIM domain that is not the primary domain is a hold');
const inactiveHolds = rule('TML-17/inactive', 'nothing changes on an account that is not active');
const checkedLater = rule('TML-23/later', 'the result of a DNS check shows up later in the status');

const RECONCILED_AFTER_MS = 2_000;
const CHECKED_AFTER_MS = 3_000;
const GRACE_MS = 86_400_000;

export function queueReconcile(world: World, site: Site): void {
  if (!world.rules.on(queued)) return reconcile(world, site);
  world.clock.at(world.clock.now() + RECONCILED_AFTER_MS, () => reconcile(world, site));
}

function reconcile(world: World, site: Site): void {
  const { mail } = site;
  if (mail === null || (mail.status !== 'active' && world.rules.on(inactiveHolds))) return;
  mail.configured = mail.configured ? keeps(world, site, mail) : mayConfigure(world, site, mail);
}

function mayConfigure(world: World, site: Site, mail: MailAccount): boolean {
  if (mail.dns.verdict !== 'verified' || isSuspended(mail) || mailDomain(site) === null || !world.rules.on(configures))
    return false;
  return mail.dkimDomain === mailDomain(site) || !world.rules.on(sameDomain);
}

/** Evaluated in the documented order. */
function keeps(world: World, site: Site, mail: MailAccount): boolean {
  const gone = isSuspended(mail) || mailDomain(site) === null || mail.dkimDomain === null;
  if (gone) return !world.rules.on(tearsDown);
  if (mail.dkimDomain !== mailDomain(site)) return world.rules.on(otherDomainHolds);
  const { verdict, failedSince } = mail.dns;
  if (verdict === 'unknown') return world.rules.on(unknownHolds);
  const past = failedSince !== null && world.clock.now() - failedSince >= (world.rules.on(grace) ? GRACE_MS : 0);
  return verdict !== 'failed' || !past;
}

export function queueDnsCheck(world: World, site: Site): void {
  if (!world.rules.on(checkedLater)) return finishDnsCheck(world, site);
  world.clock.at(world.clock.now() + CHECKED_AFTER_MS, () => finishDnsCheck(world, site));
}

function finishDnsCheck(world: World, site: Site): void {
  const { mail } = site;
  if (mail === null) return;
  const now = world.clock.now();
  // Nothing writes the DKIM domain; how it comes to be, and whether it follows the primary domain, is not documented
  // (GAP-34).
  if (world.readings['GAP-34.dkim'] === 'follows') mail.dkimDomain = mailDomain(site) ?? mail.dkimDomain;
  Object.assign(mail.dns, mail.published, { checkedAt: now, locallyChecked: mail.providerSilent });
  mail.updatedAt = now;
  if (mail.providerSilent) return;
  const { spf, dkim, lockdown } = mail.dns;
  const verified = spf && dkim && lockdown;
  mail.dns.failedSince = verified ? null : (mail.dns.failedSince ?? now);
  mail.dns.verdict = verified ? 'verified' : 'failed';
  // How the status of an account moves is not documented (GAP-34).
  if (verified && mail.status === 'pending' && world.readings['GAP-34'] === 'activates') mail.status = 'active';
  queueReconcile(world, site);
  if (!verified) world.clock.at((mail.dns.failedSince ?? now) + GRACE_MS, () => reconcile(world, site));
}
