// The files for CI that a new workspace gets: those of `examples/ci`, with the account, the folder of the workspace and
// the way in which the package is installed filled in, so that nobody has to edit them.
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { NewFile } from '../../../workflow/init.ts';
import { readPackageFile } from '../../package-files.ts';

export type Ci = 'github' | 'gitlab' | 'shell' | 'none';

/** Files of `examples/ci`. `file` is what each is called in a repository. */
const CI_FILES: Readonly<Record<Ci, readonly { readonly from: string; readonly file: string }[]>> = {
  github: ['pull-request', 'merge', 'drift', 'resume'].map((name) => ({ from: `github/${name}.yml`, file: name })),
  gitlab: [{ from: 'gitlab/hostwright.gitlab-ci.yml', file: 'hostwright.gitlab-ci.yml' }],
  shell: [{ from: 'shell/hostwright.sh', file: 'ci/hostwright.sh' }],
  none: [],
};
/** What GitLab starts from; left alone where there is one. */
const GITLAB_START: NewFile = { file: '.gitlab-ci.yml', text: 'include:\n  - local: hostwright.gitlab-ci.yml\n' };

const LOCKFILE = 'package-lock.json';
const NPMRC = '.npmrc';

/** Where a workspace lies in its repository, and how the package is installed there. */
export interface RepositoryPlace {
  /** The root of the repository, absolute. */
  readonly root: string;
  /** The workspace's folder, seen from the root of the repository, such as `accounts/stage`. Empty: the root itself. */
  readonly folder: string;
  /** The folder whose lockfile names this package, seen from the root. Absent: there is none. */
  readonly lockfile?: string;
  /** Folders that other workspaces read too, seen from the root. */
  readonly shared: readonly string[];
  /** The environment variables that `.npmrc` takes credentials of a private registry from. */
  readonly registryVariables: readonly string[];
}

const SHARED = 'shared';

/**
 * Looks for the repository that a folder is in. Outside of one, the folder counts as the root.
 *
 * @param shared - Folders that the workspace shares, seen from it. Absent, for a new one: `shared` at the root, if it
 * is there.
 */
export async function placeInRepository(folder: string, shared?: readonly string[]): Promise<RepositoryPlace> {
  const root = (await upward(folder, (at) => exists(join(at, '.git')))) ?? folder;
  const lockfile = await upward(folder, async (at) => isWithin(root, at) && namesPackage(join(at, LOCKFILE)));
  const settings = await Promise.all([root, lockfile ?? root].map((at) => textOf(join(at, NPMRC))));
  const usual = root !== folder && (await exists(join(root, SHARED))) ? [join(root, SHARED)] : [];
  const variables = settings.flatMap((text) => [...text.matchAll(/\$\{([A-Za-z_]\w*)\}/g)].map(([, name]) => name));
  return {
    root,
    folder: relativeTo(root, folder),
    ...(lockfile !== undefined && { lockfile: relativeTo(root, lockfile) }),
    shared: (shared?.map((one) => resolve(folder, one)) ?? usual).map((one) => relativeTo(root, one)),
    registryVariables: [...new Set(variables)].filter((name) => name !== undefined).sort(),
  };
}

/** The files for one CI. Their paths are seen from the workspace's folder. */
export async function ciFiles(ci: Ci, account: string, place: RepositoryPlace): Promise<readonly NewFile[]> {
  const files = await Promise.all(
    CI_FILES[ci].map(async ({ from, file }) => {
      const text = (await readPackageFile(`examples/ci/${from}`)).replaceAll(/\bACCOUNT\b/g, nameOf(account));
      return ci === 'github' ? workflow(file, text, account, place) : { file, text };
    }),
  );
  return ci === 'gitlab' ? [...files, GITLAB_START] : files;
}

/** The names of what GitHub keeps for the account: the secret that plans read with, and the environment of releases. */
export function githubNames(account: string, { folder }: RepositoryPlace): { readToken: string; environment: string } {
  if (folder === '') return { readToken: 'HOSTWRIGHT_READ_TOKEN', environment: 'hosting' };
  return {
    readToken: `HOSTWRIGHT_READ_TOKEN_${account.replaceAll(/\W/g, '_').toUpperCase()}`,
    environment: `hosting-${nameOf(account)}`,
  };
}

/** From the workspace's folder to the root of the repository. */
export function upFrom({ folder }: Pick<RepositoryPlace, 'folder'>): string {
  return folder === '' ? '' : '../'.repeat(folder.split('/').length);
}

/** GitHub reads workflows at the root of the repository only; those of several accounts stand beside each other. */
function workflow(name: string, text: string, account: string, place: RepositoryPlace): NewFile {
  const { folder, lockfile, registryVariables } = place;
  const { readToken, environment } = githubNames(account, place);
  const own = folder === '' ? '' : `${folder.replaceAll(/[^A-Za-z0-9_-]/g, '-')}-`;
  const env = registryVariables.map((variable) => `          ${variable}: \${{ secrets.${variable} }}\n`).join('');
  const install =
    (lockfile === undefined
      ? /^ {6}- run: npm install .*\n/m.exec(text)?.[0]
      : `      - run: npm ci --ignore-scripts --no-audit --no-fund\n${lockfile === '' ? '' : `        working-directory: ${lockfile}\n`}`) +
    (env === '' ? '' : `        env:\n${env}`);
  const installed = lockfile === undefined || lockfile === '' ? '' : `${lockfile}/`;
  const filled = text
    .replace(' Copy to .github/workflows/.', '')
    .replace(/^ {6}- run: npm install .*\n/m, () => install)
    .replace('uses: ./node_modules/hostwright', `uses: ./${installed}node_modules/hostwright`)
    .replaceAll('HOSTWRIGHT_READ_TOKEN', readToken)
    .replace('environment: hosting', `environment: ${environment}`);
  return {
    file: `${upFrom(place)}.github/workflows/hostwright-${own}${name}.yml`,
    text: folder === '' ? filled : forFolder(filled, place),
  };
}

function forFolder(text: string, { folder, shared }: RepositoryPlace): string {
  const paths = `    paths: [${[folder, ...shared].map((one) => JSON.stringify(`${one}/**`)).join(', ')}]\n`;
  return text
    .replace(/^name: (.*)$/m, `name: $1 (${folder})`)
    .replace(/^( {8}with:\n {10}mode: .*\n)/m, `$1          workspace: ${JSON.stringify(folder)}\n`)
    .replace('  pull_request:\n', `  pull_request:\n${paths}`)
    .replace('    branches: [main]\n', `    branches: [main]\n${paths}`);
}

/** An account as part of a name: GitLab takes no dots and colons there. */
function nameOf(account: string): string {
  return account.replaceAll(/[^A-Za-z0-9_-]/g, '-');
}

async function upward(folder: string, isIt: (at: string) => Promise<boolean>): Promise<string | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (await isIt(at)) return at;
    if (dirname(at) === at) return undefined;
  }
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function namesPackage(lockfile: string): Promise<boolean> {
  return (await textOf(lockfile)).includes('"node_modules/hostwright"');
}

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

function isWithin(root: string, folder: string): boolean {
  return !relative(root, folder).startsWith('..');
}

function relativeTo(root: string, folder: string): string {
  return relative(root, resolve(folder)).split(sep).join('/');
}
