// What a new workspace gets beside its own files and those for its CI: the schema that editors use where no installed
// one is found, and lines for the ignore file.
import { readFile } from 'node:fs/promises';
import { join, relative, sep, dirname, resolve } from 'node:path';
import { readPackageFile } from '../../../library/package-files.ts';
import type { NewFile } from '../../../usecases/init.ts';
import type { Ci, RepositoryPlace } from './ci.ts';
import { upFrom } from './ci.ts';

const SCHEMA = 'schemas/hostwright.schema.json';
const COPY = '.hostwright/hostwright.schema.json';

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

/**
 * Settings of Visual Studio Code, at the root of the repository: a new manifest is checked and completed without a line
 * in it. They hold for workspaces beside this one too.
 */
export function editorSettings(place: RepositoryPlace, schema: string): NewFile {
  const { root, folder, shared } = place;
  const beside = folder.includes('/') ? `${folder.slice(0, folder.lastIndexOf('/'))}/*/` : folder === '' ? '' : '*/';
  const folders = [`${beside}manifests`, ...(shared.length > 0 || folder === '' ? shared : ['shared'])];
  const at = relative(root, resolve(root, folder, schema))
    .split(sep)
    .join('/');
  const settings = {
    'yaml.schemas': { [`./${at}`]: [`${beside}hostwright.yaml`, ...folders.map((one) => `${one}/**/*.{yaml,yml}`)] },
  };
  return { file: `${upFrom(place)}.vscode/settings.json`, text: `${JSON.stringify(settings, undefined, 2)}\n` };
}

/** What does not belong into version control. */
export function ignoredLines(ci: Ci, hasLedgerFile: boolean): readonly string[] {
  return [
    // A saved plan may name people, and is good for one run.
    'plan.json',
    ...(hasLedgerFile ? ['.hostwright/ledger.jsonl*'] : []),
    'node_modules/',
    ...(ci === 'shell' ? ['hostwright-reports/'] : []),
  ];
}

/** What coding agents read first where they work. */
export async function agentsFile(): Promise<NewFile> {
  return { file: 'AGENTS.md', text: await readPackageFile('skills/AGENTS.md') };
}
