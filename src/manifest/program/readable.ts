// What a program may read: the workspace without its secrets, and packages. Node.js compares names and follows links, so
// a folder is allowed as a whole only where nothing private and no link that leads out is in it.
import type { Dirent } from 'node:fs';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInside, isPrivate, repositoryOf } from '../read/load.ts';

export interface Readable {
  /** Files, and folders with everything in them, which end in `*`. */
  readonly names: readonly string[];
  /** The folders that they are in. */
  readonly folders: readonly string[];
  /** Files and folders among them that are not to be read. */
  readonly hidden: readonly string[];
}

export type Unreadable =
  { readonly end: 'link'; readonly link: string } | { readonly end: 'entries'; readonly entries: number };

export interface ReadableOptions {
  /** The folder of the workspace. */
  readonly root: string;
  /** The folder of the program. */
  readonly program: string;
  /** The folder of our own package: a link to it is how it is installed where it is developed. */
  readonly library: string;
  /** Absolute places of secrets. */
  readonly secret: readonly string[];
  /** A program beside more files and folders than this is not run. */
  readonly entries: number;
}

/** More than Node.js can be given as arguments. */
const MAX_NAMES = 4_096;

const PACKAGE = 'package.json';

interface Link {
  readonly place: string;
  readonly target: string;
}

export function readableFor({ root, program, library, secret, entries }: ReadableOptions): Readable | Unreadable {
  const folders = [...new Set([root, program, ...packageFolders(root)].flatMap((folder) => realPlace(folder) ?? []))];
  const secrets = secret.flatMap((place) => [place, realPlace(place) ?? place]);
  const repository = realPlace(repositoryOf(root) ?? root) ?? root;
  const hidden: string[] = [];
  const links: Link[] = [];
  let seen = 0;
  const left = [...folders];
  // What others have published in their packages is no secret of this workspace.
  const isHidden = (place: string): boolean =>
    secrets.some((one) => isInside(one, place)) ||
    (!place.split(path.sep).includes('node_modules') && isPrivate(place, { root: path.dirname(place) }));
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    for (const entry of entriesOf(folder)) {
      seen += 1;
      if (seen > entries) return { end: 'entries', entries };
      const place = path.join(folder, entry.name);
      if (isHidden(place)) hidden.push(place);
      else if (entry.isDirectory()) left.push(place);
      else if (entry.isSymbolicLink()) {
        const target = realPlace(place);
        if (target === undefined) continue;
        links.push({ place, target });
        if (!isPackageLink(place, target, repository) || folders.some((one) => isInside(one, target))) continue;
        folders.push(target);
        left.push(target);
      }
    }
  }
  const out = links.find(
    ({ target }) =>
      target !== library &&
      (!folders.some((folder) => isInside(folder, target)) || hidden.some((place) => isInside(place, target))),
  );
  if (out !== undefined) return { end: 'link', link: path.relative(root, out.place) };
  const around = links.filter(({ target }) => hidden.some((place) => isInside(target, place)));
  const names = [...folders.flatMap((folder) => namesIn(folder, hidden, around)), ...packageFilesAbove(root)];
  // A workspace can be reached by another name than its own, such as /tmp on macOS.
  const real = realPlace(root) ?? root;
  const asNamed =
    root === real ? [] : names.filter((name) => isInside(real, name)).map((name) => movedTo(root, real, name));
  const all = [...new Set([...names, ...asNamed])];
  return all.length > MAX_NAMES ? { end: 'entries', entries: MAX_NAMES } : { names: all, folders, hidden };
}

/** As few names as say it. `around`: links to folders that something hidden is in; no link is followed behind them. */
function namesIn(folder: string, hidden: readonly string[], around: readonly Link[]): readonly string[] {
  const closed = [...hidden, ...around.map(({ place }) => place)];
  if (!closed.some((place) => isInside(folder, place))) return [path.join(folder, '*')];
  const inside = entriesOf(folder).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (hidden.includes(place)) return [];
    if (entry.isDirectory()) return namesIn(place, hidden, around);
    if (!entry.isSymbolicLink()) return [place];
    const link = around.find((one) => one.place === place);
    // Node.js 20 ends at once where a folder is named by itself and with what is in it.
    if (link === undefined)
      return [statSync(place, { throwIfNoEntry: false })?.isDirectory() === true ? path.join(place, '*') : place];
    return namesIn(link.target, closed, []).map((name) => movedTo(place, link.target, name));
  });
  return [...inside, path.join(folder, PACKAGE)];
}

/**
 * The files in which Node.js looks for the package that a program is part of: in each folder above, up to the first that
 * is there. Before 20.19 it fails where it may not see that there is none.
 */
function packageFilesAbove(folder: string): readonly string[] {
  const [file, above] = [path.join(folder, PACKAGE), path.dirname(folder)];
  return existsSync(file) || above === folder ? [file] : [file, ...packageFilesAbove(above)];
}

function movedTo(folder: string, from: string, name: string): string {
  return folder + name.slice(from.length);
}

/** A link that a package manager makes for a package of the same repository. */
function isPackageLink(place: string, target: string, repository: string): boolean {
  const [scope, above] = [path.basename(path.dirname(place)), path.basename(path.dirname(path.dirname(place)))];
  const isPlace = scope === 'node_modules' || (scope.startsWith('@') && above === 'node_modules');
  const isOwn = target !== repository && isInside(repository, target) && existsSync(path.join(target, PACKAGE));
  return isPlace && isOwn && !isPrivate(target, { root: repository });
}

/** Where packages are looked for: beside the workspace and in each folder above it. */
function packageFolders(root: string): readonly string[] {
  const above = path.dirname(root);
  return [path.join(root, 'node_modules'), ...(above === root ? [] : packageFolders(above))];
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
