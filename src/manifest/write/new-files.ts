// How files come to be that were not there before: all of those that are asked for, or none.
import { mkdir, open, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { reasonOf } from '../read/load.ts';
import { quote } from '../format.ts';

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
    return {
      code: 'HW6703',
      severity: 'error',
      summary: 'A file is there already',
      detail: `${quote(file)} is there already, and nothing is overwritten. Nothing was written. Name another place with --out, or move that file away.`,
    };
  }
  return {
    code: 'HW6704',
    severity: 'error',
    summary: 'A file cannot be written',
    detail: `${quote(file)} cannot be written: ${reasonOf(error)}. What had been written is removed again.`,
  };
}
