// How a command writes files that people keep: new ones and others, all or none, or only shown.
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FileEdit } from '../../manifest/edit/write-edited.ts';
import { writeEditedFiles } from '../../manifest/edit/write-edited.ts';
import { loadText, repositoryOf, staysInside } from '../../manifest/read/load.ts';
import type { NewFile } from '../../manifest/write/new-files.ts';
import { isTaken, writeNewFiles } from '../../manifest/write/new-files.ts';
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

interface Changes {
  readonly added?: readonly NewFile[];
  readonly edits?: readonly FileEdit[];
}

/** Writes new files below a folder, then others as they become; once something is in the way, nothing more. */
export async function writeChanges(
  folder: string,
  { added = [], edits = [] }: Changes,
): Promise<readonly Diagnostic[]> {
  const unwritten = await writeNewFiles(folder, added);
  return unwritten.length > 0 ? unwritten : writeEditedFiles(edits);
}

/** Gives each file its text, whether it is there or not. `path`: where it is, absolute. */
export async function writeOver(
  folder: string,
  files: readonly (NewFile & { readonly path: string; readonly before: string | undefined })[],
): Promise<{ readonly files: readonly ChangedFile[]; readonly diagnostics: readonly Diagnostic[] }> {
  const changed = files.map(({ file, before, text: after }): ChangedFile =>
    before === undefined ? { file, after } : { file, before, after },
  );
  const diagnostics = await writeChanges(folder, {
    added: files.filter(({ before }) => before === undefined),
    edits: files.flatMap(({ file, path: place, before, text: after }) =>
      before === undefined ? [] : [{ file, path: place, before, after }],
    ),
  });
  return { files: diagnostics.length > 0 ? [] : changed, diagnostics };
}

/** The text of a file that is to be written over, where it is there; or why it cannot be. */
export async function textThere(
  folder: string,
  file: string,
): Promise<{ readonly text: string | undefined } | { readonly problem: string }> {
  const place = path.resolve(folder, file);
  if (!(await staysInside(repositoryOf(folder) ?? folder, place)))
    return { problem: 'is reached by a link that leads out of the repository' };
  if (!(await isTaken(folder, file))) return { text: undefined };
  const { source, diagnostic } = await loadText(file, place);
  return source === undefined ? { problem: `cannot be read: ${diagnostic?.detail ?? ''}` } : { text: source.text };
}

/** Writes the files, unless they are only shown. `reported`: what else there is to say about them. */
export async function save({
  edits = [],
  added = [],
  folder = '',
  dryRun,
  reported = [],
}: Changes & {
  /** What the new ones are seen from. */
  readonly folder?: string;
  readonly dryRun: boolean;
  readonly reported?: readonly Diagnostic[];
}): Promise<Written & { readonly diagnostics: readonly Diagnostic[] }> {
  if (!dryRun) stopAtErrors([...reported, ...(await writeChanges(folder, { added, edits }))]);
  const files = [
    ...edits.map(({ file, before, after }) => ({ file, before, after })),
    ...added.map(({ file, text }) => ({ file, after: text })),
  ];
  return { diagnostics: reported, files, written: !dryRun };
}
