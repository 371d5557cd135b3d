// How lines come into a file that may be there already: behind what stands in it, each once.
import { constants } from 'node:fs';
import { lstat, open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { reasonOf } from '../read/load.ts';
import { quote } from '../format.ts';

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
    return [
      {
        code: 'HW6704',
        severity: 'error',
        summary: 'A file cannot be written',
        detail: `${quote(file)} cannot be written: ${reasonOf(error)}. Add these lines yourself: ${lines.map(quote).join(', ')}.`,
      },
    ];
  }
}
