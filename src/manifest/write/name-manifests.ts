// What manifests of live objects are called, and the files that they are written to: readable, the same whatever order
// the objects come in, and fit for every file system, whatever somebody called the object.
import slugify from '@sindresorhus/slugify';
import { windowsReservedNameRegex } from 'filename-reserved-regex';
import { compareText } from '../../model/address.ts';
import { canonicalHostname } from '../../model/hostname.ts';
import { shapes } from '../generated/shapes.ts';
import { shapeAt } from '../shape.ts';

/** Longest name that is taken from a text: a number may come behind it, and the schemas let a name have 100. */
const NAME_LENGTH = 60;
/** Longest name of a file without its ending: file systems take 255 bytes, the tools around them often less. */
const STEM_LENGTH = 120;
/** What is left as it is. */
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const HOSTNAME = /^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/;

/** A live object that gets a manifest. */
export interface RootToName {
  readonly kind: string;
  /** Where manifests of its kind are written, inside the folder that all of them go to. */
  readonly folder: string;
  /** What tells it apart from all others of its kind: it decides who comes first where two could be called the same. */
  readonly id: string;
  /**
   * What it could be called, best first. Where manifests of its kind are named by their hostname, the first is that.
   */
  readonly called: readonly string[];
}

export interface RootName {
  readonly name: string;
  /** With `/` between its parts. */
  readonly file: string;
}

/** What is there already and stays as it is. */
export interface TakenNames {
  readonly manifests: readonly { readonly kind: string; readonly name: string }[];
  readonly files: readonly string[];
}

/** The names of manifests, and their files, in the order in which the objects came. */
export function nameRoots(
  roots: readonly RootToName[],
  taken: TakenNames = { manifests: [], files: [] },
): readonly RootName[] {
  const sorted = [...roots].sort((left, right) => compareText(left.kind, right.kind) || compareText(left.id, right.id));
  const names = choose(
    sorted.map((root) =>
      isNamedByHostname(root.kind)
        ? { space: root.kind, options: [root.called[0] ?? root.id], asItIs: true }
        : { space: root.kind, options: slugsOf(root) },
    ),
    new Set(taken.manifests.map(({ kind, name }) => keyOf(kind, name))),
  );
  const files = choose(
    sorted.map(({ folder, kind }, index) => ({
      space: '',
      options: [`${folder}/${stemOf(kind, names[index] as string)}`],
    })),
    new Set(taken.files.map((file) => keyOf('', file))),
    '.yaml',
  );
  const named = new Map(
    sorted.map((root, index) => [root, { name: names[index] as string, file: files[index] as string }]),
  );
  return roots.map((root) => named.get(root) as RootName);
}

/** True where the name of a manifest is the hostname that its object is known by. */
export function isNamedByHostname(kind: string): boolean {
  const shape = shapeAt(shapes[kind], '/metadata/name');
  return shape?.is === 'value' && shape.format === 'idn-hostname';
}

interface Wish {
  /** Names are told apart inside it. */
  readonly space: string;
  /** Best first; there is at least one. */
  readonly options: readonly string[];
  /** It cannot be called anything else. */
  readonly asItIs?: boolean;
}

/**
 * One name for each wish: everybody's first option is looked at before anybody's second, so that nobody loses a name to
 * somebody who could also be called otherwise. Where none is free, the first gets the first number that is.
 */
function choose(wishes: readonly Wish[], taken: Set<string>, ending = ''): readonly string[] {
  const chosen = new Map<Wish, string>();
  const claim = (wish: Wish, name: string): void => {
    taken.add(keyOf(wish.space, name));
    chosen.set(wish, name);
  };
  const claimIfFree = (wish: Wish, option: string | undefined): boolean => {
    const name = `${option ?? ''}${ending}`;
    if (option === undefined || chosen.has(wish) || taken.has(keyOf(wish.space, name))) return false;
    claim(wish, name);
    return true;
  };
  for (const wish of wishes) if (wish.asItIs === true) claim(wish, wish.options[0] as string);
  const most = Math.max(0, ...wishes.map(({ options }) => options.length));
  for (let rank = 0; rank < most; rank += 1) for (const wish of wishes) claimIfFree(wish, wish.options[rank]);
  // Saves counting from the start for each of many.
  const next = new Map<string, number>();
  for (const wish of wishes.filter((one) => !chosen.has(one))) {
    const [first = ''] = wish.options;
    const key = keyOf(wish.space, first);
    let number = next.get(key) ?? 2;
    while (!claimIfFree(wish, `${first}-${number}`)) number += 1;
    next.set(key, number + 1);
  }
  return wishes.map((wish) => chosen.get(wish) as string);
}

/** Letter case does not tell names apart, because it does not tell files apart everywhere. */
function keyOf(space: string, name: string): string {
  return JSON.stringify([space, name.normalize('NFC').toLowerCase()]);
}

/** What is left of its names in letters, digits and hyphens; where nothing is, its kind. */
function slugsOf({ called, id, kind }: RootToName): readonly string[] {
  const texts = new Set([...called, id, kind]);
  return [...new Set([...texts].map(slugOf).filter((slug) => slug !== ''))];
}

/** Lower-case letters, digits and single hyphens between them: `Shop Ams` is `shop-ams`. */
export function slugOf(text: string): string {
  if (text.length <= NAME_LENGTH && SLUG.test(text)) return text;
  // What is far behind the end would only cost time.
  const slug = slugify(text.slice(0, 4 * NAME_LENGTH), { decamelize: false });
  return slug.slice(0, NAME_LENGTH).replace(/-+$/, '');
}

/**
 * The file of a manifest without its ending. A hostname stays readable; what a file may not be called gets a mark in
 * front that no name has.
 */
function stemOf(kind: string, name: string): string {
  const stem = isNamedByHostname(kind) ? hostnameStem(canonicalHostname(name)) : name;
  return windowsReservedNameRegex().test(stem) ? `_${stem}` : stem;
}

/** Whoever stores a hostname does not promise that it is one. */
function hostnameStem(hostname: string): string {
  return HOSTNAME.test(hostname) ? hostname.slice(0, STEM_LENGTH).replace(/[-.]+$/, '') : slugOf(hostname) || 'unnamed';
}
