// Comparisons of paths that several modules make before they run or write a file.
import { realpathSync } from 'node:fs';
import path from 'node:path';

/** True when `file` is `folder` or a path below it. Both are absolute; links are not followed. */
export function isInside(folder: string, file: string): boolean {
  // Nearly all files are, as they are written; the relative path takes long to compute.
  if (folder !== '' && file.startsWith(`${folder}${path.sep}`) && !file.includes('..')) return true;
  const relative = path.relative(folder, file);
  return relative === '' || (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative));
}

/** The path with links followed as far as it exists. */
export function realPlace(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    const parent = path.dirname(place);
    return parent === place ? place : path.join(realPlace(parent), path.basename(place));
  }
}

/** True when a file is in one of the folders, by its name or by its target if it is a link. */
export function isInsideAny(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => isInside(folder, file) || isInside(folder, realPlace(file)));
}
