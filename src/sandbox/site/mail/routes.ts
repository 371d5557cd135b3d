// How the transactional mail of a site is shown, who it sends as, how a block is lifted and a DNS check asked for. The
// value of a DNS record is never shown: only whether it was found (TML-25).
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, Table } from '../../core/http/endpoint.ts';
import { endpointsOnSite, siteEndpoints } from '../../core/http/site-endpoints.ts';
import type { SiteEndpoint } from '../../core/http/site-endpoints.ts';
import { isSuspended } from './state.ts';
import type { MailAccount } from './state.ts';
import { queueDnsCheck, queueReconcile } from './work.ts';
import { presentMail, unblocksLeft } from './present.ts';
import type { Site, State } from '../../core/state.ts';
import type { World } from '../../core/world.ts';

/** A site with its mail. */
export interface SiteMail {
  readonly site: Site;
  readonly mail: MailAccount;
}

function refuseDown({ mailDown }: State): void {
  // TML-02: where the platform has no transactional mail every endpoint answers 503.
  if (mailDown) refuse(503, 'mailprovider_unavailable', 'Transactional mail is not available');
}

/** Below the mail of a site. TML-27: the guards of the site come before all of it. */
export function mailEndpoints(needs: 'any' | 'active', table: Table<SiteEndpoint<SiteMail>>): readonly Endpoint[] {
  const find = (site: Site, { state }: Call): SiteMail => {
    refuseDown(state);
    // TML-03: without an account everything but the status answers 422 mail_not_provisioned.
    const mail = site.mail ?? refuse(422, 'mail_not_provisioned', 'This site has no mail account');
    // TML-04: logs and metrics of an account that is not active answer 422 mail_not_active.
    if (needs === 'active' && mail.status !== 'active')
      refuse(422, 'mail_not_active', 'The mail account of this site is not active');
    return { site, mail };
  };
  // TML-05: lifting a block is a DELETE that takes can_modify only (CNV-15/mail).
  return endpointsOnSite(needs === 'any' ? { site: 'can_modify' } : {}, '/mail', find, table);
}

const CHECK_WINDOW_MS = 300_000;
const LOCAL_PART = /^[A-Za-z0-9](?:[A-Za-z0-9._%+-]*[A-Za-z0-9])?$/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

function showStatus(call: Call, site: Site): Answer {
  refuseDown(call.state);
  // TML-01: a site without an account reads as mail null.
  return site.mail === null ? ok({ mail: null }) : answerMail(call, site, site.mail);
}

function answerMail(world: World, site: Site, mail: MailAccount): Answer {
  return ok({ mail: presentMail(world, site, mail) });
}

function writeSettings(call: Call, { site, mail }: SiteMail): Answer {
  const before = { localPart: mail.fromLocalPart, name: mail.fromName };
  const localPart = override(call, call.body['mail_from_local_part'], before.localPart);
  const name = override(call, call.body['mail_from_name'], before.name);
  const problems = [...localPartProblems(localPart), ...nameProblems(name)];
  if (problems.length > 0) refuse(422, 'invalid_sender_identity', ...problems);
  // TML-11/ignored: other parameters are ignored without a word. TML-26: notifications_active cannot be written.
  // TML-13: the values are stored at once, whatever the DNS says.
  mail.fromLocalPart = stripped(call, localPart);
  mail.fromName = stripped(call, name);
  mail.updatedAt = call.clock.now();
  queueReconcile(call, site);
  return answerMail(call, site, mail);
}

/** GAP-34: what becomes of a setting that is not sent is not documented, nor what counts as blank. */
function override(world: World, sent: unknown, before: string | null): unknown {
  if (sent === undefined) return world.ambiguities['GAP-34.omitted'] === 'kept' ? before : null;
  // TML-11: blank or null clears an override, and the default applies.
  return typeof sent === 'string' && sent.trim() === '' ? null : sent;
}

/** GAP-34: whether spaces around a name are kept. */
function stripped(world: World, value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return world.ambiguities['GAP-34.spaces'] === 'stripped' ? value.trim() : value;
}

function localPartProblems(value: unknown): readonly string[] {
  // TML-12: a local part and a name of another form are refused, with a text for each. TML-12/bytes: their lengths are
  // counted in bytes.
  if (value === null) return [];
  const fits =
    typeof value === 'string' && LOCAL_PART.test(value) && !value.includes('..') && Buffer.byteLength(value) <= 64;
  return fits ? [] : ['Mail from local part is invalid'];
}

function nameProblems(value: unknown): readonly string[] {
  if (value === null) return [];
  const fits = typeof value === 'string' && !CONTROL.test(value) && Buffer.byteLength(value) <= 255;
  return fits ? [] : ['Mail from name is invalid'];
}

function liftBlock(call: Call, { site, mail }: SiteMail): Answer {
  const { suspension } = mail;
  // TML-20/allowance: a customer lifts two blocks in thirty days.
  const left = unblocksLeft(call, mail);
  // TML-21: what may not be lifted answers 403 unsuspend_not_allowed.
  if (!isSuspended(mail) || suspension.system || left === 0)
    refuse(403, 'unsuspend_not_allowed', 'This block cannot be lifted by the customer');
  // TML-22: a provider that refuses answers 422 unsuspend_failed, and a race may have reactivated it.
  if (mail.onUnblock !== 'reactivates') {
    mail.providerActive = mail.onUnblock === 'race';
    refuse(422, 'unsuspend_failed', 'The reactivation did not complete');
  }
  // TML-20: a block is lifted, and the refreshed mail answers.
  mail.unblocks.push(call.clock.now());
  mail.providerActive = true;
  mail.suspension = { abuse: false, system: false, reason: null, suspendedAt: null };
  queueReconcile(call, site);
  return answerMail(call, site, mail);
}

function checkDns(call: Call, { site, mail }: SiteMail): Answer {
  const now = call.clock.now();
  // TML-24: a second check within five minutes of an accepted one is refused and queues nothing.
  // LIM-07/site: one DNS check in five minutes for each mail account.
  if (mail.lastCheckAt !== null && now - mail.lastCheckAt < CHECK_WINDOW_MS)
    refuse(429, 'rate_limited', 'The DNS of this site was checked a moment ago');
  mail.lastCheckAt = now;
  queueDnsCheck(call, site);
  // TML-23: a DNS check answers 202 queued.
  return ok({ status: 'queued' }, 202);
}

export const siteMailEndpoints: readonly Endpoint[] = [
  ...siteEndpoints({}, '/mail', { GET: showStatus }),
  ...mailEndpoints('any', {
    'PATCH /settings': writeSettings,
    'DELETE /suspension': liftBlock,
    'POST /dns_check': checkDns,
  }),
];
