// Decides what the package says about the work of others that is bundled into it: whose it is, and the licence that
// asks to be passed on. Must not name a package that is not in the bundle, nor leave out one that is.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** `node_modules/a`, `node_modules/@b/c`, and what stands in a `node_modules` of its own. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE_FILE = /^(?:licen[cs]e|notice|copying)/i;

/** One text with every package of which anything came into the bundle, in the order of their names. */
export async function noticesOf(root: string, { outputs }: Metafile): Promise<string> {
  const inputs = Object.values(outputs).flatMap(({ inputs: parts }) =>
    Object.entries(parts).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  const folders = [...new Set(inputs.flatMap(([path]) => PACKAGE.exec(path)?.[0] ?? []))];
  const notices = await Promise.all(folders.map((folder) => noticeOf(join(root, folder))));
  return `Hostwright contains parts of these packages.\n\n${[...new Set(notices)].sort().join('\n')}`;
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort();
  if (license === undefined && files.length === 0) throw new Error(`${name} has no licence: it cannot be passed on`);
  const texts = await Promise.all(
    files.map(async (file) => (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n').trim()),
  );
  return `== ${name} ${version} (${license ?? 'see below'})\n\n${texts.map((text) => `${text}\n`).join('\n')}`;
}
