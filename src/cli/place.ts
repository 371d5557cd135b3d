// Where a file is in the repository of a job.
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Forges mark files of the repository, named from its root; undefined for what is no file of it. */
export function placeIn(root: string, cwd: string, file: string): string | undefined {
  if (file === '-') return undefined;
  const path = relative(root, resolve(cwd, file));
  return isAbsolute(path) || path.startsWith('..') ? undefined : path.split(sep).join('/');
}
