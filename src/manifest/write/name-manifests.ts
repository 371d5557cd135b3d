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
  const names = takenBy(taken.manifests.map(({ kind, name }) => [kind, name]));
  const files = takenBy(taken.files.map((file) => ['', file]));
  const wanted = roots
    .map((root, place) => ({ root, place }))
    .sort((left, right) => compareText(left.root.kind, right.root.kind) || compareText(left.root.id, right.root.id));
  const named = choose(
    wanted.map(({ root }) =>
      isNamedByHostname(root.kind)
        ? { space: root.kind, options: [root.called[0] ?? root.id], asItIs: true }
        : { space: root.kind, options: slugsOf(root), asItIs: false },
    ),
    names,
  );
  const stems = choose(
    wanted.map(({ root }, index) => ({
      space: '',
      options: [`${root.folder}/${stemOf(root.kind, named[index] as string)}`],
      ending: '.yaml',
      asItIs: false,
    })),
    files,
  );
  const placed = wanted.map(({ place }, index): readonly [number, RootName] => [
    place,
    { name: named[index] as string, file: stems[index] as string },
  ]);
  return placed.sort(([left], [right]) => left - right).map(([, name]) => name);
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
  readonly ending?: string;
  /** It cannot be called anything else. */
  readonly asItIs: boolean;
}

type Taken = Set<string>;

/**
 * One name for each wish: everybody's first option is looked at before anybody's second, so that nobody loses a name to
 * somebody who could also be called otherwise. Letter case does not tell names apart, because it does not tell files
 * apart everywhere.
 */
function choose(wishes: readonly Wish[], taken: Taken): readonly string[] {
  const chosen = wishes.map(({ space, options, asItIs }) =>
    asItIs ? claim(taken, space, options[0] as string) : undefined,
  );
  const most = Math.max(0, ...wishes.map(({ options }) => options.length));
  for (let rank = 0; rank < most; rank += 1) {
    for (const [index, { space, options, ending = '' }] of wishes.entries()) {
      const option = options[rank];
      if (chosen[index] === undefined && option !== undefined && !taken.has(keyOf(space, option + ending)))
        chosen[index] = claim(taken, space, option + ending);
    }
  }
  const next = new Map<string, number>();
  return wishes.map(
    ({ space, options, ending = '' }, index) =>
      chosen[index] ?? claim(taken, space, numbered(taken, space, options[0] as string, ending, next)),
  );
}

function claim(taken: Taken, space: string, name: string): string {
  taken.add(keyOf(space, name));
  return name;
}

/** With the first number behind it that is free; `next` saves counting from the start for each of many. */
function numbered(taken: Taken, space: string, name: string, ending: string, next: Map<string, number>): string {
  const key = keyOf(space, name);
  let number = next.get(key) ?? 2;
  while (taken.has(keyOf(space, `${name}-${number}${ending}`))) number += 1;
  next.set(key, number + 1);
  return `${name}-${number}${ending}`;
}

function takenBy(pairs: readonly (readonly [string, string])[]): Taken {
  return new Set(pairs.map(([space, name]) => keyOf(space, name)));
}

function keyOf(space: string, name: string): string {
  return JSON.stringify([space, name.normalize('NFC').toLowerCase()]);
}

/** What is left of its names in letters, digits and hyphens; where nothing is, its kind. */
function slugsOf({ called, id, kind }: RootToName): readonly string[] {
  return [...new Set([...called, id, kind].map(slugOf).filter((slug) => slug !== ''))];
}

/** Lower-case letters, digits and single hyphens between them: `Shop Ams` is `shop-ams`. */
export function slugOf(text: string): string {
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
