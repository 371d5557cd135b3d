// What is written to a forge and believed of it, against a small GitHub and a small GitLab that page, refuse and lose
// answers: no comment or issue twice, none of others touched, no approval that nobody gave. Then what GitHub alone does;
// for GitLab see gitlab.test.ts.
import { describe, expect, it } from 'vitest';
import { approvedBy } from '../../src/forge/approved.ts';
import { findForge, forgeError, openForge } from '../../src/forge/client.ts';
import { putComment } from '../../src/forge/comment.ts';
import { closeIssue, openIssue } from '../../src/forge/issue.ts';
import { isSticky, readSticky, reportedIn, stickyText } from '../../src/forge/sticky.ts';
import type { OutcomeWord } from '../../src/model/plan/outcome.ts';
import { githubToken } from '../support/servers/github.ts';
import type { Ground } from './grounds.ts';
import { A, B, KEY, onGithub, onGitlab, planText, sticky } from './grounds.ts';
import { containing, matching } from '../support/matchers.ts';

const put = ({ forge }: Ground, text: string) => putComment(forge, 1, text, { what: 'plan', key: KEY });
const ask = ({ forge }: Ground, commit = 'c1', branch = 'main') => approvedBy(forge, { commit, branch, key: KEY });
const issue = { title: 'Drift', label: 'drift', key: KEY };
const openOne = ({ forge }: Ground, text: string) => openIssue(forge, { ...issue, text: sticky(text, 'drift') });
const closeOne = ({ forge }: Ground) => closeIssue(forge, { ...issue, reason: 'gone' });
const answer = (at: Ground, pull: number, outcome: OutcomeWord) =>
  at.say(pull, at.author, sticky('<!-- hostwright: apply acme -->', 'apply', outcome));

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

type Happened = (at: Ground) => unknown;

describe.each<[string, () => Promise<Ground>]>([
  ['GitHub', onGithub],
  ['GitLab', onGitlab],
])('on %s', (_name, open) => {
  describe('a comment', () => {
    it('is made once, found among many, written over, and left when nothing is new', async () => {
      const at = await open();
      expect(at.forge.author).toBe(at.author);
      for (let index = 0; index < 5; index += 1) at.say(1, 'reviewer', `remark ${index}`);
      expect(await put(at, sticky('one'))).toMatchObject({ did: 'created', number: 1, author: at.author });
      for (let index = 0; index < 5; index += 1) at.say(1, 'reviewer', `later ${index}`);
      expect(await put(at, sticky('two'))).toMatchObject({ did: 'updated' });
      expect(await put(at, sticky('two'))).toMatchObject({ did: 'unchanged' });
      expect(at.texts().filter((text) => text.includes('hostwright-text'))).toEqual([sticky('two')]);
    });

    it.each([
      ['by a space', ' '],
      ['and changed back', ''],
    ])('that somebody changed %s is written anew, so that it approves again', async (_what, more) => {
      const at = await open();
      const mine = at.say(1, at.author, sticky('one'));
      at.edit(mine, 'mallory', `${mine.body}${more}`);
      expect(await put(at, sticky('one'))).toMatchObject({ did: 'updated' });
      expect(mine.editor).toBe(at.author);
      expect(isSticky(mine.body, 'plan', KEY)).toBe(true);
    });

    it('of another workspace, another command or another author is left alone', async () => {
      const at = await open();
      const others = [
        at.say(1, at.author, sticky('one', 'plan', 'done', 'other')),
        at.say(1, at.author, sticky('one', 'apply')),
        at.say(1, 'mallory', sticky('one')),
      ].map(({ body }) => body);
      await put(at, sticky('mine'));
      expect(at.texts()).toEqual([...others, sticky('mine')]);
    });

    it('is not made twice when the answer to its making is lost', async () => {
      const at = await open();
      at.fault({ method: 'POST', path: at.comments, status: 502, after: true });
      expect(await put(at, sticky('one'))).toMatchObject({ did: 'unchanged' });
      expect(at.texts()).toEqual([sticky('one')]);
    });

    it('is made when the forge fails first, and given up when it goes on', async () => {
      const at = await open();
      at.fault({ method: 'GET', path: at.comments, status: 503, times: 2 });
      at.fault({ method: 'POST', path: at.comments, status: 500, times: 2 });
      expect(await put(at, sticky('one'))).toMatchObject({ did: 'created' });
      at.fault({ method: at.change, path: /(comments|notes)/, status: 500, times: 99 });
      await expect(put(at, sticky('two'))).rejects.toMatchObject({ status: 500 });
      expect(at.texts()).toEqual([sticky('one')]);
    });

    it('waits for a limit of requests that ends soon, and not for one that does not', async () => {
      const at = await open();
      const limit = { ...at.limit, method: 'POST', path: at.comments };
      at.fault({ ...limit, headers: { 'retry-after': '30' } });
      expect(await put(at, sticky('one'))).toMatchObject({ did: 'created' });
      expect(at.waits).toEqual([30]);
      at.fault({ ...limit, method: 'GET', headers: { 'retry-after': '3600' }, times: 9 });
      const error: unknown = await put(at, sticky('two')).catch((thrown: unknown) => thrown);
      const { message } = at.limit.body as { readonly message: string };
      expect(forgeError(error)).toMatchObject({ status: at.limit.status, said: containing(message) });
      expect(at.waits).toEqual([30]);
    });
  });

  describe('the drift issue', () => {
    it('is opened with its label, kept, written over, and closed with a word', async () => {
      const at = await open();
      expect(await openOne(at, 'one')).toMatchObject({ did: 'created' });
      expect(await openOne(at, 'one')).toMatchObject({ did: 'unchanged' });
      expect(await openOne(at, 'two')).toMatchObject({ did: 'updated' });
      expect(at.issues()).toEqual([['open', sticky('two', 'drift'), ['drift']]]);
      expect(await closeOne(at)).toMatchObject({ did: 'closed' });
      expect([at.issues().map(([state]) => state), at.texts()]).toEqual([['closed'], ['gone']]);
      expect(await closeOne(at)).toBeUndefined();
      expect(await openOne(at, 'three')).toMatchObject({ did: 'created' });
      expect(at.issues().map(([state, , labels]) => [state, labels])).toEqual([
        ['closed', ['drift']],
        ['open', ['drift']],
      ]);
    });

    it('is not opened twice when the answer is lost', async () => {
      const at = await open();
      at.fault({ method: 'POST', path: /issues$/, status: 504, after: true });
      expect(await openOne(at, 'one')).toMatchObject({ did: 'unchanged' });
      expect(at.issues()).toHaveLength(1);
    });
  });

  describe('what a review approved', () => {
    it('is the set in the comment of our own author, edited by nobody else', async () => {
      const at = await open();
      for (const text of ['a', 'b', 'c']) at.say(1, 'reviewer', text);
      at.say(1, at.author, planText([B], 'another workspace'));
      at.edit(at.say(1, at.author, planText([A])), at.author, planText([A, B]));
      at.merge(1, 'c1');
      expect(await ask(at)).toMatchObject({ digests: [A, B], accounts: [], pulls: [1], notices: [] });
      // Two in one run of the branch, of which only the second was answered for.
      expect((await ask(at, 'c1', 'release')).digests).toEqual([]);
    });

    it.each<[string, Happened, RegExp]>([
      ['no comment', () => undefined, /has no (comment|note) with a plan of this workspace/],
      [
        'a comment by another',
        (at) => at.say(1, 'mallory', planText([A])),
        /is by mallory, and only those by (github-actions\[bot\] count|project_42)/,
      ],
      [
        'a comment that another changed',
        (at) => at.edit(at.say(1, at.author, planText([A])), 'mallory', planText([A, B])),
        /was changed by mallory/,
      ],
      [
        'a comment of a plan that failed',
        (at) => at.say(1, at.author, sticky('<!-- hostwright: plan - -->')),
        /could not be made/,
      ],
      [
        'a plan without room for digests',
        (at) => at.say(1, at.author, sticky('<!-- hostwright: plan acme x without-digests\n-->')),
        /too long for a (comment|note)/,
      ],
      [
        'an answer to the run that did it',
        (at) => [at.say(1, at.author, planText([A])), answer(at, 1, 'done')],
        /an approval counts once/,
      ],
      [
        'an answer that somebody changed',
        (at) => [
          at.say(1, at.author, planText([A])),
          at.edit(answer(at, 1, 'done'), 'mallory', sticky('x', 'apply', 'waiting')),
        ],
        /an approval counts once/,
      ],
    ])('is nothing with %s', async (_what, given, reason) => {
      const at = await open();
      given(at);
      at.merge(1, 'c1');
      const { digests, notices } = await ask(at);
      expect(digests).toEqual([]);
      expect(notices.join('\n')).toMatch(reason);
    });

    it('is nothing when the plan is newer than the merge, or the commit is of no pull request', async () => {
      const at = await open();
      at.merge(1, 'c1');
      at.say(1, at.author, planText([A]));
      expect(await ask(at)).toMatchObject({ digests: [], notices: [containing('after the merge')] });
      expect(await ask(at, 'c9')).toMatchObject({
        digests: [],
        pulls: [],
        notices: [matching(/No (pull|merge) request that was merged into main has commit c9/)],
      });
    });

    it('is also what was merged before and not carried out, and nothing from before a run that ended well', async () => {
      const at = await open();
      for (const number of [1, 2, 3, 4]) {
        if (number > 1) at.addPull(number);
        at.say(number, at.author, planText([String(number).repeat(64)]));
        at.merge(number, `c${number}`);
      }
      answer(at, 2, 'done');
      answer(at, 3, 'waiting');
      expect(await ask(at, 'c4')).toMatchObject({ pulls: [4, 3], digests: ['4'.repeat(64), '3'.repeat(64)] });
      // Merged later, and not in the history of what is run.
      expect(await ask(at, 'c3')).toMatchObject({ pulls: [3] });
    });

    it('is unknown when the forge does not answer, and that is an error', async () => {
      const at = await open();
      at.say(1, at.author, planText([A]));
      at.merge(1, 'c1');
      at.fault({ method: 'POST', path: /graphql/, status: 502, times: 99 });
      await expect(ask(at)).rejects.toMatchObject({ status: 502 });
      expect(forgeError(await ask(at).catch((error: unknown) => error))).toMatchObject({ status: 502 });
    });
  });
});

describe('GitHub', () => {
  it('has issues of another author or workspace, which are left alone', async () => {
    const at = await onGithub();
    at.github.labels.push('drift');
    const foreign = {
      number: 50,
      title: 'Drift',
      body: sticky('x', 'drift'),
      state: 'open' as const,
      labels: [{ name: 'drift' }],
      user: { login: 'mallory' },
      html_url: 'x',
    };
    const otherWorkspace = sticky('x', 'drift', 'differences', 'other');
    at.github.issues.push(foreign, { ...foreign, number: 51, user: { login: at.author }, body: otherWorkspace });
    expect(await openOne(at, 'one')).toMatchObject({ did: 'created' });
    await closeOne(at);
    expect(at.issues().map(([state]) => state)).toEqual(['open', 'open', 'closed']);
  });

  it('is not asked for an issue where its label cannot be looked for', async () => {
    const at = await onGithub();
    at.fault({ method: 'GET', path: /labels/, status: 403, body: { message: 'no' } });
    await expect(openOne(at, 'one')).rejects.toMatchObject({ status: 403 });
    expect(at.issues()).toEqual([]);
  });

  it('tells what was rehearsed where each plan was', async () => {
    const at = await onGithub();
    at.say(1, at.author, planText([A], KEY, ['rehearsed', 'but Site%2Fshop']));
    at.merge(1, 'c1');
    expect(await ask(at)).toMatchObject({ digests: [A], rehearsedExcept: ['Site/shop'] });
    at.addPull(2);
    at.say(2, at.author, planText([B]));
    at.merge(2, 'c2');
    const both = await ask(at, 'c2');
    expect(both.digests).toEqual([B, A]);
    expect(both).not.toHaveProperty('rehearsedExcept');
  });

  it('leaves those alone that were merged before and never planned: they get no answer, and no word is lost on them', async () => {
    const at = await onGithub();
    for (const number of [2, 3, 4]) at.addPull(number);
    for (const number of [1, 2, 3]) at.merge(number, `c${number}`);
    at.say(2, 'mallory', planText([B]));
    at.say(4, at.author, planText([A]));
    at.merge(4, 'c4');
    expect(await ask(at, 'c4')).toMatchObject({ digests: [A], pulls: [4, 2], notices: [containing('is by mallory')] });
    at.addPull(5);
    at.merge(5, 'c5');
    expect(await ask(at, 'c5')).toMatchObject({
      digests: [A],
      pulls: [5, 4, 2],
      notices: [containing('Pull request 5'), containing('Pull request 2')],
    });
  });

  it('is not there: what the network says, and no answer that nobody gave', async () => {
    const nowhere = openForge({
      apiUrl: 'http://127.0.0.1:1999',
      token: githubToken,
      owner: 'acme',
      repo: 'hosting',
      author: 'github-actions[bot]',
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
