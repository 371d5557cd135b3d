// Writes and updates generated CI files. Each has a checksum in its header: an unmodified file is overwritten by `--update`,
// a modified one is left, with a diff.
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { quote } from '../../model/format.ts';
import type { FileEdit } from '../../manifest/edit/write-edited.ts';
import type { MadeFile } from '../../manifest/write/made-files.ts';
import type { NewFile } from '../../manifest/write/new-files.ts';
import { textThere } from './save.ts';

const CHECKSUM = /^# hostwright-checksum: ([0-9a-f]{64})\n/m;

/** The files to write, and those to leave. */
export interface CiUpdate {
  readonly added: readonly NewFile[];
  readonly edits: readonly FileEdit[];
  /** Files that are up to date, or that were left. */
  readonly left: readonly string[];
  /** Modified files: `before` is the file, `after` what this version generates. */
  readonly differences: readonly MadeFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compares generated CI files with those in the folder. Files that exist are left, or with `update` replaced unless they
 * were modified (HW6734).
 */
export async function compareCiFiles(
  folder: string,
  files: readonly NewFile[],
  { update }: { readonly update: boolean },
): Promise<CiUpdate> {
  const added: NewFile[] = [];
  const edits: FileEdit[] = [];
  const left: string[] = [];
  const differences: MadeFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { file, text } of files) {
    const after = withChecksum(text);
    const found = await textThere(folder, file);
    const before = 'text' in found ? found.text : undefined;
    if ('text' in found && before === undefined) {
      added.push({ file, text: after });
    } else if (update && before !== undefined && isUnmodified(before) && before !== after) {
      edits.push({ file, path: path.resolve(folder, file), before, after });
    } else {
      left.push(file);
      if (!update || before === after) continue;
      diagnostics.push(leftModified(file, 'problem' in found ? found.problem : 'was modified, or has no checksum'));
      if (before !== undefined) differences.push({ file, before, after });
    }
  }
  return { added, edits, left, differences, diagnostics };
}

/** Adds the checksum line at the start of a text, after a `#!` line. */
function withChecksum(text: string): string {
  const [interpreter = ''] = /^#!.*\n/.exec(text) ?? [];
  return `${interpreter}# hostwright-checksum: ${checksumOf(text)}\n${text.slice(interpreter.length)}`;
}

/** True if the checksum in a text is that of the rest of it. Line endings that Git converted do not count. */
function isUnmodified(text: string): boolean {
  const plain = text.replaceAll('\r\n', '\n');
  return CHECKSUM.exec(plain)?.[1] === checksumOf(plain.replace(CHECKSUM, ''));
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function leftModified(file: string, why: string): Diagnostic {
  return diagnose(
    'HW6734',
    `${quote(file)} ${why}. Apply the diff yourself, or delete the file and run \`hostwright init --ci ... --update\` again.`,
  );
}
