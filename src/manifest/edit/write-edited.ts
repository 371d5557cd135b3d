// How files that people wrote come to hold other text: all of them or, where one was changed since it was read, none.
// Mode and owner stay, a link stays a link.
import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { decode } from '../read/decode.ts';
import { reasonOf } from '../read/load.ts';
import { quote } from '../../model/format.ts';

/** A file and what it becomes. */
export interface FileEdit {
  /** As the user named it. */
  readonly file: string;
  /** Absolute, links followed; absent for standard input. */
  readonly path?: string;
  /** What was read from it. */
  readonly before: string;
  readonly after: string;
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Writes them; what stands in the way of one keeps all others as they are, unless it shows itself only while they are
 * written.
 */
export async function writeEditedFiles(files: readonly FileEdit[]): Promise<readonly Diagnostic[]> {
  if (files.some(({ path }) => path === undefined))
    return [
      diagnose(
        'HW6714',
        'What is to be changed came from standard input. Nothing was written. Name the file instead of `-`.',
      ),
    ];
  const marks = await Promise.all(files.map(checkUnchanged));
  const problems = marks.flatMap((mark) => (typeof mark === 'string' ? [] : [mark]));
  if (problems.length > 0) return problems;
  const written: string[] = [];
  for (const [index, { file, path, after }] of files.entries()) {
    try {
      await writeFileAtomic(path as string, `${marks[index] as string}${after}`);
      written.push(file);
    } catch (error) {
      const others =
        written.length === 0 ? 'No manifest was changed.' : `Written already: ${written.map(quote).join(', ')}.`;
      return [cannotWrite(file, error, `${others} Look at its permissions and those of its folder, then run again.`)];
    }
  }
  return [];
}

/** The byte order mark of the file, or why it cannot be written. */
async function checkUnchanged({ file, path = '', before }: FileEdit): Promise<string | Diagnostic> {
  try {
    await access(path, constants.W_OK);
    const bytes = await readFile(path);
    if (decode(file, bytes).source?.text === before)
      return bytes.toString('utf8').startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    return diagnose(
      'HW6711',
      `${quote(file)} is not what it was when this command read it. No manifest was changed. Run again.`,
    );
  } catch (error) {
    return cannotWrite(file, error, 'No manifest was changed. Look at its permissions, then run again.');
  }
}

function cannotWrite(file: string, error: unknown, words: string): Diagnostic {
  return diagnose('HW6712', `${quote(file)} cannot be written: ${reasonOf(error)}. ${words}`);
}
