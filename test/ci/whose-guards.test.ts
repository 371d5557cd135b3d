// Whose guards count in CI, what a reviewer is told of them, and the two ways to a delete that they forbid: the files of
// `examples/ci` carried out against the sandbox and a small GitHub.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { THROUGH_CI } from '../../src/report/blocks/guard-check.ts';
import { noGit } from '../support/processes/git.ts';
import type { Repository } from './repository.ts';
import { repository } from './repository.ts';
import { root } from './workflows.ts';
import { isWhole } from '../support/whole.ts';
import { openFolder } from '../support/closing.ts';

const WORKSPACE = 'hostwright.yaml';
const SITES = 'sites/docs-and-blog.yaml';
const HOSTNAMES = '  domains: [blog.example.com, www.blog.example.com]';
const ONE_LESS = '  domains: [blog.example.com]\n  unlisted: { domains: remove }';

interface Story extends Repository {
  /** The commit that the branch begins at. */
  readonly base: string;
  /** What `main` of the remote is. */
  readonly onMain: (commit: string) => Promise<unknown>;
  readonly deletes: () => readonly string[];
}

/** A repository whose account is as declared. */
async function declared(): Promise<Story> {
  const one = await repository();
  await one.apply();
  const base = await one.commit();
  const onMain = (commit: string) =>
    promisify(execFile)('git', ['update-ref', 'refs/remotes/origin/main', commit], { cwd: one.root });
  await onMain(base);
  return { ...one, base, onMain, deletes: () => one.writes().filter((write) => write.startsWith('DELETE')) };
}

const bodyOf = ({ github }: Repository): string => github.comments.at(-1)?.body ?? '';

describe.skipIf(noGit !== undefined)('the comment on a pull request', () => {
  it('is about the guards of the base commit, and says at its top what the branch changes of what a review rests on', async () => {
    const one = await declared();
    one.github.addPull(1);
    await one.change(SITES, HOSTNAMES, ONE_LESS);
    await one.change('sites/shop.yaml', 'protect: true', 'protect: false');
    await one.change(
      WORKSPACE,
      '  manifests: [sites]\n',
      [
        '  manifests: [sites]',
        '  guards: { allowDeletes: 5 }',
        '  secrets: { env: [STOLEN] }',
        '  callback: { url: https://evil.example/x }',
        '  ledger: { file: .hostwright/other.jsonl }\n',
      ].join('\n'),
    );
    const end = await one.job('pull-request.yml', { pull: 1, base: one.base });
    expect(end, end.log).toMatchObject({ result: 'success' });
    const body = bodyOf(one);
    const top = body.slice(0, body.indexOf('<details>'));
    expect(top).toMatch(
      new RegExp(`Apply will refuse this: 1 delete, 0 allowed \\(guards of commit .?${one.base.slice(0, 12)}`),
    );
    for (const line of [
      '`guards.allowDeletes` in hostwright.yaml from `0` to `5`',
      '`secrets.env` in hostwright.yaml from `not set` to `STOLEN`',
      '`callback.url` in hostwright.yaml from `not set` to `https://evil.example/x`',
      '`ledger.file` in hostwright.yaml from `.hostwright/ledger.jsonl` to `.hostwright/other.jsonl`',
      '`lifecycle.protect` of Site/shop from `true` to `false`',
    ])
      expect(top).toContain(line);
  });

  it('names the address that a branch would send the token to', async () => {
    const one = await declared();
    await one.change(WORKSPACE, 'http://127.0.0.1:4010', one.sandbox.url);
    await one.change('sites/shop.yaml', '7200', '7201');
    // As a job without `api-url`, which would beat the file.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(root, 'dist/main.js'), 'plan', '--guards-from', one.base, '--format', 'markdown'],
      { cwd: one.root, env: { PATH: process.env.PATH, HOME: one.root, HOSTWRIGHT_TOKEN: API_KEY } },
    );
    expect(stdout).toContain(
      `This branch changes \`baseUrl\` in hostwright.yaml from \`http://127.0.0.1:4010\` to \`${one.sandbox.url}\`: the token is sent there`,
    );
  });

  it('of a merge queue is none: its job plans under the guards of the queue and ends well', async () => {
    const one = await declared();
    await one.change('sites/shop.yaml', '7200', '7201');
    const end = await one.job('pull-request.yml', { queuedOnto: one.base });
    expect(end, end.log).toMatchObject({ result: 'success', outputs: { mode: 'plan', outcome: 'differences' } });
    expect(end.log).toContain(`commit ${one.base.slice(0, 12)}`);
    expect(one.github.comments).toEqual([]);
  });
});

describe.skipIf(noGit !== undefined)('a delete that the guards forbid', () => {
  it('is planned with the two ways to it, and the manual has the section that is named', async () => {
    const one = await declared();
    one.github.addPull(1);
    await one.change(SITES, HOSTNAMES, ONE_LESS);
    await one.job('pull-request.yml', { pull: 1, base: one.base });
    const body = bodyOf(one);
    expect(body).toMatch(/Raise `guards` in hostwright\.yaml in a pull request of its own/);
    expect(body).toMatch(/start the apply job by hand with `allow-deletes: 1`/);
    expect(body).toContain(THROUGH_CI);
    expect(body.slice(0, body.indexOf('<details>'))).not.toContain('--allow-deletes');
    const manual = await readFile(join(root, 'docs/ci.md'), 'utf8');
    expect(manual.match(/^## .*$/gm)).toContain(`## ${THROUGH_CI}`);
  });

  it.runIf(isWhole)('runs when the guards were merged first', async () => {
    const one = await declared();
    const before = one.base;
    await one.change(WORKSPACE, '  manifests: [sites]\n', '  manifests: [sites]\n  guards: { allowDeletes: 1 }\n');
    const raised = await one.commit();
    one.github.addPull(1);
    one.github.merge(1, raised);
    await one.job('merge.yml', { sha: raised, before });
    one.github.addPull(2);
    await one.change(SITES, HOSTNAMES, ONE_LESS);
    await one.job('pull-request.yml', { pull: 2, base: raised });
    expect(bodyOf(one)).toContain('Apply will run this');
    const sha = await one.commit();
    one.github.merge(2, sha);
    const end = await one.job('merge.yml', { sha, before: raised });
    expect(end, end.log).toMatchObject({ result: 'success', outputs: { outcome: 'done', delete: '1' } });
    expect(one.deletes()).toHaveLength(1);
  });

  it('is refused at the merge, and runs by hand with the input that the comment names', async () => {
    const one = await declared();
    one.github.addPull(1);
    await one.change(SITES, HOSTNAMES, ONE_LESS);
    await one.job('pull-request.yml', { pull: 1, base: one.base });
    const [, name = '', value = ''] = /by hand with `([a-z-]+): (\d+)`/.exec(bodyOf(one)) ?? [];
    const sha = await one.commit();
    one.github.merge(1, sha);
    await one.onMain(sha);
    const refused = await one.job('merge.yml', { sha, before: one.base });
    expect(refused, refused.log).toMatchObject({ result: 'failure', outputs: { outcome: 'refused' } });
    expect(refused.log).toMatch(/Next: hostwright apply .*--expect \S+ /);
    expect(refused.log).not.toMatch(/Next:.* --(report|format)/);
    expect(one.deletes()).toEqual([]);
    const end = await one.job('merge.yml', { sha, byHand: { approved: 'comment', [name]: value } });
    expect(end, end.log).toMatchObject({ result: 'success', outputs: { outcome: 'done', delete: '1', pulls: '1' } });
    expect(one.deletes()).toHaveLength(1);
  });
});

describe.skipIf(noGit !== undefined)('an account that is not as it was reviewed', () => {
  it('is left alone, and the answer says of each action what was reviewed and what is now', async () => {
    const one = await declared();
    one.github.addPull(1);
    // A job carries out something, so that the ledger knows what was there.
    await one.change('sites/shop.yaml', '7200', '5');
    await one.job('merge.yml', { sha: one.base, byHand: { approved: 'everything' } });
    await one.change('sites/shop.yaml', 'cacheExpiration: 5', 'cacheExpiration: 60');
    await one.job('pull-request.yml', { pull: 1, base: one.base });
    const shop = one.sandbox.state.sites.get('site-shop');
    if (shop === undefined) throw new Error('no site');
    shop.cdn.caching.cache_expiration = 777;
    const sha = await one.commit();
    one.github.merge(1, sha);
    const before = one.writes().length;
    const end = await one.job('merge.yml', { sha, before: one.base });
    expect(end, end.log).toMatchObject({ result: 'failure', outputs: { outcome: 'conflict', 'exit-code': '4' } });
    const body = bodyOf(one);
    expect(body).toContain('Something is not as it was reviewed: nothing ran.');
    expect(body).toContain('Site/shop/Caching');
    expect(body).toMatch(/cacheExpiration`?: at the review `?5`?, now `?777`?/);
    expect(one.writes()).toHaveLength(before);
  });

  it.runIf(isWhole)('is not said to have changed where the manifest did', async () => {
    const one = await declared();
    one.github.addPull(1);
    await one.change('sites/shop.yaml', '7200', '60');
    await one.job('pull-request.yml', { pull: 1, base: one.base });
    await one.change('sites/shop.yaml', 'cacheExpiration: 60', 'cacheExpiration: 61');
    const sha = await one.commit();
    one.github.merge(1, sha);
    await one.job('merge.yml', { sha, before: one.base });
    const body = bodyOf(one);
    expect(body).toContain('Something is not as it was reviewed: nothing ran.');
    expect(body).toMatch(/cacheExpiration is `?7200`? and becomes `?61`?/);
    expect(body).not.toContain('live side');
  });
});

describe.skipIf(noGit !== undefined)('by hand', () => {
  it('a branch that is not merged applies nothing, and its own guards count in no run', async () => {
    const one = await declared();
    await one.change(WORKSPACE, '  manifests: [sites]\n', '  manifests: [sites]\n  guards: { allowDeletes: 99 }\n');
    await one.change(SITES, HOSTNAMES, ONE_LESS);
    const sha = await one.commit();
    const everything = { approved: 'everything' };
    for (const file of ['merge.yml', 'resume.yml'])
      expect(await one.job(file, { sha, byHand: everything, branch: 'evil' })).toMatchObject({ result: 'skipped' });
    // Should a job of the default branch have that commit checked out all the same, the default branch decides.
    const end = await one.job('merge.yml', { sha, byHand: everything });
    expect(end, end.log).toMatchObject({ result: 'failure', outputs: { outcome: 'refused' } });
    expect(end.log).toContain('HW2202');
    expect(one.deletes()).toEqual([]);
  });
});

describe.skipIf(noGit !== undefined)('a push without a commit before it', () => {
  it.each([
    ['that began the branch', '0'.repeat(40), 'this push began the branch'],
    ['that replaced the history', 'f'.repeat(40), 'this clone has no such commit'],
  ])('%s is refused with its reason and what to do', async (_what, before, reason) => {
    const one = await declared();
    const end = await one.job('merge.yml', { sha: one.base, before });
    expect(end, end.log).toMatchObject({ result: 'failure' });
    expect(end.log).toContain(reason);
    expect(end.log).toMatch(/HW6104[^]*start the apply job by hand/);
    expect(end.outputs.reportText).toMatch(/exit code 1 \(error\)\.\s*$/);
  });
});

describe('what `init` says to do at the forge', () => {
  it.each([
    ['github', 'Deployment branches and tags'],
    ['gitlab', 'Protected environments'],
  ])(
    '%s: create the environment, restrict it to the default branch, name reviewers; the manual has the same',
    async (ci, where) => {
      const folder = await openFolder();
      const args = [
        'init',
        '--account',
        'acc-acme',
        '--api-url',
        'https://api.example.com',
        '--start',
        'empty',
        '--ci',
        ci,
      ];
      const { stderr } = await promisify(execFile)(
        process.execPath,
        [join(root, 'dist/main.js'), ...args, '--ledger', 'file', '--yes'],
        { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } },
      );
      expect(stderr).toMatch(/\(1\) create the environment `hosting`[^]*\(2\) [^]*\(3\) name /);
      expect(stderr).toContain(where);
      const manual = await readFile(join(root, 'docs/ci.md'), 'utf8');
      const section = /^## The environment\n[^]*?(?=^## )/m.exec(manual)?.[0] ?? '';
      expect(section).toMatch(/^1\. \*\*Create[^]*^2\. \*\*Restrict[^]*^3\. \*\*(?:Name|Add) reviewers/m);
      expect(manual).not.toMatch(/without reviewers and with the same secret/);
    },
  );
});
