// Which workspaces a run over many accounts is about: those in the folders that are named, one shard of them, or those
// that changed since a commit.
import { createHash } from 'node:crypto';
import { dirname, join, relative, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { compareText } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Shard } from '../../model/plan/fleet.ts';
import type { Workspace } from '../../model/workspace.ts';
import { isInside, WORKSPACE_FILE } from '../../manifest/read/load.ts';
import { loadWorkspace } from '../../manifest/workspace.ts';
import { withGit } from '../git.ts';
import type { Base } from '../plan/base.ts';
import { cannotTell, findBase } from '../plan/base.ts';
import type { Session } from '../session.ts';
import { sideBySide } from '../side-by-side.ts';
import type { Leaving } from './leaving.ts';
import { findLeaving, leavingText, wrongEnding } from './leaving.ts';

/** One workspace of a fleet. */
export interface Member {
  /** Its folder, seen from where the command runs. */
  readonly folder: string;
  /** The workspace file, absolute. */
  readonly file: string;
  /** What it says its account is. Of a file that cannot be read: its folder. */
  readonly account: string;
  /** Absent: the file is broken, as the diagnostics say. */
  readonly workspace?: Workspace;
  readonly diagnostics: readonly Diagnostic[];
}

export interface FleetScope {
  /** Folders, and globs of folders, each with a workspace file. */
  readonly folders: readonly string[];
  readonly shard?: Shard;
  /** A commit: only workspaces of which a file, or a shared one, changed since this branch left it. */
  readonly changedSince?: string;
  /** Beside those that changed: accounts with an approval that is not carried out. */
  readonly approved?: ReadonlySet<string>;
  /** Of those that changed not these: what was approved in them is carried out. */
  readonly done?: ReadonlySet<string>;
}

export interface Members {
  readonly members: readonly Member[];
  readonly diagnostics: readonly Diagnostic[];
  /** What is to be said beside, and stops nothing. */
  readonly notices: readonly Diagnostic[];
  /** Accounts that the branch no longer looks after. Empty where no commit was named to compare with. */
  readonly leaving: readonly Leaving[];
}

const AT_ONCE = 32;

/** The workspaces, in the order of their accounts. */
export async function findMembers(session: Session, scope: FleetScope): Promise<Members> {
  const { folders, shard } = scope;
  const { cwd } = session;
  const files = await workspaceFiles(cwd, folders);
  if ('error' in files) return refused(files.error);
  const found = await sideBySide(files, AT_ONCE, (file) => memberOf(session, file));
  const twice = sharedAccounts(found);
  if (twice.length > 0) return refused(...twice);
  const isInShard = ({ account }: Pick<Member, 'account'>): boolean =>
    shard === undefined || shardOf(account, shard.of) === shard.index;
  const notices = await wrongEndings(cwd, folders, found);
  const members = found
    .filter(isInShard)
    .sort((left, right) => compareText(left.account, right.account) || compareText(left.folder, right.folder));
  if (scope.changedSince === undefined) return { members, diagnostics: [], notices, leaving: [] };
  const narrowed = await onlyInScope(session, members, scope, found);
  if ('error' in narrowed) return refused(narrowed.error);
  const leaving = narrowed.leaving.filter(isInShard);
  return {
    members: narrowed.members,
    diagnostics: [],
    notices: [...leaving.map((one) => leavingText(one, narrowed.base)), ...notices],
    leaving,
  };
}

function refused(...diagnostics: readonly Diagnostic[]): Members {
  return { members: [], diagnostics, notices: [], leaving: [] };
}

/** Folders that are left out because their workspace file has another ending. */
async function wrongEndings(
  cwd: string,
  folders: readonly string[],
  found: readonly Member[],
): Promise<readonly Diagnostic[]> {
  const patterns = folders
    .filter((folder) => isDynamicPattern(folder))
    .map((folder) => `${folder.replace(/\/+$/, '')}/${WORKSPACE_FILE.replace(/\.yaml$/, '.yml')}`);
  const files = patterns.length === 0 ? [] : await glob(patterns, { cwd, ignore: ['**/node_modules/**'] });
  const known = new Set(found.map(({ folder }) => folder));
  return files
    .filter((file) => !known.has(dirname(file)))
    .sort(compareText)
    .map(wrongEnding);
}

/** Which of `of` shards an account is in, from 1. Adding an account does not move the others. */
export function shardOf(account: string, of: number): number {
  const hash = createHash('sha256').update(account).digest();
  return (hash.readUIntBE(0, 6) % of) + 1;
}

async function workspaceFiles(
  cwd: string,
  folders: readonly string[],
): Promise<readonly string[] | { readonly error: Diagnostic }> {
  const found = new Set<string>();
  for (const folder of folders) {
    const pattern = `${folder.replace(/\/+$/, '')}/${WORKSPACE_FILE}`;
    const files = isDynamicPattern(folder)
      ? await glob([pattern], { cwd, absolute: true, ignore: ['**/node_modules/**'] })
      : await glob([pattern.replaceAll(/[()[\]{}!*?]/g, '\\$&')], { cwd, absolute: true });
    if (files.length === 0) return { error: noWorkspace(folder) };
    for (const file of files) found.add(resolve(file));
  }
  return [...found].sort(compareText);
}

async function memberOf({ cwd, overrides: { baseUrl } }: Session, file: string): Promise<Member> {
  const folder = relative(cwd, dirname(file)) || '.';
  const { workspace, diagnostics } = await loadWorkspace({
    cwd: dirname(file),
    file,
    overrides: { ...(baseUrl !== undefined && { baseUrl }) },
  });
  return {
    folder,
    file,
    account: workspace?.account ?? folder,
    ...(workspace !== undefined && { workspace }),
    diagnostics: diagnostics.map((one) => withPlace(one, cwd, file)),
  };
}

/** Workspace files are named as the reader sees them. */
function withPlace(diagnostic: Diagnostic, cwd: string, file: string): Diagnostic {
  const { source } = diagnostic;
  return source === undefined ? diagnostic : { ...diagnostic, source: { ...source, file: relative(cwd, file) } };
}

/** An account has one workspace: two would undo each other's changes. */
function sharedAccounts(members: readonly Member[]): readonly Diagnostic[] {
  const folders = new Map<string, string[]>();
  for (const { account, folder, workspace } of members)
    if (workspace !== undefined)
      folders.set(`${account} ${workspace.baseUrl}`, [
        ...(folders.get(`${account} ${workspace.baseUrl}`) ?? []),
        folder,
      ]);
  return [...folders].flatMap(([key, places]): readonly Diagnostic[] =>
    places.length < 2
      ? []
      : [
          diagnose(
            'HW6902',
            `${places.join(' and ')} are both the account ${key.split(' ')[0] ?? ''}, and would undo each other's changes. Nothing was sent. Correct \`account\` in one of them, or name one of the folders only.`,
          ),
        ],
  );
}

type Narrowed =
  | { readonly error: Diagnostic }
  | { readonly members: readonly Member[]; readonly leaving: readonly Leaving[]; readonly base: Base };

async function onlyInScope(
  session: Session,
  members: readonly Member[],
  { folders, changedSince = '', approved, done }: FleetScope,
  found: readonly Member[],
): Promise<Narrowed> {
  return withGit<Narrowed>(
    session,
    session.cwd,
    async (git) => {
      const base = await findBase(git, changedSince);
      if ('error' in base) return base;
      const namesOf = async (args: readonly string[]): Promise<readonly string[]> =>
        (await git.run(args)).toString('utf8').split('\0').filter(Boolean);
      // Where the checkout and this folder are, as Git names them: whatever links lead here are followed by it.
      const placeOf = async (what: string): Promise<string> =>
        (await git.run(['rev-parse', what])).toString('utf8').replace(/\n$/, '');
      const top = await placeOf('--show-toplevel');
      const here = join(top, await placeOf('--show-prefix'));
      const changed = [
        ...(await namesOf(['diff', '--name-only', '--no-renames', '-z', base.commit])),
        ...(await namesOf(['ls-files', '--others', '--exclude-standard', '--full-name', '-z', ':/'])),
      ].map((name) => join(top, name));
      const isChanged = ({ folder, workspace }: Member): boolean => {
        const root = resolve(here, folder);
        const places = [root, ...(workspace?.shared ?? []).map((shared) => resolve(root, shared))];
        return changed.some((file) => places.some((place) => isInside(place, file)));
      };
      const isInScope = (member: Member): boolean =>
        approved?.has(member.account) === true || (done?.has(member.account) !== true && isChanged(member));
      const leaving = await findLeaving(session, { git, base, top, here, changed }, { folders, found });
      return { members: members.filter(isInScope), leaving, base };
    },
    (reason) => ({ error: cannotTell(changedSince, reason) }),
  );
}

function noWorkspace(folder: string): Diagnostic {
  return diagnose(
    'HW6901',
    `\`${folder}\` leads to no ${WORKSPACE_FILE}. Name folders that hold one, such as \`accounts/*\`. Nothing was sent.`,
  );
}
