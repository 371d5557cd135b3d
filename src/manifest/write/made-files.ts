// Files that a program makes and nobody writes by hand: their first line says so. Only those are overwritten or removed;
// whatever else is in their place is left, and told.
import { lstat, mkdir, readdir, readFile, rmdir, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { compareText } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { inBatches, reasonOf, staysInside } from '../read/load.ts';
import type { MadeFrom } from '../program/sources.ts';
import { isSources, sourcesText } from '../program/sources.ts';
import { quote } from '../../model/format.ts';
import type { NewFile } from './new-files.ts';

/** How a file of ours begins, whichever command made it. */
const MADE_BY_US = '# Made by hostwright ';
/** The same of synth, whichever program it is from. */
const MADE = `${MADE_BY_US}synth from `;

/** The first line of what is made from a program, which is named as it is seen from the workspace. */
export function madeLine(program: string): string {
  return `${MADE}${program}. Do not edit.`;
}

/** The first sentence of what another command makes. */
export function madeBy(command: string): string {
  return `# Made by ${command}.`;
}

/** The program that a file is made from, as its first line says it; undefined where a person wrote it. */
export function programOf(text: string): string | undefined {
  return text.startsWith(MADE) ? /^(.*)\. Do not edit\.$/m.exec(text.slice(MADE.length))?.[1] : undefined;
}

/** What becomes of one file: new without `before`, removed without `after`. */
export interface MadeFile {
  /** Relative to the folder, with `/` between its parts. */
  readonly file: string;
  readonly before?: string;
  readonly after?: string;
}

/** What differs between a folder and the files that are to be in it, in the order of their names. */
export async function compareMadeFiles(
  folder: string,
  files: readonly NewFile[],
  line: string,
): Promise<{ readonly changes: readonly MadeFile[]; readonly diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const changes: MadeFile[] = [];
  const look = lookerIn(folder);
  const there = await inBatches(files, ({ file }) => look(file));
  for (const [index, { file, text }] of files.entries()) {
    const found = there[index] as Looked;
    if ('diagnostic' in found) diagnostics.push(found.diagnostic);
    else if (found.text === undefined) changes.push({ file, after: text });
    else if (!found.text.startsWith(MADE_BY_US))
      diagnostics.push(inTheWay(file, 'does not begin with the line of files that Hostwright makes'));
    else if (found.text !== text) changes.push({ file, before: found.text, after: text });
  }
  const wanted = new Set(files.map(({ file }) => file));
  for (const file of await yamlFilesIn(folder)) {
    if (wanted.has(file)) continue;
    const found = await look(file);
    if (!('diagnostic' in found) && found.text?.startsWith(`${line}\n`) === true)
      changes.push({ file, before: found.text });
  }
  return { changes: changes.sort((left, right) => compareText(left.file, right.file)), diagnostics };
}

/** Brings a folder to what was compared. */
export async function writeMadeFiles(folder: string, changes: readonly MadeFile[]): Promise<readonly Diagnostic[]> {
  const makeFolder = onceEach((place) => mkdir(place, { recursive: true }));
  const failed = await inBatches(changes, async ({ file, before, after }) => {
    const place = path.resolve(folder, ...file.split('/'));
    try {
      if (after === undefined) {
        await unlink(place);
      } else {
        await makeFolder(path.dirname(place));
        // What is lost with the machine is made again; a new file is several times as fast without a second name.
        if (before === undefined) await writeFile(place, after, { flag: 'wx' });
        else await writeFileAtomic(place, after, { fsync: false });
      }
      return [];
    } catch (error) {
      return [inTheWay(file, `cannot be written: ${reasonOf(error)}`)];
    }
  });
  // A folder that holds something else stays.
  for (const { file, after } of changes)
    if (after === undefined) await rmdir(path.dirname(path.resolve(folder, ...file.split('/')))).catch(() => undefined);
  return failed.flat();
}

/** Writes the places of made files; `shown` is what the user called the file. */
export async function writeSources(
  file: string,
  shown: string,
  made: readonly MadeFrom[],
  nameOf: (name: string) => string,
): Promise<readonly Diagnostic[]> {
  try {
    const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (before !== undefined && !isSources(before)) return [inTheWay(shown, 'is no file of places')];
    await writeFileAtomic(file, sourcesText(made, nameOf));
    return [];
  } catch (error) {
    return [inTheWay(shown, `cannot be written: ${reasonOf(error)}`)];
  }
}

type Looked = { readonly text?: string } | { readonly diagnostic: Diagnostic };

/** Looks at files below a folder; at the links on the way to them once for each folder. */
function lookerIn(folder: string): (file: string) => Promise<Looked> {
  const isReached = onceEach((below) => staysInside(folder, below));
  return async (file) => {
    const place = path.resolve(folder, ...file.split('/'));
    if (!(await isReached(path.dirname(place))))
      return { diagnostic: inTheWay(file, 'is reached by a link that leads elsewhere') };
    try {
      // No link is followed: what is one itself is no file.
      if (!(await lstat(place)).isFile()) return { diagnostic: inTheWay(file, 'is no file') };
      return { text: await readFile(place, 'utf8') };
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? {}
        : { diagnostic: inTheWay(file, `cannot be read: ${reasonOf(error)}`) };
    }
  };
}

/** The same work for the same text is done once. */
function onceEach<Result>(work: (text: string) => Promise<Result>): (text: string) => Promise<Result> {
  const started = new Map<string, Promise<Result>>();
  return (text) => {
    const promise = started.get(text) ?? work(text);
    started.set(text, promise);
    return promise;
  };
}

function inTheWay(file: string, what: string): Diagnostic {
  return diagnose('HW1511', `${quote(file)} ${what}.`);
}

/** Links are not followed. */
async function yamlFilesIn(folder: string, below = ''): Promise<readonly string[]> {
  const entries = await readdir(path.resolve(folder, below), { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const file = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
      found.push(...(await yamlFilesIn(folder, file)));
    else if (entry.isFile() && entry.name.endsWith('.yaml')) found.push(file);
  }
  return found;
}
