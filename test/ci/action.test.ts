// The story of a repository on GitHub: pull requests and merges, with the workflows of `examples/ci/github` and
// `action.yml` run step by step as a runner does, against the sandbox and a small GitHub.
import { describe, expect, it } from 'vitest';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { noGit } from '../support/processes/git.ts';
import { AUTHOR, repository } from './repository.ts';
import { isWhole } from '../support/whole.ts';
import { matching } from '../support/matchers.ts';

describe.skipIf(noGit !== undefined)('a pull request', () => {
  it('has one comment with its plan, written over when the plan is another, and the job tells the numbers', async () => {
    const { job, github, change, writes } = await repository();
    github.addPull(1);
    for (const text of ['first', 'second', 'third']) github.say(1, 'reviewer', text);
    const first = await job('pull-request.yml', { pull: 1 });
    expect(first, first.log).toMatchObject({
      result: 'success',
      outputs: {
        mode: 'plan',
        outcome: 'differences',
        'exit-code': '2',
        account: 'acc-acme',
        delete: '0',
        charges: '0',
      },
    });
    expect(Number(first.outputs.actions)).toBeGreaterThan(1);
    expect(first.summary).toContain('### Hostwright plan for account');
    expect(first.log).toMatch(/\n::notice file=sites\/[a-z-]+\.yaml,/);
    const mine = () => github.comments.filter(({ user }) => user.login === AUTHOR);
    expect(mine()).toMatchObject([
      {
        body: matching(
          /^<!-- hostwright: plan acc-acme [0-9a-f]{64}\n[^]*\n<!-- hostwright-text: plan \S+ differences -->$/,
        ),
      },
    ]);

    await change('sites/shop.yaml', '7200', '7201');
    expect((await job('pull-request.yml', { pull: 1 })).log).toContain('Comment updated');
    expect(mine()).toHaveLength(1);
    expect(mine()[0]?.body).toContain('7201');
    expect(writes()).toEqual([]);
    expect(first.log.split('\n').filter((line) => line.includes(API_KEY))).toEqual([`::add-mask::${API_KEY}`]);
  });

  it('from a fork is validated, not planned, and nothing is written', async () => {
    const { job, github, sandbox } = await repository();
    github.addPull(1);
    const end = await job('pull-request.yml', { pull: 1, from: 'mallory/hosting' });
    expect(end, end.log).toMatchObject({
      result: 'success',
      outputs: { mode: 'validate', outcome: 'done' },
      steps: { comment: { outcome: 'skipped' } },
    });
    expect(end.log).toContain('comes from another repository');
    expect([github.requests, sandbox.requests]).toEqual([[], []]);
  });

  it('that GitHub takes no comment for has its plan all the same, and the job says so', async () => {
    const { job, github } = await repository();
    github.addPull(1);
    github.faults.push({
      method: 'POST',
      path: /comments$/,
      status: 403,
      body: { message: 'Resource not accessible by integration' },
      times: 9,
    });
    const end = await job('pull-request.yml', { pull: 1 });
    expect(end, end.log).toMatchObject({
      result: 'success',
      outputs: { outcome: 'differences' },
      steps: { comment: { outcome: 'failure' } },
    });
    expect(end.log).toMatch(
      /::error title=HW6603[^]*Resource not accessible by integration[^]*::warning title=Hostwright::The pull request could not be told/,
    );
    expect(end.outputs.reportText).toContain('### Hostwright plan');
  });

  it('with a manifest that is not valid fails the job and says why where people look', async () => {
    const { job, github, change } = await repository();
    github.addPull(1);
    await change('sites/shop.yaml', 'cacheExpiration', 'cacheExpiratoin');
    const end = await job('pull-request.yml', { pull: 1 });
    expect(end, end.log).toMatchObject({ result: 'failure', outputs: { outcome: 'error', 'exit-code': '1' } });
    expect(github.comments[0]?.body).toMatch(/HW12\d\d/);
  });
});

describe.skipIf(noGit !== undefined)('a merge', () => {
  it('does what the comment approves, and answers', async () => {
    const { job, github, commit, writes } = await repository();
    github.addPull(1);
    await job('pull-request.yml', { pull: 1 });
    const before = await commit();
    const sha = await commit();
    github.merge(1, sha);
    const end = await job('merge.yml', { sha, before });
    expect(end, end.log).toMatchObject({
      result: 'success',
      outputs: { mode: 'apply', outcome: 'done', failed: '0', remaining: '0', pulls: '1' },
    });
    expect(writes().length).toBeGreaterThan(0);
    expect(github.comments.map(({ body }) => body.slice(0, 24))).toEqual([
      '<!-- hostwright: plan ac',
      '<!-- hostwright: apply a',
    ]);
    expect(github.comments[1]?.body).toMatch(/\*\*Done\.\*\*[^]*<!-- hostwright-text: apply \S+ done -->$/);
  });

  it('where nothing runs unreviewed asks GitHub itself, and takes no other word for it', async () => {
    const { job, github, commit, writes, change } = await repository();
    await change('hostwright.yaml', '  manifests: [sites]', '  manifests: [sites]\n  guards: { unreviewed: refuse }');
    const before = await commit();
    github.addPull(1);
    await job('pull-request.yml', { pull: 1 });
    const sha = await commit();
    github.merge(1, sha);
    const byHand = await job('merge.yml', { sha, before }, { approved: 'everything' });
    expect(byHand, byHand.log).toMatchObject({ result: 'failure', outputs: { outcome: 'refused' } });
    expect(byHand.log).toContain('HW2111');
    expect(writes()).toEqual([]);
    const end = await job('merge.yml', { sha, before });
    expect(end, end.log).toMatchObject({ result: 'success', outputs: { outcome: 'done', pulls: '1' } });
    expect(writes().length).toBeGreaterThan(0);
  });

  it.runIf(isWhole)(
    'in another order than the plans were made in runs too, and two that waited run together',
    async () => {
      const { job, github, change, commit, apply, review } = await repository();
      await apply();
      let before = await commit();
      const merge = async (number: number): Promise<string> => {
        const sha = await commit();
        github.merge(number, sha);
        return sha;
      };
      const run = async (sha: string, outputs: object): Promise<void> => {
        const end = await job('merge.yml', { sha, before });
        expect(end, end.log).toMatchObject({ result: 'success', outputs });
        before = sha;
      };
      // Each from the same commit, as two branches are.
      await change('sites/shop.yaml', '7200', '700');
      await review(1);
      await change('sites/shop.yaml', '700', '7200');
      await change('sites/docs-and-blog.yaml', 'cacheExpiration: -1', 'cacheExpiration: 60');
      await review(2);
      await run(await merge(2), { outcome: 'done', update: '1', pulls: '2' });
      // The first, and one more that is merged before GitHub ran it: its run was dropped for that of the second.
      await change('sites/shop.yaml', '7200', '700');
      await merge(1);
      await change('sites/docs-and-blog.yaml', 'cacheExpiration: 60', 'cacheExpiration: 61');
      await review(3);
      await run(await merge(3), { outcome: 'done', update: '2', pulls: '3,1' });
      expect(github.comments.filter(({ body }) => / done -->$/.test(body)).map(({ issue }) => issue)).toEqual([
        2, 3, 1,
      ]);
    },
  );

  it('of what nobody reviewed is refused, whatever a comment that another wrote or changed says', async () => {
    const { job, github, commit, review, writes } = await repository();
    const before = await commit();
    const real = await review(1);
    github.edit(real, 'mallory', real.body);
    const sha = await commit();
    github.merge(1, sha);
    const end = await job('merge.yml', { sha, before });
    expect(end, end.log).toMatchObject({ result: 'failure', outputs: { mode: 'apply' } });
    expect(end.log).toMatch(/was changed by mallory[^]*HW2104/);
    expect(github.comments.at(-1)?.body).toContain('HW2104');
    expect(writes()).toEqual([]);
  });

  it('sends nothing when GitHub cannot say what was approved', async () => {
    const { job, github, commit, sandbox } = await repository();
    github.faults.push({ method: 'GET', path: /pulls$/, status: 404, body: { message: 'Not Found' }, times: 9 });
    const end = await job('merge.yml', { sha: await commit() });
    expect(end, end.log).toMatchObject({
      result: 'failure',
      steps: { approved: { outcome: 'failure' }, run: { outcome: 'skipped' } },
    });
    expect(end.log).toContain('HW6603');
    expect(sandbox.requests).toEqual([]);
  });
});
