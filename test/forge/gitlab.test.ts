// What is written to GitLab and believed of it, against a small GitLab that pages, refuses and loses answers. The rules
// of trust are those of forge.test.ts; here is what GitLab does in another way.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approvedBy } from '../../src/forge/approved.ts';
import { forgeError } from '../../src/forge/client.ts';
import { putComment } from '../../src/forge/comment.ts';
import type { Forge } from '../../src/forge/forge.ts';
import { findGitlab, openGitlab } from '../../src/forge/gitlab.ts';
import { closeIssue, openIssue } from '../../src/forge/issue.ts';
import { stickyText } from '../../src/forge/sticky.ts';
import type { OutcomeWord } from '../../src/model/plan/outcome.ts';
import type { Fault } from '../support/servers/github.ts';
import type { FakeGitlab } from '../support/servers/gitlab.ts';
import { BOT, gitlabToken, startGitlab } from '../support/servers/gitlab.ts';

const KEY = 'accounts/stage';
const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

let gitlab: FakeGitlab;
let forge: Forge;
const waits: number[] = [];
beforeEach(async () => {
  waits.length = 0;
  gitlab = await startGitlab();
  forge = await openGitlab({
    apiUrl: gitlab.url,
    token: gitlabToken,
    project: '42',
    version: '0',
    pauseMs: 0,
    onWait: (seconds) => waits.push(seconds),
  });
  gitlab.addPull(1);
});
afterEach(() => gitlab.close());

function sticky(
  report: string,
  what: 'plan' | 'apply' | 'drift' = 'plan',
  outcome: OutcomeWord = 'differences',
): string {
  return stickyText(report, { what, key: KEY, outcome }) ?? '';
}

function planText(digests: readonly string[]): string {
  return sticky(
    `<!-- hostwright: plan acme ${'c'.repeat(64)}\n${digests.map((one) => `${one}\n`).join('')}-->\n\n# Plan`,
  );
}

const fault = (parts: Partial<Fault> & Pick<Fault, 'method' | 'path' | 'status'>): void =>
  void gitlab.faults.push({ times: 1, ...parts });
const put = (text: string) => putComment(forge, 1, text, { what: 'plan', key: KEY });
const bodies = (): readonly string[] => gitlab.notes.map(({ body }) => body);

describe('a note', () => {
  it('is of the account of the token, made once, found among many, written over, and left when nothing is new', async () => {
    expect(forge.author).toBe(BOT);
    for (let index = 0; index < 5; index += 1) gitlab.say(1, 'reviewer', `remark ${index}`);
    expect(await put(sticky('one'))).toMatchObject({
      did: 'created',
      author: BOT,
      url: expect.stringMatching(/\/-\/merge_requests\/1#note_\d+$/) as string,
    });
    for (let index = 0; index < 5; index += 1) gitlab.say(1, 'reviewer', `later ${index}`);
    expect(await put(sticky('two'))).toMatchObject({ did: 'updated' });
    expect(await put(sticky('two'))).toMatchObject({ did: 'unchanged' });
    expect(bodies().filter((body) => body.includes('hostwright-text'))).toEqual([sticky('two')]);
  });

  it('that somebody changed is written anew, so that it approves again', async () => {
    await put(sticky('one'));
    const [note] = gitlab.notes;
    if (note === undefined) throw new Error('no note');
    for (const more of [' ', '']) {
      gitlab.edit(note, 'mallory', `${note.body}${more}`);
      expect(await put(sticky('one'))).toMatchObject({ did: 'updated' });
      expect(note.editor).toBe(BOT);
    }
  });

  it('of another author, and what GitLab says itself, is left alone', async () => {
    gitlab.say(1, 'mallory', sticky('one'));
    gitlab.say(1, BOT, sticky('one'), true);
    expect(await put(sticky('mine'))).toMatchObject({ did: 'created' });
    expect(bodies()).toEqual([sticky('one'), sticky('one'), sticky('mine')]);
  });

  it('gives GitLab no orders, whatever a name or a value in it says, and is found again all the same', async () => {
    const text = sticky('report\n/merge\n  /close\n/assign @mallory');
    expect(await put(text)).toMatchObject({ did: 'created' });
    expect(await put(text)).toMatchObject({ did: 'unchanged' });
    await openIssue(forge, { title: 'Drift', label: 'drift', key: KEY, text: sticky('x\n/close', 'drift') });
    expect(gitlab.orders).toEqual([]);
    expect(bodies()[0]).toContain('\n /merge\n');
  });

  it('is not made twice when the answer to its making is lost, and is made when GitLab fails first', async () => {
    fault({ method: 'POST', path: /notes$/, status: 502, after: true });
    expect(await put(sticky('one'))).toMatchObject({ did: 'unchanged' });
    fault({ method: 'GET', path: /notes$/, status: 503, times: 2 });
    fault({ method: 'PUT', path: /notes/, status: 500, times: 99 });
    await expect(put(sticky('two'))).rejects.toMatchObject({ status: 500 });
    expect(bodies()).toEqual([sticky('one')]);
  });

  it('waits for a limit of requests that ends soon, and not for one that does not', async () => {
    const limit = { method: 'POST', path: /notes$/, status: 429, body: { message: 'Too many requests' } } as const;
    fault({ ...limit, headers: { 'retry-after': '30' } });
    expect(await put(sticky('one'))).toMatchObject({ did: 'created' });
    expect(waits).toEqual([30]);
    fault({ ...limit, method: 'GET', headers: { 'retry-after': '3600' }, times: 9 });
    const error: unknown = await put(sticky('two')).catch((thrown: unknown) => thrown);
    expect(forgeError(error)).toEqual({ status: 429, said: 'Too many requests (429)' });
    expect(waits).toEqual([30]);
  });

  it('is not sent where an answer points to: the token stays with the server of the API', async () => {
    fault({ method: 'GET', path: /notes$/, status: 302, headers: { location: 'https://elsewhere.example/notes' } });
    const error: unknown = await put(sticky('one')).catch((thrown: unknown) => thrown);
    expect(forgeError(error)).toMatchObject({
      status: 302,
      said: expect.stringContaining('a token is not sent there') as string,
    });
  });
});

describe('the drift issue', () => {
  const issue = { title: 'Drift', label: 'drift', key: KEY };
  const openOne = (text: string) => openIssue(forge, { ...issue, text: sticky(text, 'drift') });

  it('is opened with its label, kept, written over, and closed with a word', async () => {
    expect(await openOne('one')).toMatchObject({ did: 'created' });
    expect(await openOne('one')).toMatchObject({ did: 'unchanged' });
    expect(await openOne('two')).toMatchObject({ did: 'updated' });
    expect(gitlab.issues).toMatchObject([{ state: 'opened', description: sticky('two', 'drift'), labels: ['drift'] }]);
    expect(await closeIssue(forge, { ...issue, reason: 'gone' })).toMatchObject({ did: 'closed' });
    expect([gitlab.issues.map(({ state }) => state), bodies()]).toEqual([['closed'], ['gone']]);
    expect(await closeIssue(forge, { ...issue, reason: 'gone' })).toBeUndefined();
  });

  it('is not opened twice when the answer is lost', async () => {
    fault({ method: 'POST', path: /issues$/, status: 504, after: true });
    expect(await openOne('one')).toMatchObject({ did: 'unchanged' });
    expect(gitlab.issues).toHaveLength(1);
  });
});

describe('what a review approved', () => {
  const ask = (commit = 'c1', branch = 'main') => approvedBy(forge, { commit, branch, key: KEY });

  it.each(['merge', 'squash', 'fast-forward'] as const)(
    'is the set in the note of our own account, also after a %s and when others came later',
    async (how) => {
      gitlab.edit(gitlab.say(1, BOT, planText([A])), BOT, planText([A, B]));
      gitlab.merge(1, 'c1', how);
      expect(await ask()).toMatchObject({ digests: [A, B], accounts: [], pulls: [1], notices: [] });
      gitlab.addPull(2);
      gitlab.say(2, BOT, planText([A]));
      gitlab.merge(2, 'c2', how);
      expect(await ask('c2')).toMatchObject({ digests: [A, B], accounts: [], pulls: [2, 1], notices: [] });
      expect((await ask('c1', 'release')).digests).toEqual([]);
    },
  );

  it.each<[string, () => void, RegExp]>([
    ['no note', () => undefined, /Merge request 1 approves nothing: it has no note with a plan of this workspace/],
    [
      'a note by another',
      () => void gitlab.say(1, 'mallory', planText([A])),
      /is by mallory, and only those by project_42/,
    ],
    [
      'a note that another changed',
      () => gitlab.edit(gitlab.say(1, BOT, planText([A])), 'mallory', planText([A, B])),
      /was changed by mallory/,
    ],
    [
      'an answer to the run that did it',
      () => [
        gitlab.say(1, BOT, planText([A])),
        gitlab.say(1, BOT, sticky('<!-- hostwright: apply acme -->', 'apply', 'done')),
      ],
      /an approval counts once/,
    ],
  ])('is nothing with %s', async (_name, given, reason) => {
    given();
    gitlab.merge(1, 'c1');
    const { digests, notices } = await ask();
    expect([digests, notices.join('\n')]).toEqual([[], expect.stringMatching(reason)]);
  });

  it('is nothing when the plan is newer than the merge; a note that nobody edited is as old as its text', async () => {
    const note = gitlab.say(1, BOT, planText([A]));
    gitlab.merge(1, 'c1');
    note.updated_at = '2026-02-01T00:00:00.000Z';
    expect(await ask()).toMatchObject({ digests: [A] });
    gitlab.edit(note, BOT, planText([A]));
    expect(await ask()).toMatchObject({ digests: [], notices: [expect.stringContaining('after the merge')] });
  });

  it('is unknown when GitLab does not answer, and that is an error', async () => {
    gitlab.say(1, BOT, planText([A]));
    gitlab.merge(1, 'c1');
    fault({ method: 'POST', path: /graphql/, status: 200, body: { errors: [{ message: 'Timeout' }] } });
    expect(forgeError(await ask().catch((error: unknown) => error))).toMatchObject({ said: 'Timeout' });
    fault({ method: 'POST', path: /graphql/, status: 502, times: 99 });
    await expect(ask()).rejects.toMatchObject({ status: 502 });
  });
});

describe('where GitLab is', () => {
  const given = { apiUrl: 'https://gitlab.example/git/api/v4', token: 'glpat-x', project: '42' };
  it('is told by a job', () => {
    expect(findGitlab(given)).toEqual(given);
    expect(findGitlab({ ...given, project: 'acme/web/hosting' })).toMatchObject({ project: 'acme/web/hosting' });
  });
  it.each([
    [{ ...given, project: 'hosting' }, /--project/],
    [{ ...given, project: '../x?y' }, /--project/],
    [{ ...given, token: '' }, /GITLAB_TOKEN.*CI_JOB_TOKEN/],
    [{ ...given, token: 'a\nb' }, /GITLAB_TOKEN/],
    [{ ...given, apiUrl: 'http://gitlab.example/api/v4' }, /CI_API_V4_URL/],
    [{ ...given, apiUrl: 'https://gitlab.example' }, /CI_API_V4_URL/],
  ])('is refused when it is not whole: %j', (wrong, reason) => expect(findGitlab(wrong)).toMatch(reason));
});
