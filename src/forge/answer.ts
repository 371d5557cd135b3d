// What became of a run of a fleet, told on pull requests: on each of its own accounts. What an answer names as done is
// what uses an approval up.
import type { Fleet, FleetAccount } from '../model/plan/fleet.ts';
import { decideOutcome, EXIT_CODES } from '../model/plan/outcome.ts';
import { fleetReport } from '../report/blocks/fleet.ts';
import { COMMENT } from '../report/markdown/fit.ts';
import { writeMarkdown } from '../report/markdown/write.ts';
import type { Approval, ApprovalQuestion } from './approved.ts';
import { approvedBy } from './approved.ts';
import type { Written } from './comment.ts';
import { putComment } from './comment.ts';
import type { Forge } from './forge.ts';
import { stickyText } from './sticky.ts';

/** Writes the answers, in the order of the pull requests, the newest first. Throws what the forge answers. */
export async function answerPulls(forge: Forge, question: ApprovalQuestion, fleet: Fleet): Promise<readonly Written[]> {
  const approval = await approvedBy(forge, question);
  const pulls = new Set([...(approval.own === undefined ? [] : [approval.own]), ...approval.pulls]);
  const written: Written[] = [];
  // The marker at which later searches end. A search that ended at its limit cannot know that nothing is left.
  const isNoneLeft = approval.search.until !== 'limit' && isAllDone(approval, fleet);
  for (const pull of pulls) {
    const sticky = { key: question.key, isNoneLeft: isNoneLeft && written.length === 0 };
    const text = answerOn(pull, approval, fleet, sticky);
    const one =
      text === undefined ? undefined : await putComment(forge, pull, text, { what: 'apply', key: question.key });
    if (one !== undefined) written.push(one);
  }
  return written;
}

/** Reports whether every approval was carried out, by this run or an earlier one. */
function isAllDone({ accounts }: Approval, fleet: Fleet): boolean {
  const done = new Set(fleet.accounts.filter(({ outcome }) => outcome === 'done').map(({ account }) => account));
  return accounts.every(({ account, isDone }) => isDone || done.has(account));
}

/** undefined: nothing new is to be told there. */
function answerOn(
  pull: number,
  { accounts, own }: Approval,
  fleet: Fleet,
  sticky: { readonly key: string; readonly isNoneLeft: boolean },
): string | undefined {
  const ran = new Map(fleet.accounts.map((one) => [one.account, one]));
  const named = new Set(accounts.map(({ account }) => account));
  const mine = accounts.filter((one) => one.pull === pull);
  const reviewed = mine.map((one) => ({
    ...one,
    row: one.isDone
      ? rowOf(one.account, 'done', DONE_BEFORE)
      : (ran.get(one.account) ?? rowOf(one.account, 'error', UNTOLD)),
  }));
  const unreviewed = pull === own ? fleet.accounts.filter(({ account }) => !named.has(account)) : [];
  if (mine.every(({ isDone }) => isDone) && unreviewed.length === 0) return undefined;
  const rows = [...reviewed.map(({ row }) => row), ...unreviewed];
  const outcome = decideOutcome(rows.map((row) => row.outcome));
  const done = reviewed
    .filter(({ row }) => row.outcome === 'done')
    .map(({ account, digest }) => [account, digest] as const);
  const told = { ...fleet, accounts: rows, outcome, exitCode: EXIT_CODES[outcome] };
  const report = writeMarkdown(fleetReport(told, { done }), COMMENT);
  // However many accounts there are, a table without them fits.
  return report === undefined ? undefined : stickyText(report, { what: 'apply', outcome, ...sticky });
}

const DONE_BEFORE = 'done by an earlier run';
const UNTOLD = 'no part of this run tells what became of it; the next run begins it again';

function rowOf(account: string, outcome: FleetAccount['outcome'], note: string): FleetAccount {
  return { account, workspace: account, outcome, note, requests: 0, ms: 0, diagnostics: [] };
}
