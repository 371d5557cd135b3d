// Which actions the reviews of merged pull requests approve: the digests in the plan comment that our own author wrote,
// that nobody else changed, and that was there before the merge. An approval counts until an answer of our own author
// says that it was carried out; for a fleet, account by account. The search goes back to a marker: an answer that says
// that nothing approved before it is left. Every comment is read from the forge at that moment.
import type { Address } from '../model/address.ts';
import type { AccountDigest, ApprovedSet } from '../report/blocks/mark.ts';
import { readApprovedFleet, readApprovedSet, readDoneFleet } from '../report/blocks/mark.ts';
import type { Forge, History, Merged, ReviewComment } from './forge.ts';
import { walkMerged } from './merged.ts';
import { isSticky, readSticky, saysNoneLeft } from './sticky.ts';

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
  readonly search: Search;
}

/** How far back approvals were looked for. */
export interface Search {
  /** How many merged pull requests were read. */
  readonly count: number;
  /** The oldest one. */
  readonly oldest?: number;
  /**
   * Why it ended there: everything approved before was carried out, there are no older ones, or the limit of one search
   * was reached, so that older approvals are unknown.
   */
  readonly until: 'carried out' | 'first' | 'limit';
}

export interface ApprovalQuestion {
  readonly commit: string;
  readonly branch: string;
  readonly key: string;
}

/**
 * Merge times may differ this much from the order of the commits: a pull request that was merged shortly before a marker
 * may have a commit that the run of the marker did not have.
 */
const MARGIN_MS = 600_000;

/** Everything approved before this pull request, and on it, was carried out. */
interface Marker {
  readonly sinceMs: number;
  readonly commits: readonly string[];
}

/** Returns what counts, the newest pull request first. Throws what the forge answers. */
export async function approvedBy(forge: Forge, question: ApprovalQuestion): Promise<Approval> {
  const { commit, branch, key } = question;
  const own = await forge.mergedWith(branch, commit);
  const ownNumbers = new Set(own.map(({ number }) => number));
  const walk = walkMerged(forge, branch, own);
  const found = new Found(forge, ownNumbers);
  let marker: Marker | undefined;
  let [count, until]: [number, Search['until']] = [0, 'first'];
  let oldest: number | undefined;
  /** Before the first marker every approval counts; around it, those whose commit its run did not have. */
  const isCarriedOut = async (pull: Merged): Promise<boolean> =>
    marker !== undefined && (await isInHistoryOf(forge, pull.commits, marker.commits[0]));
  const add = async (pull: Merged): Promise<void> => {
    count += 1;
    oldest = pull.number;
    const review = await readReview(forge, pull, key);
    const isOwn = ownNumbers.has(pull.number);
    if (isPending(review) && !isOwn) {
      // What was merged later is not in what runs now.
      if (!(await isInHistoryOf(forge, pull.commits, commit)) || (await isCarriedOut(pull))) return;
    }
    found.add(pull, review);
    if (review.isMarker) marker ??= { sinceMs: Date.parse(pull.mergedAt) - MARGIN_MS, commits: pull.commits };
  };
  for (let pull = await walk.next(); pull !== undefined; pull = await walk.next()) {
    if (marker !== undefined && Date.parse(pull.mergedAt) < marker.sinceMs && !ownNumbers.has(pull.number)) {
      until = 'carried out';
      break;
    }
    await add(pull);
  }
  for (const pull of await walk.moved())
    if (marker === undefined || Date.parse(pull.mergedAt) >= marker.sinceMs) await add(pull);
  if (marker !== undefined) until = 'carried out';
  else if (walk.isCutOff()) until = 'limit';
  return found.approval(question, { count, ...(oldest !== undefined && { oldest }), until });
}

async function isInHistoryOf(forge: Forge, commits: readonly string[], of: string | undefined): Promise<boolean> {
  if (of === undefined) return false;
  for (const commit of commits) if (commit === of || (await forge.isInHistory(commit, of))) return true;
  return false;
}

/** Whether a review approves, or may approve, something that no answer says is done. */
function isPending({ plan, answer, isPlanned }: Review): boolean {
  if (!isPlanned) return false;
  return 'accounts' in plan
    ? plan.accounts.some(([account, digest]) => !isDoneIn(answer, account, digest))
    : answer === undefined;
}

/** Collects reviews, the newest first. */
class Found {
  readonly #forge: Forge;
  readonly #own: ReadonlySet<number>;
  readonly #digests: string[] = [];
  readonly #subjects = new Set<Address>();
  #isSubjectKnown = true;
  readonly #exceptions = new Set<Address>();
  #isRehearsed = true;
  readonly #accounts: AccountApproval[] = [];
  readonly #pulls: number[] = [];
  readonly #notices: string[] = [];
  /** Accounts of which a later approval was carried out. */
  readonly #doneLater = new Set<string>();
  #usedUp: number | undefined;

  constructor(forge: Forge, own: ReadonlySet<number>) {
    this.#forge = forge;
    this.#own = own;
  }

  add({ number }: Merged, { plan, answer, isPlanned }: Review): void {
    const isOwn = this.#own.has(number);
    // One that was never planned here has nothing that could be left to do.
    if (!isPlanned && !isOwn) return;
    if ('accounts' in plan) {
      const mine = plan.accounts.map(([account, digest]) => ({
        account,
        digest,
        pull: number,
        isDone: this.#doneLater.has(account) || isDoneIn(answer, account, digest),
      }));
      this.#accounts.push(...mine);
      for (const [account, digest] of plan.accounts)
        if (isDoneIn(answer, account, digest)) this.#doneLater.add(account);
      if (mine.some(({ isDone }) => !isDone)) this.#pulls.push(number);
      else if (mine.length > 0) this.#usedUp ??= number;
      return;
    }
    if (answer === 'all done') {
      this.#usedUp ??= number;
      return;
    }
    // A run of the fleet has answered it already.
    if (answer !== undefined && !isOwn) return;
    if ('reason' in plan) this.#notices.push(plan.reason);
    else this.#digests.push(...plan.digests);
    // What nobody reviewed is looked for in the whole account.
    if ('digests' in plan && plan.subjects !== undefined) for (const one of plan.subjects) this.#subjects.add(one);
    else this.#isSubjectKnown = false;
    if ('digests' in plan && plan.rehearsedExcept !== undefined)
      for (const one of plan.rehearsedExcept) this.#exceptions.add(one);
    else this.#isRehearsed = false;
    this.#pulls.push(number);
  }

  approval({ commit, branch }: ApprovalQuestion, search: Search): Approval {
    const { pull } = this.#forge.words;
    const [own] = this.#own;
    const hasPulls = this.#pulls.length > 0;
    const notices = [...this.#notices];
    if (own === undefined && !hasPulls)
      notices.unshift(
        `No ${pull} that was merged into ${branch} has commit ${commit.slice(0, 12)}, so nobody approved it.`,
      );
    if (this.#usedUp !== undefined && !hasPulls)
      notices.push(`What ${pull} ${this.#usedUp} approved was carried out before; an approval counts once.`);
    if (search.until === 'limit')
      notices.push(
        `${search.count} merged ${pull}s were searched, back to ${search.oldest}. Approvals that were merged before it and not carried out are unknown: have them planned and reviewed again.`,
      );
    return {
      digests: [...new Set(this.#digests)],
      ...(this.#isSubjectKnown && hasPulls && { subjects: [...this.#subjects] }),
      ...(this.#isRehearsed && hasPulls && { rehearsedExcept: [...this.#exceptions] }),
      accounts: this.#accounts,
      pulls: this.#pulls,
      ...(own !== undefined && { own }),
      notices,
      search,
    };
  }
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

interface Review {
  readonly plan:
    Omit<ApprovedSet, 'account'> | { readonly accounts: readonly AccountDigest[] } | { readonly reason: string };
  readonly answer: Answered;
  /** There is a comment that claims to be its plan. */
  readonly isPlanned: boolean;
  /** Its answer says that nothing that was approved before is left. */
  readonly isMarker: boolean;
}

async function readReview(forge: Forge, { number, mergedAt, comments: listed }: Merged, key: string): Promise<Review> {
  const { pull, comment } = forge.words;
  const comments = listed ?? (await forge.comments(number));
  const alike = comments.filter(({ body }) => isSticky(body, 'plan', key));
  const mine = alike.find(({ author }) => author === forge.author);
  const { answer, isMarker } = await readAnswered(forge, comments, key);
  const isPlanned = alike.length > 0;
  const none = (reason: string): Review => ({
    plan: { reason: `${pull.replace(/^./, (first) => first.toUpperCase())} ${number} approves nothing: ${reason}` },
    answer,
    isPlanned,
    isMarker,
  });
  if (mine === undefined) {
    const [forged] = alike;
    return none(
      forged === undefined
        ? `it has no ${comment} with a plan of this workspace.`
        : `its ${comment} with a plan is by ${forged.author ?? 'nobody'}, and only those by ${forge.author} count.`,
    );
  }
  const { byOther, at } = await historyOf(forge, mine);
  if (byOther !== undefined)
    return none(`its ${comment} with the plan was changed by ${byOther}. Run the plan again to have it written anew.`);
  // A time that cannot be read is not one before the merge.
  if (!(Date.parse(at) <= Date.parse(mergedAt)))
    return none('its plan was made after the merge, so nobody can have reviewed it.');
  const found = readApprovedSet(mine.body) ?? readApprovedFleet(mine.body);
  if (found === undefined) return none('its plan could not be made, so there was nothing to review.');
  if (found === 'too long')
    return none(`its plan is too long for a ${comment} to hold all digests. Give the saved plan to \`apply\` instead.`);
  if ('digests' in found) return { plan: found, answer, isPlanned, isMarker };
  // Drop entries whose account name is malformed: they cannot have been reviewed.
  return { plan: { accounts: found.filter(([account]) => /^\S+$/.test(account)) }, answer, isPlanned, isMarker };
}

/**
 * An answer that somebody else changed may have said that everything was done, so the approval on that pull request
 * counts no more. It is no marker: what it says of other pull requests is not believed.
 */
async function readAnswered(
  forge: Forge,
  comments: readonly ReviewComment[],
  key: string,
): Promise<Pick<Review, 'answer' | 'isMarker'>> {
  const answer = comments.find(({ body, author }) => author === forge.author && isSticky(body, 'apply', key));
  if (answer === undefined) return { answer: undefined, isMarker: false };
  const { body } = answer;
  const ofFleet = readDoneFleet(body);
  const isOurs = (await historyOf(forge, answer)).byOther === undefined;
  const isDone = readSticky(body)?.outcome === 'done' || !isOurs;
  // A run of a workspace that ended well carried out everything that was approved before it.
  const isMarker = isOurs && (ofFleet === undefined ? isDone : saysNoneLeft(body));
  if (isDone) return { answer: ofFleet === undefined ? 'all done' : 'fleet done', isMarker };
  return {
    answer: ofFleet === undefined ? undefined : new Set(ofFleet.map(([account, digest]) => `${account} ${digest}`)),
    isMarker,
  };
}

function historyOf(forge: Forge, comment: ReviewComment): Promise<History> {
  return comment.history === undefined ? forge.historyOf(comment) : Promise.resolve(comment.history);
}
