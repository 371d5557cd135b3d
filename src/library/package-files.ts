// The files that come with the package: beside its folder of schemas, whether this runs bundled or from source.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { invariant } from '../model/invariant.ts';

const ENDING = '.schema.json';
/** The schema of every document at once. */
export const WHOLE = 'hostwright';

/** The text of a file, by its path in the package. */
export function readPackageFile(path: string): Promise<string> {
  return readFile(packageFile(path), 'utf8');
}

/** Where a file is, by its path in the package. */
export function packageFile(path: string): string {
  return join(packageRoot(), path);
}

/** File names by the names of the schemas: `DomainRegistration` is in `domain-registration.schema.json`. */
export async function listSchemas(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(join(packageRoot(), 'schemas'))).filter((file) => file.endsWith(ENDING)).sort();
  return new Map(files.map((file) => [kindName(file.slice(0, -ENDING.length)), file]));
}

export function readSchema(file: string): Promise<string> {
  return readPackageFile(`schemas/${file}`);
}

/** A built file, by its name. */
export function distFile(name: string): string {
  return join(packageRoot(), 'dist', name);
}

function kindName(file: string): string {
  return file === WHOLE ? file : file.replace(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'schemas', `${WHOLE}${ENDING}`))) {
    invariant(dirname(folder) !== folder, 'no schemas above the program');
    folder = dirname(folder);
  }
  return folder;
}
