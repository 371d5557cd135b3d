// Links that lead out of what a program may read.
import type { Dirent } from 'node:fs';
import { readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** In a folder with more than this in it nobody looks for links. */
const ENTRIES = 100_000;

/**
 * A link in the workspace that leads to what a program may not read: Node.js looks at the name alone, and would follow it.
 * Links among packages are those of whoever installed them.
 */
export function linkOut(root: string, folders: readonly string[]): string | undefined {
  const readable = folders.flatMap((folder) => realPlace(folder) ?? []);
  const isReadable = (place: string): boolean =>
    readable.some((folder) => place === folder || place.startsWith(path.join(folder, path.sep)));
  const left = [root];
  let entries = 0;
  for (let folder = left.pop(); folder !== undefined && entries < ENTRIES; folder = left.pop()) {
    for (const entry of entriesOf(folder)) {
      entries += 1;
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && entry.name !== '.git') left.push(place);
      } else if (entry.isSymbolicLink() && entry.name !== 'node_modules') {
        const target = realPlace(place);
        if (target !== undefined && !isReadable(target)) return path.relative(root, place);
      }
    }
  }
  return undefined;
}

/** Of a folder that we cannot read, the program cannot read anything either. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Where a path leads to; undefined where to nothing. */
function realPlace(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}
