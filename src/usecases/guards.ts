// Whose guards count: those of the workspace file, or, where whoever runs this does not trust the branch that is
// checked out, those that the file has at another commit.
import { basename } from 'node:path';
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { Json } from '../model/json.ts';
import type { DesiredCollection } from '../model/desired.ts';
import type { GuardCheck, PolicyChange } from '../model/plan/guard-check.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { Approvable, Plan } from '../model/plan/plan.ts';
import type { Workspace } from '../model/workspace.ts';
import { StoreError } from '../ledger/store.ts';
import { repositoryOf } from '../manifest/read/load.ts';
import { NO_GUARDS, readFormerWorkspace, readSpec } from '../manifest/workspace.ts';
import { checkCredential } from '../planner/admission/credential.ts';
import type { GuardRefusal } from '../planner/admission/guards.ts';
import { checkGuards } from '../planner/admission/guards.ts';
import type { Git } from '../ledger/git-command.ts';
import { filesIn, withGit } from './git.ts';
import type { Session } from './session.ts';

type Guards = Workspace['guards'];

/** What beats the guards of a workspace for one run. */
export interface GuardOptions {
  readonly allowDeletes?: number;
  readonly allowCharges?: number;
  /** `15.00 EUR` */
  readonly maxSpend?: string;
  /** What may run without review; a plan that does anything else is refused. */
  readonly approve?: readonly Approvable[];
}

/** Why a plan may not run: its guards first, because a credential can be changed more easily. Empty: it may. */
export interface Refusals {
  readonly guards: readonly GuardRefusal[];
  readonly credential: readonly Diagnostic[];
}

/** What forbids a plan, however it is asked: apply refuses what this finds, and plan tells it before. */
export function refusalsOf(
  plan: Plan,
  { guards, credential }: Pick<Workspace, 'guards' | 'credential'>,
  options: GuardOptions,
  standing: LedgerView['standing'],
): Refusals {
  const maxSpend = options.maxSpend ?? guards.maxSpend;
  const ceilings = {
    allowDeletes: options.allowDeletes ?? guards.allowDeletes,
    allowCharges: options.allowCharges ?? guards.allowCharges,
    ...(maxSpend !== undefined && { maxSpend }),
    ...(options.approve !== undefined && { approve: options.approve }),
  };
  return { guards: checkGuards(plan, ceilings, standing), credential: checkCredential(plan, credential) };
}

/** The same in few words, for whoever reviews the plan. */
export function guardCheckOf(
  { guards, credential }: Refusals,
  { options, ...basis }: Pick<GuardCheck, 'from' | 'commit' | 'changes'> & { readonly options: GuardOptions },
): GuardCheck {
  const { allowDeletes, allowCharges, maxSpend, approve } = options;
  return {
    ...basis,
    options: [
      ...(allowDeletes === undefined ? [] : [`--allow-deletes ${allowDeletes}`]),
      ...(allowCharges === undefined ? [] : [`--allow-charges ${allowCharges}`]),
      ...(maxSpend === undefined ? [] : [`--max-spend ${maxSpend.replace(' ', '')}`]),
      ...(approve === undefined ? [] : [`--approve ${approve.join(',')}`]),
    ],
    refusals: [
      ...guards.map(({ code, short }) => ({ code, ...short })),
      ...credential.map(({ code, address }) => ({
        code,
        reason: 'the credential in the workspace file cannot do this',
        remedy: 'Use a credential that can, or correct `credential` in hostwright.yaml',
        addresses: address === undefined ? [] : [address],
      })),
    ],
  };
}

/** The reason why unreviewed changes are refused, as a full sentence; undefined where they are allowed. */
export type UnreviewedRefusal = string | undefined;

const SAYS_REFUSE = 'The workspace says `guards.unreviewed: refuse`.';

/**
 * Reports whether unreviewed changes are refused: by the workspace file here, in the last commit, or in the default branch
 * of `origin`, which the remote itself is queried for, because the refs of a clone can be rewritten. Without an answer of
 * the remote the refs of the clone count. Guards that cannot be read refuse.
 *
 * @param workspace - The guards are those that apply to the run.
 */
export async function refusesUnreviewed(
  session: Session,
  { guards, root }: Pick<Workspace, 'guards' | 'root'>,
  file: string,
): Promise<UnreviewedRefusal> {
  if (guards.unreviewed === 'refuse') return SAYS_REFUSE;
  if (repositoryOf(root) === undefined) return undefined;
  const local = await readUnreviewed(session, root, file, ['HEAD', DEFAULT_BRANCH]);
  const said = refusalOf(local);
  if (said !== undefined) return said;
  return refusalOf(await readRemoteUnreviewed(session, root, file));
}

function refusalOf(read: UnreviewedSetting): UnreviewedRefusal {
  if (read === 'allowed') return undefined;
  if (read === 'refused') return SAYS_REFUSE;
  return `Whether the workspace says \`guards.unreviewed: refuse\` cannot be read (${read.unreadable.replace(/\.$/, '')}), so unreviewed changes are refused.`;
}

/** What workspace files of commits say about unreviewed changes; `unreadable`: why that is unknown. */
export type UnreviewedSetting = 'refused' | 'allowed' | { readonly unreadable: string };

const REMOTE = 'origin';

/** The remote's default branch, as this clone knows it. */
export const DEFAULT_BRANCH = 'refs/remotes/origin/HEAD';

/** The refs of the remote that are read where neither the remote nor {@link DEFAULT_BRANCH} names its default branch. */
const MOST_REFS = 100;

/** Reads the workspace file at the commit that the remote reports for its default branch; fetches that if it is missing. */
async function readRemoteUnreviewed(session: Session, root: string, file: string): Promise<UnreviewedSetting> {
  const name = basename(file);
  return withGit(
    session,
    root,
    async (git) => {
      if (!(await git.hasRemote(REMOTE))) return 'allowed';
      try {
        await git.checkRemote(REMOTE);
        const [commit = ''] = (await git.run(['ls-remote', REMOTE, 'HEAD'])).toString('utf8').split(/\s/);
        // The remote has no commit yet.
        if (!/^[0-9a-f]{40,64}$/.test(commit)) return 'allowed';
        const isHere = await git.run(['cat-file', '-e', `${commit}^{commit}`]).then(
          () => true,
          () => false,
        );
        // Into the temporary folder: no ref and no object of the clone changes.
        if (!isHere)
          await git.run(['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--refmap=', REMOTE, 'HEAD']);
        return await settingIn(git, name, [commit]);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        const refs = await remoteRefs(git);
        return refs.length === 0 ? { unreadable: error.message } : settingIn(git, name, refs);
      }
    },
    (unreadable) => ({ unreadable }),
  );
}

/** Returns the ref of the remote's default branch, or without one the newest branches of the remote that this clone has. */
async function remoteRefs(git: Git): Promise<readonly string[]> {
  const listed = await git.run([
    'for-each-ref',
    `--count=${MOST_REFS}`,
    '--sort=-committerdate',
    '--format=%(refname)',
    `refs/remotes/${REMOTE}/`,
  ]);
  const refs = listed.toString('utf8').split('\n').filter(Boolean);
  return refs.includes(DEFAULT_BRANCH) ? [DEFAULT_BRANCH] : refs;
}

/** Reads what the workspace file says about unreviewed changes in these commits; a commit without the file says nothing. */
export async function readUnreviewed(
  session: Session,
  root: string,
  file: string,
  commits: readonly string[],
): Promise<UnreviewedSetting> {
  if (repositoryOf(root) === undefined) return 'allowed';
  return withGit(
    session,
    root,
    (git) => settingIn(git, basename(file), commits),
    (unreadable) => ({ unreadable }),
  );
}

async function settingIn(git: Git, name: string, commits: readonly string[]): Promise<UnreviewedSetting> {
  const found = await filesIn(
    git,
    commits.map((commit) => `${commit}:./${name}`),
  );
  const settings = await Promise.all(
    found.map(async (bytes, index): Promise<UnreviewedSetting> => {
      if (bytes === undefined) return 'allowed';
      const spec = await readSpec(name, bytes);
      if (spec === undefined) return { unreadable: `${name} at ${commits[index]} is not valid` };
      return spec.guards?.unreviewed === 'refuse' ? 'refused' : 'allowed';
    }),
  );
  return settings.find((one) => one === 'refused') ?? settings.find((one) => one !== 'allowed') ?? 'allowed';
}

export interface ChosenGuards {
  /** Absent when there are errors. */
  readonly guards?: Guards;
  /** The id of the commit that they come from. Absent: the file as it is here. */
  readonly commit?: string;
  /** What the workspace file says otherwise here than at that commit. */
  readonly changes: readonly PolicyChange[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What a push names as the commit before it when it began the branch. */
const NO_COMMIT = /^0{40}(?:0{24})?$/;

/** The ceilings of a run, before flags. */
export async function chooseGuards(session: Session, workspace: Workspace, file: string): Promise<ChosenGuards> {
  const { guardsFrom, overrides } = session;
  const { guards, root } = workspace;
  if (guardsFrom === undefined) return { guards, changes: [], diagnostics: [] };
  const failed = (reason: string): ChosenGuards => ({ changes: [], diagnostics: [notRead(guardsFrom, reason)] });
  if (NO_COMMIT.test(guardsFrom)) return failed('this push began the branch, so there is no commit before it');
  return withGit(
    session,
    root,
    async (git) => {
      const commit = await git
        .run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${guardsFrom}^{commit}`])
        .then(
          (said) => said.toString('utf8').trim(),
          async (error: unknown) => {
            if (!(error instanceof StoreError)) throw error;
            // It says nothing of a name that it does not know; where there is no repository, this says so.
            await git.run(['rev-parse', '--git-dir']);
          },
        );
      if (commit === undefined) return failed('this clone has no such commit');
      const name = basename(file);
      const [bytes] = await filesIn(git, [`${commit}:./${name}`]);
      // Where the file was not there, all of it is new, and of guards there were none.
      if (bytes === undefined)
        return {
          guards: stricter(NO_GUARDS, guards),
          commit,
          changes: settingChanges({ guards: NO_GUARDS }, { guards }),
          diagnostics: [],
        };
      const former = await readFormerWorkspace(`${name} at ${guardsFrom}`, bytes, { root, overrides });
      return former.workspace === undefined
        ? { changes: [], diagnostics: former.diagnostics }
        : {
            guards: stricter(former.workspace.guards, guards),
            commit,
            changes: settingChanges(former.workspace, workspace),
            diagnostics: [],
          };
    },
    failed,
  );
}

/** The ceilings of another commit; what only a review may run is said by either. */
function stricter(there: Guards, here: Guards): Guards {
  return { ...there, ...(here.unreviewed !== undefined && { unreviewed: here.unreviewed }) };
}

/** Each setting of the workspace file that another commit says otherwise, with both values. */
function settingChanges(there: Partial<Workspace>, here: Partial<Workspace>): readonly PolicyChange[] {
  const [before, now] = [leavesOf(there), leavesOf(here)];
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((setting) => {
    const [from, to] = [before.get(setting) ?? NOT_SET, now.get(setting) ?? NOT_SET];
    return from === to ? [] : [{ setting, from, to }];
  });
}

const NOT_SET = 'not set';

/** `guards.allowDeletes` and its value in words, for every value of a document; a list is one value. */
function leavesOf(value: object, path = ''): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(value).flatMap(([key, item]: [string, Json | undefined]) => {
      const name = `${path}${key}`;
      if (item === undefined) return [];
      if (Array.isArray(item)) return [[name, item.length === 0 ? NOT_SET : item.map(String).join(', ')] as const];
      return typeof item === 'object' && item !== null
        ? [...leavesOf(item, `${name}.`)]
        : [[name, String(item)] as const];
    }),
  );
}

/** Objects whose manifests said `protect: true` at another commit and do not any more, and the other way round. */
export function protectChanges(
  former: readonly DesiredCollection[],
  declared: readonly DesiredCollection[],
): readonly PolicyChange[] {
  const now = new Map(rootsOf(declared));
  return rootsOf(former).flatMap(([address, before]) => {
    const isNow = now.get(address);
    return isNow === undefined || isNow === before
      ? []
      : [{ setting: 'lifecycle.protect', address, from: String(before), to: String(isNow) }];
  });
}

function rootsOf(collections: readonly DesiredCollection[]): readonly (readonly [Address, boolean])[] {
  return collections
    .filter(({ parent }) => parent === null)
    .flatMap(({ members }) => members.map(({ address, lifecycle }) => [address, lifecycle.protect] as const));
}

/** For a run that has no reviewer any more: the guards that the branch gives itself do not count. */
export function guardsNotCounted({ changes }: ChosenGuards, guardsFrom: string | undefined): readonly Diagnostic[] {
  const own = changes.filter(({ setting }) => setting.startsWith('guards.'));
  if (own.length === 0 || guardsFrom === undefined) return [];
  const said = own.map(({ setting, from, to }) => `\`${setting}\` is ${from} at \`${guardsFrom}\` and ${to} here`);
  const detail = `${said.join('; ')}. Those at \`${guardsFrom}\` count. A change of the guards counts once it is there; a flag such as --allow-deletes beats both.`;
  return [diagnose('HW6105', detail)];
}

function notRead(guardsFrom: string, said: string): Diagnostic {
  const detail = `The workspace file at \`${guardsFrom}\` cannot be read: ${said.replace(/\.$/, '')}. Nothing was sent. Name a commit that this clone has, such as \`--guards-from origin/main\`. A shallow clone has to fetch it first (\`fetch-depth: 0\` on GitHub, \`GIT_DEPTH: "0"\` on GitLab). After a push that began the branch or replaced its history, start the apply job by hand.`;
  return diagnose('HW6104', detail);
}
