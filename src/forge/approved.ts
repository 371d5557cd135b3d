// Which actions the reviews of merged pull requests approve: the digests in the plan comment that our own author wrote,
// that nobody else changed, and that was there before the merge. Pull requests that were merged and not carried out yet
// count too: they run together, or not at all.
import { readApprovedFleet } from '../report/markdown/fleet.ts';
import { readApprovedSet } from '../report/markdown/marker.ts';
import type { Forge, Merged } from './forge.ts';
import { isSticky, readSticky } from './sticky.ts';

export interface Approval {
  /** Of actions; of a comment about many accounts: an account and the digest of its plan each. */
  readonly digests: readonly string[];
  /** The pull requests that it comes from and that get the answer, the newest first. */
  readonly pulls: readonly number[];
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
  const found: { readonly digests: readonly string[]; readonly pull: number }[] = [];
  const notices: string[] = [];
  const merged = await mergedPulls(forge, question);
  if (merged.length === 0)
    notices.push(
      `No ${forge.words.pull} that was merged into ${question.branch} has commit ${question.commit.slice(0, 12)}, so nobody approved it.`,
    );
  for (const pull of merged) {
    const { plan, isDone, isPlanned } = await readReview(forge, pull, question.key);
    // Everything that was merged before a run that ended well was carried out by it: those approvals are used up.
    if (isDone) break;
    // An older one that was never planned here has nothing that could be left to do: it is from before, or about
    // something else.
    if (!isPlanned && pull !== merged[0]) continue;
    if ('reason' in plan) notices.push(plan.reason);
    found.push({ pull: pull.number, digests: 'digests' in plan ? plan.digests : [] });
  }
  if (found.length === 0 && merged.length > 0)
    notices.push(
      `What ${forge.words.pull} ${merged[0]?.number} approved was carried out before; an approval counts once.`,
    );
  return {
    digests: [...new Set(found.flatMap(({ digests }) => digests))],
    pulls: found.map(({ pull }) => pull),
    notices,
  };
}

/** The last merged first, each once. */
async function mergedPulls(forge: Forge, { commit, branch }: ApprovalQuestion): Promise<readonly Merged[]> {
  const merged = await forge.mergedInto(branch, commit);
  const unique = [...new Map(merged.map((pull) => [pull.number, pull])).values()];
  return unique.sort((left, right) => Date.parse(right.mergedAt) - Date.parse(left.mergedAt));
}

interface Review {
  readonly plan: { readonly digests: readonly string[] } | { readonly reason: string };
  /** A run that ended well has answered. */
  readonly isDone: boolean;
  /** Somebody says that this is its plan. */
  readonly isPlanned: boolean;
}

async function readReview(forge: Forge, { number, mergedAt }: Merged, key: string): Promise<Review> {
  const { pull, comment } = forge.words;
  const comments = await forge.comments(number);
  const alike = comments.filter(({ body }) => isSticky(body, 'plan', key));
  const mine = alike.find(({ author }) => author === forge.author);
  const answer = comments.find(({ body, author }) => author === forge.author && isSticky(body, 'apply', key));
  // An answer that somebody else changed may have said that all was done.
  const isDone =
    answer !== undefined &&
    (readSticky(answer.body)?.outcome === 'done' || (await forge.historyOf(answer)).byOther !== undefined);
  const isPlanned = alike.length > 0;
  const none = (reason: string): Review => ({
    plan: { reason: `${pull.replace(/^./, (first) => first.toUpperCase())} ${number} approves nothing: ${reason}` },
    isDone,
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
  const single = readApprovedSet(mine.body);
  const digests = typeof single === 'object' ? single.digests : (single ?? readFleet(mine.body));
  if (digests === undefined) return none('its plan could not be made, so there was nothing to review.');
  return digests === 'too long'
    ? none(`its plan is too long for a ${comment} to hold all digests. Give the saved plan to \`apply\` instead.`)
    : { plan: { digests }, isDone, isPlanned };
}

function readFleet(body: string): readonly string[] | 'too long' | undefined {
  const plans = readApprovedFleet(body);
  return plans === undefined || plans === 'too long'
    ? plans
    : plans.flatMap(([account, digest]) => (/^\S+$/.test(account) ? [`${account} ${digest}`] : []));
}
