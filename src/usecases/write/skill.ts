// The skill for coding agents, in the folders where they look for those of a repository. One that was written by an older
// version is written over; what is anybody else's is not.
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { FileEdit } from '../../manifest/edit/write-edited.ts';
import { writeEditedFiles } from '../../manifest/edit/write-edited.ts';
import { quote } from '../../model/format.ts';
import { loadText, repositoryOf, staysInside } from '../../manifest/read/load.ts';
import type { MadeFile } from '../../manifest/write/made-files.ts';
import { isTaken, writeNewFiles } from '../../manifest/write/new-files.ts';

/** Claude Code's, and the one that others share. */
const PLACES = ['.claude/skills/hostwright/SKILL.md', '.agents/skills/hostwright/SKILL.md'];
/** A line that only what this writes has. */
const OURS = 'made-by: hostwright skills install';

export interface InstalledSkill {
  /** What was written, seen from the root of the repository. */
  readonly files: readonly (MadeFile & { readonly after: string })[];
  /** What is there already. */
  readonly left: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Writes the text to each place in the repository that a folder is in, or in the folder where there is none. */
export async function installSkill(cwd: string, text: string): Promise<InstalledSkill> {
  const root = repositoryOf(cwd) ?? cwd;
  const looked = await Promise.all(PLACES.map(async (file) => ({ file, ...(await lookAt(root, file)) })));
  const inTheWay = looked.flatMap(({ file, problem }) => (problem === undefined ? [] : [notOurs(file, problem)]));
  const left = looked.flatMap(({ file, before }) => (before === text ? [file] : []));
  if (inTheWay.length > 0) return { files: [], left, diagnostics: inTheWay };
  const changed = looked.filter(({ before }) => before !== text);
  const edits = changed.flatMap(({ file, before }): readonly FileEdit[] =>
    before === undefined ? [] : [{ file, path: path.join(root, file), before, after: text }],
  );
  const added = changed.flatMap(({ file, before }) => (before === undefined ? [{ file, text }] : []));
  const diagnostics = [...(await writeNewFiles(root, added)), ...(await writeEditedFiles(edits))];
  return {
    files:
      diagnostics.length > 0
        ? []
        : changed.map(({ file, before }) => ({ file, ...(before !== undefined && { before }), after: text })),
    left,
    diagnostics,
  };
}

async function lookAt(root: string, file: string): Promise<{ readonly before?: string; readonly problem?: string }> {
  if (!(await staysInside(root, file))) return { problem: 'is reached by a link that leads out of the repository' };
  if (!(await isTaken(root, file))) return {};
  const { source, diagnostic } = await loadText(file, path.join(root, file));
  if (source === undefined) return { problem: `cannot be read: ${diagnostic?.detail ?? ''}` };
  return source.text.includes(OURS) ? { before: source.text } : { problem: 'is a skill that somebody else wrote' };
}

function notOurs(file: string, what: string): Diagnostic {
  return diagnose('HW6732', `${quote(file)} ${what}. Move it away, then run \`hostwright skills install\` again.`);
}
