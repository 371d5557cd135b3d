// `plan --changed-since` where nothing changed: Git says so, and no manifest is read. What Git does not see, or is told
// not to, is no proof.
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planWorkspace } from '../../../src/usecases/plan/plan.ts';
import type { PlanResult } from '../../../src/usecases/plan/plan.ts';
import { start } from '../../support/processes/command.ts';
import { noGit, repositoryIn } from '../../support/processes/git.ts';
import { manifest, siteManifest, workspaceFile } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';
import { matching } from '../../support/matchers.ts';

const caching = (name: string, cacheExpiration: number): string => siteManifest(name, { caching: { cacheExpiration } });
const WORKSPACE = workspaceFile('manifests: [sites], shared: [../shared]');

/** A workspace below the top of a repository, committed. */
async function begin() {
  const one = await openHarness({
    scenario: 'sites:2',
    files: {
      '.gitignore': 'ignored.yaml\n.hostwright/\n',
      'shared/profiles.yaml': manifest('SiteProfile', 'quick', { caching: { smartCache: true } }),
      'acme/hostwright.yaml': WORKSPACE,
      'acme/sites/a.yaml': caching('s00001', 61),
      'acme/sites/b.yaml': caching('s00002', 62),
      'acme/sites/README.md': 'Sites.\n',
    },
  });
  const { git, programs } = await repositoryIn(one.root);
  const how = { cwd: join(one.root, 'acme'), ...programs };
  return {
    ...one,
    git,
    how,
    /** What comes of it, however Git is asked. */
    since: async (paths: readonly string[] = []) => {
      const result = await one.plan({ changedSince: 'HEAD', paths }, how);
      expect(said(await one.plan({ changedSince: 'HEAD', paths }, { ...how, alone: true }))).toBe(said(result));
      return result;
    },
  };
}

const said = ({ partRead, diagnostics }: PlanResult): string =>
  partRead?.detail ?? diagnostics.map(({ detail }) => detail).join('\n');
const NONE = /^Looked at none of (\d+) files: Git shows that none changed since `HEAD`/;

describe.skipIf(noGit !== undefined)('where nothing changed', () => {
  it('nothing is sent, and the plan is the one that comparing all manifests gives', async () => {
    const one = await begin();
    const from = one.sandbox.requests.length;
    const quick = await one.since();
    expect(said(quick).match(NONE)?.[1]).toBe('3');
    const slow = await planWorkspace(one.session(one.how), { paths: [], targets: [], changedSince: 'HEAD' });
    expect(one.sandbox.requests.length).toBe(from);
    const { planId: _id, notices: _notices, ...plan } = slow.plan ?? {};
    expect(quick).toMatchObject({ plan, guardCheck: slow.guardCheck, requests: 0, diagnostics: [] });
    await one.write('acme/sites/README.md', 'Our sites.\n');
    await one.write('other.yaml', 'of: nobody\n');
    for (const paths of [[], ['sites'], ['sites/a.yaml']]) expect(said(await one.since(paths))).toMatch(NONE);
  });

  it('what the ledger knows and no manifest names is not looked for, with a changed comment as without', async () => {
    const one = await begin();
    await one.apply({}, one.how);
    await rm(join(one.root, 'acme/sites/b.yaml'));
    await one.git('commit', '-q', '-a', '-m', 'without one');
    const { plan: whole } = await one.plan({}, one.how);
    expect(whole?.orphaned?.map(({ collection }) => collection)).toEqual(['Site/s00002']);
    const from = one.sandbox.requests.length;
    const quick = await one.since();
    expect(said(quick)).toMatch(NONE);
    await one.write('acme/sites/a.yaml', `# ours\n${caching('s00001', 61)}`);
    const slow = await one.since();
    expect(said(slow)).toMatch(/^No manifest of 1 says anything else/);
    expect(one.sandbox.requests.length).toBe(from);
    for (const { plan } of [quick, slow])
      expect(plan).toMatchObject({ actions: [], covers: { targets: [], read: [] } });
    expect([quick.plan?.orphaned, slow.plan?.orphaned]).toEqual([undefined, undefined]);
  });

  it('a typing error in a path is told', async () => {
    const one = await begin();
    for (const name of ['stes', 'stes/*.yaml'])
      expect((await one.since([name])).diagnostics.map(({ severity }) => severity)).toEqual(['error']);
  });

  it('whatever Git does not look at is no proof', async () => {
    const one = await begin();
    const write = (file: string) => () => one.write(file, caching('s00001', 99));
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      'a manifest': write('acme/sites/a.yaml'),
      'a manifest in the index alone': async () => {
        await write('acme/sites/a.yaml')();
        await one.git('add', '.');
        await one.write('acme/sites/a.yaml', caching('s00001', 61));
        await one.git('rm', '-q', '--cached', 'acme/sites/b.yaml');
      },
      'a new one': write('acme/sites/more/new.yaml'),
      'a new one that Git ignores': write('acme/sites/ignored.yaml'),
      'one that is gone': () => rm(join(one.root, 'acme/sites/b.yaml')),
      'a profile in a shared folder': () => one.write('shared/more.yaml', '# nothing\n'),
      'the workspace file': () => one.write('acme/hostwright.yaml', `${WORKSPACE}# once more\n`),
      'one that Git was told to take as it was': async () => {
        await one.git('update-index', '--assume-unchanged', 'acme/sites/a.yaml');
        await write('acme/sites/a.yaml')();
      },
      'one that Git does not check out': async () => {
        await one.git('update-index', '--skip-worktree', 'acme/sites/a.yaml');
        await write('acme/sites/a.yaml')();
      },
      'a link to a folder': async () => {
        await write('acme/elsewhere/new.yaml')();
        await symlink('../elsewhere', join(one.root, 'acme/sites/link'));
      },
      'a folder that becomes a link': async () => {
        await one.git('mv', 'acme/sites', 'acme/real');
        await symlink('real', join(one.root, 'acme/sites'));
      },
      'a repository in it': async () => {
        await mkdir(join(one.root, 'acme/sites/inner'));
        await one.git('-C', 'acme/sites/inner', 'init', '-q');
        await write('acme/sites/inner/new.yaml')();
      },
    };
    for (const [what, change] of Object.entries(changes)) {
      await change();
      expect([what, said(await one.since())]).not.toEqual([what, matching(NONE)]);
      for (const flag of ['--no-assume-unchanged', '--no-skip-worktree'])
        await one.git('update-index', flag, 'acme/sites/a.yaml').catch(() => '');
      await one.git('reset', '-q', '--hard');
      await one.git('clean', '-q', '-f', '-f', '-d', '-x');
      expect([what, said(await one.since())]).toEqual([what, matching(NONE)]);
    }
  });
});

describe.skipIf(noGit !== undefined)('the built command where nothing changed', () => {
  /** What each way of asking Git is without. */
  const PRELOADED = {
    'standing.cjs': "require('node:child_process').spawn = () => { throw new Error('it did not stand still'); };\n",
    'going-on.cjs': "require('node:child_process').spawnSync = () => ({ status: 1 });\n",
  };

  it.each(['human', 'json', 'markdown', 'github'])(
    'stands still while Git looks, and says the same as where it does not (%s)',
    async (format) => {
      const one = await begin();
      for (const [file, text] of Object.entries(PRELOADED)) await one.write(file, text);
      const run = (file: string) =>
        start(['plan', '--changed-since', 'HEAD', '--detailed-exitcode', '--format', format], {
          cwd: one.how.cwd,
          url: one.sandbox.url,
          env: { NODE_OPTIONS: `--require=${join(one.root, file)}` },
        }).ended;
      const goingOn = await run('going-on.cjs');
      expect(goingOn).toMatchObject({ code: 0, stdout: expect.stringMatching(/since .HEAD/) as string });
      // A job hears signals from its beginning on, so it goes on.
      if (format !== 'github') expect(await run('standing.cjs')).toEqual(goingOn);
    },
  );
});
