// What should have ended by now, as a person said when it began (`run learn --days`): told by plan and drift until it
// has. One read for each, and only once its day has come.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { DoneAct, LedgerView } from '../../model/plan/ledger-view.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { withNotices } from '../../planner/document.ts';
import { isLearningAt, learningIn } from '../../areas/index.ts';
import type { Client } from '../../platform/http.ts';
import { orNothing } from '../client.ts';

/** Days after its end in which somebody is told of what should have ended. */
const TOLD_DAYS = 30;
const DAY_MS = 86_400_000;

/** What should have ended, for as long as somebody is told. */
export function overdue({ doneActs = [] }: Pick<LedgerView, 'doneActs'>, nowMs: number): readonly DoneAct[] {
  return doneActs.filter(({ untilMs = Infinity }) => untilMs <= nowMs && nowMs < untilMs + TOLD_DAYS * DAY_MS);
}

/** The plan with a notice for everything that goes on for longer than was wanted. Rejects for our own bugs only. */
export async function withReminders(
  plan: Plan,
  { ledger, client }: { readonly ledger: Pick<LedgerView, 'doneActs'>; readonly client: Pick<Client, 'read'> },
  nowMs: number,
): Promise<Plan> {
  const found = await Promise.all(
    overdue(ledger, nowMs).map(async (done) => {
      const path = /^PATCH (\/.+)\/shield$/.exec(done.request)?.[1];
      return path !== undefined && (await learnsNow(client, path, nowMs)) ? [noticeOf(done, path)] : [];
    }),
  );
  return withNotices(plan, found.flat());
}

/** Whether Shield of a site learns now; false as well where that could not be read. */
async function learnsNow({ read }: Pick<Client, 'read'>, path: string, nowMs: number): Promise<boolean> {
  const learning = await orNothing(read(`${path}/shield`).then(learningIn));
  return learning !== undefined && isLearningAt(learning, nowMs);
}

function noticeOf({ doneAtMs, untilMs = 0 }: DoneAct, path: string): Diagnostic {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const site = decodeURIComponent(path.split('/').at(-1) ?? '');
  return diagnose(
    'HW2394',
    `Shield of the site ${site} learns since ${day(doneAtMs)} or longer, and was to end on ${day(untilMs)}. \`hostwright run stop-learning Site/id:${site}\` ends it.`,
  );
}
