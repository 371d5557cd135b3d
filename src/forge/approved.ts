// Which actions the reviews of merged pull requests approve: the digests in the plan comment that our own author wrote,
// that nobody else changed, and that was there before the merge. Pull requests that were merged and not carried out yet
// count too: they run together, or not at all.
import { readApprovedFleet } from '../report/markdown/fleet.ts';
import { readApprovedSet } from '../report/markdown/marker.ts';
import type { Forge } from './client.ts';
import { commentsOf } from './comment.ts';
import { isSticky, readSticky } from './sticky.ts';

export interface Approval {
  /** Of actions; of a comment about many accounts: an account and the digest of its plan each. */
  readonly digests: readonly string[];
  /** The pull requests that it comes from and that get the answer, the newest first. */
  readonly pulls: readonly number[];
  /** What does not count, and why; full sentences. */
  readonly notices: readonly string[];
}

interface Pull {
  readonly number: number;
  readonly merged_at: string | null;
  readonly merge_commit_sha: string | null;
  readonly base: { readonly ref: string };
}

/** How far back is looked for what was merged and not carried out. */
const COMMITS = 100;
const PULLS = 30;

export interface ApprovalQuestion {
  readonly commit: string;
  readonly branch: string;
  readonly key: string;
}

/** Throws what GitHub answers. */
export async function approvedBy(forge: Forge, question: ApprovalQuestion): Promise<Approval> {
  const found: { readonly digests: readonly string[]; readonly pull: number }[] = [];
  const notices: string[] = [];
  const merged = await mergedPulls(forge, question);
  if (merged.length === 0)
    notices.push(
      `No pull request that was merged into ${question.branch} has commit ${question.commit.slice(0, 12)}, so nobody approved it.`,
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
    notices.push(`What pull request ${merged[0]?.number} approved was carried out before; an approval counts once.`);
  return {
    digests: [...new Set(found.flatMap(({ digests }) => digests))],
    pulls: found.map(({ pull }) => pull),
    notices,
  };
}

/**
 * Those in the history of the commit, the last merged first; that of the commit itself is one of them, however it was
 * merged.
 */
async function mergedPulls({ client, at }: Forge, { commit, branch }: ApprovalQuestion): Promise<readonly Pull[]> {
  const { data: own } = await client.request('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
    ...at,
    commit_sha: commit,
    per_page: 100,
  });
  const { data: commits } = await client.request('GET /repos/{owner}/{repo}/commits', {
    ...at,
    sha: commit,
    per_page: COMMITS,
  });
  const { data: closed } = await client.request('GET /repos/{owner}/{repo}/pulls', {
    ...at,
    state: 'closed',
    base: branch,
    sort: 'updated',
    direction: 'desc',
    per_page: PULLS,
  });
  const history = new Set(commits.map(({ sha }) => sha));
  const all: readonly Pull[] = [
    ...own,
    ...closed.filter(({ merge_commit_sha: sha }) => sha !== null && history.has(sha)),
  ];
  const merged = all.filter(({ merged_at: at, base }) => at !== null && base.ref === branch);
  const unique = [...new Map(merged.map((pull) => [pull.number, pull])).values()];
  return unique.sort((left, right) => Date.parse(right.merged_at ?? '') - Date.parse(left.merged_at ?? ''));
}

interface Review {
  readonly plan: { readonly digests: readonly string[] } | { readonly reason: string };
  /** A run that ended well has answered. */
  readonly isDone: boolean;
  /** Somebody says that this is its plan. */
  readonly isPlanned: boolean;
}

async function readReview(forge: Forge, { number, merged_at: mergedAt }: Pull, key: string): Promise<Review> {
  const comments = await commentsOf(forge, number);
  const alike = comments.filter(({ body }) => isSticky(body, 'plan', key));
  const mine = alike.find(({ user }) => user?.login === forge.author);
  const answer = comments.find(({ body, user }) => user?.login === forge.author && isSticky(body, 'apply', key));
  // An answer that somebody else changed may have said that all was done.
  const isDone =
    answer !== undefined &&
    (readSticky(answer.body ?? '')?.outcome === 'done' ||
      (await historyOf(forge, answer.node_id)).byOther !== undefined);
  const isPlanned = alike.length > 0;
  const none = (reason: string): Review => ({
    plan: { reason: `Pull request ${number} approves nothing: ${reason}` },
    isDone,
    isPlanned,
  });
  if (mine === undefined) {
    const [forged] = alike;
    return none(
      forged === undefined
        ? 'it has no comment with a plan of this workspace.'
        : `its comment with a plan is by ${forged.user?.login ?? 'nobody'}, and only those by ${forge.author} count.`,
    );
  }
  const { byOther, at } = await historyOf(forge, mine.node_id);
  if (byOther !== undefined)
    return none(`its comment with the plan was changed by ${byOther}. Run the plan again to have it written anew.`);
  if (Date.parse(at) > Date.parse(mergedAt ?? ''))
    return none('its plan was made after the merge, so nobody can have reviewed it.');
  const digests = readApprovedSet(mine.body ?? '') ?? readFleet(mine.body ?? '');
  if (digests === undefined) return none('its plan could not be made, so there was nothing to review.');
  return digests === 'too long'
    ? none('its plan is too long for a comment to hold all digests. Give the saved plan to `apply` instead.')
    : { plan: { digests }, isDone, isPlanned };
}

function readFleet(body: string): readonly string[] | 'too long' | undefined {
  const plans = readApprovedFleet(body);
  return plans === undefined || plans === 'too long'
    ? plans
    : plans.flatMap(([account, digest]) => (/^\S+$/.test(account) ? [`${account} ${digest}`] : []));
}

const HISTORY =
  'query ($id: ID!) { node(id: $id) { ... on IssueComment { createdAt lastEditedAt author { login } editor { login } } } }';

interface History {
  readonly node: {
    readonly createdAt: string;
    readonly lastEditedAt: string | null;
    readonly author: { readonly login: string } | null;
    readonly editor: { readonly login: string } | null;
  } | null;
}

/**
 * Who else changed a comment last, and when it was changed last. Whoever may write to the repository may change the
 * comments of others.
 */
async function historyOf(
  { client }: Forge,
  id: string,
): Promise<{ readonly byOther: string | undefined; readonly at: string }> {
  const { node } = await client.graphql<History>(HISTORY, { id });
  if (node === null) return { byOther: 'somebody', at: '' };
  const { createdAt, lastEditedAt, author, editor } = node;
  // What our own author writes over is ours again. An account that is gone has no name, and a change needs one to be
  // ours.
  const isOurs = lastEditedAt === null || (editor !== null && editor.login === author?.login);
  return { byOther: isOurs ? undefined : (editor?.login ?? 'an account that is gone'), at: lastEditedAt ?? createdAt };
}
