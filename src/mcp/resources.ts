// What an agent can look up: the schemas of manifests, the chapters, the examples. All of it came with the package.
import { listPackageFiles, listSchemas, readPackageFile, readSchema } from '../library/package-files.ts';

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly read: () => Promise<string>;
}

/** Folders of the package, what of them is shown, and as what. */
const FOLDERS = [
  { folder: 'docs', ending: '.md', mimeType: 'text/markdown' },
  { folder: 'examples', ending: '.yaml', mimeType: 'application/yaml' },
] as const;

export async function listResources(): Promise<readonly Resource[]> {
  const schemas = [...(await listSchemas())].map(([name, file]) => ({
    uri: `hostwright://schemas/${name}`,
    name: `JSON Schema of ${name}`,
    mimeType: 'application/schema+json',
    read: () => readSchema(file),
  }));
  const pages = await Promise.all(
    FOLDERS.map(async ({ folder, ending, mimeType }) =>
      (await listPackageFiles(folder))
        .filter((file) => file.endsWith(ending))
        .map((file) => `${folder}/${file}`)
        .map((file) => ({ uri: `hostwright://${file}`, name: file, mimeType, read: () => readPackageFile(file) })),
    ),
  );
  return [...schemas, ...pages.flat()];
}
