// Where the schemas are read from that came with the package, and what each of them is called.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

const ENDING = '.schema.json';
/** The schema of every document at once. */
export const WHOLE = 'hostwright';

/** File names by the names of the schemas: `DomainRegistration` is in `domain-registration.schema.json`. */
export async function listSchemas(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(join(packageRoot(), 'schemas'))).filter((file) => file.endsWith(ENDING)).sort();
  return new Map(files.map((file) => [kindName(file.slice(0, -ENDING.length)), file]));
}

/** The text of one file. */
export function readSchema(file: string): Promise<string> {
  return readFile(join(packageRoot(), 'schemas', file), 'utf8');
}

function kindName(file: string): string {
  return file === WHOLE ? file : file.replace(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
