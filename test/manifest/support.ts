// What the tests of this folder share: folders of files, one line per diagnostic, and what stands over the carets of a
// frame.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dataKinds, registry } from '../../src/areas/index.ts';
import { readManifests } from '../../src/manifest/read/read.ts';
import type { ReadResult } from '../../src/manifest/read/read.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';

/** File contents by path; a link is written as `{ link: target }`. */
export type Files = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>;

/** Runs with a folder that holds these files and is gone afterwards. */
export async function inFolder<Result>(files: Files, work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hostwright-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      if (typeof content === 'object' && 'link' in content) await symlink(content.link, file);
      else await writeFile(file, content);
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads manifests from a folder made of these files. */
export async function readFrom(files: Files, paths: readonly string[] = ['.'], stdin?: string): Promise<ReadResult> {
  return inFolder(files, (folder) =>
    readManifests(paths, {
      cwd: folder,
      root: folder,
      registry,
      dataKinds,
      ...(stdin !== undefined && { stdin: () => Promise.resolve(new TextEncoder().encode(stdin)) }),
    }),
  );
}

/** Reads one text as if it came from standard input. */
export async function readText(text: string): Promise<ReadResult> {
  return readFrom({}, ['-'], text);
}

/** A sound manifest with these lines in its spec. */
export function site(name: string, spec = '  name: Shop'): string {
  return `apiVersion: hostwright/v1\nkind: Site\nmetadata:\n  name: ${name}\nspec:\n${spec}\n`;
}

/** A sound profile with these lines in its spec. */
export function profile(name: string, spec = '  caching: { smartCache: true }'): string {
  return site(name, spec).replace('kind: Site', 'kind: SiteProfile');
}

/** `HW1201 file:line:column «text over the carets»`. */
export function brief(diagnostic: Diagnostic): string {
  const { code, source } = diagnostic;
  const place = source === undefined ? '' : ` ${source.file}:${source.line}:${source.column}`;
  return `${code}${place}${diagnostic.frame === undefined ? '' : ` «${marked(diagnostic.frame)}»`}`;
}

/** The part of a frame that has carets under it. */
export function marked(frame: string): string {
  const lines = frame.split('\n');
  const carets = lines.findIndex((line) => /^ *\| *\^+$/.test(line));
  const line = lines[carets] ?? '';
  return (lines[carets - 1] ?? '').slice(line.indexOf('^'), line.lastIndexOf('^') + 1);
}
