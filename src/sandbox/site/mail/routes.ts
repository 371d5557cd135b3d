// Decides how the transactional mail of a site is shown, who it sends as, how a block is lifted and a DNS check asked
// for. Must not deliver anything, and never shows the value of a DNS record: only whether it was found (TML-25).
import { mayUse } from '../../core/http/access.ts';
import { isRecord, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { isSuspended } from './state.ts';
import type { MailAccount } from './state.ts';
import { queueDnsCheck, queueReconcile } from './work.ts';
import { presentMail, unblocksLeft } from './present.ts';
import { rule } from '../../rules/rules.ts';
import type { Site } from '../../core/state.ts';
import type { World } from '../../core/world.ts';
import { mailGate, withMail } from './gates.ts';

const nullWithoutAccount = rule('TML-01', 'a site without an account reads as mail null');
const modifyLifts = rule('TML-05', 'lifting a block is a DELETE that takes can_modify only');
const modifyLiftsToo = rule('CNV-15/mail', 'the DELETE that lifts a mail block does not ask for can_destroy');
const blankClears = rule('TML-11', 'blank or null clears an override, and the default applies');
const othersIgnored = rule('TML-11/ignored', 'other parameters are ignored without a word');
const shape = rule('TML-12', 'a local part and a name of another form are refused, with a text for each');
const bytes = rule('TML-12/bytes', 'their lengths are counted in bytes');
const storedAtOnce = rule('TML-13', 'the values are stored at once, whatever the DNS says');
const lifts = rule('TML-20', 'a block is lifted, and the refreshed mail answers');
const allowance = rule('TML-20/allowance', 'a customer lifts two blocks in thirty days');
const notAllowed = rule('TML-21', 'what may not be lifted answers 403 unsuspend_not_allowed');
const mayFail = rule(
  'TML-22',
  'a provider that refuses answers 422 unsuspend_failed, and a race may have reactivated it',
);
const queuedCheck = rule('TML-23', 'a DNS check answers 202 queued');
const window = rule('TML-24', 'a second check within five minutes of an accepted one is refused and queues nothing');
const windowLimit = rule('LIM-07/site', 'one DNS check in five minutes for each mail account');

const CHECK_WINDOW_MS = 300_000;
const LOCAL_PART = /^[A-Za-z0-9](?:[A-Za-z0-9._%+-]*[A-Za-z0-9])?$/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

function showStatus({ world }: Call, site: Site): Answer {
  const closed = mailGate(world);
  if (closed !== undefined) return closed;
  if (site.mail === null)
    return world.rules.on(nullWithoutAccount) ? ok({ mail: null }) : refuse(world, 404, null, 'Not Found');
  return answerMail(world, site, site.mail);
}

function answerMail(world: World, site: Site, mail: MailAccount): Answer {
  return ok({ mail: presentMail(world, site, mail) });
}

function writeSettings({ world, body }: Call, site: Site, mail: MailAccount): Answer {
  const given = isRecord(body) ? body : {};
  const before = { localPart: mail.fromLocalPart, name: mail.fromName };
  const localPart = override(world, given['mail_from_local_part'], before.localPart);
  const name = override(world, given['mail_from_name'], before.name);
  const problems = [...localPartProblems(world, localPart), ...nameProblems(world, name)];
  if (problems.length > 0) return refuse(world, 422, 'invalid_sender_identity', ...problems);
  const other = Object.keys(given).find((key) => key !== 'mail_from_local_part' && key !== 'mail_from_name');
  if (other !== undefined && !world.rules.on(othersIgnored)) return refuse(world, 422, null, `${other} is unknown`);
  if (world.rules.on(storedAtOnce) || mail.dns.verdict === 'verified') {
    mail.fromLocalPart = stripped(world, localPart);
    mail.fromName = stripped(world, name);
  }
  mail.updatedAt = world.clock.now();
  queueReconcile(world, site);
  return answerMail(world, site, mail);
}

/** GAP-34: what becomes of a setting that is not sent is not documented, nor what counts as blank. */
function override(world: World, sent: unknown, before: string | null): unknown {
  if (sent === undefined) return world.readings['GAP-34.omitted'] === 'kept' ? before : null;
  if (!world.rules.on(blankClears)) return sent;
  return typeof sent === 'string' && sent.trim() === '' ? null : sent;
}

/** GAP-34: whether spaces around a name are kept. */
function stripped(world: World, value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return world.readings['GAP-34.spaces'] === 'stripped' ? value.trim() : value;
}

function lengthOf(world: World, text: string): number {
  return world.rules.on(bytes) ? Buffer.byteLength(text) : text.length;
}

function localPartProblems(world: World, value: unknown): readonly string[] {
  if (value === null || !world.rules.on(shape)) return [];
  const fits =
    typeof value === 'string' && LOCAL_PART.test(value) && !value.includes('..') && lengthOf(world, value) <= 64;
  return fits ? [] : ['Mail from local part is invalid'];
}

function nameProblems(world: World, value: unknown): readonly string[] {
  if (value === null || !world.rules.on(shape)) return [];
  const fits = typeof value === 'string' && !CONTROL.test(value) && lengthOf(world, value) <= 255;
  return fits ? [] : ['Mail from name is invalid'];
}

function liftBlock({ world, credential }: Call, site: Site, mail: MailAccount): Answer {
  const modifyIsEnough = world.rules.on(modifyLifts) && world.rules.on(modifyLiftsToo);
  if (!modifyIsEnough && !mayUse(world, credential, site, 'can_destroy'))
    return refuse(world, 403, null, 'Not Authorized');
  const { suspension } = mail;
  const left = world.rules.on(allowance) ? unblocksLeft(world, mail) : 1;
  if ((!isSuspended(mail) || suspension.system || left === 0) && world.rules.on(notAllowed)) {
    return refuse(world, 403, 'unsuspend_not_allowed', 'This block cannot be lifted by the customer');
  }
  if (mail.onUnblock !== 'reactivates' && world.rules.on(mayFail)) {
    mail.providerActive = mail.onUnblock === 'race';
    return refuse(world, 422, 'unsuspend_failed', 'The reactivation did not complete');
  }
  if (world.rules.on(lifts)) {
    mail.unblocks.push(world.clock.now());
    mail.providerActive = true;
    mail.suspension = { abuse: false, system: false, reason: null, suspendedAt: null };
  }
  queueReconcile(world, site);
  return answerMail(world, site, mail);
}

function checkDns({ world }: Call, site: Site, mail: MailAccount): Answer {
  const now = world.clock.now();
  const recent = mail.lastCheckAt !== null && now - mail.lastCheckAt < CHECK_WINDOW_MS;
  if (recent && world.rules.on(window) && world.rules.on(windowLimit)) {
    return refuse(world, 429, 'rate_limited', 'The DNS of this site was checked a moment ago');
  }
  mail.lastCheckAt = now;
  queueDnsCheck(world, site);
  return world.rules.on(queuedCheck) ? ok({ status: 'queued' }, 202) : answerMail(world, site, mail);
}

const PATH = '/api/sites/:site/mail';

export const siteMailEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: PATH, scope: 'sites:read', site: 'read', handle: showStatus },
  {
    method: 'PATCH',
    path: `${PATH}/settings`,
    scope: 'sites:write',
    site: 'can_modify',
    handle: withMail('any', writeSettings),
  },
  {
    method: 'DELETE',
    path: `${PATH}/suspension`,
    scope: 'sites:write',
    site: 'can_modify',
    handle: withMail('any', liftBlock),
  },
  {
    method: 'POST',
    path: `${PATH}/dns_check`,
    scope: 'sites:write',
    site: 'can_modify',
    handle: withMail('any', checkDns),
  },
];
