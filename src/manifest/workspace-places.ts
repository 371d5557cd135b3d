// Where a workspace has its files, as far as names say it: for whoever asks Git about them instead of reading them.
import { lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Workspace } from '../model/workspace.ts';
import { isProgram, realPathOf } from './read/load.ts';

/** Where a plan reads files. */
export interface Places {
  readonly root: string;
  /** Files and folders, relative to the root. */
  readonly paths: readonly string[];
  /** Whether a file of that name may be read. */
  readonly counts: (name: string) => boolean;
  /** Whether it is a plain file, and no link. */
  readonly isFile: (name: string) => boolean;
}

const MANIFEST = /\.(ya?ml|json|\{(ya?ml|json)(,(ya?ml|json))*\})$/;
/** What a folder is not searched in. */
const HIDDEN = /(^|\/)(node_modules(\/|$)|\.(?!\.?(\/|$)))/;
const PATTERN = /[*?[\]{}()!+@\\]/;

/** Undefined where it takes more than folders and plain files to know it, and where one of them is not there. */
export function placesOf(
  cwd: string,
  named: readonly string[],
  { workspace: { root, manifests, shared = [] }, file }: { readonly workspace: Workspace; readonly file: string },
): Places | undefined {
  if (named.some((name) => name === '-' || isProgram(name) || PATTERN.test(name))) return undefined;
  const own = manifests.filter((name) => !name.startsWith('!'));
  const places = [
    ...named.map((name) => path.resolve(cwd, name)),
    ...[...own.map(folderOf), ...shared, path.basename(file)].map((name) => path.resolve(root, name)),
  ];
  const realRoot = realPathOf(root) ?? root;
  const paths = places.map((place) => path.relative(root, place) || '.');
  const isPlain = (at: string): boolean =>
    !HIDDEN.test(at) && realPathOf(path.join(root, at)) === path.join(realRoot, at);
  if (!paths.every(isPlain)) return undefined;
  const others = [...own, ...places.filter((place) => !statSync(place).isDirectory())].filter(
    (name) => !MANIFEST.test(name),
  );
  const isAnyName = others.some((name) => PATTERN.test(name) || !own.includes(name));
  return {
    root,
    paths,
    counts: (name) => isAnyName || MANIFEST.test(name),
    isFile: (name) => lstatSync(path.join(root, name)).isFile(),
  };
}

/** The folder that a pattern starts from. */
function folderOf(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => PATTERN.test(part));
  return first === -1 ? pattern : parts.slice(0, first).join('/');
}
