// How files come to be that were not there before, all of those that are asked for or none; and how lines come into one
// that may be there already, behind what stands in it. Nothing is overwritten, and no link is followed.
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { reasonOf } from '../read/load.ts';
import { quote } from '../../model/format.ts';

export interface NewFile {
  /** Relative to the folder, with `/` between its parts. */
  readonly file: string;
  readonly text: string;
}

/** Writes the files below a folder, which is made where it is not there. After an error nothing is left of them. */
export async function writeNewFiles(folder: string, files: readonly NewFile[]): Promise<readonly Diagnostic[]> {
  const made: string[] = [];
  const folders: string[] = [];
  for (const { file, text } of files) {
    const place = path.resolve(folder, ...file.split('/'));
    try {
      const first = await mkdir(path.dirname(place), { recursive: true });
      if (first !== undefined) folders.push(...foldersFrom(first, path.dirname(place)));
      const handle = await open(place, 'wx');
      made.push(place);
      try {
        await handle.writeFile(text);
      } finally {
        await handle.close();
      }
    } catch (error) {
      for (const one of made) await unlink(one).catch(() => undefined);
      // The deepest first; one that holds something else stays.
      for (const one of folders.reverse()) await rmdir(one).catch(() => undefined);
      return [refused(file, error)];
    }
  }
  return [];
}

/** The folders that were made: the first of them, and each one down to the last. */
function foldersFrom(first: string, last: string): readonly string[] {
  return last === first || !last.startsWith(first) ? [first] : [...foldersFrom(first, path.dirname(last)), last];
}

function refused(file: string, error: unknown): Diagnostic {
  if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
    return diagnose(
      'HW6703',
      `${quote(file)} is there already, and nothing is overwritten. Nothing was written. Name another place with --out, or move that file away.`,
    );
  }
  return cannotWrite(file, error, 'What had been written is removed again.');
}

function cannotWrite(file: string, error: unknown, words: string): Diagnostic {
  return diagnose('HW6704', `${quote(file)} cannot be written: ${reasonOf(error)}. ${words}`);
}

/**
 * Whether something is at this place already; what cannot be looked at is there. Where a file is in the way of a
 * folder, writing says so.
 */
export async function isTaken(folder: string, file: string): Promise<boolean> {
  return lstat(path.resolve(folder, ...file.split('/'))).then(
    () => true,
    (error: unknown) => !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''),
  );
}

/** Whether there is something in this place that is no empty folder. */
export async function holdsAny(folder: string, place: string): Promise<boolean> {
  return readdir(path.resolve(folder, place)).then(
    (names) => names.length > 0,
    (error: unknown) => (error as NodeJS.ErrnoException).code !== 'ENOENT',
  );
}

/** The lines that the file does not hold. */
export async function missingLines(folder: string, file: string, lines: readonly string[]): Promise<readonly string[]> {
  const present = (await readFile(path.resolve(folder, file), 'utf8').catch(() => ''))
    .split(/\r?\n/)
    .map((line) => line.trim());
  return lines.filter((line) => !present.includes(line));
}

/** Writes lines behind what is there; the file is made where it is not. */
export async function appendLines(
  folder: string,
  file: string,
  lines: readonly string[],
): Promise<readonly Diagnostic[]> {
  try {
    const handle = await open(
      path.resolve(folder, file),
      constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW,
    );
    try {
      const text = await handle.readFile('utf8');
      await handle.writeFile(`${text === '' || text.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n`);
    } finally {
      await handle.close();
    }
    return [];
  } catch (error) {
    return [cannotWrite(file, error, `Add these lines yourself: ${lines.map(quote).join(', ')}.`)];
  }
}
