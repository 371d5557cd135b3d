// A small GitLab for tests, from its public documents: merge requests, notes, issues, commits, who edited what. Answers
// in pages, and refuses, loses and delays what it is told to.
import type { Context } from 'hono';
import type { FakeForge } from './forge.ts';
import { fakeForge } from './forge.ts';

export interface FakeNote {
  readonly id: number;
  readonly on: 'merge_requests' | 'issues';
  readonly iid: number;
  body: string;
  readonly author: { readonly username: string };
  readonly system: boolean;
  readonly created_at: string;
  updated_at: string;
  editor: string | null;
}

export interface FakeIssue {
  readonly iid: number;
  title: string;
  description: string;
  state: 'opened' | 'closed';
  readonly labels: readonly string[];
  readonly author: { readonly username: string };
  readonly web_url: string;
}

interface FakeMerge {
  readonly iid: number;
  state: 'opened' | 'merged';
  merged_at: string | null;
  updated_at: string;
  sha: string;
  merge_commit_sha: string | null;
  squash_commit_sha: string | null;
  readonly target_branch: string;
  readonly web_url: string;
}

export interface FakeGitlab extends FakeForge {
  readonly notes: FakeNote[];
  readonly issues: FakeIssue[];
  /** Orders that a text gave: a line such as `/merge`. */
  readonly orders: string[];
  /** A merge request that is open. */
  readonly addPull: (iid: number) => void;
  /** Adds commits to the branch without a pull request. */
  readonly commit: (...commits: readonly string[]) => void;
  /** Merges it: the branch has this commit then. */
  readonly merge: (iid: number, commit: string, how?: 'merge' | 'squash' | 'fast-forward') => void;
  /** A note that somebody wrote by hand. */
  readonly say: (iid: number, username: string, body: string, system?: boolean) => FakeNote;
  /** Somebody changes a note. */
  readonly edit: (note: FakeNote, username: string, body: string) => void;
}

/** The bot of a project access token. */
export const BOT = 'project_42_bot_1a2b3c';
const TOKEN = 'glpat-test';
export const gitlabToken = TOKEN;
const MOST = 1_000_000;
/** The page size of this server: smaller than what is asked for, so that everything is paged. */
const PAGE = 2;
const WEB = 'https://gitlab.example/acme/hosting/-';

export async function startGitlab(): Promise<FakeGitlab> {
  const { app, now, nextId, history, listen } = fakeForge((header) => header === `Bearer ${TOKEN}`);
  const notes: FakeNote[] = [];
  const issues: FakeIssue[] = [];
  const merges: FakeMerge[] = [];
  const orders: string[] = [];
  const write = (on: FakeNote['on'], iid: number, username: string, body: string, system = false): FakeNote => {
    const at = now();
    const note: FakeNote = {
      id: nextId(),
      on,
      iid,
      body,
      author: { username },
      system,
      created_at: at,
      updated_at: at,
      editor: null,
    };
    notes.push(note);
    touch(note);
    return note;
  };
  const touch = ({ on, iid }: FakeNote): void => {
    const merge = on === 'merge_requests' ? merges.find((one) => one.iid === iid) : undefined;
    if (merge !== undefined) merge.updated_at = now();
  };
  const edit = (note: FakeNote, username: string, body: string): void => {
    Object.assign(note, { body, editor: username, updated_at: now() });
    touch(note);
  };
  const obey = (text: string): void => void orders.push(...(text.match(/^\/[a-z_]+/gm) ?? []));

  const page = (context: Context, items: readonly object[]): Response => {
    const number = Number(context.req.query('page') ?? '1');
    const last = Math.max(1, Math.ceil(items.length / PAGE));
    context.header('x-next-page', number < last ? String(number + 1) : '');
    return context.json(items.slice((number - 1) * PAGE, number * PAGE));
  };
  const missing = (context: Context): Response => context.json({ message: '404 Not found' }, 404);
  const given = (context: Context): Promise<Record<string, unknown>> => context.req.json<Record<string, unknown>>();
  const shown = ({ id, body, author, system, created_at, updated_at, iid }: FakeNote): object => ({
    id,
    body,
    attachment: null,
    author,
    created_at,
    updated_at,
    system,
    noteable_iid: iid,
    resolvable: false,
    confidential: false,
    internal: false,
  });
  const project = '/api/v4/projects/:project{42|acme%2Fhosting}';
  const isThere = (on: string, iid: number): boolean =>
    on === 'issues' ? issues.some((issue) => issue.iid === iid) : merges.some((merge) => merge.iid === iid);

  app.get('/api/v4/user', (context) => context.json({ id: 7, username: BOT, bot: true }));
  app.get(`${project}/merge_requests/:iid{\\d+}`, (context) => {
    const merge = merges.find(({ iid }) => iid === Number(context.req.param('iid')));
    return merge === undefined ? missing(context) : context.json(merge);
  });
  app.get(`${project}/:on{merge_requests|issues}/:iid/notes`, (context) => {
    const { on, iid } = context.req.param() as Record<string, string>;
    if (!isThere(on ?? '', Number(iid))) return missing(context);
    const found = notes.filter((note) => note.on === on && note.iid === Number(iid));
    // The newest first, unless it is asked otherwise.
    return page(context, (context.req.query('sort') === 'asc' ? found : found.reverse()).map(shown));
  });
  app.post(`${project}/:on{merge_requests|issues}/:iid/notes`, async (context) => {
    const { on, iid } = context.req.param() as Record<string, string>;
    const { body } = await given(context);
    if (!isThere(on ?? '', Number(iid))) return missing(context);
    if (typeof body !== 'string' || body.length > MOST)
      return context.json({ message: { note: ['is too long (maximum is 1000000 characters)'] } }, 400);
    obey(body);
    return context.json(shown(write(on as FakeNote['on'], Number(iid), BOT, body)), 201);
  });
  app.put(`${project}/:on{merge_requests|issues}/:iid/notes/:id`, async (context) => {
    const note = notes.find(({ id }) => id === Number(context.req.param('id')));
    if (note === undefined) return missing(context);
    const body = String((await given(context)).body);
    obey(body);
    // An equal text is no change.
    if (body !== note.body) edit(note, BOT, body);
    return context.json(shown(note));
  });
  app.get(`${project}/issues`, (context) => {
    const { state, labels: label = '' } = context.req.query();
    const found = issues.filter((issue) => issue.state === state && issue.labels.includes(label));
    return page(context, context.req.query('sort') === 'asc' ? found : [...found].reverse());
  });
  app.post(`${project}/issues`, async (context) => {
    const { title, description, labels } = (await given(context)) as Record<string, string>;
    obey(description ?? '');
    const iid = nextId();
    const issue: FakeIssue = {
      iid,
      title: title ?? '',
      description: description ?? '',
      state: 'opened',
      labels: (labels ?? '').split(','),
      author: { username: BOT },
      web_url: `${WEB}/issues/${iid}`,
    };
    issues.push(issue);
    return context.json(issue, 201);
  });
  app.put(`${project}/issues/:iid`, async (context) => {
    const issue = issues.find(({ iid }) => iid === Number(context.req.param('iid')));
    if (issue === undefined) return missing(context);
    const { state_event: event, ...fields } = await given(context);
    return context.json(Object.assign(issue, fields, event === 'close' ? { state: 'closed' } : {}));
  });
  app.get(`${project}/repository/commits/:sha/merge_requests`, (context) => {
    const sha = context.req.param('sha');
    return page(
      context,
      merges.filter((merge) => [merge.merge_commit_sha, merge.squash_commit_sha, merge.sha].includes(sha ?? '')),
    );
  });
  app.get(`${project}/repository/merge_base`, (context) => {
    const [one = '', other = ''] = context.req.queries('refs[]') ?? [];
    const [older, newer] = [history.before(one), history.before(other)];
    const base = newer.find((commit) => older.includes(commit));
    return base === undefined ? missing(context) : context.json({ id: base });
  });
  app.get(`${project}/merge_requests`, (context) => {
    const { state, target_branch: branch, page: from = '1', per_page: size = '20' } = context.req.query();
    const found = merges
      .filter((one) => one.state === state && one.target_branch === branch)
      .sort((left, right) => right.updated_at.localeCompare(left.updated_at))
      .map((one) => ({
        ...one,
        user_notes_count: notes.filter(({ on, iid, system }) => on === 'merge_requests' && iid === one.iid && !system)
          .length,
      }));
    const end = Number(from) * Number(size);
    context.header('x-next-page', end < found.length ? String(Number(from) + 1) : '');
    return context.json(found.slice(end - Number(size), end));
  });
  app.post('/api/graphql', async (context) => {
    const { id } = ((await given(context)) as { readonly variables: { readonly id: string } }).variables;
    const note = notes.find((one) => `gid://gitlab/Note/${one.id}` === id);
    return context.json({
      data: {
        note:
          note === undefined
            ? null
            : {
                createdAt: note.created_at,
                // Never empty: the time of the last change of any sort where nobody edited it.
                lastEditedAt: note.updated_at,
                author: note.author,
                lastEditedBy: note.editor === null ? null : { username: note.editor },
              },
      },
    });
  });

  const { url, ...listening } = await listen();
  return {
    ...listening,
    url: `${url}/api/v4`,
    notes,
    issues,
    orders,
    say: (iid, username, body, system) => write('merge_requests', iid, username, body, system),
    edit,
    commit: (...commits) => commits.forEach(history.add),
    addPull: (iid) =>
      void merges.push({
        iid,
        state: 'opened',
        merged_at: null,
        updated_at: now(),
        sha: `head-${iid}`,
        merge_commit_sha: null,
        squash_commit_sha: null,
        target_branch: 'main',
        web_url: `${WEB}/merge_requests/${iid}`,
      }),
    merge: (iid, commit, how = 'merge') => {
      history.add(commit);
      const at = now();
      Object.assign(merges.find((merge) => merge.iid === iid) ?? {}, {
        state: 'merged',
        merged_at: at,
        updated_at: at,
        ...(how === 'merge' && { merge_commit_sha: commit }),
        ...(how === 'squash' && { squash_commit_sha: commit }),
        ...(how === 'fast-forward' && { sha: commit }),
      });
    },
  };
}
