// A small GitHub for tests, from its public documents: pull requests, comments, issues, labels, commits, who edited
// what. Answers in pages, and refuses, loses and delays what it is told to.
import type { Context, MiddlewareHandler } from 'hono';
import type { FakeForge } from './forge.ts';
import { fakeForge } from './forge.ts';

export interface FakeComment {
  readonly id: number;
  readonly node_id: string;
  readonly issue: number;
  body: string;
  readonly user: { readonly login: string };
  readonly created_at: string;
  updated_at: string;
  editor: string | null;
  readonly html_url: string;
}

export interface FakeIssue {
  readonly number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  readonly labels: readonly { readonly name: string }[];
  readonly user: { readonly login: string };
  readonly html_url: string;
  readonly pull_request?: object;
}

export interface FakePull {
  readonly number: number;
  merged_at: string | null;
  updated_at: string;
  merge_commit_sha: string | null;
  readonly base: { readonly ref: string };
}

export interface FakeGithub extends FakeForge {
  readonly comments: FakeComment[];
  readonly issues: FakeIssue[];
  readonly labels: string[];
  /** Sets the permissions of the job's token, as a workflow names them. undefined: everything is allowed. */
  readonly allow: (permissions: Readonly<Record<string, string>> | undefined) => void;
  /** A pull request that is open. */
  readonly addPull: (number: number) => void;
  /** Adds commits to the branch without a pull request. */
  readonly commit: (...commits: readonly string[]) => void;
  /** Merges it: the branch has this commit then. */
  readonly merge: (number: number, commit: string) => void;
  /** A comment that somebody wrote by hand. */
  readonly say: (issue: number, login: string, body: string) => FakeComment;
  /** Somebody changes a comment. */
  readonly edit: (comment: FakeComment, login: string, body: string) => void;
}

const AUTHOR = 'github-actions[bot]';
const TOKEN = 'ghs_test';
const MOST = 65_536;
/** The page size of this server: smaller than the real one, so that everything is paged. */
const PAGE = 2;
/** Merged pull requests in a page of the query for them. */
const MERGED_PAGE = 50;

export const githubToken = TOKEN;

export async function startGithub(): Promise<FakeGithub> {
  const { app, now, nextId, history, listen } = fakeForge((header) => header.split(' ')[1] === TOKEN);
  const comments: FakeComment[] = [];
  const issues: FakeIssue[] = [];
  const pulls: FakePull[] = [];
  const labels: string[] = [];
  const actor = (login: string) => ({
    __typename: login.endsWith('[bot]') ? 'Bot' : 'User',
    login: login.replace('[bot]', ''),
  });
  const nodes = (comment: FakeComment) => ({
    createdAt: comment.created_at,
    lastEditedAt: comment.editor === null ? null : comment.updated_at,
    author: actor(comment.user.login),
    editor: comment.editor === null ? null : actor(comment.editor),
  });
  const touch = (number: number): void => {
    const pull = pulls.find((one) => one.number === number);
    if (pull !== undefined) pull.updated_at = now();
  };
  /** A page of the query for merged pull requests, with up to 100 comments each. */
  const mergedPage = ({ branch, from }: { readonly branch: string; readonly from: string | null }) => {
    const merged = pulls
      .filter(({ merged_at: at, base }) => at !== null && base.ref === branch)
      .sort((left, right) => right.updated_at.localeCompare(left.updated_at));
    const start = Number(from ?? '0');
    const end = start + MERGED_PAGE;
    return {
      pageInfo: { hasNextPage: end < merged.length, endCursor: String(end) },
      nodes: merged.slice(start, end).map((pull) => {
        const own = comments.filter(({ issue }) => issue === pull.number);
        return {
          number: pull.number,
          mergedAt: pull.merged_at,
          updatedAt: pull.updated_at,
          mergeCommit: pull.merge_commit_sha === null ? null : { oid: pull.merge_commit_sha },
          comments: {
            pageInfo: { hasNextPage: own.length > 100 },
            nodes: own.slice(0, 100).map((comment) => ({
              id: comment.node_id,
              fullDatabaseId: String(comment.id),
              body: comment.body,
              url: comment.html_url,
              ...nodes(comment),
            })),
          },
        };
      }),
    };
  };
  const say = (issue: number, login: string, body: string): FakeComment => {
    const id = nextId();
    const at = now();
    const comment: FakeComment = {
      id,
      node_id: `IC_${id}`,
      issue,
      body,
      user: { login },
      created_at: at,
      updated_at: at,
      editor: null,
      html_url: `https://github.example/acme/hosting/issues/${issue}#issuecomment-${id}`,
    };
    comments.push(comment);
    touch(issue);
    return comment;
  };
  const edit = (comment: FakeComment, login: string, body: string): void => {
    Object.assign(comment, { body, editor: login, updated_at: now() });
    touch(comment.issue);
  };

  const page = <Item>(context: Context, items: readonly Item[]): Response => {
    const url = new URL(context.req.url);
    const number = Number(url.searchParams.get('page') ?? '1');
    const last = Math.max(1, Math.ceil(items.length / PAGE));
    const link = (to: number, rel: string): string => {
      url.searchParams.set('page', String(to));
      return `<${url.toString()}>; rel="${rel}"`;
    };
    if (number < last) context.header('link', [link(number + 1, 'next'), link(last, 'last')].join(', '));
    return context.json(items.slice((number - 1) * PAGE, number * PAGE));
  };
  const refuse = (context: Context, status: 404 | 422, message: string): Response =>
    context.json({ message, documentation_url: 'https://docs.github.com/rest' }, status);
  const body = (context: Context): Promise<Record<string, unknown>> => context.req.json<Record<string, unknown>>();
  const repo = '/repos/acme/hosting';
  let allowed: Readonly<Record<string, string>> | undefined;
  /** Answers 403 unless the token has one of these permissions: `write` for requests that change something. */
  const needs =
    (...names: readonly string[]): MiddlewareHandler =>
    async (context, next) => {
      const level = context.req.method === 'GET' || context.req.path === '/graphql' ? ['read', 'write'] : ['write'];
      if (allowed === undefined || names.some((name) => level.includes(allowed?.[name] ?? 'none'))) {
        await next();
        return undefined;
      }
      return context.json({ message: 'Resource not accessible by integration' }, 403);
    };
  app.use(`${repo}/issues/:number/comments`, needs('issues', 'pull-requests'));
  app.use(`${repo}/issues/comments/:id`, needs('issues', 'pull-requests'));
  for (const path of ['issues', 'issues/:number', 'labels', 'labels/:name'])
    app.use(`${repo}/${path}`, needs('issues'));
  app.use(`${repo}/commits/:sha/pulls`, needs('pull-requests'));
  app.use(`${repo}/compare/:basehead`, needs('contents'));
  app.use('/graphql', needs('issues', 'pull-requests'));

  app.get(`${repo}/issues/:number/comments`, (context) =>
    page(
      context,
      comments.filter(({ issue }) => issue === Number(context.req.param('number'))),
    ),
  );
  app.post(`${repo}/issues/:number/comments`, async (context) => {
    const issue = Number(context.req.param('number'));
    const { body: text } = await body(context);
    if (!issues.some(({ number }) => number === issue)) return refuse(context, 404, 'Not Found');
    if (typeof text !== 'string' || text.length > MOST)
      return refuse(context, 422, 'Body is too long (maximum is 65536 characters)');
    return context.json(say(issue, AUTHOR, text), 201);
  });
  app.patch(`${repo}/issues/comments/:id`, async (context) => {
    const comment = comments.find(({ id }) => id === Number(context.req.param('id')));
    if (comment === undefined) return refuse(context, 404, 'Not Found');
    const text = String((await body(context)).body);
    // An equal text is no change.
    if (text !== comment.body) edit(comment, AUTHOR, text);
    return context.json(comment);
  });
  app.get(`${repo}/issues`, (context) => {
    const { state, labels: label } = context.req.query();
    return page(
      context,
      issues.filter((issue) => issue.state === state && issue.labels.some(({ name }) => name === label)),
    );
  });
  app.post(`${repo}/issues`, async (context) => {
    const given = (await body(context)) as {
      readonly title: string;
      readonly body: string;
      readonly labels: readonly string[];
    };
    const number = nextId();
    const issue: FakeIssue = {
      number,
      title: given.title,
      body: given.body,
      state: 'open',
      labels: given.labels.filter((name) => labels.includes(name)).map((name) => ({ name })),
      user: { login: AUTHOR },
      html_url: `https://github.example/acme/hosting/issues/${number}`,
    };
    issues.push(issue);
    return context.json(issue, 201);
  });
  app.patch(`${repo}/issues/:number`, async (context) => {
    const issue = issues.find(({ number }) => number === Number(context.req.param('number')));
    if (issue === undefined) return refuse(context, 404, 'Not Found');
    return context.json(Object.assign(issue, await body(context)));
  });
  app.get(`${repo}/labels/:name`, (context) =>
    labels.includes(context.req.param('name'))
      ? context.json({ name: context.req.param('name') })
      : refuse(context, 404, 'Not Found'),
  );
  app.post(`${repo}/labels`, async (context) => {
    const { name } = await body(context);
    labels.push(String(name));
    return context.json({ name }, 201);
  });
  app.get(`${repo}/commits/:sha/pulls`, (context) =>
    page(
      context,
      pulls.filter(({ merge_commit_sha: sha }) => sha === context.req.param('sha')),
    ),
  );
  app.get(`${repo}/compare/:basehead`, (context) => {
    const [base = '', head = ''] = context.req.param('basehead').split('...');
    const isAncestor = history.before(head).includes(base);
    return context.json({ status: base === head ? 'identical' : isAncestor ? 'ahead' : 'diverged' });
  });
  app.post('/graphql', async (context) => {
    const { query, variables } = (await body(context)) as {
      readonly query: string;
      readonly variables: { readonly id: string; readonly branch: string; readonly from: string | null };
    };
    if (query.includes('pullRequests('))
      return context.json({ data: { repository: { pullRequests: mergedPage(variables) } } });
    const comment = comments.find(({ node_id: node }) => node === variables.id);
    return context.json({ data: { node: comment === undefined ? null : nodes(comment) } });
  });

  return {
    ...(await listen()),
    comments,
    issues,
    labels,
    say,
    edit,
    commit: (...commits) => commits.forEach(history.add),
    allow: (permissions) => {
      allowed = permissions;
    },
    addPull: (number) => {
      pulls.push({ number, merged_at: null, updated_at: now(), merge_commit_sha: null, base: { ref: 'main' } });
      issues.push({
        number,
        title: `pull ${number}`,
        body: '',
        state: 'open',
        labels: [],
        user: { login: 'dev' },
        html_url: `https://github.example/acme/hosting/pull/${number}`,
        pull_request: {},
      });
    },
    merge: (number, commit) => {
      history.add(commit);
      const at = now();
      const merged = { merged_at: at, updated_at: at, merge_commit_sha: commit };
      Object.assign(pulls.find((pull) => pull.number === number) ?? {}, merged);
    },
  };
}
