// Whose guards count: those of the workspace file, or, where whoever runs this does not trust the branch that is
// checked out, those that the file has at another commit.
import { basename } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { sameJson } from '../model/json.ts';
import type { GuardCheck } from '../model/plan/guard-check.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { Approvable, Plan } from '../model/plan/plan.ts';
import type { Workspace } from '../model/workspace.ts';
import { createGit } from '../apply/ledger/git-command.ts';
import { StoreError } from '../apply/ledger/store.ts';
import { repositoryOf } from '../manifest/read/load.ts';
import { NO_GUARDS, readGuards } from '../manifest/workspace.ts';
import { checkCredential } from '../planner/admission/credential.ts';
import type { GuardRefusal } from '../planner/admission/guards.ts';
import { checkGuards } from '../planner/admission/guards.ts';
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
  { from, options }: { readonly from: string; readonly options: GuardOptions },
): GuardCheck {
  const { allowDeletes, allowCharges, maxSpend, approve } = options;
  return {
    from,
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

/**
 * True where what nobody reviewed is refused: as the workspace file says here, in the last commit, or at the remote's
 * default branch. An edit that nobody merged does not undo it. `guards`: those that count for the run.
 */
export async function refusesUnreviewed(
  { ledger, timeoutMs }: Session,
  { guards, root }: Pick<Workspace, 'guards' | 'root'>,
  file: string,
): Promise<boolean> {
  if (guards.unreviewed === 'refuse') return true;
  if (repositoryOf(root) === undefined) return false;
  const name = basename(file);
  const git = createGit({ folder: root, env: ledger?.programEnv ?? {}, timeoutMs });
  try {
    const places = ['HEAD', 'refs/remotes/origin/HEAD'].map((commit) => `${commit}:./${name}\n`);
    const found = filesIn(await git.run(['cat-file', '--batch'], places.join('')));
    return found.some((bytes) => readGuards(name, bytes).guards?.unreviewed === 'refuse');
  } catch (error) {
    // Without Git there is no other place that could say it.
    if (error instanceof StoreError) return false;
    throw error;
  } finally {
    await git.close();
  }
}

/** The files that `git cat-file --batch` found; a commit that is not there, or has no such file, gives none. */
function filesIn(output: Buffer): readonly Buffer[] {
  const files: Buffer[] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf('\n', at);
    const [, size] = /^\w+ blob (\d+)$/.exec(output.toString('utf8', at, end)) ?? [];
    if (size !== undefined) files.push(output.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + (size === undefined ? 0 : Number(size) + 1);
  }
  return files;
}

export interface ChosenGuards {
  /** Absent when there are errors. */
  readonly guards?: Guards;
  readonly diagnostics: readonly Diagnostic[];
}

/** The ceilings of a run, before flags. */
export async function chooseGuards(
  { guardsFrom, ledger, timeoutMs }: Session,
  { guards, root }: Workspace,
  file: string,
): Promise<ChosenGuards> {
  if (guardsFrom === undefined) return { guards, diagnostics: [] };
  const git = createGit({ folder: root, env: ledger?.programEnv ?? {}, timeoutMs });
  try {
    const commit = (await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${guardsFrom}^{commit}`]))
      .toString('utf8')
      .trim();
    const name = basename(file);
    const listed = await git.run(['ls-tree', '--name-only', '-z', commit, '--', `:(literal)${name}`]);
    if (listed.length === 0) return chosen(guards, NO_GUARDS, guardsFrom);
    const read = readGuards(`${name} at ${guardsFrom}`, await git.run(['cat-file', 'blob', `${commit}:./${name}`]));
    return read.guards === undefined || hasErrors(read.diagnostics)
      ? { diagnostics: read.diagnostics }
      : chosen(guards, read.guards, guardsFrom);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { diagnostics: [notRead(guardsFrom, error.message)] };
  } finally {
    await git.close();
  }
}

function chosen(here: Guards, elsewhere: Guards, guardsFrom: string): ChosenGuards {
  // The stricter of the two holds.
  const there = { ...elsewhere, ...(here.unreviewed !== undefined && { unreviewed: here.unreviewed }) };
  if (sameJson({ ...here }, { ...there })) return { guards: there, diagnostics: [] };
  const detail = `Here they are ${JSON.stringify(here)}, at \`${guardsFrom}\` ${JSON.stringify(there)}, and those count. A change of the guards counts once it is there; a flag such as --allow-deletes beats both.`;
  return {
    guards: there,
    diagnostics: [{ code: 'HW6105', severity: 'warning', summary: 'The guards of this branch do not count', detail }],
  };
}

function notRead(guardsFrom: string, said: string): Diagnostic {
  const detail = `The workspace file at \`${guardsFrom}\` cannot be read: ${said}. Nothing was sent. Name a commit that this clone has; a shallow clone may have to fetch it first, such as \`git fetch --depth=1 origin main\` and \`--guards-from FETCH_HEAD\`.`;
  return { code: 'HW6104', severity: 'error', summary: 'The guards cannot be read', detail };
}
