// How GitLab is talked to: which server, as whom, what is tried again. Reads and what may be repeated are; a request
// that makes something is sent once, and whoever makes it looks before it tries again. The token goes to the one origin
// of the API only: a redirect is not followed.
import { setTimeout as pause } from 'node:timers/promises';
import { parseBaseUrl } from '../platform/request-url.ts';
import type { Dispatcher, RunRequest } from '../events/run-request.ts';
import type { Proxies } from '../platform/proxies.ts';
import { proxiedFetch } from '../platform/undici-transport.ts';
import type { Comment, Forge, History, Issue, Merged, MergedPage } from './forge.ts';
import { ForgeError } from './forge.ts';
import { parseJsonObject } from '../model/json.ts';

export interface GitlabAccess {
  /** `https://gitlab.com/api/v4`: CI_API_V4_URL. */
  readonly apiUrl: string;
  readonly token: string;
  /** The id of the project, or its path. */
  readonly project: string;
  /** Whose notes and issues count; absent: the account of the token. */
  readonly author?: string;
  readonly version: string;
  readonly proxies?: Proxies;
  /** Milliseconds of a pause of 1; tests have no time. */
  readonly pauseMs?: number;
  /** Told when a limit of requests makes it wait. */
  readonly onWait?: (seconds: number) => void;
}

/** Where GitLab is and which project is meant; else a sentence for a diagnostic. */
export function findGitlab({
  apiUrl,
  token,
  project,
}: {
  readonly apiUrl: string;
  readonly token: string;
  readonly project: string;
}): Pick<GitlabAccess, 'apiUrl' | 'token' | 'project'> | string {
  if (!/^(?:[1-9]\d*|[\w.-]+(?:\/[\w.-]+)+)$/.test(project))
    return 'Name the project by its id or its whole path: --project, or CI_PROJECT_ID.';
  if (!/^[\x21-\x7e]+$/.test(token))
    return 'GITLAB_TOKEN holds no token. Make a project access token with the role Reporter and the scope `api`, and keep it as a masked variable of the project. The job token (CI_JOB_TOKEN) cannot write notes.';
  try {
    const { origin, prefix } = parseBaseUrl(apiUrl);
    if (prefix.endsWith('/api/v4')) return { apiUrl: `${origin}${prefix}`, token, project };
  } catch {
    // Told below.
  }
  return 'CI_API_V4_URL is not the address of an API: it begins with https://, unless it is this machine, and ends with /api/v4.';
}

const RETRIES = 2;
/** A limit of requests is waited for when it ends this soon. */
const PATIENCE_S = 120;
const MOST_PAGES = 100;

interface Asking {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly body?: object;
  /** It may be sent again. */
  readonly repeatable?: boolean;
}

type Ask = <Answer>(path: string, asking?: Asking) => Promise<{ readonly data: Answer; readonly next: string | null }>;

/** GitLab, and the project it is about. Throws what GitLab answers. */
export async function openGitlab({
  apiUrl,
  token,
  project,
  author,
  version,
  proxies = {},
  pauseMs = 1000,
  onWait = () => undefined,
}: GitlabAccess): Promise<Forge> {
  const send = proxiedFetch(new URL(apiUrl).origin, proxies) ?? fetch;
  const once = async (address: string, { method = 'GET', body }: Asking): Promise<Response> => {
    try {
      return await send(address, {
        method,
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${token}`,
          'user-agent': `hostwright/${version}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new ForgeError(500, networkWords(error), { cause: error });
    }
  };
  const tryOnce = async (address: string, asking: Asking): Promise<Response> => {
    const answer = await once(address, asking);
    if (answer.ok) return answer;
    throw Object.assign(await refusalOf(answer), { waitS: waitOf(answer) });
  };
  const ask: Ask = async (path, asking = {}) => {
    const { method = 'GET', repeatable = method !== 'POST' } = asking;
    const address = path === GRAPHQL ? apiUrl.replace(/\/v4$/, GRAPHQL) : `${apiUrl}${path}`;
    for (let tried = 0; ; tried += 1) {
      try {
        const answer = await tryOnce(address, asking);
        return { data: JSON.parse(await answer.text()) as never, next: answer.headers.get('x-next-page') };
      } catch (error) {
        if (!(error instanceof ForgeError)) throw new ForgeError(502, 'the answer is no JSON', { cause: error });
        const { waitS = tried + 1 } = error as { readonly waitS?: number };
        // A request that was over the limit was not carried out.
        const isLimited = error.status === 429;
        if (tried >= RETRIES || waitS > PATIENCE_S || !(isLimited || (repeatable && error.status >= 500))) throw error;
        if (isLimited) onWait(waitS);
        await pause(waitS * pauseMs);
      }
    }
  };
  const own = author ?? (await ask<{ readonly username: string }>('/user')).data.username;
  return { author: own, ...operations(ask, `/projects/${encodeURIComponent(project)}`) };
}

/** The platform waits 30 seconds for the receiver. */
const TAKEN_WITHIN_MS = 20_000;

/**
 * Run requests for pipelines of a branch, as inputs of the pipeline and never as variables: a project can then forbid
 * those to whoever has the trigger token, because a variable of a trigger beats every other one of a job.
 */
export function gitlabDispatcher({
  apiUrl,
  token,
  project,
  ref,
  version,
  proxies = {},
}: Omit<GitlabAccess, 'author' | 'pauseMs' | 'onWait'> & { readonly ref: string }): Dispatcher {
  const send = proxiedFetch(new URL(apiUrl).origin, proxies) ?? fetch;
  return {
    name: 'GitLab',
    dispatch: async (request) => {
      const answer = await send(`${apiUrl}/projects/${encodeURIComponent(project)}/trigger/pipeline`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', 'user-agent': `hostwright/${version}` },
        body: JSON.stringify({ token, ref, inputs: asInputs(request) }),
        signal: AbortSignal.timeout(TAKEN_WITHIN_MS),
      }).catch((error: unknown) => {
        throw new ForgeError(500, networkWords(error), { cause: error });
      });
      if (!answer.ok) throw await refusalOf(answer);
      await answer.body?.cancel();
    },
    close: () => Promise.resolve(),
  };
}

const WHY_MOST = 300;

/** Names come from the platform: of `why` only plain characters are handed on, which no shell and no runner expands. */
function asInputs({ account, run, notify, why }: RunRequest): Readonly<Record<string, string>> {
  return {
    hostwright_run: run,
    hostwright_account: account,
    hostwright_notify: notify === true ? 'true' : '',
    hostwright_why: why.replaceAll(/[^A-Za-z0-9 .,:;/@_-]/g, '?').slice(0, WHY_MOST),
  };
}

const GRAPHQL = '/graphql';

async function allOf<Item>(ask: Ask, path: string): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (let page: string | null = '1', count = 0; page !== null && page !== ''; count += 1) {
    if (count === MOST_PAGES) throw new ForgeError(500, 'the list has no end');
    const { data, next }: { data: readonly Item[]; next: string | null } = await ask(
      `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`,
    );
    found.push(...data);
    page = next;
  }
  return found;
}

interface User {
  readonly username: string;
}

interface RawNote {
  readonly id: number;
  readonly body: string;
  readonly author: User | null;
  readonly system: boolean;
}

interface RawIssue {
  readonly iid: number;
  readonly title: string;
  readonly description: string | null;
  readonly author: User | null;
  readonly web_url: string;
}

interface RawMerge {
  readonly iid: number;
  readonly state: string;
  readonly target_branch: string;
  readonly merged_at: string | null;
  readonly updated_at: string;
  readonly user_notes_count: number;
  /** The head of its branch: what a fast-forward puts on the target. */
  readonly sha: string | null;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
}

function operations(ask: Ask, project: string): Omit<Forge, 'author'> {
  const urlOf = async (pull: number): Promise<string> =>
    (await ask<{ readonly web_url: string }>(`${project}/merge_requests/${pull}`)).data.web_url;
  const commentOf =
    (url: string) =>
    ({ id, body, author }: RawNote): Comment => ({
      id,
      node: `gid://gitlab/Note/${id}`,
      body,
      author: author?.username,
      url: `${url}#note_${id}`,
    });
  return {
    words: { forge: 'GitLab', pull: 'merge request', comment: 'note' },
    safe: withoutQuickActions,
    comments: async (pull) => {
      const notes = await allOf<RawNote>(ask, `${project}/merge_requests/${pull}/notes?sort=asc&order_by=created_at`);
      const url = await urlOf(pull);
      // What GitLab itself says of a merge request is a note too.
      return notes.filter(({ system }) => !system).map(commentOf(url));
    },
    addComment: async (pull, body) => {
      const { data } = await ask<RawNote>(`${project}/merge_requests/${pull}/notes`, {
        method: 'POST',
        body: { body },
      });
      return commentOf(await urlOf(pull))(data);
    },
    setComment: (pull, { id }, body) =>
      ask(`${project}/merge_requests/${pull}/notes/${id}`, { method: 'PUT', body: { body } }),
    historyOf: ({ node }) => historyOf(ask, node),
    openIssues: async (label) =>
      (
        await allOf<RawIssue>(
          ask,
          `${project}/issues?state=opened&labels=${encodeURIComponent(label)}&order_by=created_at&sort=asc`,
        )
      ).map(issueOf),
    // A label that is not there is made by this.
    addIssue: async ({ title, body, label }) =>
      issueOf(
        (
          await ask<RawIssue>(`${project}/issues`, {
            method: 'POST',
            body: { title, description: body, labels: label },
          })
        ).data,
      ),
    setIssue: ({ number }, { title, body }) =>
      ask(`${project}/issues/${number}`, { method: 'PUT', body: { title, description: body } }),
    closeIssue: ({ number }) => ask(`${project}/issues/${number}`, { method: 'PUT', body: { state_event: 'close' } }),
    sayOnIssue: ({ number }, body) => ask(`${project}/issues/${number}/notes`, { method: 'POST', body: { body } }),
    mergedWith: (branch, commit) => mergedWith(ask, project, branch, commit),
    mergedInto: (branch, from) => mergedInto(ask, project, branch, from),
    isInHistory: (commit, of) => isInHistory(ask, project, commit, of),
  };
}

function issueOf({ iid, title, description, author, web_url: url }: RawIssue): Issue {
  return { number: iid, title, body: description ?? '', author: author?.username, url };
}

async function mergedWith(ask: Ask, project: string, branch: string, commit: string): Promise<readonly Merged[]> {
  const path = `${project}/repository/commits/${encodeURIComponent(commit)}/merge_requests`;
  return (await allOf<RawMerge>(ask, path)).flatMap((raw) => mergedOf(raw, branch, [commit]));
}

async function mergedInto(ask: Ask, project: string, branch: string, from = '1'): Promise<MergedPage> {
  const { data, next } = await ask<readonly RawMerge[]>(
    `${project}/merge_requests?state=merged&target_branch=${encodeURIComponent(branch)}&order_by=updated_at&sort=desc&per_page=100&page=${from}`,
  );
  const pulls = data.flatMap((raw) => mergedOf(raw, branch));
  return { pulls, ...(next !== null && next !== '' && { next }) };
}

async function isInHistory(ask: Ask, project: string, commit: string, of: string): Promise<boolean> {
  const refs = [commit, of].map((ref) => `refs[]=${encodeURIComponent(ref)}`).join('&');
  try {
    const { data } = await ask<{ readonly id: string }>(`${project}/repository/merge_base?${refs}`);
    return data.id === commit;
  } catch (error) {
    // The project has no such commit any more, or the two have nothing in common.
    if (error instanceof ForgeError && error.status === 404) return false;
    throw error;
  }
}

/** Each of three ways to merge leaves another commit on the branch. Without notes there is no plan to read. */
function mergedOf(raw: RawMerge, branch: string, own: readonly string[] = []): readonly Merged[] {
  const { iid: number, state, target_branch: target, merged_at: mergedAt, updated_at: updatedAt } = raw;
  if (state !== 'merged' || mergedAt === null || target !== branch) return [];
  const left = [raw.merge_commit_sha, raw.squash_commit_sha, raw.sha].filter((sha) => sha !== null);
  return [
    {
      number,
      mergedAt,
      updatedAt,
      commits: [...own, ...left.slice(0, 1)],
      ...(raw.user_notes_count === 0 && { comments: [] }),
    },
  ];
}

const HISTORY =
  'query ($id: NoteID!) { note(id: $id) { createdAt lastEditedAt author { username } lastEditedBy { username } } }';

interface Answer {
  readonly data?: {
    readonly note: {
      readonly createdAt: string;
      readonly lastEditedAt: string | null;
      readonly author: User | null;
      readonly lastEditedBy: User | null;
    } | null;
  } | null;
  readonly errors?: readonly { readonly message: string }[];
}

/**
 * Maintainers may change the notes of others, and REST does not say who did. Without an editor nobody changed the text;
 * `lastEditedAt` may be later all the same, as it is the time of any change then.
 */
async function historyOf(ask: Ask, id: string): Promise<History> {
  const { data: answer } = await ask<Answer>(GRAPHQL, {
    method: 'POST',
    repeatable: true,
    body: { query: HISTORY, variables: { id } },
  });
  const [error] = answer.errors ?? [];
  if (error !== undefined || answer.data === undefined || answer.data === null)
    throw new ForgeError(200, error?.message ?? 'GraphQL answered nothing');
  const { note } = answer.data;
  if (note === null) return { byOther: 'somebody', at: '' };
  const { createdAt, lastEditedAt, author, lastEditedBy: editor } = note;
  const isOurs = editor === null || editor.username === author?.username;
  return {
    byOther: isOurs ? undefined : editor.username,
    at: editor === null ? createdAt : (lastEditedAt ?? createdAt),
  };
}

/**
 * A line that begins with a slash would be an order to GitLab, such as `/merge`, carried out with the rights of the
 * token. A space in front of it makes it text.
 */
function withoutQuickActions(text: string): string {
  return text.replaceAll(/^\//gm, ' /');
}

/** Seconds until it may be tried again, where the answer says so. */
function waitOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

async function refusalOf(answer: Response): Promise<ForgeError> {
  const { status } = answer;
  if (status >= 300 && status < 400)
    return new ForgeError(status, `It answers with another address (${status}), and a token is not sent there`);
  const said = wordsOf(await answer.text().catch(() => ''));
  return new ForgeError(status, `${said === '' ? 'No reason' : said} (${status})`);
}

/** `message` may be a text, or lists of texts by field; some answers have `error` instead. */
function wordsOf(body: string): string {
  const { message, error } = parseJsonObject(body) ?? {};
  const said = message ?? error ?? '';
  return (typeof said === 'string' ? said : JSON.stringify(said)).replace(/^"|"$/g, '').slice(0, 300);
}

function networkWords(error: unknown): string {
  const { cause, message } = error as { readonly cause?: unknown; readonly message?: unknown };
  return cause instanceof Error && cause.message !== '' ? cause.message : String(message);
}
