// What the package says about the work of others that is bundled into it: whose it is, and the licence that asks to be
// passed on.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** `node_modules/a`, `node_modules/@b/c`, and what stands in a `node_modules` of its own. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE_FILE = /^(?:licen[cs]e|notice|copying)/i;

export interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  /** Its licence files, in the order of their names. */
  readonly texts: readonly string[];
}

/** Every package of which anything came into the bundle, once, in the order of their names and versions. */
export async function bundledIn(root: string, { outputs }: Pick<Metafile, 'outputs'>): Promise<readonly Bundled[]> {
  const inputs = Object.values(outputs).flatMap(({ inputs: parts }) =>
    Object.entries(parts).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  const folders = [...new Set(inputs.flatMap(([path]) => PACKAGE.exec(path)?.[0] ?? []))].sort();
  const found = await Promise.all(folders.map((folder) => packageIn(join(root, folder))));
  // The same version may lie in several folders.
  const byKey = new Map(found.map((one) => [`${one.name} ${one.version}`, one]));
  return [...byKey].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
}

/** One text with the licences of all of them. */
export function noticesOf(bundled: readonly Bundled[]): string {
  return `Hostwright contains parts of these packages.\n\n${listed(bundled)}`;
}

export function listed(bundled: readonly Bundled[]): string {
  const notices = bundled.map(
    ({ name, version, license, texts }) =>
      `== ${name} ${version} (${license ?? 'see below'})\n\n${texts.map((text) => `${text}\n`).join('\n')}`,
  );
  return notices.join('\n');
}

async function packageIn(folder: string): Promise<Bundled> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Bundled;
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort();
  if (license === undefined && files.length === 0) throw new Error(`${name} has no licence: it cannot be passed on`);
  const texts = await Promise.all(
    files.map(async (file) => (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n').trim()),
  );
  return { name, version, ...(license !== undefined && { license }), texts };
}
