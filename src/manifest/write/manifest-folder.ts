// Where a new manifest has to be written so that the workspace reads it. Nothing is looked at but names.
import path from 'node:path';
import { isDynamicPattern } from 'tinyglobby';
import type { Workspace } from '../../model/workspace.ts';
import { matcherOf } from '../read/load-commit.ts';

type Place = Pick<Workspace, 'root' | 'manifests'>;

/** True for a path, absolute or relative to the workspace's folder, that the workspace reads once a file is there. */
export function isRead({ root, manifests }: Place, file: string): boolean {
  const absolute = path.resolve(root, file);
  return matcherOf(manifests, root, [absolute])(absolute);
}

/**
 * The folder, relative to the workspace's, below which the workspace reads a file of this relative path; the
 * workspace's own where nothing better is known.
 */
export function manifestFolder(workspace: Place, file: string): string {
  const folders = workspace.manifests
    .filter((pattern) => !pattern.startsWith('!'))
    .map((pattern) => {
      const parts = pattern.split('/');
      const dynamic = parts.findIndex((part) => isDynamicPattern(part));
      return path.normalize(dynamic < 0 ? pattern : parts.slice(0, dynamic).join('/'));
    });
  return ['.', ...folders].find((folder) => isRead(workspace, path.join(folder, file))) ?? '.';
}
