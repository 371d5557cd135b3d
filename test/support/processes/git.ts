// Real Git for tests: a bare remote and clones of it, by a user who has configured nothing.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { memoryFolder } from '../memory-folder.ts';

/** Why tests with Git cannot run here; undefined where they can. */
export const noGit: string | undefined = (() => {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'git is not installed';
  }
})();

/** No user, no configuration, no home worth the name. */
type GitEnv = Readonly<Record<string, string | undefined>>;

export interface GitGround {
  readonly folder: string;
  readonly bare: string;
  readonly env: GitEnv;
  readonly git: (cwd: string, ...args: readonly string[]) => Promise<string>;
  readonly clone: (...options: readonly string[]) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function startGit(): Promise<GitGround> {
  const folder = await mkdtemp(join(memoryFolder, 'hostwright-git-test-'));
  const bare = join(folder, 'remote.git');
  const home = join(folder, 'home');
  await mkdir(home);
  const env = envAt(home);
  const git = (cwd: string, ...args: readonly string[]): Promise<string> => runGit(cwd, env, args);
  await makeRemote(bare);
  let count = 0;
  const clone = async (...options: readonly string[]): Promise<string> => {
    const target = join(folder, `clone-${(count += 1)}`);
    await git(folder, 'clone', '-q', ...options, `file://${bare}`, target);
    return target;
  };
  return { folder, bare, env, git, clone, close: () => rm(folder, { recursive: true, force: true }) };
}

export interface Repository {
  /** Runs Git in the folder. */
  readonly git: (...args: readonly string[]) => Promise<string>;
  /** What a session needs that looks at commits. */
  readonly programs: { readonly ledger: { readonly waitMs: 0; readonly programEnv: GitEnv } };
}

/** Makes a folder a repository, with what is in it committed on `main`. */
export async function repositoryIn(folder: string): Promise<Repository> {
  const env = envAt(folder);
  const git = (...args: readonly string[]): Promise<string> => runGit(folder, env, args);
  await git('init', '-q', '-b', 'main');
  await git('add', '.');
  await git('commit', '-q', '--allow-empty', '-m', 'base');
  return { git, programs: { ledger: { waitMs: 0, programEnv: env } } };
}

function envAt(home: string): GitEnv {
  return { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', XDG_CONFIG_HOME: home, LC_ALL: 'C' };
}

async function runGit(cwd: string, env: GitEnv, args: readonly string[]): Promise<string> {
  const by = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@a', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@a' };
  return (await promisify(execFile)('git', args, { cwd, env: { ...env, ...by } })).stdout.trim();
}

/** What `git init --bare` and two pushed commits make, `one` and `two`, without the ten processes that it takes them. */
async function makeRemote(bare: string): Promise<void> {
  const write = async (name: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(bare, name)), { recursive: true });
    await writeFile(join(bare, name), content);
  };
  const add = async (type: 'blob' | 'tree' | 'commit', content: Buffer): Promise<string> => {
    const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const id = createHash('sha1').update(object).digest('hex');
    await write(`objects/${id.slice(0, 2)}/${id.slice(2)}`, deflateSync(object));
    return id;
  };
  let head: string | undefined;
  for (const message of ['one', 'two']) {
    const blob = await add('blob', Buffer.from(`${message}\n`));
    const tree = await add('tree', Buffer.concat([Buffer.from('100644 file.txt\0'), Buffer.from(blob, 'hex')]));
    const parent = head === undefined ? '' : `parent ${head}\n`;
    const by = 'a <a@a> 1767225600 +0000';
    head = await add('commit', Buffer.from(`tree ${tree}\n${parent}author ${by}\ncommitter ${by}\n\n${message}\n`));
  }
  await mkdir(join(bare, 'hooks'), { recursive: true });
  await write('HEAD', 'ref: refs/heads/main\n');
  await write('config', '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
  await write('refs/heads/main', `${head}\n`);
}
