// What a new workspace gets beside its own files and those for its CI: the schema that editors use where no installed
// one is found, and lines for the ignore file.
import { readFile } from 'node:fs/promises';
import { join, relative, sep, dirname, resolve } from 'node:path';
import { readPackageFile } from '../../package-files.ts';
import type { Ci } from './ci.ts';

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
