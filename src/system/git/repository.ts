// Finds the Git repository of a folder without Git, and checks who owns it. Git itself accepts a folder with HEAD, objects
// and refs as a bare repository, and all of these can be committed; only the name `.git` cannot.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { quote } from '../../model/format.ts';
import type { TrustOptions } from '../trusted-file.ts';
import { untrusted, untrustedMessage } from '../trusted-file.ts';

export interface Repository {
  /** The top folder of the work tree, links followed. */
  readonly root: string;
  /** The Git directory of the work tree. */
  readonly gitDir: string;
  /** The directory with the configuration and the objects; differs from `gitDir` in a linked work tree. */
  readonly commonDir: string;
}

/** Returns the repository whose work tree a folder is in, or why none is used. */
export function findRepository(
  folder: string,
  trust: Omit<TrustOptions, 'use'>,
): { readonly repository: Repository } | { readonly reason: string } {
  const start = realOf(folder);
  const root = start === undefined ? undefined : topOf(start);
  if (root === undefined)
    return { reason: `not a git repository: ${quote(folder)} and the folders above it contain no .git` };
  const entry = path.join(root, '.git');
  const gitDir = gitDirOf(entry);
  const commonDir = gitDir === undefined ? undefined : commonDirOf(gitDir);
  if (gitDir === undefined || commonDir === undefined)
    return { reason: `not a git repository: ${quote(entry)} does not name a Git directory` };
  for (const file of [entry, path.join(gitDir, 'HEAD'), path.join(commonDir, 'config')]) {
    const problem = untrusted(file, { use: 'input', ...trust });
    if (problem !== undefined) return { reason: untrustedMessage(problem).replace(/\.$/, '') };
  }
  return { repository: { root, gitDir, commonDir } };
}

/** The nearest folder at or above this one that has an entry `.git`. */
function topOf(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    if (statSync(path.join(at, '.git'), { throwIfNoEntry: false }) !== undefined) return at;
    if (at === path.dirname(at)) return undefined;
  }
}

/** `.git` is the directory, or a file that names it: in submodules and linked work trees. */
function gitDirOf(entry: string): string | undefined {
  try {
    if (statSync(entry).isDirectory()) return realOf(entry);
    const [, target] = /^gitdir: (.+?)\r?\n?$/s.exec(readFileSync(entry, 'utf8')) ?? [];
    return target === undefined ? undefined : realOf(path.resolve(path.dirname(entry), target));
  } catch {
    return undefined;
  }
}

function commonDirOf(gitDir: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(gitDir, 'commondir'), 'utf8');
  } catch {
    return gitDir;
  }
  return realOf(path.resolve(gitDir, text.replace(/\r?\n$/, '')));
}

function realOf(place: string): string | undefined {
  try {
    return realpathSync.native(place);
  } catch {
    return undefined;
  }
}
