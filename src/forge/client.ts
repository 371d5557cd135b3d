// How GitHub is talked to: which server, as whom, what is tried again. Reads and what may be repeated are; a request
// that makes something is sent once, and whoever makes it looks before it tries again.
import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { parseBaseUrl } from '../platform/request-url.ts';
import type { Dispatcher } from '../events/run-request.ts';
import type { Proxies } from '../platform/proxies.ts';
import { proxiedFetch } from '../platform/undici-transport.ts';
import type { Comment, Forge, History, Issue, Merged, MergedPage, ReviewComment } from './forge.ts';
import { ForgeError } from './forge.ts';

export interface ForgeAccess {
  /** `https://api.github.com`, or the address that an own server tells its jobs. */
  readonly apiUrl: string;
  readonly token: string;
  readonly owner: string;
  readonly repo: string;
  /** Who writes our comments and issues: of nobody else's is anything believed. */
  readonly author: string;
  readonly version: string;
  readonly proxies?: Proxies;
  /** Milliseconds of a pause of 1; tests have no time. */
  readonly pauseMs?: number;
  /** Instead of the pauses between writes that GitHub asks for; tests have no time. */
  readonly pacing?: object;
  /** Told when a limit of requests makes it wait. */
  readonly onWait?: (seconds: number) => void;
}

/**
 * Where GitHub is and which repository is meant; else a sentence for a diagnostic. The token goes nowhere unencrypted.
 */
export function findForge({
  apiUrl,
  token,
  repository,
}: {
  readonly apiUrl: string;
  readonly token: string;
  readonly repository: string;
}): Pick<ForgeAccess, 'apiUrl' | 'token' | 'owner' | 'repo'> | string {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? [];
  if (owner === undefined || repo === undefined)
    return 'Name the repository as owner/name: --repository, or GITHUB_REPOSITORY.';
  if (!/^[\x21-\x7e]+$/.test(token))
    return 'GITHUB_TOKEN holds no token. In a workflow: `env: { GITHUB_TOKEN: ${{ github.token }} }`.';
  try {
    const { origin, prefix } = parseBaseUrl(apiUrl);
    return { apiUrl: `${origin}${prefix}`, token, owner, repo };
  } catch {
    return 'GITHUB_API_URL is not the address of an API: it begins with https://, unless it is this machine.';
  }
}

const Client = Octokit.plugin(paginateRest, retry, throttling);

/** GitHub, and the repository it is about. */
interface Github {
  readonly client: InstanceType<typeof Client>;
  readonly at: { readonly owner: string; readonly repo: string };
}

/** A limit of requests is waited for when it ends this soon. */
const PATIENCE_S = 120;
const RETRIES = 2;
/** Of a request that makes something: whoever sends it looks whether it arrived. */
const ONCE = { request: { retries: 0 } } as const;

export function openForge({ author, ...access }: ForgeAccess): Forge {
  return { author, ...operations(connectGithub(access)) };
}

function connectGithub({
  apiUrl,
  token,
  owner,
  repo,
  version,
  proxies = {},
  pauseMs = 1000,
  pacing = {},
  onWait = () => undefined,
}: Omit<ForgeAccess, 'author'>): Github {
  const wait = (seconds: number, _options: unknown, _client: unknown, count: number): boolean => {
    const waits = seconds <= PATIENCE_S && count < RETRIES;
    if (waits) onWait(seconds);
    return waits;
  };
  const silent = (): void => undefined;
  const proxied = proxiedFetch(new URL(apiUrl).origin, proxies);
  const client = new Client({
    auth: token,
    baseUrl: apiUrl,
    userAgent: `hostwright/${version}`,
    ...(proxied !== undefined && { request: { fetch: proxied } }),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    retry: { retries: RETRIES, retryAfterBaseValue: pauseMs, doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451] },
    throttle: { onRateLimit: wait, onSecondaryRateLimit: wait, retryAfterBaseValue: pauseMs, ...pacing },
  });
  return { client, at: { owner, repo } };
}

/** What GitHub calls the event, and what a workflow asks for: `on: { repository_dispatch: { types: [hostwright] } }`. */
const EVENT_TYPE = 'hostwright';
/** The platform waits 30 seconds for the receiver. */
const TAKEN_WITHIN_MS = 20_000;

/** Run requests for a workflow of a repository: it begins, or waits, as its concurrency group says. */
export function githubDispatcher(access: Omit<ForgeAccess, 'author'>): Dispatcher {
  const { client, at } = connectGithub(access);
  return {
    name: 'GitHub',
    dispatch: async (request) => {
      try {
        await client.request('POST /repos/{owner}/{repo}/dispatches', {
          ...at,
          event_type: EVENT_TYPE,
          client_payload: { ...request },
          // Sent twice it would start the same run twice: whoever sent the message sends it again.
          request: { ...ONCE.request, signal: AbortSignal.timeout(TAKEN_WITHIN_MS) },
        });
      } catch (error) {
        throw new Error(forgeError(error)?.said ?? 'it did not answer in time.', { cause: error });
      }
    },
    close: () => Promise.resolve(),
  };
}

function operations(github: Github): Omit<Forge, 'author'> {
  const { client, at } = github;
  return {
    words: { forge: 'GitHub', pull: 'pull request', comment: 'comment' },
    safe: (text) => text,
    comments: async (pull) =>
      (
        await client.paginate('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          ...at,
          issue_number: pull,
          per_page: 100,
        })
      ).map(commentOf),
    addComment: async (pull, body) => {
      const { data } = await client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...at,
        issue_number: pull,
        body,
        ...ONCE,
      });
      return commentOf(data);
    },
    setComment: (_pull, { id }, body) =>
      client.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', { ...at, comment_id: id, body }),
    historyOf: ({ node }) => historyOf(github, node),
    openIssues: (label) => openIssues(github, label),
    addIssue: async ({ title, body, label }) => {
      await makeLabel(github, label);
      const { data } = await client.request('POST /repos/{owner}/{repo}/issues', {
        ...at,
        title,
        body,
        labels: [label],
        ...ONCE,
      });
      return issueOf(data);
    },
    setIssue: ({ number }, text) =>
      client.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', { ...at, issue_number: number, ...text }),
    closeIssue: ({ number }) =>
      client.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
        ...at,
        issue_number: number,
        state: 'closed',
        state_reason: 'completed',
      }),
    sayOnIssue: ({ number }, body) =>
      client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...at,
        issue_number: number,
        body,
        ...ONCE,
      }),
    mergedWith: (branch, commit) => mergedWith(github, branch, commit),
    mergedInto: (branch, from) => mergedInto(github, branch, from),
    isInHistory: (commit, of) => isInHistory(github, commit, of),
  };
}

interface RawComment {
  readonly id: number | bigint;
  readonly node_id: string;
  readonly body?: string | null;
  readonly user: { readonly login: string } | null;
  readonly html_url: string;
}

function commentOf({ id, node_id: node, body, user, html_url: url }: RawComment): Comment {
  return { id, node, body: body ?? '', author: user?.login, url };
}

interface RawIssue {
  readonly number: number;
  readonly title: string;
  readonly body?: string | null;
  readonly user: { readonly login: string } | null;
  readonly html_url: string;
}

function issueOf({ number, title, body, user, html_url: url }: RawIssue): Issue {
  return { number, title, body: body ?? '', author: user?.login, url };
}

/** A pull request is an issue too. */
async function openIssues({ client, at }: Github, label: string): Promise<readonly Issue[]> {
  const issues = await client.paginate('GET /repos/{owner}/{repo}/issues', {
    ...at,
    state: 'open',
    labels: label,
    sort: 'created',
    direction: 'asc',
    per_page: 100,
  });
  return issues.filter(({ pull_request: pull }) => pull === undefined).map(issueOf);
}

async function makeLabel({ client, at }: Github, name: string): Promise<void> {
  try {
    await client.request('GET /repos/{owner}/{repo}/labels/{name}', { ...at, name });
  } catch (error) {
    if (forgeError(error)?.status !== 404) throw error;
    await client.request('POST /repos/{owner}/{repo}/labels', {
      ...at,
      name,
      color: 'd93f0b',
      description: 'What is live is not as declared (Hostwright).',
      ...ONCE,
    });
  }
}

async function mergedWith({ client, at }: Github, branch: string, commit: string): Promise<readonly Merged[]> {
  const { data } = await client.request('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
    ...at,
    commit_sha: commit,
    per_page: 100,
  });
  return data.flatMap(({ number, merged_at: mergedAt, updated_at: updatedAt, base }) =>
    mergedAt === null || base.ref !== branch ? [] : [{ number, mergedAt, updatedAt, commits: [commit] }],
  );
}

/** Pull requests with their comments and who edited them: one request for each page of 50. */
const MERGED = `query ($owner: String!, $repo: String!, $branch: String!, $from: String) {
  repository(owner: $owner, name: $repo) {
    pullRequests(states: MERGED, baseRefName: $branch, first: 50, after: $from, orderBy: { field: UPDATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number mergedAt updatedAt mergeCommit { oid }
        comments(first: 100) {
          pageInfo { hasNextPage }
          nodes { id fullDatabaseId body url createdAt lastEditedAt author { __typename login } editor { __typename login } }
        }
      }
    }
  }
}`;

interface Page<Node> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
  readonly nodes: readonly Node[];
}

interface MergedAnswer {
  readonly repository: {
    readonly pullRequests: Page<{
      readonly number: number;
      readonly mergedAt: string;
      readonly updatedAt: string;
      readonly mergeCommit: { readonly oid: string } | null;
      readonly comments: Page<CommentNode>;
    }>;
  } | null;
}

async function mergedInto({ client, at }: Github, branch: string, from?: string): Promise<MergedPage> {
  const { repository } = await client.graphql<MergedAnswer>(MERGED, { ...at, branch, from: from ?? null });
  if (repository === null) throw new ForgeError(404, 'Not Found (404)');
  const { nodes, pageInfo } = repository.pullRequests;
  return {
    pulls: nodes.map(({ number, mergedAt, updatedAt, mergeCommit, comments }) => ({
      number,
      mergedAt,
      updatedAt,
      commits: mergeCommit === null ? [] : [mergeCommit.oid],
      // A longer list is read by itself.
      ...(!comments.pageInfo.hasNextPage && { comments: comments.nodes.map(reviewCommentOf) }),
    })),
    ...(pageInfo.hasNextPage && typeof pageInfo.endCursor === 'string' && { next: pageInfo.endCursor }),
  };
}

async function isInHistory({ client, at }: Github, commit: string, of: string): Promise<boolean> {
  try {
    const { data } = await client.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
      ...at,
      basehead: `${commit}...${of}`,
      per_page: 1,
    });
    return data.status === 'ahead' || data.status === 'identical';
  } catch (error) {
    // The repository has no such commit any more, or the two have nothing in common.
    if (forgeError(error)?.status === 404) return false;
    throw error;
  }
}

const HISTORY =
  'query ($id: ID!) { node(id: $id) { ... on IssueComment { createdAt lastEditedAt author { login } editor { login } } } }';

interface Answer {
  readonly node: HistoryNode | null;
}

interface Actor {
  readonly __typename?: string;
  readonly login: string;
}

interface HistoryNode {
  readonly createdAt: string;
  readonly lastEditedAt: string | null;
  readonly author: Actor | null;
  readonly editor: Actor | null;
}

interface CommentNode extends HistoryNode {
  readonly id: string;
  readonly fullDatabaseId: string | number;
  readonly body: string;
  readonly url: string;
}

/** REST names the account of an app `NAME[bot]`, and GraphQL `NAME`. */
function reviewCommentOf(node: CommentNode): ReviewComment {
  const { id, fullDatabaseId, body, url, author } = node;
  return {
    id: BigInt(fullDatabaseId),
    node: id,
    body,
    url,
    author: author?.__typename === 'Bot' ? `${author.login}[bot]` : author?.login,
    history: historyIn(node),
  };
}

/** Anyone with write access to the repository can edit the comments of others. */
async function historyOf({ client }: Github, id: string): Promise<History> {
  const { node } = await client.graphql<Answer>(HISTORY, { id });
  return node === null ? { byOther: 'somebody', at: '' } : historyIn(node);
}

function historyIn({ createdAt, lastEditedAt, author, editor }: HistoryNode): History {
  // What our own author writes over is ours again. A deleted account has no name, and an edit needs one to be ours.
  const isOurs = lastEditedAt === null || (editor !== null && editor.login === author?.login);
  return { byOther: isOurs ? undefined : (editor?.login ?? 'a deleted account'), at: lastEditedAt ?? createdAt };
}

/**
 * What a forge said to a request that it refused, or that did not arrive, in a few words; undefined: the error is no
 * answer of it.
 */
export function forgeError(error: unknown): { readonly status: number; readonly said: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof ForgeError) return { status: error.status, said: error.message };
  const { status, name, message, response } = error as Error & {
    readonly status?: unknown;
    readonly response?: unknown;
  };
  // Where no answer came the client makes up a status of 500.
  if (name === 'HttpError' && typeof status === 'number')
    return {
      status,
      said: `${message.replace(/ - https?:\/\/\S*$/, '')}${response === undefined ? '' : ` (${status})`}`,
    };
  // GraphQL answers 200 where REST answers 403.
  if (name === 'GraphqlResponseError') return { status: /not accessible/.test(message) ? 403 : 200, said: message };
  return undefined;
}
