// The use cases `site mail`: lifting a block, asking for a DNS check. Both acts have windows,
// so the status is read first and what is not possible is not sent (O-31); records are published before a check is
// asked for, and the question says so (O-30). A lifting that fails is read again and never repeated (TML-22).
import { diagnose } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt } from '../../model/kind/rows.ts';
import type { Session } from '../session.ts';
import { siteActs } from '../../areas/index.ts';
import type { Confirm } from '../act/run-act.ts';
import { isBegun, notNow, runAct } from '../act/run-act.ts';
import type { Ending, OpenSite, SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';

const CHECK_WINDOW_MS = 300_000;

type MailEnding = Ending<JsonObject>;

/** Lifts a block where the customer may: twice in thirty days. */
export function unblockMail(
  session: Session,
  wanted: string,
  confirm: Confirm,
  { again = false }: { readonly again?: boolean } = {},
): Promise<SiteResult<JsonObject>> {
  return withSite(session, wanted, async (site): Promise<MailEnding> => {
    const mail = await readMail(site);
    if (mail === null) return noAccount();
    const act = siteActs.liftMailBlock(site.id);
    const begun = await isBegun(site, act);
    if (!isSuspended(mail) && !begun)
      return { outcome: 'done', value: mail, message: 'Sending is not suspended; nothing was sent.' };
    const left = valueAt(mail, '/suspension/remaining_self_unsuspends');
    if (valueAt(mail, '/suspension/can_self_unsuspend') !== true && !begun) return notNow(whyNot(mail, left));
    const why = valueAt(mail, '/suspension/reason');
    return runAct<JsonObject>(
      site,
      act,
      {
        question: `Lift the sending block of ${site.label}${typeof why === 'string' ? ` (${why})` : ''}? ${typeof left === 'number' ? `It can be done ${left} more time(s) within 30 days.` : ''}`,
        done: async () => ({
          outcome: 'done',
          value: (await readMail(site)) ?? {},
          message: `Sending of ${site.label} is no longer suspended.`,
        }),
        look: 'The site still reads as suspended, though the provider may send again. Ask the platform; do not repeat it.',
        again: { option: '--again', given: again },
      },
      confirm,
    );
  });
}

/** Asks for a DNS check and waits for its result. */
export function checkMail(session: Session, wanted: string, confirm: Confirm): Promise<SiteResult<JsonObject>> {
  return withSite(session, wanted, async (site): Promise<MailEnding> => {
    const mail = await readMail(site);
    if (mail === null) return noAccount();
    const before = checkedAt(mail);
    const againAtMs = before === null ? 0 : Date.parse(before) + CHECK_WINDOW_MS;
    const act = siteActs.checkMailDns(site.id, before);
    if (againAtMs > session.clock.now() && !(await isBegun(site, act)))
      return notNow(
        `The last check ended at ${String(before)}; another is possible from ${new Date(againAtMs).toISOString()} on. Nothing was sent.`,
      );
    return runAct<JsonObject>(
      site,
      act,
      {
        question: `Check the DNS of the sender domain of ${site.label}? It is possible once in five minutes, so publish the records first.`,
        done: async () => checked(site, (await readMail(site)) ?? {}),
        waiting: () => 'The check is queued and has no result yet.',
        look: 'No result has shown up; look at `hostwright get site-mail` later.',
      },
      confirm,
    );
  });
}

function checked({ label }: OpenSite, mail: JsonObject): MailEnding {
  const verdict = valueAt(mail, '/dns/verdict');
  return verdict === 'verified'
    ? { outcome: 'done', value: mail, message: `The DNS of the sender domain of ${label} is verified.` }
    : {
        outcome: 'waiting',
        value: mail,
        message: `The DNS of the sender domain of ${label} is not verified (${typeof verdict === 'string' ? verdict : 'no verdict'}): publish the records that the dashboard shows, then check again.`,
      };
}

async function readMail({ client, path }: OpenSite): Promise<JsonObject | null> {
  const { mail } = objectAt(await client.read(`${path}/mail`));
  return isJsonObject(mail) ? mail : null;
}

function isSuspended(mail: JsonObject): boolean {
  return valueAt(mail, '/suspension/suspended') !== false;
}

function checkedAt(mail: JsonObject): string | null {
  const at = valueAt(mail, '/dns/checked_at');
  return typeof at === 'string' ? at : null;
}

function whyNot(mail: JsonObject, left: unknown): string {
  const suspendedSince = valueAt(mail, '/suspension/suspended_at');
  const since = typeof suspendedSince === 'string' ? ` since ${suspendedSince}` : '';
  if (valueAt(mail, '/suspension/system') === true)
    return `Sending is suspended${since} by the platform itself (billing or the life of the site); only the platform can lift that. Nothing was sent.`;
  if (left === 0)
    return `Sending is suspended${since}, and both unblocks within 30 days are used up; one is possible again 30 days after the first of them. Nothing was sent.`;
  return `Sending is suspended${since}, and the platform does not let the customer lift it. Nothing was sent.`;
}

function noAccount(): Ending<never> {
  return {
    outcome: 'error',
    diagnostics: [
      diagnose('HW4505', 'The account comes with the site, and no call makes one (TML-07). Ask the platform.'),
    ],
  };
}
