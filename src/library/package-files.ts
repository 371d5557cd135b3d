// The files that come with the package: in the executable, or beside its folder of schemas, whether this runs bundled or
// from source.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareText } from '../model/address.ts';
import { invariant } from '../model/invariant.ts';
import type { Schemas } from '../usecases/explain/explain.ts';
import type { Schema } from '../usecases/explain/schema.ts';
import { fileWithin, isExecutable, namesWithin, placeWithin } from './executable.ts';

const ENDING = '.schema.json';
/** The schema of every document at once. */
const WHOLE = 'hostwright';

/** The text of a file, by its path in the package. */
export async function readPackageFile(path: string): Promise<string> {
  return (await readPackageBytes(path)).toString('utf8');
}

export async function readPackageBytes(path: string): Promise<Buffer> {
  return isExecutable ? fileWithin(path) : readFile(join(packageRoot(), path));
}

/** The files below a folder of the package, by their paths in it with `/`, in the order of their names. */
export async function listPackageFiles(folder: string): Promise<readonly string[]> {
  const names = isExecutable
    ? namesWithin().flatMap((name) => (name.startsWith(`${folder}/`) ? [name.slice(folder.length + 1)] : []))
    : (await readdir(join(packageRoot(), folder), { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  return [...names].sort();
}

/** File names by the names of the schemas: `DomainRegistration` is in `domain-registration.schema.json`. */
export async function listSchemas(): Promise<ReadonlyMap<string, string>> {
  const files = (await listPackageFiles('schemas')).filter((file) => /^[^/]+$/.test(file) && file.endsWith(ENDING));
  return new Map(files.map((file) => [kindName(file.slice(0, -ENDING.length)), file]));
}

export function readSchema(file: string): Promise<string> {
  return readPackageFile(`schemas/${file}`);
}

/** Where a built file is, by its name. */
export function distFile(name: string): string {
  return isExecutable ? placeWithin(join('dist', name)) : join(packageRoot(), 'dist', name);
}

/**
 * Those of manifests and of the workspace file: what Hostwright itself writes has no kind, and is written by nobody
 * else.
 */
export async function readKindSchemas(): Promise<Schemas> {
  const all = await Promise.all(
    [...(await listSchemas())].map(
      async ([name, file]) => [name, JSON.parse(await readSchema(file)) as Schema] as const,
    ),
  );
  return new Map(
    all
      .filter(([name, schema]) => schema.properties?.kind?.const === name)
      .sort(([left], [right]) => compareText(left, right)),
  );
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
