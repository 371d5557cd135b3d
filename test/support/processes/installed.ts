// The package as a user gets it: packed by npm, installed into an empty folder, with nothing of the repository in
// reach. It has no dependencies, so nothing is fetched: npm is told to stay offline, which also proves it.
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const repository = join(import.meta.dirname, '../../..');

/** Why tests that run lines of a shell cannot run here; undefined where they can. */
export const noBash: string | undefined = (() => {
  try {
    execFileSync('bash', ['-c', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'bash is not installed';
  }
})();

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Installed {
  /** Empty but for the tarball, and for `node_modules` where it was installed. */
  readonly folder: string;
  /** Of a user who has configured nothing; with `node_modules/.bin` of the folder on the path. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs one line of bash. */
  readonly run: (
    line: string,
    options?: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
  ) => Promise<Ended>;
  readonly close: () => Promise<void>;
}

/** An empty folder with the package's tarball in it: `dist` is packed as it is. */
export async function packed(): Promise<Installed> {
  const ground = await mkdtemp(join(tmpdir(), 'hostwright-installed-'));
  const folder = join(ground, 'work');
  const home = join(ground, 'home');
  await Promise.all([mkdir(folder), mkdir(home)]);
  const npm = {
    npm_config_cache: join(ground, 'npm'),
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  // Node is found as it was started here; npm and bash as usual, but nothing that npm put on the path for its own
  // scripts.
  const path = [
    dirname(process.execPath),
    ...(process.env.PATH ?? '').split(delimiter).filter((part) => !part.includes('node_modules')),
  ];
  const env = {
    PATH: [join(folder, 'node_modules', '.bin'), ...path].join(delimiter),
    HOME: home,
    LC_ALL: 'C',
    ...npm,
  };
  await promisify(execFile)('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder, repository], {
    cwd: folder,
    env,
  });
  const run: Installed['run'] = async (line, options = {}) => {
    const child = promisify(execFile)('bash', ['-c', line], {
      cwd: options.cwd ?? folder,
      env: { ...env, ...options.env },
      maxBuffer: 64 * 1024 * 1024,
    });
    return child.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
    );
  };
  return { folder, env, run, close: () => rm(ground, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The same with the package installed. */
export async function installed(): Promise<Installed> {
  const ground = await packed();
  const [tarball] = (await readdir(ground.folder)).filter((name) => name.endsWith('.tgz'));
  // A package.json in a folder above would be taken for that of this one.
  const { code, stderr } = await ground.run(`npm install --silent --prefix . ./${tarball}`);
  if (code !== 0) throw new Error(`the package cannot be installed: ${stderr}`);
  return ground;
}
