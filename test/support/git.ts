// Real Git for tests: a bare remote and clones of it, by a user who has configured nothing.
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { memoryFolder } from './memory-folder.ts';

/** Why tests with Git cannot run here; undefined where they can. */
export const noGit: string | undefined = (() => {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'git is not installed';
  }
})();

export interface GitGround {
  readonly folder: string;
  readonly bare: string;
  /** No user, no configuration, no home worth the name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly git: (cwd: string, ...args: readonly string[]) => Promise<string>;
  readonly clone: (...options: readonly string[]) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function startGit(): Promise<GitGround> {
  const folder = await mkdtemp(join(memoryFolder, 'hostwright-git-test-'));
  const bare = join(folder, 'remote.git');
  const home = join(folder, 'home');
  await mkdir(home);
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', XDG_CONFIG_HOME: home, LC_ALL: 'C' };
  const git = async (cwd: string, ...args: readonly string[]): Promise<string> =>
    (
      await promisify(execFile)('git', args, {
        cwd,
        env: {
          ...env,
          GIT_AUTHOR_NAME: 'a',
          GIT_AUTHOR_EMAIL: 'a@a',
          GIT_COMMITTER_NAME: 'a',
          GIT_COMMITTER_EMAIL: 'a@a',
        },
      })
    ).stdout.trim();
  await git(folder, 'init', '-q', '--bare', '-b', 'main', bare);
  const seed = join(folder, 'seed');
  await git(folder, 'clone', '-q', bare, seed);
  for (const text of ['one\n', 'two\n']) {
    await writeFile(join(seed, 'file.txt'), text);
    await git(seed, 'add', '.');
    await git(seed, 'commit', '-q', '-m', text.trim());
  }
  await git(seed, 'push', '-q', 'origin', 'HEAD:refs/heads/main');
  let count = 0;
  const clone = async (...options: readonly string[]): Promise<string> => {
    const target = join(folder, `clone-${(count += 1)}`);
    await git(folder, 'clone', '-q', ...options, `file://${bare}`, target);
    return target;
  };
  return { folder, bare, env, git, clone, close: () => rm(folder, { recursive: true, force: true }) };
}
