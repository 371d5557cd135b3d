// What GitLab does in another way than GitHub; the rules of trust that are the same are in forge.test.ts.
import { describe, expect, it } from 'vitest';
import { approvedBy } from '../../src/forge/approved.ts';
import { forgeError } from '../../src/forge/client.ts';
import { putComment } from '../../src/forge/comment.ts';
import type { Forge } from '../../src/forge/forge.ts';
import { findGitlab } from '../../src/forge/gitlab.ts';
import { openIssue } from '../../src/forge/issue.ts';
import { A, B, KEY, onGitlab, planText, sticky } from './grounds.ts';
import { containing, matching } from '../support/matchers.ts';

const put = (forge: Forge, text: string) => putComment(forge, 1, text, { what: 'plan', key: KEY });
const ask = (forge: Forge, commit = 'c1') => approvedBy(forge, { commit, branch: 'main', key: KEY });

describe('a note', () => {
  it('has an address, and what GitLab says itself in the name of its author is left alone', async () => {
    const { forge, author, gitlab, texts } = await onGitlab();
    gitlab.say(1, author, sticky('one'), true);
    expect(await put(forge, sticky('mine'))).toMatchObject({
      did: 'created',
      url: matching(/\/-\/merge_requests\/1#note_\d+$/),
    });
    expect(texts()).toEqual([sticky('one'), sticky('mine')]);
  });

  it('gives GitLab no orders, whatever a name or a value in it says, and is found again all the same', async () => {
    const { forge, gitlab, texts } = await onGitlab();
    const text = sticky('report\n/merge\n  /close\n/assign @mallory');
    expect(await put(forge, text)).toMatchObject({ did: 'created' });
    expect(await put(forge, text)).toMatchObject({ did: 'unchanged' });
    await openIssue(forge, { title: 'Drift', label: 'drift', key: KEY, text: sticky('x\n/close', 'drift') });
    expect(gitlab.orders).toEqual([]);
    expect(texts()[0]).toContain('\n /merge\n');
  });

  it('is not sent where an answer points to: the token stays with the server of the API', async () => {
    const { forge, fault } = await onGitlab();
    fault({ method: 'GET', path: /notes$/, status: 302, headers: { location: 'https://elsewhere.example/notes' } });
    const error: unknown = await put(forge, sticky('one')).catch((thrown: unknown) => thrown);
    expect(forgeError(error)).toMatchObject({ status: 302, said: containing('a token is not sent there') });
  });
});

describe('what a review approved', () => {
  it.each(['merge', 'squash', 'fast-forward'] as const)(
    'is found by the commit of a %s, also when others came later',
    async (how) => {
      const { forge, author, gitlab } = await onGitlab();
      gitlab.say(1, author, planText([A, B]));
      gitlab.merge(1, 'c1', how);
      expect(await ask(forge)).toMatchObject({ digests: [A, B], accounts: [], pulls: [1], notices: [] });
      gitlab.addPull(2);
      gitlab.say(2, author, planText([A]));
      gitlab.merge(2, 'c2', how);
      expect(await ask(forge, 'c2')).toMatchObject({ digests: [A, B], accounts: [], pulls: [2, 1], notices: [] });
    },
  );

  it('is nothing when the note was edited after the merge; one that nobody edited is as old as its text', async () => {
    const { forge, author, gitlab } = await onGitlab();
    const note = gitlab.say(1, author, planText([A]));
    gitlab.merge(1, 'c1');
    note.updated_at = '2026-02-01T00:00:00.000Z';
    expect(await ask(forge)).toMatchObject({ digests: [A] });
    gitlab.edit(note, author, planText([A]));
    expect(await ask(forge)).toMatchObject({ digests: [], notices: [containing('after the merge')] });
  });

  it('is unknown when GitLab answers with an error of GraphQL', async () => {
    const { forge, author, gitlab, fault } = await onGitlab();
    gitlab.say(1, author, planText([A]));
    gitlab.merge(1, 'c1');
    fault({ method: 'POST', path: /graphql/, status: 200, body: { errors: [{ message: 'Timeout' }] } });
    expect(forgeError(await ask(forge).catch((error: unknown) => error))).toMatchObject({ said: 'Timeout' });
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
