// Whose guards count: a pull request can change the workspace file, so a job may take the guards from the branch that
// it is to be merged into.
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../support/processes/command.ts';
import { noGit, startGit } from '../../support/processes/git.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { siteManifest, workspaceFile } from '../../support/manifests.ts';

const workspace = (guards: string): string => workspaceFile(`manifests: [sites]${guards}`);
// The site has another hostname; it goes when unlisted ones may.
const site = siteManifest('shop', {
  domains: ['shop.example.com'],
  primaryDomain: 'shop.example.com',
  unlisted: { domains: 'remove' },
});

/** A repository whose branch `main` says one thing and whose work tree another. */
async function begin(
  onMain: string | undefined,
  here: string,
): Promise<{
  readonly one: Harness;
  readonly git: (...args: readonly string[]) => Promise<string>;
  readonly apply: (...args: readonly string[]) => Promise<{ readonly code: number | null; readonly text: string }>;
}> {
  const ground = await startGit();
  onTestFinished(ground.close);
  const one = await openHarness({ workspace: workspace(onMain ?? ''), files: { 'sites/shop.json': site } });
  const { git: run, env } = ground;
  const git = (...args: readonly string[]): Promise<string> => run(one.root, ...args);
  await git('init', '-q', '-b', 'main');
  await git('add', onMain === undefined ? 'sites' : '.');
  await git('commit', '-q', '-m', 'base');
  await one.write('hostwright.yaml', workspace(here));
  const apply = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(['apply', '--yes', ...args], {
      cwd: one.root,
      url: one.sandbox.url,
      env: { PATH: env.PATH ?? '' },
    });
    return { code, text: stdout + stderr };
  };
  return { one, git, apply };
}

const writes = ({ sandbox }: Harness): number => sandbox.requests.filter(({ method }) => method !== 'GET').length;

describe.skipIf(noGit !== undefined)('guards from another commit', () => {
  it('count, whatever the branch gave itself; the refusal says what would allow it', async () => {
    const { one, apply } = await begin(', guards: { allowDeletes: 0 }', ', guards: { allowDeletes: 9 }');
    const refused = await apply('--guards-from', 'main');
    expect(refused.code).toBe(5);
    for (const word of ['HW2202', '--allow-deletes 1', 'HW6105', 'is 0 at `main` and 9 here'])
      expect(refused.text).toContain(word);
    expect(writes(one)).toBe(0);
    // Whoever runs the job decides, not who wrote the branch.
    expect((await apply('--guards-from', 'main', '--allow-deletes', '1')).code).toBe(0);
  });

  it('let through what they allow although the branch says less, and are not told when they are the same', async () => {
    const { apply, git, one } = await begin(', guards: { allowDeletes: 3 }', '');
    expect((await apply()).code).toBe(5);
    await git('checkout', '-q', '--', 'hostwright.yaml');
    const { code, text } = await apply('--guards-from', 'HEAD');
    expect([code, text.includes('HW6105')]).toEqual([0, false]);
    expect(writes(one)).toBeGreaterThan(0);
  });

  it('are none where that commit has no workspace file', async () => {
    const { apply, one } = await begin(undefined, ', guards: { allowDeletes: 9 }');
    expect((await apply('--guards-from', 'main')).code).toBe(5);
    expect(writes(one)).toBe(0);
  });

  it.each(['no-such-branch', '--output=owned', 'main:hostwright.yaml', ''])(
    'that cannot be read (%o) stop the run before anything is sent; an empty name is none',
    async (ref) => {
      const { apply, git, one } = await begin(', guards: { allowDeletes: 0 }', ', guards: { allowDeletes: 0 }');
      const { code, text } = await apply(`--guards-from=${ref}`);
      expect(code).toBe(ref === '' ? 5 : 1);
      if (ref !== '') expect(text).toContain('HW6104');
      expect(writes(one)).toBe(0);
      if (ref !== 'no-such-branch') return;
      await git('branch', ref);
      expect((await apply(`--guards-from=${ref}`)).text).not.toContain('HW6104');
    },
  );

  it('that are broken there are no guards to rely on', async () => {
    const { apply, git, one } = await begin(', guards: { allowDeletes: many }', '');
    const { code, text } = await apply('--guards-from', 'main');
    expect([code, text.includes('HW1203') || text.includes('hostwright.yaml at main')]).toEqual([1, true]);
    expect(one.sandbox.requests).toEqual([]);
    expect(await git('status', '--porcelain')).toContain('hostwright.yaml');
  });
});
