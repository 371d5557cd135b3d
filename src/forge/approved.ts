// Which actions the reviews of merged pull requests approve: the digests in the plan comment that our own author wrote,
// that nobody else changed, and that was there before the merge. An approval counts until an answer says that it was
// carried out. Of a fleet that is said of each account by itself.
import type { Address } from '../model/address.ts';
import type { AccountDigest, ApprovedSet } from '../report/blocks/mark.ts';
import { readApprovedFleet, readApprovedSet, readDoneFleet } from '../report/blocks/mark.ts';
import type { Comment, Forge, Merged } from './forge.ts';
import { isSticky, readSticky } from './sticky.ts';

/** Of a comment about many accounts: the approval of one account's plan. */
export interface AccountApproval {
  readonly account: string;
  readonly digest: string;
  readonly pull: number;
  /** It was carried out, or a later one of the same account was: it counts no more. */
  readonly isDone: boolean;
}

export interface Approval {
  /** Of actions, of a workspace by itself. */
  readonly digests: readonly string[];
  /** What the approved plans of a workspace are about. Absent: one does not say, or a pull request has no plan. */
  readonly subjects?: readonly Address[];
  /** What was not carried out when these plans were rehearsed. Absent: one was not, or a pull request has no plan. */
  readonly rehearsedExcept?: readonly Address[];
  /** Of a fleet, those of the newest pull request first. */
  readonly accounts: readonly AccountApproval[];
  /** The pull requests that an answer is due to, the newest first. */
  readonly pulls: readonly number[];
  /** Of a fleet: the pull request that the commit came with. It hears of accounts that nobody approved, too. */
  readonly own?: number;
  /** What does not count, and why; full sentences. */
  readonly notices: readonly string[];
}

export interface ApprovalQuestion {
  readonly commit: string;
  readonly branch: string;
  readonly key: string;
}

/** Throws what the forge answers. */
export async function approvedBy(forge: Forge, question: ApprovalQuestion): Promise<Approval> {
  const digests: string[] = [];
  const subjects = new Set<Address>();
  let isSubjectKnown = true;
  const exceptions = new Set<Address>();
  let isRehearsed = true;
  const accounts: AccountApproval[] = [];
  const pulls: number[] = [];
  const notices: string[] = [];
  const doneLater = new Set<string>();
  let isUsedUp = false;
  const merged = await mergedPulls(forge, question);
  if (merged.length === 0)
    notices.push(
      `No ${forge.words.pull} that was merged into ${question.branch} has commit ${question.commit.slice(0, 12)}, so nobody approved it.`,
    );
  for (const pull of merged) {
    const { plan, answer, isPlanned } = await readReview(forge, pull, question.key);
    // Everything that was merged before a run of the workspace that ended well was carried out by it: those approvals
    // are used up.
    if (answer === 'all done' && !('accounts' in plan)) {
      isUsedUp = true;
      break;
    }
    // An older one that was never planned here has nothing that could be left to do: it is from before, or about
    // something else.
    if (!isPlanned && pull !== merged[0]) continue;
    if ('accounts' in plan) {
      const own = plan.accounts.map(([account, digest]) => ({
        account,
        digest,
        pull: pull.number,
        isDone: doneLater.has(account) || isDoneIn(answer, account, digest),
      }));
      accounts.push(...own);
      for (const [account, digest] of plan.accounts) if (isDoneIn(answer, account, digest)) doneLater.add(account);
      if (own.some(({ isDone }) => !isDone)) pulls.push(pull.number);
      else if (own.length > 0) isUsedUp = true;
      continue;
    }
    // A run of the fleet has told it already.
    if (answer !== undefined && pull !== merged[0]) continue;
    if ('reason' in plan) notices.push(plan.reason);
    else digests.push(...plan.digests);
    // What nobody reviewed is looked for in the whole account.
    if ('digests' in plan && plan.subjects !== undefined) for (const one of plan.subjects) subjects.add(one);
    else isSubjectKnown = false;
    if ('digests' in plan && plan.rehearsedExcept !== undefined)
      for (const one of plan.rehearsedExcept) exceptions.add(one);
    else isRehearsed = false;
    pulls.push(pull.number);
  }
  if (isUsedUp && pulls.length === 0)
    notices.push(
      `What ${forge.words.pull} ${merged[0]?.number} approved was carried out before; an approval counts once.`,
    );
  const own = merged.find(({ isOwn }) => isOwn)?.number;
  return {
    digests: [...new Set(digests)],
    ...(isSubjectKnown && pulls.length > 0 && { subjects: [...subjects] }),
    ...(isRehearsed && pulls.length > 0 && { rehearsedExcept: [...exceptions] }),
    accounts,
    pulls,
    ...(own !== undefined && { own }),
    notices,
  };
}

/**
 * What the answer on a pull request says is carried out. `all done`: by a run of a workspace by itself. undefined: there
 * is none, or it is of such a run that did not end well.
 */
type Answered = 'all done' | 'fleet done' | ReadonlySet<string> | undefined;

function isDoneIn(answer: Answered, account: string, digest: string): boolean {
  return (
    answer === 'all done' ||
    answer === 'fleet done' ||
    (typeof answer === 'object' && answer.has(`${account} ${digest}`))
  );
}

/** The last merged first, each once. */
async function mergedPulls(forge: Forge, { commit, branch }: ApprovalQuestion): Promise<readonly Merged[]> {
  const merged = await forge.mergedInto(branch, commit);
  const unique = [...new Map(merged.map((pull) => [pull.number, pull])).values()];
  return unique.sort((left, right) => Date.parse(right.mergedAt) - Date.parse(left.mergedAt));
}

interface Review {
  readonly plan:
    Omit<ApprovedSet, 'account'> | { readonly accounts: readonly AccountDigest[] } | { readonly reason: string };
  readonly answer: Answered;
  /** Somebody says that this is its plan. */
  readonly isPlanned: boolean;
}

async function readReview(forge: Forge, { number, mergedAt }: Merged, key: string): Promise<Review> {
  const { pull, comment } = forge.words;
  const comments = await forge.comments(number);
  const alike = comments.filter(({ body }) => isSticky(body, 'plan', key));
  const mine = alike.find(({ author }) => author === forge.author);
  const answer = await readAnswered(forge, comments, key);
  const isPlanned = alike.length > 0;
  const none = (reason: string): Review => ({
    plan: { reason: `${pull.replace(/^./, (first) => first.toUpperCase())} ${number} approves nothing: ${reason}` },
    answer,
    isPlanned,
  });
  if (mine === undefined) {
    const [forged] = alike;
    return none(
      forged === undefined
        ? `it has no ${comment} with a plan of this workspace.`
        : `its ${comment} with a plan is by ${forged.author ?? 'nobody'}, and only those by ${forge.author} count.`,
    );
  }
  const { byOther, at } = await forge.historyOf(mine);
  if (byOther !== undefined)
    return none(`its ${comment} with the plan was changed by ${byOther}. Run the plan again to have it written anew.`);
  // A time that cannot be read is not one before the merge.
  if (!(Date.parse(at) <= Date.parse(mergedAt)))
    return none('its plan was made after the merge, so nobody can have reviewed it.');
  const found = readApprovedSet(mine.body) ?? readApprovedFleet(mine.body);
  if (found === undefined) return none('its plan could not be made, so there was nothing to review.');
  if (found === 'too long')
    return none(`its plan is too long for a ${comment} to hold all digests. Give the saved plan to \`apply\` instead.`);
  if ('digests' in found) return { plan: found, answer, isPlanned };
  // A name that is none of an account is none that was reviewed.
  return { plan: { accounts: found.filter(([account]) => /^\S+$/.test(account)) }, answer, isPlanned };
}

/** An answer that somebody else changed may have said that all was done. */
async function readAnswered(forge: Forge, comments: readonly Comment[], key: string): Promise<Answered> {
  const answer = comments.find(({ body, author }) => author === forge.author && isSticky(body, 'apply', key));
  if (answer === undefined) return undefined;
  const { body } = answer;
  const ofFleet = readDoneFleet(body);
  const isDone = readSticky(body)?.outcome === 'done' || (await forge.historyOf(answer)).byOther !== undefined;
  if (isDone) return ofFleet === undefined ? 'all done' : 'fleet done';
  return ofFleet === undefined ? undefined : new Set(ofFleet.map(([account, digest]) => `${account} ${digest}`));
}
