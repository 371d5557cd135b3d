// Installs the skill for coding agents in the folders of a repository where agents read skills. A skill of an older version
// is replaced; any other file is left unchanged.
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { quote } from '../../model/format.ts';
import { repositoryOf } from '../../manifest/read/load.ts';
import type { ChangedFile } from './save.ts';
import { textThere, writeOver } from './save.ts';

/** Claude Code's, and the one that others share. */
const PLACES = ['.claude/skills/hostwright/SKILL.md', '.agents/skills/hostwright/SKILL.md'];
/** A line that only what this writes has. */
const OURS = 'made-by: hostwright init --agents';

export interface InstalledSkill {
  /** What was written, seen from the root of the repository. */
  readonly files: readonly ChangedFile[];
  /** What is there already. */
  readonly left: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Installs the skill file in every location agents read, relative to the repository root (or to `cwd` outside a repository). */
export async function installSkill(cwd: string, text: string): Promise<InstalledSkill> {
  const root = repositoryOf(cwd) ?? cwd;
  const looked = await Promise.all(PLACES.map(async (file) => ({ file, ...(await lookAt(root, file)) })));
  const inTheWay = looked.flatMap(({ file, problem }) => (problem === undefined ? [] : [notOurs(file, problem)]));
  const left = looked.flatMap(({ file, before }) => (before === text ? [file] : []));
  if (inTheWay.length > 0) return { files: [], left, diagnostics: inTheWay };
  const changed = looked.filter(({ before }) => before !== text);
  const written = await writeOver(
    root,
    changed.map(({ file, before }) => ({ file, path: path.join(root, file), before, text })),
  );
  return { ...written, left };
}

async function lookAt(
  root: string,
  file: string,
): Promise<{ readonly before?: string | undefined; readonly problem?: string }> {
  const there = await textThere(root, file);
  if ('problem' in there) return there;
  const isTheirs = there.text !== undefined && !there.text.includes(OURS);
  return isTheirs ? { problem: 'is a skill that Hostwright did not write' } : { before: there.text };
}

function notOurs(file: string, what: string): Diagnostic {
  return diagnose('HW6732', `${quote(file)} ${what}. Move it away, then run \`hostwright init --agents\` again.`);
}
