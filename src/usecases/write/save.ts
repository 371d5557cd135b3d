// What becomes of the files of a command that shows them: they are written all or none, or only shown.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FileEdit } from '../../manifest/edit/write-edited.ts';
import { writeEditedFiles } from '../../manifest/edit/write-edited.ts';
import type { NewFile } from '../../manifest/write/new-files.ts';
import { writeNewFiles } from '../../manifest/write/new-files.ts';
import { stopAtErrors } from '../client.ts';

/** A file as it was and as it is, or would be; a new one was not. */
export interface ChangedFile {
  readonly file: string;
  readonly before?: string;
  readonly after: string;
}

export interface Written {
  /** Absent when there are errors. */
  readonly files?: readonly ChangedFile[];
  readonly written: boolean;
}

/** Writes the files. `reported`: what else there is to say about them. */
export async function save({
  edits = [],
  added = [],
  folder = '',
  dryRun,
  reported = [],
}: {
  readonly edits?: readonly FileEdit[];
  readonly added?: readonly NewFile[];
  /** What the new ones are seen from. */
  readonly folder?: string;
  readonly dryRun: boolean;
  readonly reported?: readonly Diagnostic[];
}): Promise<Written & { readonly diagnostics: readonly Diagnostic[] }> {
  if (!dryRun) stopAtErrors([...reported, ...(await writeNewFiles(folder, added)), ...(await writeEditedFiles(edits))]);
  const files = [
    ...edits.map(({ file, before, after }) => ({ file, before, after })),
    ...added.map(({ file, text }) => ({ file, after: text })),
  ];
  return { diagnostics: reported, files, written: !dryRun };
}
