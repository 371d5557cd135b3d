// The use case `init`: a new workspace in a folder. Everything is looked at before the first write; what is there is
// left as it is, but for files for CI that are to be updated, so a second time changes nothing. Sends nothing but
// reads, and writes a token nowhere.
import { diagnose, hasErrors } from '../model/diagnostic.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { Workspace } from '../model/workspace.ts';
import { repositoryOf, WORKSPACE_FILE } from '../manifest/read/load.ts';
import type { LoadedWorkspace } from '../manifest/workspace.ts';
import { ledgerOf, ledgerRefOf } from '../manifest/workspace.ts';
import type { MadeFile } from '../manifest/write/made-files.ts';
import type { NewFile } from '../manifest/write/new-files.ts';
import { appendLines, holdsAny, isTaken, missingLines } from '../manifest/write/new-files.ts';
import type { LedgerKind, NewWorkspace } from '../manifest/write/workspace.ts';
import { emptyManifest, exampleManifest, MANIFESTS, withSchema, workspaceText } from '../manifest/write/workspace.ts';
import { isTransient } from '../platform/retry.ts';
import { createProbe } from '../platform/probe.ts';
import { bareWorkspace } from './workspace-file.ts';
import type { Reached } from './doctor/reads.ts';
import { AREAS, probeOptions, reachedIn } from './doctor/reads.ts';
import type { Baseline } from './write/baseline.ts';
import { recordBaseline } from './write/baseline.ts';
import { writeChanges } from './write/save.ts';
import type { ExportResult } from './export.ts';
import { exportInto } from './export.ts';
import { viewLedger } from './ledger.ts';
import { initLedgerChecked } from './ledgers/init.ts';
import type { Session } from './session.ts';
import { compareCiFiles } from './write/ci-files.ts';
import { findWorkspace } from './workspace-file.ts';
import { NOTHING_READ } from './workspace.ts';

export type { LedgerKind };
export type { NewFile } from '../manifest/write/new-files.ts';
export { givenProblems, urlProblem } from '../manifest/workspace.ts';

/** `program`: manifests come from a program, by `synth`. */
export type Start = 'empty' | 'example' | 'export' | 'program';

/** What a new workspace is to be. */
export interface InitAnswers extends Omit<NewWorkspace, 'schema'> {
  readonly start: Start;
}

/** What comes with the package, as the command line finds it. */
export interface InitMaterial {
  /**
   * Where the schema for editors is, seen from the workspace's folder; with its text where it has to be copied there.
   */
  readonly schema: { readonly place: string; readonly text?: string };
  /** Generated CI files. `update`: unmodified files are overwritten. */
  readonly ci: { readonly files: readonly NewFile[]; readonly update?: boolean };
  /** Other files, each left as it is where it is there. */
  readonly files?: readonly NewFile[];
  /** Lines for the ignore file. */
  readonly ignored: readonly string[];
}

export interface InitResult {
  readonly written: readonly string[];
  /** What was there already. */
  readonly left: readonly string[];
  /** Unmodified CI files that were overwritten. */
  readonly updated?: readonly string[];
  /** Modified CI files, which were left: `before` is the file, `after` what this version generates. */
  readonly differences?: readonly MadeFile[];
  /** What became of the ledger. */
  readonly ledger?: string;
  readonly diagnostics: readonly Diagnostic[];
}

const IGNORE_FILE = '.gitignore';
/** Like any other read, the first one may meet a moment that passes. */
const MOST_LOOKS = 4;
const PAUSE_MS = 500;

/** What a folder is already: its own workspace file, not one above it. */
export async function workspaceIn(session: Session): Promise<LoadedWorkspace | undefined> {
  return (await isTaken(session.cwd, WORKSPACE_FILE))
    ? findWorkspace({ ...session, configFile: WORKSPACE_FILE })
    : undefined;
}

export interface Reach {
  readonly accounts: readonly Reached[];
  /** Why nothing is known of them. */
  readonly reason?: string;
  /** The platform refuses the token itself. */
  readonly refused?: true;
}

/** The accounts that the token reaches, by one read (CNV-08). */
export async function reachOf(session: Session, token: string, baseUrl: string): Promise<Reach> {
  const { clock, stop } = session;
  let probe;
  try {
    probe = createProbe(probeOptions(session, token, baseUrl));
  } catch (error) {
    return { accounts: [], reason: (error as Error).message };
  }
  let look;
  try {
    for (let attempts = 1; ; attempts += 1) {
      look = await probe.read(AREAS.sites.path);
      const passes = look.error === 'network' || look.error === 'timeout' || isTransient(look.status);
      if (look.error === undefined || !passes || attempts >= MOST_LOOKS) break;
      await clock.sleep(attempts * PAUSE_MS, stop);
    }
  } finally {
    await probe.close();
  }
  if (look.error === undefined) return { accounts: reachedIn([look]) };
  return {
    accounts: [],
    reason: look.reason ?? `the platform answered ${look.status}`,
    ...(look.error === 'unauthorised' && { refused: true }),
  };
}

/** True for a folder, which need not be there yet, in a Git repository. */
export function isInRepository(folder: string): boolean {
  return repositoryOf(folder) !== undefined;
}

/** Why the ledger cannot be kept where these answers want it; empty where it can. */
export async function ledgerProblems(session: Session, answers: InitAnswers): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await lookAtLedger(session, answers);
  return hasErrors(diagnostics) ? diagnostics : [];
}

/** Makes a workspace in the session's folder, or only adds files for CI to the one that is there. */
export async function initWorkspace(
  session: Session,
  answers: InitAnswers | undefined,
  { schema, ci, files: more = [], ignored }: InitMaterial,
): Promise<InitResult> {
  const ledger = answers === undefined ? undefined : await lookAtLedger(session, answers);
  if (ledger !== undefined && hasErrors(ledger.diagnostics))
    return { written: [], left: [], diagnostics: ledger.diagnostics };
  const own: Awaited<ReturnType<typeof ownFiles>> =
    answers === undefined ? { files: [], diagnostics: [] } : await ownFiles(session, answers, schema);
  if (own.files === undefined) return { written: [], left: [], diagnostics: own.diagnostics };
  const wanted = [...own.files, ...more];
  const taken = await Promise.all(wanted.map(({ file }) => isTaken(session.cwd, file)));
  const forCi = await compareCiFiles(session.cwd, ci.files, { update: ci.update === true });
  const files = [...wanted.filter((_file, index) => taken[index] !== true), ...forCi.added];
  const left = [...wanted.flatMap(({ file }, index) => (taken[index] === true ? [file] : [])), ...forCi.left];
  const lines = await missingLines(session.cwd, IGNORE_FILE, ignored);
  const refused = await writeChanges(session.cwd, { added: files, edits: forCi.edits });
  if (hasErrors(refused)) return { written: [], left, diagnostics: refused };
  const appended = lines.length === 0 ? [] : await appendLines(session.cwd, IGNORE_FILE, lines);
  const written = [
    ...files.map(({ file }) => file),
    ...(lines.length > 0 && appended.length === 0 ? [IGNORE_FILE] : []),
  ];
  // One that is there already was begun by somebody who knows more of it; and in an older workspace, one that is
  // missing may be lost (promise 4).
  const begun =
    ledger?.standing === 'missing'
      ? await initLedgerChecked({ ...session, configFile: WORKSPACE_FILE }, { yes: false })
      : undefined;
  const recorded =
    own.baseline === undefined || answers === undefined
      ? []
      : await recordBaseline(session, workspaceOf(session, answers), own.baseline);
  const words =
    begun === undefined
      ? ledger === undefined
        ? undefined
        : `There is a ledger already, and it is ${ledger.standing}.`
      : begun.message;
  return {
    written,
    left,
    ...(ci.update === true && { updated: forCi.edits.map(({ file }) => file), differences: forCi.differences }),
    ...(words !== undefined && { ledger: words }),
    diagnostics: [...own.diagnostics, ...forCi.diagnostics, ...appended, ...(begun?.diagnostics ?? []), ...recorded],
  };
}

/** The files of the workspace itself; none where what is live could not be written down. */
async function ownFiles(
  session: Session,
  answers: InitAnswers,
  schema: InitMaterial['schema'],
): Promise<{
  readonly files?: readonly NewFile[];
  readonly baseline?: Baseline;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { start, ...workspace } = answers;
  const seenFrom = (file: string): string => {
    const up = '../'.repeat(file.split('/').length - 1);
    return up === '' && !schema.place.startsWith('.') ? `./${schema.place}` : `${up}${schema.place}`;
  };
  const at = (name: string, text: (place: string) => string): NewFile => ({
    file: `${MANIFESTS}/${name}`,
    text: text(seenFrom(`${MANIFESTS}/${name}`)),
  });
  const live = start === 'export' ? await exported(session, answers) : undefined;
  if (live !== undefined && live.manifests === undefined) return { diagnostics: live.diagnostics };
  const copies = live?.manifests?.map(({ file, text }) => at(file, (place) => withSchema(place, text))) ?? [];
  const manifests =
    copies.length > 0 || start === 'program'
      ? copies
      : [start === 'example' ? at('example.yaml', exampleManifest) : at('shared.yaml', emptyManifest)];
  const copy = schema.text === undefined ? [] : [{ file: schema.place, text: schema.text }];
  return {
    files: [
      { file: WORKSPACE_FILE, text: workspaceText({ ...workspace, schema: seenFrom(WORKSPACE_FILE) }) },
      ...manifests,
      ...copy,
    ],
    ...(live?.baseline !== undefined && { baseline: live.baseline }),
    diagnostics: live?.diagnostics ?? [],
  };
}

/** Manifests for all that is live, proven before anything is written. */
async function exported(
  session: Session,
  answers: InitAnswers,
): Promise<Pick<ExportResult, 'manifests' | 'baseline' | 'diagnostics'>> {
  if (await holdsAny(session.cwd, MANIFESTS)) {
    return {
      diagnostics: [
        diagnose(
          'HW6529',
          `There is a folder \`${MANIFESTS}\`, and what it holds may name what is live. Nothing was written. Begin with --start empty; then \`hostwright export\` writes what no manifest names.`,
        ),
      ],
    };
  }
  return exportInto(
    { ...session, overrides: {} },
    { ...NOTHING_READ, workspace: workspaceOf(session, answers) },
    { targets: [], profiles: true },
  );
}

/** A ledger that cannot be reached, or is another account's, is found before anything is written. */
async function lookAtLedger(
  session: Session,
  answers: InitAnswers,
): Promise<{ readonly standing: LedgerView['standing']; readonly diagnostics: readonly Diagnostic[] }> {
  const { view, diagnostics } = await viewLedger(session, workspaceOf(session, answers));
  const remedyFor = (code: string): string => {
    if (answers.ledger === 'file') return 'Move it away, or name another folder.';
    if (answers.ledger === 'postgres') return 'Or begin with --ledger file.';
    return code === 'HW5002'
      ? 'Or begin with --ledger file.'
      : 'Add the remote `origin` first, or begin with --ledger file.';
  };
  return {
    standing: view.standing,
    diagnostics: diagnostics.map((one) => ({
      ...one,
      detail: `${one.detail} Nothing was written. ${remedyFor(one.code)}`,
    })),
  };
}

/** The workspace that the files will say. */
function workspaceOf({ cwd }: Session, { account, baseUrl, ledger }: InitAnswers): Workspace {
  return {
    ...bareWorkspace(cwd, account, baseUrl),
    ledger: ledgerOf(
      ledger === 'git' ? { git: { ref: ledgerRefOf(account) } } : ledger === 'postgres' ? { postgres: {} } : {},
    ),
  };
}
