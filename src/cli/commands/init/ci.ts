// The files for CI that a new workspace gets: those of `examples/ci`, with the account, the folder of the workspace and
// the way in which the package is installed filled in, so that nobody has to edit them.
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { cronOf } from '../../../worker/schedule.ts';
import type { NewFile } from '../../../usecases/init.ts';
import { readPackageFile } from '../../../library/package-files.ts';

export type Ci = 'github' | 'gitlab' | 'shell' | 'none';

/** Files of `examples/ci`. `file` is what each is called in a repository. */
const CI_FILES: Readonly<Record<Ci, readonly { readonly from: string; readonly file: string }[]>> = {
  github: ['pull-request', 'merge', 'drift', 'resume'].map((name) => ({ from: `github/${name}.yml`, file: name })),
  gitlab: [{ from: 'gitlab/hostwright.gitlab-ci.yml', file: 'hostwright' }],
  shell: [{ from: 'shell/hostwright.sh', file: 'ci/hostwright.sh' }],
  none: [],
};
/** Includes the generated pipelines, also those of accounts that are added later. */
const GITLAB_START = "include:\n  - local: '/.gitlab/hostwright/*.yml'\n";

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
export async function ciFiles(
  ci: Ci,
  account: string,
  place: RepositoryPlace,
  { isProgram = false }: { readonly isProgram?: boolean } = {},
): Promise<readonly NewFile[]> {
  return Promise.all(
    CI_FILES[ci].map(async ({ from, file }) => {
      const text = (await readPackageFile(`examples/ci/${from}`)).replaceAll(/\bACCOUNT\b/g, nameOf(account));
      if (ci === 'gitlab') return pipeline(isProgram ? withSynthOnGitlab(text, place) : text, account, place);
      if (ci !== 'github') return { file, text: isProgram ? withSynthInShell(text) : text };
      const made = workflow(file, text, account, place);
      return isProgram && file === 'pull-request' ? { ...made, text: withSynth(made.text, place) } : made;
    }),
  );
}

/** The names of what a forge keeps for the account: the secret that plans read with, and the environment of releases. */
export function forgeNames(account: string, { folder }: RepositoryPlace): { readToken: string; environment: string } {
  if (folder === '') return { readToken: 'HOSTWRIGHT_READ_TOKEN', environment: 'hosting' };
  return {
    readToken: `HOSTWRIGHT_READ_TOKEN_${account.replaceAll(/\W/g, '_').toUpperCase()}`,
    environment: `hosting-${nameOf(account)}`,
  };
}

/** What has to be set, with what helps where a repository has many accounts: GitHub holds 100 secrets for one. */
export function hintOf({ folder }: RepositoryPlace, hint: string | undefined): string | undefined {
  if (folder === '' || hint === undefined) return hint;
  return `${hint} With many accounts, let one command give all tokens: \`credentialEntry\` in hostwright.yaml (docs/credentials.md).`;
}

/** Files that a CI needs and that the user edits: they are written once and never updated. */
export function starterFiles(ci: Ci, place: RepositoryPlace, version: string): readonly NewFile[] {
  const start = { file: `${upFrom(place)}.gitlab-ci.yml`, text: GITLAB_START };
  return [...(ci === 'gitlab' ? [start] : []), ...packageFile(ci, place, version)];
}

/**
 * The one place that names the version, at the root of the repository: what every job installs, and what one commit
 * upgrades. None where a lockfile names it already, or the CI brings the program itself.
 */
function packageFile(ci: Ci, place: RepositoryPlace, version: string): readonly NewFile[] {
  if (place.lockfile !== undefined || ci === 'none' || ci === 'shell') return [];
  const text = JSON.stringify({ private: true, devDependencies: { hostwright: version } }, undefined, 2);
  return [{ file: `${upFrom(place)}package.json`, text: `${text}\n` }];
}

/** What makes the lockfile, which a job takes the package from by its checksum. Absent: there is one. */
export function lockCommand(ci: Ci, place: RepositoryPlace, version: string): string | undefined {
  if (packageFile(ci, place, version).length === 0) return undefined;
  const prefix = place.folder === '' ? '' : ` --prefix ${upFrom(place).slice(0, -1)}`;
  return `npm install${prefix} --save-dev --save-exact hostwright@${version}`;
}

/** As the lockfile says, and until there is one, as `package.json` does. */
function installLine({ lockfile }: RepositoryPlace): string {
  return `npm ${lockfile === undefined ? 'install --no-save' : 'ci'} --ignore-scripts --no-audit --no-fund`;
}

/** From the workspace's folder to the root of the repository. */
export function upFrom({ folder }: Pick<RepositoryPlace, 'folder'>): string {
  return folder === '' ? '' : '../'.repeat(folder.split('/').length);
}

/** GitHub reads workflows at the root of the repository only; those of several accounts stand beside each other. */
function workflow(name: string, text: string, account: string, place: RepositoryPlace): NewFile {
  const { folder, lockfile, registryVariables } = place;
  const { readToken, environment } = forgeNames(account, place);
  const own = folder === '' ? '' : `${fileNameOf(folder)}-`;
  const env = registryVariables.map((variable) => `          ${variable}: \${{ secrets.${variable} }}\n`).join('');
  const install = `      - run: ${installLine(place)}\n${
    lockfile === undefined || lockfile === '' ? '' : `        working-directory: ${lockfile}\n`
  }${env === '' ? '' : `        env:\n${env}`}`;
  const installed = lockfile === undefined || lockfile === '' ? '' : `${lockfile}/`;
  const filled = text
    .replace(' Copy to .github/workflows/.', '')
    .replace(/^ {6}- run: npm ci .*\n/m, () => install)
    .replace('uses: ./node_modules/hostwright', `uses: ./${installed}node_modules/hostwright`)
    .replaceAll('HOSTWRIGHT_READ_TOKEN', readToken)
    .replace('environment: hosting', `environment: ${environment}`)
    .replace(
      /- cron: "[^"]*".*/,
      `- cron: "${cronOf(account, name === 'resume' ? '30m' : '24h')}" # spread by the account's name`,
    );
  return {
    file: `${upFrom(place)}.github/workflows/hostwright-${own}${name}.yml`,
    text: folder === '' ? filled : forFolder(filled, place),
  };
}

/** Where a job notes which line of the program each value comes from, for the plan of the next one. */
const LINES = 'program-lines.json';

/**
 * A job without secrets that runs the program: the YAML of the branch has to be what it makes, and the plan, which has a
 * token and never runs it, names its lines.
 */
function withSynth(text: string, { folder, lockfile }: RepositoryPlace): string {
  const steps = /^ {4}steps:\n([^]*?)(?=^ {6}- id: plan)/m.exec(text)?.[1] ?? '';
  const installed = lockfile === undefined || lockfile === '' ? '' : `${lockfile}/`;
  const up = folder === '' ? '' : '../'.repeat(folder.split('/').length);
  const job = [
    '  # Runs the program, without a token: the plan below is of the YAML that a reviewer sees.',
    '  synth:',
    '    runs-on: ubuntu-latest',
    '    timeout-minutes: 10',
    '    permissions:',
    '      contents: read',
    '    steps:',
    // A program could read what checkout leaves in `.git/config`, and needs no history.
    steps
      .replace(/^ {6}#.*\n/gm, '')
      .replace(/^ {10}fetch-depth: 0.*$/m, '          persist-credentials: false')
      .trimEnd(),
    `      - run: node ${up}${installed}node_modules/hostwright/dist/main.js synth --check --sources ${LINES}`,
    ...(folder === '' ? [] : [`        working-directory: ${JSON.stringify(folder)}`]),
    '      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2',
    '        with:',
    `          name: ${LINES}`,
    `          path: ${JSON.stringify(folder === '' ? LINES : `${folder}/${LINES}`)}`,
    '',
  ].join('\n');
  const lines = [
    '      - uses: actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0',
    '        with:',
    `          name: ${LINES}`,
    ...(folder === '' ? [] : [`          path: ${JSON.stringify(folder)}`]),
    '      - id: plan',
  ].join('\n');
  return text
    .replace('jobs:\n', `jobs:\n${job}`)
    .replace('  plan:\n', '  plan:\n    needs: synth\n')
    .replace('      - id: plan', lines)
    .replace(/^( {10})mode: plan\n/m, `$&$1arguments: |\n$1  --sources\n$1  ${LINES}\n`);
}

/** What every job on GitLab has from GitLab itself, as far as it opens something. */
const OF_THE_JOB =
  'CI_JOB_TOKEN CI_REPOSITORY_URL CI_REGISTRY_PASSWORD CI_DEPENDENCY_PROXY_PASSWORD CI_DEPLOY_PASSWORD'.split(' ');

/**
 * The same on GitLab. There every job has the variables of the project, but for those of an environment that it does not
 * name: the jobs with tokens name one, and this one does not.
 */
function withSynthOnGitlab(text: string, { registryVariables }: RepositoryPlace): string {
  const job = [
    '# Runs the program, without a token: the plan below is of the YAML that a reviewer sees. Beside a token that is not for environments alone it',
    '# refuses (HW1506).',
    'hostwright synth:',
    '  extends: .hostwright',
    '  stage: test',
    '  interruptible: true',
    '  rules:',
    '    - if: $CI_PIPELINE_SOURCE == "merge_request_event"',
    '  script:',
    '    # Nothing of what GitLab itself gives to every job is for the program.',
    '    - >-',
    `      env ${[...OF_THE_JOB, ...registryVariables].map((name) => `-u ${name}`).join(' ')}`,
    `      hostwright synth --check --sources ${LINES}`,
    '  artifacts:',
    '    paths:',
    `      - $HOSTWRIGHT_FOLDER/${LINES}`,
    '    access: developer',
    '    expire_in: 1 week',
    '',
    '',
  ].join('\n');
  return text
    .replace(
      '# Two schedules:',
      '# HOSTWRIGHT_READ_TOKEN and GITLAB_TOKEN are for the environments `hosting*` alone: the job that runs the program must have no token.\n$&',
    )
    .replace('hostwright plan:\n', `${job}$&`)
    .replace(/^hostwright plan:\n.*\n {2}stage: test\n/m, '$&  needs: [hostwright synth]\n')
    .replace('hostwright plan --detailed-exitcode', `$& --sources ${LINES}`);
}

/** The same in any other CI: a job without a token goes before the plan, and hands the lines on. */
function withSynthInShell(text: string): string {
  return text
    .replace(
      'validate | plan | apply | drift | resume`.',
      `validate | synth | plan | apply | drift | resume\`. \`synth\` runs the program: before \`plan\`, in a job\n# without a token, and $REPORTS/${LINES} of it goes to the job of the plan.`,
    )
    .replace(
      '  plan) "$program" plan ',
      `  synth) "$program" synth --check --sources "$reports/${LINES}" ;;\n  plan) "$program" plan --sources "$reports/${LINES}" `,
    )
    .replace("'usage: hostwright.sh validate | plan", "'usage: hostwright.sh validate | synth | plan")
    .replace(
      '  drift:2)',
      "  synth:2) echo 'hostwright synth: the YAML is not what the program makes; run hostwright synth, and commit' ;;\n  drift:2)",
    );
}

function forFolder(text: string, { folder, shared }: RepositoryPlace): string {
  const paths = `    paths: [${[folder, ...shared].map((one) => JSON.stringify(`${one}/**`)).join(', ')}]\n`;
  return text
    .replace(/^name: (.*)$/m, `name: $1 (${folder})`)
    .replace(/^( {8}with:\n {10}mode: .*\n)/m, `$1          workspace: ${JSON.stringify(folder)}\n`)
    .replace('  pull_request:\n', `  pull_request:\n${paths}`)
    .replace('    branches: [main]\n', `    branches: [main]\n${paths}`);
}

/**
 * GitLab reads `.gitlab-ci.yml` at the root of the repository, which includes a file for each account. Jobs of one name
 * would be one job, so those of a folder have it in their names. Credentials of a private registry need no line: jobs
 * have every variable of the project.
 */
function pipeline(text: string, account: string, place: RepositoryPlace): NewFile {
  const { folder, lockfile } = place;
  const { readToken, environment } = forgeNames(account, place);
  const at = lockfile === undefined || lockfile === '' ? '' : `/${lockfile}`;
  const filled = text
    .replace(
      /^# Hostwright on GitLab([^]*?)`hostwright init --ci gitlab`[^\n]*\n/,
      '# Hostwright on GitLab$1Written by `hostwright init`.\n',
    )
    .replaceAll(/\bHOSTWRIGHT_READ_TOKEN\b/g, readToken)
    .replace('environment `hosting`', `environment \`${environment}\``)
    .replaceAll(/^ {4}name: hosting(?=\/|$)/gm, `    name: ${environment}`)
    .replace('$CI_PROJECT_DIR/node_modules', `$CI_PROJECT_DIR${at}/node_modules`);
  const prefix = lockfile === undefined || lockfile === '' ? '' : ` --prefix ${JSON.stringify(lockfile)}`;
  const installed = filled.replace(
    /^ {4}- npm ci .*$/m,
    () => `    - ${installLine(place).replace('npm', `npm${prefix}`)}`,
  );
  return {
    file: `${upFrom(place)}.gitlab/hostwright/${folder === '' ? nameOf(account) : fileNameOf(folder)}.yml`,
    text: folder === '' ? installed : pipelineFor(installed, place),
  };
}

/** Jobs of this folder alone, for changes in it and in what it shares. */
function pipelineFor(text: string, { folder, shared }: RepositoryPlace): string {
  const paths = [folder, ...shared].map((one) => JSON.stringify(`${one}/**/*`)).join(', ');
  return text
    .replaceAll(/^hostwright (validate|synth|plan|apply|drift|resume):$/gm, `hostwright $1 (${folder}):`)
    .replace('needs: [hostwright synth]', `needs: [${JSON.stringify(`hostwright synth (${folder})`)}]`)
    .replaceAll(/^(\.hostwright|( {2}extends: )\.hostwright)(:?)$/gm, `$2.hostwright (${folder})$3`)
    .replace('    HOSTWRIGHT_FOLDER: .\n', `    HOSTWRIGHT_FOLDER: ${JSON.stringify(folder)}\n`)
    .replaceAll(
      /^( {4}- if: \$CI_PIPELINE_SOURCE == "(?:merge_request_event|push)".*\n)/gm,
      `$1      changes: [${paths}]\n`,
    );
}

/** A folder as part of the name of a file. */
function fileNameOf(folder: string): string {
  return folder.replaceAll(/[^A-Za-z0-9_-]/g, '-');
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
