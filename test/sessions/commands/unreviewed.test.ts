// `guards.unreviewed: refuse`: what an option says takes the place of nobody. Tried with the built command, as an agent
// would type it, in a real Git repository, and with a terminal at which a person answers.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { stickyText } from '../../../src/forge/sticky.ts';
import { siteManifest, workspaceFile } from '../../support/manifests.ts';
import { closing } from '../../support/closing.ts';
import { openHarness } from '../../support/open-harness.ts';
import { noGit, startGit } from '../../support/processes/git.ts';
import { start } from '../../support/processes/command.ts';
import { githubToken, startGithub } from '../../support/servers/github.ts';
import { gitIn } from '../../ci/workflows.ts';
import { containing, matching } from '../../support/matchers.ts';

async function strictRepository() {
  const harness = await openHarness({
    workspace: workspaceFile('manifests: [sites], guards: { unreviewed: refuse }'),
    files: { 'sites/shop.yaml': siteManifest('shop', { caching: { cacheExpiration: 77 } }) },
  });
  const { root, sandbox, write } = harness;
  const git = await gitIn(root);
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    start(args, { cwd: root, url: sandbox.url, env }).ended;
  return {
    ...harness,
    git,
    run,
    weaken: () => write('hostwright.yaml', workspaceFile('manifests: [sites], guards: { allowDeletes: 99 }')),
  };
}

describe.skipIf(noGit !== undefined)('what nobody reviewed', () => {
  it('is refused whatever options say, with the id of the plan and the command for a person', async () => {
    const { run, writes } = await strictRepository();
    const typed = ['apply', '--yes', '--allow-deletes', '99'];
    const text = await run(typed);
    expect(text.code, text.stderr).toBe(5);
    expect(text.stdout + text.stderr).toMatch(/HW2111[^]*`hostwright apply --allow-deletes 99`[^]*Plan [0-9a-f]{64}/);
    const json = await run([...typed, '--format', 'json']);
    expect(json.code).toBe(5);
    expect(JSON.parse(json.stdout)).toMatchObject({
      outcome: 'refused',
      unreviewed: { planId: matching(/^[0-9a-f]{64}$/), command: 'hostwright apply --allow-deletes 99 --format json' },
      diagnostics: [{ code: 'HW2111' }],
    });
    expect((await run(['apply', '--approve', 'create,update'])).code).toBe(5);
    expect(writes()).toEqual([]);
  });

  it('is refused from files, which anybody can write: a plan, a comment, digests', async () => {
    const { run, root, writes } = await strictRepository();
    expect((await run(['plan', '--out', 'plan.json', '--report', 'markdown=plan.md'])).code).toBe(0);
    const { actions } = JSON.parse(await readFile(join(root, 'plan.json'), 'utf8')) as Plan;
    for (const args of [
      ['apply', 'plan.json'],
      ['apply', '--expect', 'plan.md'],
      ['apply', '--expect', actions.map(({ digest }) => digest).join(',')],
    ])
      expect(await run(args), args.join(' ')).toMatchObject({ code: 5, stderr: containing('HW2111') });
    expect(writes()).toEqual([]);
    // What is in flight was begun by a run that was allowed to, and there is none.
    expect((await run(['apply', '--resume'])).code).toBe(0);
  });

  it('is refused although the workspace file was edited: the last commit says it, and so does the remote', async () => {
    const { run, git, weaken, writes } = await strictRepository();
    await weaken();
    expect((await run(['apply', '--yes'])).code).toBe(5);
    await git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    await git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    await git('commit', '-q', '-a', '-m', 'weaker');
    expect((await run(['apply', '--yes'])).code).toBe(5);
    expect((await run(['apply', '--yes', '--guards-from', 'HEAD'])).code).toBe(5);
    expect(writes()).toEqual([]);
    await git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const allowed = await run(['apply', '--yes']);
    expect(allowed.code, allowed.stderr).toBe(0);
    expect(writes()).toHaveLength(1);
  });

  it('is refused although refs of the clone were rewritten: the remote is asked, and answers also for what is not fetched', async () => {
    const { run, git, weaken, writes } = await strictRepository();
    const ground = closing(await startGit());
    await git('remote', 'add', 'origin', `file://${ground.bare}`);
    await git('push', '-q', '--force', 'origin', 'HEAD:main');
    await git('fetch', '-q', 'origin');
    await git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    await weaken();
    await git('commit', '-q', '-a', '-m', 'weaker');
    await git('update-ref', 'refs/remotes/origin/HEAD', 'HEAD');
    expect(await run(['apply', '--yes'])).toMatchObject({ code: 5, stderr: containing('HW2111') });
    expect(await run(['run', 'purge', 'Site/shop', '--yes'])).toMatchObject({ code: 5, stderr: containing('HW2112') });
    // Another clone pushes a commit that this one does not have.
    const other = await ground.clone();
    await ground.git(
      other,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@a',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'newer',
    );
    await ground.git(other, 'push', '-q', 'origin', 'HEAD:main');
    expect(await run(['apply', '--yes'])).toMatchObject({ code: 5 });
    expect(writes()).toEqual([]);
    await git('push', '-q', '--force', 'origin', 'HEAD:main');
    expect(await run(['apply', '--yes'])).toMatchObject({ code: 0 });
  });

  describe('where no file is known to have the setting', () => {
    const allowed = async () => {
      const one = await strictRepository();
      await one.weaken();
      await one.git('commit', '-q', '-a', '-m', 'weaker');
      return one;
    };
    /** Each makes the guards of another commit unreadable, and names what the message says. */
    const UNREADABLE: readonly (readonly [
      string,
      RegExp,
      (one: Awaited<ReturnType<typeof allowed>>) => Promise<Record<string, string> | undefined>,
    ])[] = [
      [
        'the workspace file of the last commit is not valid',
        /hostwright\.yaml at HEAD is not valid/,
        async ({ git, write, weaken }) => {
          await write('hostwright.yaml', workspaceFile('manifests: [sites], guards: { unreviewed: perhaps }'));
          await git('commit', '-q', '-a', '-m', 'broken');
          await weaken();
          return undefined;
        },
      ],
      [
        'the remote does not answer and the clone has no ref of it',
        /git ls-remote said/,
        async ({ git }) => {
          await git('remote', 'add', 'origin', 'file:///nowhere/at/all');
          return undefined;
        },
      ],
      [
        'the configuration of the repository includes a file of the checkout',
        /is not used/,
        async ({ git, write }) => {
          await write('included', '[user]\n\tname = x\n');
          await git('config', 'include.path', '../included');
          return undefined;
        },
      ],
      ['Git cannot be started', /git could not be started/, () => Promise.resolve({ PATH: '/nowhere' })],
    ];

    it.each(UNREADABLE)('is refused: %s', async (_, reason, prepare) => {
      const one = await allowed();
      const env = (await prepare(one)) ?? {};
      for (const [args, code] of [
        [['apply', '--yes'], 'HW2111'],
        [['run', 'purge', 'Site/shop', '--yes'], 'HW2112'],
      ] as const) {
        const ended = await one.run(args, env);
        expect(ended, ended.stderr).toMatchObject({ code: 5, stderr: containing(code) });
        expect(ended.stderr.replace(/\s+/g, ' ')).toMatch(reason);
      }
      expect(one.writes()).toEqual([]);
    });

    it('counts what the refs of the clone say about a remote that does not answer', async () => {
      const one = await allowed();
      await one.git('remote', 'add', 'origin', 'file:///nowhere/at/all');
      const strict = await one.git('rev-parse', 'HEAD~1');
      await one.git('update-ref', 'refs/remotes/origin/main', strict);
      expect(await one.run(['apply', '--yes'])).toMatchObject({ code: 5, stderr: containing('HW2111') });
      await one.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
      expect(await one.run(['apply', '--yes'])).toMatchObject({ code: 0 });
    });

    it('is not refused in a repository without commits and without a remote, nor before the first push', async () => {
      const one = await allowed();
      const ground = closing(await startGit());
      const empty = join(one.root, '..', `${basename(one.root)}-empty.git`);
      await ground.git(one.root, 'init', '-q', '--bare', empty);
      await one.git('remote', 'add', 'origin', `file://${empty}`);
      expect(await one.run(['apply', '--yes'])).toMatchObject({ code: 0 });
    });
  });

  it('is refused where a forge is named that reports no approval, although no file has the setting', async () => {
    const { run, git, weaken, writes } = await strictRepository();
    await weaken();
    await git('commit', '-q', '-a', '-m', 'weaker');
    await run(['plan', '--report', 'markdown=plan.md']);
    const apply = ['apply', '--expect', 'plan.md', '--approved-by', 'github'];
    expect(await run(apply)).toMatchObject({ code: 5, stderr: containing('cannot be asked') });
    expect(writes()).toEqual([]);
  });

  it('is refused where the commit of --guards-from says it', async () => {
    const { run, git, weaken, writes } = await strictRepository();
    const strict = await git('rev-parse', 'HEAD');
    await weaken();
    await git('commit', '-q', '-a', '-m', 'weaker');
    expect((await run(['apply', '--yes', '--guards-from', strict])).code).toBe(5);
    expect(writes()).toEqual([]);
  });

  it('is refused of commands that act at once', async () => {
    const { run, writes } = await strictRepository();
    for (const args of [
      ['run', 'purge', 'Site/shop', '--yes'],
      ['run', 'restart', 'Site/shop', '--yes'],
      ['run', 'cancel', 'Order/order-1', '--yes'],
    ])
      expect(await run(args), args.join(' ')).toMatchObject({ code: 5, stderr: matching(/HW2112/) });
    const json = await run(['run', 'purge', 'Site/shop', '--yes', '--format', 'json']);
    expect(json.code).toBe(5);
    expect(json.stdout).toContain('`hostwright run purge Site/shop --format json`');
    expect(writes()).toEqual([]);
  });

  it('is refused in a fleet, account by account', async () => {
    const { run, writes } = await strictRepository();
    const ended = await run(['fleet', 'apply', '.', '--yes']);
    expect(ended.code, ended.stderr).toBe(5);
    expect(ended.stdout).toMatch(/HW2111/);
    expect(writes()).toEqual([]);
  });

  it('runs where the forge itself says that a review approves it, and by no other word of the forge', async () => {
    const { run, root, git, writes } = await strictRepository();
    const github = closing(await startGithub());
    const sha = await git('rev-parse', 'HEAD');
    await run(['plan', '--report', 'markdown=plan.md']);
    const job = {
      GITHUB_API_URL: github.url,
      GITHUB_TOKEN: githubToken,
      GITHUB_REPOSITORY: 'acme/hosting',
      GITHUB_SHA: sha,
      GITHUB_REF_NAME: 'main',
    };
    const apply = ['apply', '--expect', 'plan.md', '--approved-by', 'github'];
    expect(await run(apply)).toMatchObject({ code: 5, stderr: containing('cannot be asked') });
    github.addPull(1);
    github.merge(1, sha);
    expect(await run(apply, job)).toMatchObject({
      code: 5,
      stderr: matching(/GitHub says of no review that it approves[^]*no comment with a plan/),
    });
    expect(await run(['apply', '--yes', '--approved-by', 'github'], job)).toMatchObject({ code: 1 });
    expect(writes()).toEqual([]);

    github.addPull(2);
    const report = await readFile(join(root, 'plan.md'), 'utf8');
    const text = stickyText(report, { what: 'plan', key: 'main', outcome: 'differences' }) ?? '';
    github.say(2, 'github-actions[bot]', text);
    await git('commit', '-q', '--allow-empty', '-m', 'merged');
    const merged = await git('rev-parse', 'HEAD');
    github.merge(2, merged);
    const applied = await run(apply, { ...job, GITHUB_SHA: merged });
    expect(applied.code, applied.stderr).toBe(0);
    expect(writes()).toHaveLength(1);
  });

  it('runs where a person was asked and said yes; that it was agreed to in another way is not enough', async () => {
    const { apply, writes } = await strictRepository();
    const asked: boolean[] = [];
    const say =
      (word: boolean | 'asked') =>
      (_plan: Plan, { mustAsk }: { readonly mustAsk: boolean }) => {
        asked.push(mustAsk);
        return Promise.resolve(word);
      };
    expect((await apply({ confirm: say(true) })).outcome).toMatchObject({
      outcome: 'refused',
      diagnostics: [{ code: 'HW2111' }],
    });
    expect((await apply({ confirm: say(false) })).outcome).toMatchObject({
      outcome: 'refused',
      diagnostics: [{ code: 'HW6102' }],
    });
    expect(writes()).toEqual([]);
    expect((await apply({ confirm: say('asked') })).outcome.outcome).toBe('done');
    expect(writes()).toHaveLength(1);
    expect(asked).toEqual([true, true, true]);
  });

  it('is told where the setting has a word that it does not know', async () => {
    const { run, write } = await strictRepository();
    await write('hostwright.yaml', workspaceFile('manifests: [sites], guards: { unreviewed: never }'));
    expect(await run(['apply', '--yes'])).toMatchObject({
      code: 1,
      stderr: matching(/hostwright\.yaml:3:\d+[^]*refuse/),
    });
  });
});
