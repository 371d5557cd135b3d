// What `npm run release` made, for tests of it, which take minutes to prepare: `npm run test:all -- --only release` makes it
// and runs them.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Ended } from '../support/processes/installed.ts';

export const root = join(import.meta.dirname, '../..');
export const release = join(root, 'release');
export const version = '0.1.0';

/** The platform of this machine, as archives name it. */
export const here = `${platform()}_${arch() === 'x64' ? 'amd64' : arch()}`;
export const executableOf = (known: string): string => join(release, 'executables', known, 'hostwright');
export const executable = executableOf(here);

/** Why nothing of a release can be tried; undefined where it can. */
export const noRelease: string | undefined =
  process.env.HOSTWRIGHT_RELEASE === 'made' ? undefined : 'only `npm run test:all -- --only release` makes one';

if (noRelease !== undefined) process.stderr.write(`tests of a release are skipped: ${noRelease}\n`);

export interface Bare {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: (
    program: string,
    args?: readonly string[],
    more?: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
  ) => Promise<Ended>;
  readonly close: () => Promise<void>;
}

/** A user of a machine without Node.js: of what is on our path they have these programs, and nothing else. */
export async function openBare(names: readonly string[]): Promise<Bare> {
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-bare-'));
  const [path, home] = [join(folder, 'bin'), join(folder, 'home')];
  await Promise.all([mkdir(path), mkdir(home)]);
  for (const name of names) {
    const found = whereIs(name);
    if (found !== undefined) await symlink(found, join(path, name));
  }
  const env = { PATH: path, HOME: home, LANG: 'C.UTF-8', CHECKPOINT_DISABLE: '1' };
  return {
    folder,
    env,
    run: (program, args = [], { cwd = folder, env: more = {} } = {}) =>
      new Promise((resolve) => {
        execFile(program, args, { cwd, env: { ...env, ...more }, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr }),
        );
      }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Where a program is on the path of this process. */
export function whereIs(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((part) => join(part, name))
    .find((file) => existsSync(file));
}
