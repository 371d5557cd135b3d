// The operations on a site itself and on its transactional mail. The responses to a restart and to archive operations name
// no task (TSK-09), so the tasks that are newer than those before the request are followed.
import { didYouMean, listOf, quote } from '../../model/format.ts';
import type { JsonObject } from '../../model/json.ts';
import { ANY_LIST, isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt, rowsAt } from '../../model/kind/rows.ts';
import type { Ending } from '../../model/plan/act.ts';
import type { Condition, LookUp, TasksWait } from '../../model/plan/step.ts';
import { path } from '../../model/plan/step.ts';
import type { Asked, OpenSite } from '../common/operation.ts';
import { actOn, failed, notNow, onSite, unknownEnd } from '../common/operation.ts';
import { sendOnce, until } from '../common/steps.ts';

/** What the commands are done to. */
export const SITE = 'Site';

/** So long a task that is new is waited for. */
const APPEARS_WITHIN_MS = 20_000;

/** The number of the newest task of a site: what is newer began later (TSK-01). */
export async function newestTask(site: OpenSite): Promise<number> {
  const ids = rowsAt(await site.read(`${site.path}/tasks`), ANY_LIST).map(({ id }) => Number(id));
  return Math.max(0, ...ids.filter(Number.isFinite));
}

/** Where a person sees whether the site was worked on. */
export function lookAtTasks({ name }: OpenSite): string {
  return `Look at the tasks of the site: \`hostwright get tasks --site ${name}\`.`;
}

/** `after`: the newest task that was there before. */
export function tasksAfter(site: string, after: number, deadlineMs: number): TasksWait {
  return {
    how: 'tasks',
    read: path`/api/sites/${site}/tasks`,
    after,
    until: 'ended',
    deadlineMs,
    reason: 'its tasks have ended',
  };
}

/** The same until the first of them is there. */
export function taskShows(ended: TasksWait): TasksWait {
  return { ...ended, until: 'begun', deadlineMs: APPEARS_WITHIN_MS, reason: 'a task of it shows' };
}

const RESTARTED_WITHIN_MS = 900_000;

/** Restarts the CMS container of a site, not its database or caches (SIT-06). */
const restart = onSite(
  {
    name: 'restart',
    does: 'Restart the CMS container. The database and the caches keep running.',
    takes: ['again'],
  },
  async (site, { again }) => {
    const ended = tasksAfter(site.id, await newestTask(site), RESTARTED_WITHIN_MS);
    return {
      act: actOn([SITE, site.id], 'RestartSite', {
        steps: [
          sendOnce({
            name: 'restart',
            method: 'POST',
            path: path`/api/sites/${site.id}`,
            reason: 'restart the CMS of the site',
          }),
          { do: 'wait-for', name: 'task of the restart', optional: true, waitFor: taskShows(ended) },
          { do: 'wait-for', name: 'end of the restart', open: true, waitFor: ended },
        ],
      }),
      question: `Restart the CMS of ${site.label}? Visitors notice; database and caches stay up.`,
      done: ({ outputs: { tasks = 'accepted, and the platform shows no task for it' } }) =>
        `${site.label} restarts: ${tasks}.`,
      look: `${lookAtTasks(site)} A restart that is there was carried out.`,
      again: { option: '--again', given: again },
    };
  },
);

const login = onSite(
  {
    name: 'sso',
    does: 'Create a login URL for the CMS. It is a secret, printed to standard output only.',
    takes: ['user'],
  },
  async (site, { user: named }) => {
    const logins = await readLogins(site);
    const user = named ?? (logins.length === 1 ? logins[0] : undefined);
    return user === undefined || !logins.includes(user) ? noSuchUser(user, logins) : createLogin(site, user);
  },
);

const databaseLogin = onSite(
  {
    name: 'sso-database',
    does: 'Create a login URL for the database. It is a secret, printed to standard output only.',
  },
  (site) => createLogin(site, undefined),
);

/**
 * Creates a login URL for a CMS user, or for the database if `user` is undefined. The URL is a secret (CNV-35), so it is
 * only in the result. Each request creates another URL, and no read shows it.
 */
function createLogin(site: OpenSite, user: string | undefined): Asked {
  const who = user === undefined ? 'the database' : `the CMS as ${quote(user)}`;
  const look = 'A login URL may have been minted that nobody has; run it again for another.';
  return {
    act: actOn([SITE, site.id], 'MintLogin', {
      of: user ?? null,
      verb: 'create',
      steps: [
        sendOnce({
          name: 'mint',
          method: 'POST',
          path: path`/api/sites/${site.id}/sso`,
          body: user === undefined ? { kind: 'database' } : { kind: 'cms', username: user },
          reason: 'mint a login URL',
        }),
      ],
    }),
    question: `Mint a login URL for ${who} of ${site.label}? Whoever has it is logged in.`,
    done: ({ answer }) => {
      const url = valueAt(answer, '/url');
      return typeof url === 'string'
        ? { outcome: 'done', login: { url } }
        : unknownEnd(`The answer has no URL. ${look}`);
    },
    look,
    // The URL of a lost response is of no use to anyone, so another one may be created.
    again: { given: true },
  };
}

async function readLogins({ read, path }: OpenSite): Promise<readonly string[]> {
  return rowsAt(await read(`${path}/sso`), '/users').flatMap(({ user_login: login }) =>
    typeof login === 'string' ? [login] : [],
  );
}

function noSuchUser(user: string | undefined, logins: readonly string[]): Ending {
  const there = logins.length === 0 ? 'The CMS has none.' : `There are: ${listOf(logins.map(quote), 'and')}.`;
  return failed(
    'HW4509',
    user === undefined
      ? `Name one with --user, or run \`sso-database\`. ${there}`
      : `No user of the CMS is called ${quote(user)}.${didYouMean(user, logins)} ${there}`,
  );
}

const LIFTED_GRACE_MS = 0;
const CHECK_WINDOW_MS = 300_000;
const CHECKED_WITHIN_MS = 300_000;
const CHECK_LOST_GRACE_MS = 60_000;

/** The mail of a site, where it reads so. */
function mailWith({ id }: OpenSite, condition: Condition): LookUp {
  return { read: path`/api/sites/${id}/mail`, rows: '', where: [condition], capture: {} };
}

/**
 * Lifts a block where the customer may: twice in thirty days (TML-20). The status is read first, and what is not possible
 * is not sent (O-31); a lifting that fails is read again and never repeated (TML-22).
 */
const unblockMail = onSite(
  {
    name: 'unblock-mail',
    does: 'Lift a sending block of the site mail. The customer can do this twice in 30 days.',
    takes: ['again'],
  },
  async (site, { again }) => {
    const mail = await readMail(site);
    if (mail === null) return noAccount();
    const left = valueAt(mail, '/suspension/remaining_self_unsuspends');
    const why = valueAt(mail, '/suspension/reason');
    const lifted = mailWith(site, { pointer: '/mail/suspension/suspended', value: false });
    return {
      act: actOn([SITE, site.id], 'LiftMailBlock', {
        verb: 'delete',
        steps: [
          sendOnce({
            name: 'lift',
            method: 'DELETE',
            path: path`/api/sites/${site.id}/mail/suspension`,
            answers: [{ status: '2xx', then: 'look-up' }],
            recovery: { lookUp: lifted, ifNotFound: 'unknown', graceMs: LIFTED_GRACE_MS, rule: 'TML-22' },
            reason: 'lift the sending block',
          }),
        ],
      }),
      question: `Lift the sending block of ${site.label}${typeof why === 'string' ? ` (${why})` : ''}? ${typeof left === 'number' ? `It can be done ${left} more time(s) within 30 days.` : ''}`,
      unlessBegun: notToLift(mail, left),
      done: async () => ({
        outcome: 'done',
        mail: (await readMail(site)) ?? {},
        message: `Sending of ${site.label} is no longer suspended.`,
      }),
      look: 'The site still reads as suspended, though the provider may send again. Ask the platform; do not repeat it.',
      again: { option: '--again', given: again },
    };
  },
);

function notToLift(mail: JsonObject, left: unknown): Ending | undefined {
  const suspension = isJsonObject(mail.suspension) ? mail.suspension : {};
  const { suspended, system, can_self_unsuspend: isAllowed, suspended_at: at } = suspension;
  if (suspended === false) return { outcome: 'done', mail, message: 'Sending is not suspended; nothing was sent.' };
  if (isAllowed === true) return undefined;
  const since = typeof at === 'string' ? ` since ${at}` : '';
  if (system === true)
    return notNow(
      `Sending is suspended${since} by the platform itself (billing or the life of the site); only the platform can lift that. Nothing was sent.`,
    );
  return notNow(
    left === 0
      ? `Sending is suspended${since}, and both unblocks within 30 days are used up; one is possible again 30 days after the first of them. Nothing was sent.`
      : `Sending is suspended${since}, and the platform does not let the customer lift it. Nothing was sent.`,
  );
}

/** Asks for a DNS check and waits for its result (TML-23). Records are published before, and the question says so (O-30). */
const checkMail = onSite(
  {
    name: 'check-mail',
    does: 'Check the DNS of the sender domain and wait for the result. Possible once in five minutes.',
  },
  async (site) => {
    const mail = await readMail(site);
    if (mail === null) return noAccount();
    const checkedAt = valueAt(mail, '/dns/checked_at');
    const before = typeof checkedAt === 'string' ? checkedAt : null;
    const isNew = mailWith(site, { pointer: '/mail/dns/checked_at', value: before, not: true });
    const againAtMs = before === null ? 0 : Date.parse(before) + CHECK_WINDOW_MS;
    return {
      act: actOn([SITE, site.id], 'CheckMailDns', {
        steps: [
          sendOnce({
            name: 'check',
            method: 'POST',
            path: path`/api/sites/${site.id}/mail/dns_check`,
            answers: [
              { status: '2xx', then: 'done' },
              {
                status: 429,
                code: 'rate_limited',
                then: 'blocked',
                reason:
                  'a check was asked for within the last five minutes, perhaps in the dashboard; try again in five',
              },
            ],
            // The platform itself refuses a second one within five minutes (TML-24).
            recovery: {
              lookUp: isNew,
              ifNotFound: 'send-again',
              guarded: 'TML-24',
              graceMs: CHECK_LOST_GRACE_MS,
              rule: 'TML-24',
            },
            reason: 'check the DNS of the sender domain',
          }),
          {
            do: 'wait-for',
            name: 'result',
            open: true,
            waitFor: until(true, isNew, 'the check has a result', CHECKED_WITHIN_MS),
          },
        ],
      }),
      question: `Check the DNS of the sender domain of ${site.label}? It is possible once in five minutes, so publish the records first.`,
      unlessBegun:
        againAtMs > site.now()
          ? notNow(
              `The last check ended at ${String(before)}; another is possible from ${new Date(againAtMs).toISOString()} on. Nothing was sent.`,
            )
          : undefined,
      done: async () => checked(site, (await readMail(site)) ?? {}),
      waiting: () => 'The check is queued and has no result yet.',
      look: 'No result has shown up; look at `hostwright get site-mail` later.',
    };
  },
);

function checked({ label, name }: OpenSite, mail: JsonObject): Ending {
  const verdict = valueAt(mail, '/dns/verdict');
  const aside = `\`hostwright get site-mail --site ${name}\` shows the verdict on each record.`;
  return verdict === 'verified'
    ? { outcome: 'done', mail, aside, message: `The DNS of the sender domain of ${label} is verified.` }
    : {
        outcome: 'waiting',
        mail,
        aside,
        message: `The DNS of the sender domain of ${label} is not verified (${typeof verdict === 'string' ? verdict : 'no verdict'}): publish the records that the dashboard shows, then check again.`,
      };
}

async function readMail({ read, path }: OpenSite): Promise<JsonObject | null> {
  const { mail } = objectAt(await read(`${path}/mail`));
  return isJsonObject(mail) ? mail : null;
}

function noAccount(): Ending {
  return failed('HW4505', 'The account comes with the site, and no call makes one (TML-07). Ask the platform.');
}

export const siteOperations = [restart, login, databaseLogin, unblockMail, checkMail];
