// Which files of the package a new workspace gets: those for its CI, and the schema that editors use where no installed
// one is found.
import { readFile } from 'node:fs/promises';
import { join, relative, sep, dirname, resolve } from 'node:path';
import type { NewFile } from '../../../workflow/init.ts';
import { readPackageFile } from '../../package-files.ts';

export type Ci = 'github' | 'gitlab' | 'shell' | 'none';

/** Files of `examples/ci`, and what they are called in a repository. */
const CI_FILES: Readonly<Record<Ci, Readonly<Record<string, string>>>> = {
  github: {
    'github/pull-request.yml': '.github/workflows/hostwright-pull-request.yml',
    'github/merge.yml': '.github/workflows/hostwright-merge.yml',
    'github/drift.yml': '.github/workflows/hostwright-drift.yml',
    'github/resume.yml': '.github/workflows/hostwright-resume.yml',
  },
  gitlab: { 'gitlab/hostwright.gitlab-ci.yml': 'hostwright.gitlab-ci.yml' },
  shell: { 'shell/hostwright.sh': 'ci/hostwright.sh' },
  none: {},
};
/** What GitLab starts from; left alone where there is one. */
const GITLAB_START: NewFile = { file: '.gitlab-ci.yml', text: 'include:\n  - local: hostwright.gitlab-ci.yml\n' };

const SCHEMA = 'schemas/hostwright.schema.json';
const COPY = '.hostwright/hostwright.schema.json';

/** The files for one CI, with the account in the names of what only one run at a time may have. */
export async function ciFiles(ci: Ci, account: string): Promise<readonly NewFile[]> {
  // GitLab takes no dots and colons there.
  const name = account.replaceAll(/[^A-Za-z0-9_-]/g, '-');
  const files = await Promise.all(
    Object.entries(CI_FILES[ci]).map(async ([from, file]) => {
      const text = await readPackageFile(`examples/ci/${from}`);
      return { file, text: text.replaceAll(/^( *(?:resource_)?group: hostwright-\S*?)\bACCOUNT\b/gm, `$1${name}`) };
    }),
  );
  return ci === 'gitlab' ? [...files, GITLAB_START] : files;
}

/**
 * The schema of the package that is installed in the folder or above it, which an upgrade brings along; without one a
 * copy, so that it needs no installing.
 */
export async function schemaFor(folder: string): Promise<{ readonly place: string; readonly text?: string }> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const installed = join(at, 'node_modules/hostwright', SCHEMA);
    if (
      await readFile(installed).then(
        () => true,
        () => false,
      )
    )
      return { place: relative(folder, installed).split(sep).join('/') };
    if (dirname(at) === at) return { place: COPY, text: await readPackageFile(SCHEMA) };
  }
}

/** What does not belong into version control. */
export function ignoredLines(ci: Ci, ledger: 'file' | 'git'): readonly string[] {
  return [
    // A saved plan may name people, and is good for one run.
    'plan.json',
    ...(ledger === 'file' ? ['.hostwright/ledger.jsonl*'] : []),
    ...(ci === 'none' ? [] : ['node_modules/']),
    ...(ci === 'shell' ? ['hostwright-reports/'] : []),
  ];
}
