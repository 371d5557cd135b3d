// Files for CI over the years: what `init` made is remembered beside the workspace, so that what a later version makes
// can be told from what a person changed. The one is taken over, the other is kept; where both changed the same lines,
// a person decides.
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { mergeTexts } from '../../ledger/git-command.ts';
import { StoreError } from '../../ledger/store.ts';
import type { FileEdit } from '../../manifest/edit/write-edited.ts';
import { quote } from '../../model/format.ts';
import type { MadeFile } from '../../manifest/write/made-files.ts';
import type { NewFile } from '../../manifest/write/new-files.ts';
import type { Session } from '../session.ts';
import { textThere } from '../write/save.ts';

/** Where what was made is remembered, seen from the workspace's folder. It belongs into Git. */
const RECORD = '.hostwright/ci.json';
const FORMAT = 'hostwright.ci-files/1';

/** What becomes of the files for CI. */
export interface CiUpdate {
  readonly added: readonly NewFile[];
  readonly edits: readonly FileEdit[];
  /** What is as it is to be, or was left. */
  readonly left: readonly string[];
  /** What differs between a file that was left and what this version makes. */
  readonly differences: readonly MadeFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What has to be written so that the folder has these files. Those that are there are left as they are, or with
 * `update` brought to what this version makes, with what a person changed in them.
 */
export async function bringFiles(
  session: Session,
  files: readonly NewFile[],
  { update, version }: { readonly update: boolean; readonly version: string },
): Promise<CiUpdate> {
  const { cwd } = session;
  const record = await textThere(cwd, RECORD);
  const made = madeIn('text' in record ? record.text : undefined);
  const added: NewFile[] = [];
  const edits: FileEdit[] = [];
  const left: string[] = [];
  const differences: MadeFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const remembered = new Map(made);
  for (const { file, text } of files) {
    const now = await textThere(cwd, file);
    if ('problem' in now) {
      left.push(file);
      if (update) diagnostics.push(unknownOrigin(file, now.problem));
    } else if (now.text === undefined) {
      added.push({ file, text });
      remembered.set(file, text);
    } else if (now.text === text) {
      left.push(file);
      remembered.set(file, text);
    } else if (!update) left.push(file);
    else {
      const base = made.get(file);
      const merged =
        base === undefined ? undefined : await merge(session, { ours: now.text, base, theirs: text }, version);
      if (merged === undefined) {
        left.push(file);
        differences.push({ file, before: now.text, after: text });
        diagnostics.push(
          unknownOrigin(file, 'differs from what this version makes, and what an earlier one made of it is not known'),
        );
        continue;
      }
      remembered.set(file, text);
      if (merged.text === now.text) left.push(file);
      else edits.push({ file, path: path.resolve(cwd, file), before: now.text, after: merged.text });
      if (!merged.isClean) diagnostics.push(bothChanged(file));
    }
  }
  const recorded = recordOf(remembered);
  if (remembered.size > 0 && 'text' in record) {
    if (record.text === undefined) added.push({ file: RECORD, text: recorded });
    else if (record.text !== recorded)
      edits.push({ file: RECORD, path: path.resolve(cwd, RECORD), before: record.text, after: recorded });
  }
  return { added, edits, left, differences, diagnostics };
}

async function merge(
  { ledger, timeoutMs }: Session,
  texts: { readonly ours: string; readonly base: string; readonly theirs: string },
  version: string,
): Promise<{ readonly text: string; readonly isClean: boolean } | undefined> {
  if (texts.ours === texts.base) return { text: texts.theirs, isClean: true };
  try {
    const names = ['yours', `hostwright ${version}`] as const;
    return await mergeTexts({ env: ledger?.programEnv ?? {}, timeoutMs }, { ...texts, names });
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

/** The files as they were made, by their places seen from the workspace. A record that cannot be read tells nothing. */
function madeIn(text: string | undefined): ReadonlyMap<string, string> {
  try {
    const { format, files } = JSON.parse(text ?? '') as {
      readonly format?: string;
      readonly files?: Readonly<Record<string, readonly string[]>>;
    };
    if (format !== FORMAT) return new Map();
    return new Map(Object.entries(files ?? {}).map(([file, lines]) => [file, lines.join('\n')]));
  } catch {
    return new Map();
  }
}

/** A line of a file is a line of the record, so that a review shows what changed. */
function recordOf(made: ReadonlyMap<string, string>): string {
  const files = [...made].sort(([left], [right]) => (left < right ? -1 : 1));
  const document = {
    format: FORMAT,
    about: 'What `hostwright init --ci` made. `--update` reads it to tell what a person changed. Keep it in Git.',
    files: Object.fromEntries(files.map(([file, text]) => [file, text.split('\n')])),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function bothChanged(file: string): Diagnostic {
  return diagnose(
    'HW6733',
    `${quote(file)} was changed here, and this version makes the same lines otherwise. Both stand in it between \`<<<<<<<\` and \`>>>>>>>\`. Keep what is right, as after a merge in Git, before it is committed.`,
  );
}

function unknownOrigin(file: string, why: string): Diagnostic {
  return diagnose(
    'HW6734',
    `${quote(file)} ${why}. Move it away, run \`hostwright init --ci ... --update\` again, and put what is yours back in.`,
  );
}
