// What is written to GitHub and believed of it, against a small GitHub that pages, refuses and loses answers: no
// comment or issue twice, none of others touched, no approval that nobody gave.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approvedBy } from '../../src/forge/approved.ts';
import { findForge, forgeError, openForge } from '../../src/forge/client.ts';
import { putComment } from '../../src/forge/comment.ts';
import type { Forge } from '../../src/forge/forge.ts';
import { closeIssue, openIssue } from '../../src/forge/issue.ts';
import { isSticky, readSticky, reportedIn, stickyText } from '../../src/forge/sticky.ts';
import type { OutcomeWord } from '../../src/model/plan/outcome.ts';
import type { FakeGithub, Fault } from '../support/servers/github.ts';
import { githubToken, startGithub } from '../support/servers/github.ts';

const AUTHOR = 'github-actions[bot]';
const KEY = 'sites of acme';
const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

/** Takes every request at once. */
const unpaced = {
  key: () => ({
    schedule: (_options: unknown, task: (...given: readonly unknown[]) => unknown, ...given: readonly unknown[]) =>
      Promise.resolve(task(...given)),
  }),
};

let github: FakeGithub;
let forge: Forge;
const waits: number[] = [];
beforeEach(async () => {
  waits.length = 0;
  github = await startGithub();
  forge = openForge({
    apiUrl: github.url,
    token: githubToken,
    owner: 'acme',
    repo: 'hosting',
    author: AUTHOR,
    version: '0',
    pauseMs: 1,
    pacing: { write: unpaced, notifications: unpaced },
    onWait: (seconds) => waits.push(seconds),
  });
  github.addPull(1);
});
afterEach(() => github.close());

function sticky(
  report: string,
  what: 'plan' | 'apply' | 'drift' = 'plan',
  outcome: OutcomeWord = 'differences',
  key = KEY,
): string {
  return stickyText(report, { what, key, outcome }) ?? '';
}

function planText(digests: readonly string[], key = KEY, more: readonly string[] = []): string {
  return sticky(
    `<!-- hostwright: plan acme ${'c'.repeat(64)}\n${[...digests, ...more].map((line) => `${line}\n`).join('')}-->\n\n### Plan`,
    'plan',
    'differences',
    key,
  );
}

const fault = (parts: Partial<Fault> & Pick<Fault, 'method' | 'path' | 'status'>): void =>
  void github.faults.push({ times: 1, ...parts });
const put = (text: string) => putComment(forge, 1, text, { what: 'plan', key: KEY });
const bodies = (): readonly string[] => github.comments.map(({ body }) => body);

describe('the last line of a text', () => {
  it('says what it is, of which workspace, and how it ended; only at the very end, and only whole', () => {
    const text = sticky('<!-- hostwright: plan acme x -->\r\nreport  \n');
    expect(readSticky(text.replaceAll('\n', '\r\n'))).toEqual({
      what: 'plan',
      key: encodeURIComponent(KEY),
      outcome: 'differences',
    });
    expect(isSticky(text, 'plan', KEY)).toBe(true);
    for (const [what, key] of [
      ['apply', KEY],
      ['plan', 'other'],
    ] as const)
      expect(isSticky(text, what, key)).toBe(false);
    expect([
      readSticky(`${text}\nmore`),
      readSticky(text.replace('differences', 'great')),
      isSticky(null, 'plan', KEY),
    ]).toEqual([undefined, undefined, false]);
    expect([reportedIn(text), reportedIn(` ${text}`), reportedIn('')]).toEqual(['plan', undefined, undefined]);
    expect(readSticky(sticky('x', 'plan', 'done', '--> y'))?.key).not.toMatch(/[>\s]|--/);
  });

  it('is not put on what is then longer than GitHub takes', () => {
    expect(stickyText('x'.repeat(65_000), { what: 'plan', key: KEY, outcome: 'done' })?.length).toBeLessThanOrEqual(
      65_536,
    );
    expect(stickyText('x'.repeat(65_500), { what: 'plan', key: KEY, outcome: 'done' })).toBeUndefined();
  });
});

describe('a comment', () => {
  it('is made once, found among many, written over, and left when nothing is new', async () => {
    for (let index = 0; index < 5; index += 1) github.say(1, 'reviewer', `remark ${index}`);
    expect(await put(sticky('one'))).toMatchObject({ did: 'created', number: 1, author: AUTHOR });
    for (let index = 0; index < 5; index += 1) github.say(1, 'reviewer', `later ${index}`);
    expect(await put(sticky('two'))).toMatchObject({ did: 'updated' });
    expect(await put(sticky('two'))).toMatchObject({ did: 'unchanged' });
    expect(bodies().filter((body) => body.includes('hostwright-text'))).toEqual([sticky('two')]);
  });

  it.each([
    ['by a space', ' '],
    ['and changed back', ''],
  ])('that somebody changed %s is written anew, so that it approves again', async (_what, more) => {
    await put(sticky('one'));
    const [mine] = github.comments;
    if (mine === undefined) throw new Error('no comment');
    github.edit(mine, 'mallory', `${mine.body}${more}`);
    expect(await put(sticky('one'))).toMatchObject({ did: 'updated' });
    expect(mine.editor).toBe(AUTHOR);
    expect(isSticky(mine.body, 'plan', KEY)).toBe(true);
  });

  it('of another workspace, another command or another author is left alone', async () => {
    const others = [
      github.say(1, AUTHOR, sticky('one', 'plan', 'done', 'other')),
      github.say(1, AUTHOR, sticky('one', 'apply')),
      github.say(1, 'mallory', sticky('one')),
    ].map(({ body }) => body);
    await put(sticky('mine'));
    expect(bodies()).toEqual([...others, sticky('mine')]);
  });

  it('is not made twice when the answer to its making is lost', async () => {
    fault({ method: 'POST', path: /comments$/, status: 502, after: true });
    expect(await put(sticky('one'))).toMatchObject({ did: 'unchanged' });
    expect(bodies()).toEqual([sticky('one')]);
  });

  it('is made when GitHub fails first, and given up when it goes on', async () => {
    fault({ method: 'GET', path: /comments$/, status: 503, times: 2 });
    fault({ method: 'POST', path: /comments$/, status: 500, times: 2 });
    expect(await put(sticky('one'))).toMatchObject({ did: 'created' });
    fault({ method: 'PATCH', path: /comments/, status: 500, times: 99 });
    await expect(put(sticky('two'))).rejects.toMatchObject({ status: 500 });
    expect(bodies()).toEqual([sticky('one')]);
  });

  it('waits for a limit of requests that ends soon, and not for one that does not', async () => {
    const limit = {
      method: 'POST',
      path: /comments$/,
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit.' },
    } as const;
    fault({ ...limit, headers: { 'retry-after': '30' } });
    expect(await put(sticky('one'))).toMatchObject({ did: 'created' });
    expect(waits).toEqual([30]);
    fault({ ...limit, method: 'GET', headers: { 'retry-after': '3600' }, times: 9 });
    const error: unknown = await put(sticky('two')).catch((thrown: unknown) => thrown);
    expect(forgeError(error)).toMatchObject({
      status: 403,
      said: expect.stringContaining('secondary rate limit') as string,
    });
    expect(waits).toEqual([30]);
  });
});

describe('the drift issue', () => {
  const issue = { title: 'Drift', label: 'drift', key: KEY };
  const openOne = (text: string) => openIssue(forge, { ...issue, text: sticky(text, 'drift') });

  it('is opened with its label, kept, written over, and closed with a word', async () => {
    expect(await openOne('one')).toMatchObject({ did: 'created' });
    expect(await openOne('one')).toMatchObject({ did: 'unchanged' });
    expect(await openOne('two')).toMatchObject({ did: 'updated' });
    expect(github.labels).toEqual(['drift']);
    const issues = () => github.issues.filter(({ pull_request: pull }) => pull === undefined);
    expect(issues()).toMatchObject([{ state: 'open', body: sticky('two', 'drift'), labels: [{ name: 'drift' }] }]);
    expect(await closeIssue(forge, { ...issue, reason: 'gone' })).toMatchObject({ did: 'closed' });
    expect(issues()).toMatchObject([{ state: 'closed' }]);
    expect(bodies()).toEqual(['gone']);
    expect(await closeIssue(forge, { ...issue, reason: 'gone' })).toBeUndefined();
    expect(await openOne('three')).toMatchObject({ did: 'created' });
    expect([github.labels, issues().length]).toEqual([['drift'], 2]);
  });

  it('is not opened twice when the answer is lost, and one of another author or workspace is left alone', async () => {
    github.labels.push('drift');
    const foreign = {
      number: 50,
      title: 'Drift',
      body: sticky('x', 'drift'),
      state: 'open' as const,
      labels: [{ name: 'drift' }],
      user: { login: 'mallory' },
      html_url: 'x',
    };
    github.issues.push(foreign, {
      ...foreign,
      number: 51,
      user: { login: AUTHOR },
      body: sticky('x', 'drift', 'differences', 'other'),
    });
    fault({ method: 'POST', path: /issues$/, status: 504, after: true });
    expect(await openOne('one')).toMatchObject({ did: 'unchanged' });
    await closeIssue(forge, { ...issue, reason: 'gone' });
    expect(github.issues.filter(({ pull_request: pull }) => pull === undefined).map(({ state }) => state)).toEqual([
      'open',
      'open',
      'closed',
    ]);
  });

  it('is not opened where its label cannot be looked for', async () => {
    fault({ method: 'GET', path: /labels/, status: 403, body: { message: 'no' } });
    await expect(openOne('one')).rejects.toMatchObject({ status: 403 });
    expect(github.issues).toHaveLength(1);
  });
});

/** Makes what is there. */
type Given = () => void;

describe('what a review approved', () => {
  const ask = (commit = 'c1', branch = 'main') => approvedBy(forge, { commit, branch, key: KEY });
  const answer = (pull: number, outcome: OutcomeWord) =>
    github.say(pull, AUTHOR, sticky('<!-- hostwright: apply acme -->', 'apply', outcome));

  it('is the set in the comment of our own author, edited by nobody else', async () => {
    for (const text of ['a', 'b', 'c']) github.say(1, 'reviewer', text);
    github.say(1, AUTHOR, planText([B], 'another workspace'));
    const mine = github.say(1, AUTHOR, planText([A]));
    github.edit(mine, AUTHOR, planText([A, B]));
    github.merge(1, 'c1');
    expect(await ask()).toMatchObject({ digests: [A, B], accounts: [], pulls: [1], notices: [] });
    // Two in one run of the branch, of which only the second was answered for.
    expect((await ask('c1', 'release')).digests).toEqual([]);
  });

  it('tells what was rehearsed where each plan was', async () => {
    github.say(1, AUTHOR, planText([A], KEY, ['rehearsed', 'but Site%2Fshop']));
    github.merge(1, 'c1');
    expect(await ask()).toMatchObject({ digests: [A], rehearsedExcept: ['Site/shop'] });
    github.addPull(2);
    github.say(2, AUTHOR, planText([B]));
    github.merge(2, 'c2');
    const both = await ask('c2');
    expect(both.digests).toEqual([B, A]);
    expect(both).not.toHaveProperty('rehearsedExcept');
  });

  it.each<[string, Given, RegExp]>([
    ['no comment', () => undefined, /has no comment with a plan of this workspace/],
    [
      'a comment by another',
      () => void github.say(1, 'mallory', planText([A])),
      /is by mallory, and only those by github-actions\[bot\] count/,
    ],
    [
      'a comment that another changed',
      () => github.edit(github.say(1, AUTHOR, planText([A])), 'mallory', planText([A, B])),
      /was changed by mallory/,
    ],
    [
      'a comment of a plan that failed',
      () => void github.say(1, AUTHOR, sticky('<!-- hostwright: plan - -->')),
      /could not be made/,
    ],
    [
      'a plan without room for digests',
      () => void github.say(1, AUTHOR, sticky('<!-- hostwright: plan acme x without-digests\n-->')),
      /too long for a comment/,
    ],
    [
      'an answer to the run that did it',
      () => [github.say(1, AUTHOR, planText([A])), answer(1, 'done')],
      /an approval counts once/,
    ],
    [
      'an answer that somebody changed',
      () => [
        github.say(1, AUTHOR, planText([A])),
        github.edit(answer(1, 'done'), 'mallory', sticky('x', 'apply', 'waiting')),
      ],
      /an approval counts once/,
    ],
  ])('is nothing with %s', async (_name, given, reason) => {
    given();
    github.merge(1, 'c1');
    const { digests, notices } = await ask();
    expect(digests).toEqual([]);
    expect(notices.join('\n')).toMatch(reason);
  });

  it('is nothing when the plan is newer than the merge, or the commit is of no pull request', async () => {
    github.merge(1, 'c1');
    github.say(1, AUTHOR, planText([A]));
    expect(await ask()).toMatchObject({ digests: [], notices: [expect.stringContaining('after the merge')] });
    expect(await ask('c9')).toMatchObject({
      digests: [],
      pulls: [],
      notices: [expect.stringContaining('No pull request that was merged into main has commit c9')],
    });
  });

  it('is also what was merged before and not carried out, and nothing from before a run that ended well', async () => {
    for (const number of [1, 2, 3, 4]) {
      if (number > 1) github.addPull(number);
      github.say(number, AUTHOR, planText([String(number).repeat(64)]));
      github.merge(number, `c${number}`);
    }
    answer(2, 'done');
    answer(3, 'waiting');
    expect(await ask('c4')).toMatchObject({ pulls: [4, 3], digests: ['4'.repeat(64), '3'.repeat(64)] });
    // Merged later, and not in the history of what is run.
    expect(await ask('c3')).toMatchObject({ pulls: [3] });
  });

  it('leaves those alone that were merged before and never planned: they get no answer, and no word is lost on them', async () => {
    for (const number of [2, 3, 4]) github.addPull(number);
    for (const number of [1, 2, 3]) github.merge(number, `c${number}`);
    github.say(2, 'mallory', planText([B]));
    github.say(4, AUTHOR, planText([A]));
    github.merge(4, 'c4');
    expect(await ask('c4')).toMatchObject({
      digests: [A],
      pulls: [4, 2],
      notices: [expect.stringContaining('is by mallory')],
    });
    github.addPull(5);
    github.merge(5, 'c5');
    expect(await ask('c5')).toMatchObject({
      digests: [A],
      pulls: [5, 4, 2],
      notices: [expect.stringContaining('Pull request 5'), expect.stringContaining('Pull request 2')],
    });
  });

  it('is unknown when GitHub does not answer, and that is an error', async () => {
    github.say(1, AUTHOR, planText([A]));
    github.merge(1, 'c1');
    fault({ method: 'POST', path: /graphql/, status: 502, times: 99 });
    await expect(ask()).rejects.toMatchObject({ status: 502 });
    expect(forgeError(await ask().catch((error: unknown) => error))).toMatchObject({ status: 502 });
  });

  it('is not there: what the network says, and no answer that nobody gave', async () => {
    const nowhere = openForge({
      apiUrl: 'http://127.0.0.1:1999',
      token: githubToken,
      owner: 'acme',
      repo: 'hosting',
      author: AUTHOR,
      version: '0',
      pauseMs: 1,
    });
    const said = forgeError(
      await putComment(nowhere, 1, sticky('x'), { what: 'plan', key: KEY }).catch((error: unknown) => error),
    )?.said;
    expect(said).toContain('ECONNREFUSED');
    expect(said).not.toContain('500');
  });
});

describe('where GitHub is', () => {
  const given = { apiUrl: 'https://github.example/api/v3', token: 'ghs_x', repository: 'acme/hosting' };
  it('is told by a job', () =>
    expect(findForge(given)).toEqual({
      apiUrl: 'https://github.example/api/v3',
      token: 'ghs_x',
      owner: 'acme',
      repo: 'hosting',
    }));
  it.each([
    [{ ...given, repository: 'hosting' }, /owner\/name/],
    [{ ...given, repository: '../x/y' }, /owner\/name/],
    [{ ...given, token: '' }, /GITHUB_TOKEN/],
    [{ ...given, token: 'a\nb' }, /GITHUB_TOKEN/],
    [{ ...given, apiUrl: 'http://github.example' }, /GITHUB_API_URL/],
  ])('is refused when it is not whole: %j', (wrong, reason) => expect(findForge(wrong)).toMatch(reason));
});
