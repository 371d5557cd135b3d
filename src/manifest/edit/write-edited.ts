// How files that people wrote come to hold other text: all of them or, where one was changed since it was read, none.
// Mode and owner stay, a link stays a link.
import { access, constants, readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { decode } from '../read/decode.ts';
import { reasonOf } from '../read/load.ts';
import { quote } from '../format.ts';

export interface EditedFile {
  /** As the user named it. */
  readonly shown: string;
  /** Absolute, links followed. */
  readonly file: string;
  /** What was read from it. */
  readonly before: string;
  readonly after: string;
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Writes them; what stands in the way of one keeps all others as they are, unless it shows itself only while they are
 * written.
 */
export async function writeEditedFiles(files: readonly EditedFile[]): Promise<readonly Diagnostic[]> {
  const marks = await Promise.all(files.map(checkUnchanged));
  const problems = marks.flatMap((mark) => (typeof mark === 'string' ? [] : [mark]));
  if (problems.length > 0) return problems;
  const written: string[] = [];
  for (const [index, { shown, file, after }] of files.entries()) {
    try {
      await writeFileAtomic(file, `${marks[index] as string}${after}`);
      written.push(shown);
    } catch (error) {
      const others =
        written.length === 0 ? 'No manifest was changed.' : `Written already: ${written.map(quote).join(', ')}.`;
      return [
        {
          code: 'HW6712',
          severity: 'error',
          summary: 'A manifest cannot be written',
          detail: `${quote(shown)} cannot be written: ${reasonOf(error)}. ${others} Look at its permissions and those of its folder, then run again.`,
        },
      ];
    }
  }
  return [];
}

/** The byte order mark of the file, or why it cannot be written. */
async function checkUnchanged({ shown, file, before }: EditedFile): Promise<string | Diagnostic> {
  try {
    await access(file, constants.W_OK);
    const bytes = await readFile(file);
    if (decode(shown, bytes).source?.text === before)
      return bytes.toString('utf8').startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    return {
      code: 'HW6711',
      severity: 'error',
      summary: 'A manifest was changed meanwhile',
      detail: `${quote(shown)} is not what it was when this command read it. No manifest was changed. Run again.`,
    };
  } catch (error) {
    return {
      code: 'HW6712',
      severity: 'error',
      summary: 'A manifest cannot be written',
      detail: `${quote(shown)} cannot be written: ${reasonOf(error)}. No manifest was changed. Look at its permissions, then run again.`,
    };
  }
}
