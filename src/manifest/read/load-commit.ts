// Which texts the same paths would have named in an earlier commit, and takes those that are as they were from what is
// read already. What cannot be told to have been there was not.
import { createHash } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import picomatch from 'picomatch';
import { escapePath, isDynamicPattern } from 'tinyglobby';
import { decode } from './decode.ts';
import type { LoadedText } from './load.ts';
import { fromFolder, isInside, WORKSPACE_FILE } from './load.ts';

/** The files of a commit: plain ones only, for a link or another repository in it may have led anywhere. */
export interface FormerTree {
  /** The top folder of the work tree, links followed. */
  readonly top: string;
  /** Names of contents, by path from the top, with `/`. */
  readonly files: ReadonlyMap<string, string>;
  /** Contents by name, in the order of the names. */
  readonly read: (names: readonly string[]) => Promise<readonly Uint8Array[]>;
}

export interface Former {
  readonly texts: readonly LoadedText[];
  /** Files that were read now and lie outside the work tree: nobody knows what they were. */
  readonly outside: readonly string[];
}

export interface FormerOptions {
  readonly cwd: string;
  /** Absolute folders that are not looked into, as when the manifests were read. */
  readonly unread: readonly string[];
  /** Where the rest of the workspace is, of which profiles and contacts are read too. */
  readonly context?: readonly string[];
}

const MANIFEST = /\.(ya?ml|json)$/;
const NEVER = /(^|\/)(node_modules\/|\.)/;

/** The texts that these paths named in that commit. */
export async function loadFormer(
  paths: readonly string[],
  texts: readonly Pick<LoadedText, 'source' | 'isContext'>[],
  tree: FormerTree,
  { cwd, unread, context = [] }: FormerOptions,
): Promise<Former> {
  const here = await realpath(cwd);
  const now = texts.map(({ source }) => source);
  const placed = await Promise.all(
    now.map(async (text) => ({ text, place: await placeIn(tree.top, here, text.name) })),
  );
  const outside = placed.flatMap(({ text, place }) => (place === undefined ? [text.name] : []));
  if (outside.length > 0) return { texts: [], outside };
  const present = new Set(placed.map(({ place }) => place));
  const files = [...tree.files.keys()].map((file) => path.join(tree.top, file));
  const isNamed = matcherOf(paths, here, files);
  const isAround = matcherOf(context, here, files);
  const realUnread = await Promise.all(unread.map((folder) => realpath(folder).catch(() => folder)));
  const candidates = [...tree.files].filter(
    ([file]) =>
      !present.has(file) &&
      (isNamed(path.join(tree.top, file)) || isAround(path.join(tree.top, file))) &&
      !realUnread.some((folder) => isInside(folder, path.join(tree.top, file))),
  );
  const gone = await whereGone(tree.top, candidates);
  const changed = placed.flatMap(({ text, place = '' }) => {
    const id = tree.files.get(place);
    return id === undefined || isContent(id, text.text) ? [] : [{ name: text.name, id }];
  });
  const wanted = [
    ...changed,
    ...gone.map(([file, id]) => ({ name: path.relative(here, path.join(tree.top, file)), id })),
  ];
  const contents = await tree.read(wanted.map(({ id }) => id));
  const others = new Set(changed.map(({ name }) => name));
  const same = placed.flatMap(({ text, place = '' }) =>
    tree.files.has(place) && !others.has(text.name) ? [text] : [],
  );
  const read = wanted.flatMap(({ name }, index) => decode(name, contents[index] as Uint8Array).source ?? []);
  const around = new Set([
    ...texts.filter(({ isContext }) => isContext === true).map(({ source }) => source.name),
    ...gone
      .map(([file]) => path.join(tree.top, file))
      .filter((file) => !isNamed(file))
      .map((file) => path.relative(here, file)),
  ]);
  return {
    texts: [...same, ...read].map((source) => ({
      source,
      named: false,
      ...(around.has(source.name) && { isContext: true }),
    })),
    outside: [],
  };
}

/** The path in the work tree of a file or folder, in the form that Git has it in; undefined outside. */
export async function placeIn(top: string, cwd: string, name: string): Promise<string | undefined> {
  if (name === '-') return undefined;
  const plain = path.resolve(cwd, name);
  const file = isInside(top, plain) ? plain : await realpath(plain).catch(() => plain);
  return isInside(top, file) ? fromFolder(top, file) : undefined;
}

/** Files that are still there and are named by nothing now were not named then. */
async function whereGone(
  top: string,
  files: readonly (readonly [string, string])[],
): Promise<readonly (readonly [string, string])[]> {
  const there = await Promise.all(
    files.map(([file]) =>
      lstat(path.join(top, file)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return files.filter((_, index) => there[index] !== true);
}

/**
 * Whether a file would have been found: the rules are those of `load.ts`, for a tree of which only the names are known.
 */
export function matcherOf(paths: readonly string[], cwd: string, files: readonly string[]): (file: string) => boolean {
  const globOf = (pattern: string) =>
    picomatch(path.isAbsolute(pattern) ? pattern : path.posix.join(escapePath(cwd), pattern), { posix: true });
  const excluded = paths.filter((name) => name.startsWith('!')).map((name) => globOf(name.slice(1)));
  const known = new Set(files);
  const included = paths
    .filter((name) => !name.startsWith('!') && name !== '-')
    .map((name): ((file: string) => boolean) => {
      const absolute = path.resolve(cwd, name);
      if (known.has(absolute)) return (file) => file === absolute;
      const isFolder = files.some((file) => isInside(absolute, file));
      if (isFolder)
        return (file) => isInside(absolute, file) && MANIFEST.test(file) && !NEVER.test(path.relative(absolute, file));
      if (!isDynamicPattern(name)) return () => false;
      const matches = globOf(name);
      return (file) => matches(file) && !NEVER.test(path.relative(cwd, file).replace(/^(\.\.\/)+/, ''));
    });
  return (file) =>
    path.basename(file) !== WORKSPACE_FILE &&
    included.some((matches) => matches(file)) &&
    !excluded.some((matches) => matches(file));
}

/** True when Git would give this text that name: most files are as they were, and need not be read again. */
function isContent(id: string, text: string): boolean {
  const bytes = Buffer.from(text, 'utf8');
  return (
    createHash(id.length === 40 ? 'sha1' : 'sha256')
      .update(`blob ${bytes.length}\0`)
      .update(bytes)
      .digest('hex') === id
  );
}
