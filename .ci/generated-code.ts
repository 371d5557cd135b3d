// The code that is derived from the schemas and the sources. It is not in Git: it is made where it is missing or stale.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const STAMPS = path.join(root, '.ci/stamps.json');

/** Texts by their paths from the repository's root. */
export type Files = ReadonlyMap<string, string>;

interface Part {
  /** Files and folders that it is made from; a change in any of them makes it anew. */
  readonly from: readonly string[];
  readonly make: () => Promise<Files>;
}

/** What `explain` prints is written on these. */
const EXPLAIN_PAGES = ['docs/diagnostics.md', 'docs/platform-rules.md', 'docs/plan-words.md'];

/** In this order: a later part loads sources that need the files of an earlier one. */
const PARTS: Readonly<Record<string, Part>> = {
  manifests: {
    from: ['.ci', 'schemas', 'src/manifest/read', 'package-lock.json'],
    make: async () => (await import('./manifest-schemas.ts')).manifestFiles(),
  },
  outputs: {
    from: ['.ci', 'schemas/output', 'package-lock.json'],
    make: async () => (await import('./output-schemas.ts')).outputFiles(),
  },
  diagnostics: {
    from: ['.ci', 'src', ...EXPLAIN_PAGES],
    make: async () => (await import('./explain-texts.ts')).explainFiles(root),
  },
  shown: {
    from: ['.ci', 'src/areas', 'src/model'],
    make: async () => {
      const { getKindFiles, operationFiles } = await import('./get-kinds.ts');
      return new Map([...getKindFiles(), ...operationFiles()]);
    },
  },
  kinds: {
    from: ['.ci', 'schemas', 'src/areas', 'src/manifest', 'src/model', 'src/terraform', 'package-lock.json'],
    make: async () => (await import('./manifest-schemas.ts')).kindFiles(),
  },
};

interface Stamp {
  /** A hash of what the part was made from. */
  readonly from: string;
  /** Hashes of the files that were made. */
  readonly files: Readonly<Record<string, string>>;
}

/** Makes the parts of the generated code that are missing or not made from what is there now. */
export async function generateCode(): Promise<void> {
  for (const [name, { from, make }] of Object.entries(PARTS)) {
    const hash = await hashOf(from);
    const stamp = readStamps()[name];
    if (stamp?.from === hash && Object.entries(stamp.files).every(([file, is]) => hashOfFile(file) === is)) continue;
    const files = await make();
    await writeFiles(files);
    // What was made under another name would stay for ever: Git does not see it.
    for (const file of Object.keys(stamp?.files ?? {})) if (!files.has(file)) await rm(path.join(root, file));
    await writeStamp(name, hash, files);
  }
}

/** What `dist` is built from. */
const BUILT_FROM = ['.ci', 'schemas', 'src', ...EXPLAIN_PAGES, 'package.json', 'package-lock.json'];

/** To be called before a build, and what it gives after it. */
export async function buildStamp(): Promise<() => Promise<void>> {
  const hash = await hashOf(BUILT_FROM);
  return () => writeStamp('dist', hash, new Map());
}

/** True when `dist` is there, built from what is there now. */
export async function isBuilt(): Promise<boolean> {
  return existsSync(path.join(root, 'dist/main.js')) && readStamps().dist?.from === (await hashOf(BUILT_FROM));
}

function readStamps(): Readonly<Record<string, Stamp>> {
  return existsSync(STAMPS) ? (JSON.parse(readFileSync(STAMPS, 'utf8')) as Record<string, Stamp>) : {};
}

async function writeStamp(name: string, from: string, files: Files): Promise<void> {
  const hashes = Object.fromEntries([...files].map(([file, text]) => [file, sha256(text)]));
  await replaceFile(STAMPS, `${JSON.stringify({ ...readStamps(), [name]: { from, files: hashes } }, null, 2)}\n`);
}

/** Writes the files that are not there yet, or not so. */
export async function writeFiles(files: Files): Promise<void> {
  for (const [name, text] of files) {
    const file = path.join(root, name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    await mkdir(path.dirname(file), { recursive: true });
    await replaceFile(file, text);
    process.stderr.write(`made ${name}\n`);
  }
}

/** A build and a test may make the same file at once; whoever reads it finds it whole. */
async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, file);
}

async function hashOf(places: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const place of places)
    for (const file of await filesAt(place)) hash.update(file).update(await readFile(path.join(root, file)));
  return hash.digest('hex');
}

async function filesAt(place: string): Promise<readonly string[]> {
  if (path.extname(place) !== '') return [place];
  const entries = await readdir(path.join(root, place), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(ts|yaml|schema\.json)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !isGenerated(file))
    .sort();
}

/** Of the schemas in `schemas/`, those that are made from others; see `.gitignore`. */
function isGeneratedSchema(file: string): boolean {
  const name = /^schemas\/(.+)\.schema\.json$/.exec(file)?.[1];
  if (name === undefined) return false;
  return ['hostwright', 'site-profile'].includes(name) || existsSync(path.join(root, `schemas/output/${name}.yaml`));
}

/** The same files that `.gitignore` names. */
export function isGenerated(file: string): boolean {
  return file.includes('/generated/') || isGeneratedSchema(file);
}

function hashOfFile(file: string): string | undefined {
  const place = path.join(root, file);
  return existsSync(place) ? sha256(readFileSync(place)) : undefined;
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
