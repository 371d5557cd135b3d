// What a plan has to look at when only what changed since a commit is asked for: the manifests that say something else
// than where the branch began, and what rests on them. When that cannot be told it is an error, never "nothing
// changed".
import { dirname } from 'node:path';
import type { Address } from '../../model/address.ts';
import { compareText } from '../../model/address.ts';
import type { DesiredCollection, Manifest } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { invariant } from '../../model/invariant.ts';
import { touchedBy } from '../../planner/touched.ts';
import type { Git } from '../../ledger/git-command.ts';
import { dataKinds, registry } from '../../areas/index.ts';
import { compareManifests } from '../../manifest/read/changed.ts';
import type { FormerTree } from '../../manifest/read/load-commit.ts';
import { loadFormer, placeIn } from '../../manifest/read/load-commit.ts';
import { expandManifests } from '../../manifest/read/expand.ts';
import { manifestsIn, placesOfSecrets } from '../../manifest/read/read.ts';
import { readsTheSame, saysTheSame } from '../../manifest/workspace.ts';
import { StoreError } from '../../ledger/store.ts';
import { filesIn, withGit } from '../git.ts';
import type { Session } from '../session.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import type { Base } from './base.ts';
import { cannotTell, findBase } from './base.ts';
import type { Limits, Scope } from './limits.ts';
import { countOf, named, partRead, restingOn } from './limits.ts';

/** How much a plan is limited to, and what has to be said about it. */
export type ChangedScope =
  | { readonly error: Diagnostic }
  | (Pick<Scope, 'notices' | 'former'> & {
      /** Absent: everything. */
      readonly limits?: Limits & Required<Pick<Limits, 'within'>>;
    });

/** What changed between where this branch left that commit and the files as they are now, committed or not. */
export async function changedSince(session: Session, opened: OpenedWorkspace, ref: string): Promise<ChangedScope> {
  const { file, reading } = opened;
  invariant(file !== undefined && reading !== undefined, 'a workspace was opened without its file');
  if (reading.paths.includes('-'))
    return {
      error: cannotTell(ref, 'manifests from standard input are in no commit', 'Name files or folders instead of `-`.'),
    };
  return withGit<ChangedScope>(
    session,
    dirname(file),
    async (git) => {
      const found = await findBase(git, ref);
      if ('error' in found) return found;
      const earlier = await manifestsAt(git, found, { ...opened, file, reading }, saysTheSame);
      if (!('before' in earlier)) return earlier;
      const { before } = earlier;
      return {
        ...scopeOf(opened, found, compareManifests(before, opened.manifests, registry)),
        former: expandManifests(before, registry),
      };
    },
    (reason) => ({ error: cannotTell(ref, reason, 'Look with Git why, or leave `--changed-since` out.') }),
  );
}

/**
 * What the manifests declared where this branch left that commit; undefined where that cannot be told, for then nothing
 * is said of it.
 */
export async function formerlyDeclared(
  session: Session,
  opened: OpenedWorkspace,
  ref: string,
): Promise<readonly DesiredCollection[] | undefined> {
  const { file, reading } = opened;
  if (file === undefined || reading === undefined || reading.paths.includes('-')) return undefined;
  return withGit(
    session,
    dirname(file),
    async (git) => {
      const found = await findBase(git, ref);
      if ('error' in found) return undefined;
      const earlier = await manifestsAt(git, found, { ...opened, file, reading }, readsTheSame);
      return 'before' in earlier ? expandManifests(earlier.before, registry) : undefined;
    },
    () => undefined,
  );
}

/** The manifests that the same paths named at that commit, as far as the workspace file was alike there. */
async function manifestsAt(
  git: Git,
  base: Base,
  { file, reading, texts: now, known }: OpenedWorkspace & Required<Pick<OpenedWorkspace, 'file' | 'reading'>>,
  isAlike: typeof saysTheSame,
): Promise<
  | { readonly before: readonly Manifest[] }
  | { readonly error: Diagnostic }
  | { readonly notices: readonly Diagnostic[] }
> {
  const tree = await treeAt(git, base);
  const place = await placeIn(tree.top, dirname(file), file);
  const earlier = place === undefined ? undefined : tree.files.get(place);
  if (place === undefined) return { error: outsideOf(base.ref, [file]) };
  const bytes = earlier === undefined ? undefined : (await filesIn(git, [earlier]))[0];
  if (bytes === undefined || !(await isAlike(file, file, bytes))) return { notices: [wholeWorkspace(base)] };
  const { texts, outside } = await loadFormer([...reading.paths, ...(reading.shared ?? [])], now, tree, {
    cwd: reading.cwd,
    unread: placesOfSecrets(reading.secrets),
    context: reading.context ?? [],
  });
  if (outside.length > 0) return { error: outsideOf(base.ref, outside) };
  return { before: manifestsIn(texts, registry, dataKinds, known) };
}

function scopeOf(
  { declared }: OpenedWorkspace,
  base: Base,
  { changed, gone }: ReturnType<typeof compareManifests>,
): ChangedScope {
  const { roots, withNeeds } = touchedBy(changed, declared, registry);
  const all = declared.flatMap(({ parent, members }) => (parent === null ? members : [])).length;
  const targets = [...roots].sort(compareText);
  return {
    limits: { targets, within: withNeeds },
    notices: [
      changesRead(base, { changed, targets, withNeeds, all }),
      ...gone.map((address) => removed(base, address)),
    ],
  };
}

async function treeAt(git: Git, { commit }: Base): Promise<FormerTree> {
  const top = (await git.run(['rev-parse', '--show-toplevel'])).toString('utf8').replace(/\n$/, '');
  const listed = (await git.run(['ls-tree', '-r', '-z', '--full-tree', commit])).toString('utf8').split('\0');
  const files = listed.flatMap((entry) => {
    const [, mode = '', id = '', file = ''] = /^(\d+) blob (\w+)\t(.*)$/s.exec(entry) ?? [];
    return mode.startsWith('100') ? [[file, id] as const] : [];
  });
  const read = async (names: readonly string[]): Promise<readonly Uint8Array[]> =>
    (await filesIn(git, names)).map((bytes, index) => {
      if (bytes === undefined) throw new StoreError(`this clone lacks the content ${names[index] ?? ''}`);
      return bytes;
    });
  return { top, files: new Map(files), read };
}

function outsideOf(ref: string, files: readonly string[]): Diagnostic {
  return cannotTell(
    ref,
    `${named(files)} ${files.length === 1 ? 'is' : 'are'} outside the repository of the workspace`,
    'Move what belongs to the workspace into it, or leave `--changed-since` out.',
  );
}

function wholeWorkspace({ ref, commit }: Base): Diagnostic {
  return diagnose(
    'HW6143',
    `The workspace file is not what it was at \`${ref}\` (${commit.slice(0, 12)}), and what it says counts for every manifest.`,
  );
}

function removed({ ref, commit }: Base, address: Address): Diagnostic {
  const detail = `${address} was declared at \`${ref}\` (${commit.slice(0, 12)}) and is in no manifest any more. Nothing is done to it: a manifest that is gone is not a delete. To delete it, put the manifest back and write \`lifecycle: { state: absent }\`.`;
  return diagnose('HW6144', detail, { address });
}

interface ChangesRead {
  readonly changed: ReadonlySet<Address>;
  readonly targets: readonly Address[];
  readonly withNeeds: ReadonlySet<Address>;
  readonly all: number;
}

function changesRead({ ref, commit }: Base, { changed, targets, withNeeds, all }: ChangesRead): Diagnostic {
  const since = `since \`${ref}\` (${commit.slice(0, 12)})`;
  const resting = targets.filter((address) => !changed.has(address));
  const detail = [
    changed.size === 0
      ? `No manifest of ${all} says anything else ${since}.`
      : `Looked at ${countOf(changed.size, all)}, changed ${since}: ${named([...changed].sort(compareText))}.`,
    ...(resting.length === 0 ? [] : [`Planned too, because they rest on those: ${named(resting)}.`]),
    ...restingOn(targets, withNeeds),
    `${withNeeds.size === 0 ? 'Nothing' : 'Nothing else'} of the account was read, so nothing is said about the rest; without \`--changed-since\` all of it is.`,
  ].join(' ');
  return partRead(detail);
}
