// What runs by the clock on GitHub, and what the action hands on: the workflows of `examples/ci/github` and
// `action.yml`, run step by step as a runner does, against the sandbox and a small GitHub.
import { describe, expect, it } from 'vitest';
import { noGit } from '../support/processes/git.ts';
import { repository } from './repository.ts';
import { containing, matching } from '../support/matchers.ts';

describe.skipIf(noGit !== undefined)('a schedule', () => {
  it('opens one issue for drift, keeps it, and closes it when nothing differs', async () => {
    const { job, github, sandbox, apply } = await repository();
    await apply();
    const shop = sandbox.state.sites.get('site-shop');
    if (shop === undefined) throw new Error('no site');
    shop.cdn.caching.cache_expiration = 5;
    const first = await job('drift.yml');
    expect(first, first.log).toMatchObject({
      result: 'success',
      outputs: { outcome: 'differences', issue: matching(/^\d+$/) },
    });
    expect(github.issues).toMatchObject([
      { state: 'open', labels: [{ name: 'hostwright-drift' }], body: containing('### Hostwright drift') },
    ]);
    github.requests.length = 0;
    expect((await job('drift.yml')).log).toContain('Issue unchanged');
    expect(github.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
    shop.cdn.caching.cache_expiration = 7200;
    expect((await job('drift.yml')).log).toContain('Issue closed');
    expect(github.issues).toMatchObject([{ state: 'closed' }]);
    expect(github.comments).toMatchObject([{ body: 'Nothing differs any more: live is as declared.' }]);
  });

  it('fails the job when drift cannot be told to anybody', async () => {
    const { job, github } = await repository();
    github.faults.push({
      method: 'GET',
      path: /issues$/,
      status: 403,
      body: { message: 'Resource not accessible by integration' },
      times: 9,
    });
    const end = await job('drift.yml');
    expect(end, end.log).toMatchObject({ result: 'failure', outputs: { outcome: 'differences' } });
    expect(end.log).toContain('nobody was told');
  });

  it('resumes, and what waits is no failure unless it is said to be one', async () => {
    const { job } = await repository();
    expect(await job('resume.yml')).toMatchObject({ result: 'success', outputs: { mode: 'resume', outcome: 'done' } });
    expect(await job('resume.yml', {}, { 'fail-on': 'waiting done' })).toMatchObject({ result: 'failure' });
    const typo = await job('resume.yml', {}, { 'fail-on': 'error,refused' });
    expect([typo.result, typo.log]).toEqual(['failure', containing("'error,refused' is none")]);
  });
});

describe.skipIf(noGit !== undefined)('the action', () => {
  it('hands on what it is given as arguments, each as one', async () => {
    const { job, writes } = await repository();
    const inputs = {
      mode: 'apply',
      approved: 'everything',
      arguments: '--target\nSite/docs/Caching\n',
      paths: 'sites\n',
      'allow-deletes': '0',
      'allow-charges': '0',
      'max-spend': '1.00EUR',
    };
    const end = await job('merge.yml', { before: 'HEAD' }, inputs);
    expect(end, end.log).toMatchObject({ result: 'success', outputs: { outcome: 'done' } });
    expect(writes()).toContain('PATCH /api/sites/site-docs/cdn/caching');
    expect(writes().some((request) => request.includes('site-shop'))).toBe(false);
  });

  it('refuses a mode that it does not know', async () => {
    const { job } = await repository();
    const end = await job('drift.yml', {}, { mode: 'destroy\n::error::x' });
    expect(end).toMatchObject({ result: 'failure', steps: { run: { outcome: 'skipped' } } });
    expect(end.log).not.toContain('\n::error::x');
  });
});
