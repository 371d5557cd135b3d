// The use case `init`: a new workspace in a folder. Everything is looked at before the first write; what is there is left as it is, so a second time
// changes nothing. Must not send anything but reads, nor write a token anywhere.
import { hasErrors } from '../model/diagnostic.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LedgerView } from '../model/ledger-view.ts';
import type { LoadedWorkspace } from '../manifest/workspace.ts';
import { ledgerOf } from '../manifest/workspace.ts';
import { appendLines, isTaken, missingLines } from '../manifest/write-lines.ts';
import type { NewFile } from '../manifest/write-new.ts';
import { writeNewFiles } from '../manifest/write-new.ts';
import type { NewWorkspace } from '../manifest/write-workspace.ts';
import { emptyManifest, exampleManifest, MANIFESTS, workspaceText } from '../manifest/write-workspace.ts';
import { createRedactor } from '../platform/redact.ts';
import { createProbe } from '../platform/probe.ts';
import { bareWorkspace } from './bare-workspace.ts';
import type { Reached } from './doctor/looks.ts';
import { AREAS, reachedIn } from './doctor/looks.ts';
import { ledgerCommand, viewLedger } from './ledger.ts';
import type { Session } from './session.ts';
import { findWorkspace } from './workspace.ts';

export type { NewFile } from '../manifest/write-new.ts';

export type Start = 'empty' | 'example' | 'export';

/** What a new workspace is to be. */
export interface InitAnswers extends Omit<NewWorkspace, 'schema'> {
  readonly start: Start;
}

/** What comes with the package, as the command line finds it. */
export interface InitMaterial {
  /** Where the schema for editors is, seen from the workspace's folder; with its text where it has to be copied there. */
  readonly schema: { readonly place: string; readonly text?: string };
  /** Files for CI. */
  readonly files: readonly NewFile[];
  /** Lines for the ignore file. */
  readonly ignored: readonly string[];
}

export interface InitResult {
  readonly written: readonly string[];
  /** What was there already. */
  readonly left: readonly string[];
  /** What became of the ledger. */
  readonly ledger?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export const IGNORE_FILE = '.gitignore';
export const WORKSPACE_FILE = 'hostwright.yaml';
const PATIENCE_MS = 10_000;

/** What a folder is already: its own workspace file, not one above it. */
export async function workspaceIn(session: Session): Promise<LoadedWorkspace | undefined> {
  return (await isTaken(session.cwd, WORKSPACE_FILE)) ? findWorkspace({ ...session, configFile: WORKSPACE_FILE }) : undefined;
}

export interface Reach {
  readonly accounts: readonly Reached[];
  /** Why nothing is known of them. */
  readonly because?: string;
  /** The platform refuses the token itself. */
  readonly refused?: true;
}

/** The accounts that the token reaches, by one read (CNV-08). */
export async function reachOf({ clock, timeoutMs, transport, stop }: Session, token: string, baseUrl: string): Promise<Reach> {
  const options = { baseUrl, token, clock, timeoutMs: Math.min(timeoutMs, PATIENCE_MS), redactor: createRedactor([token]), signal: stop, ...(transport !== undefined && { transport }) };
  let probe;
  try {
    probe = createProbe(options);
  } catch (error) {
    return { accounts: [], because: (error as Error).message };
  }
  const look = await probe.look(AREAS.sites.path).finally(() => probe.close());
  if (look.error === undefined) return { accounts: reachedIn([look]) };
  return { accounts: [], because: look.because ?? `the platform answered ${look.status}`, ...(look.error === 'unauthorised' && { refused: true }) };
}

/** Makes a workspace in the session's folder, or only adds files for CI to the one that is there. */
export async function initWorkspace(session: Session, answers: InitAnswers | undefined, { schema, files: more, ignored }: InitMaterial): Promise<InitResult> {
  const wanted = [...(answers === undefined ? [] : ownFiles(answers, schema)), ...more];
  const taken = await Promise.all(wanted.map(({ file }) => isTaken(session.cwd, file)));
  const files = wanted.filter((_file, index) => taken[index] !== true);
  const left = wanted.flatMap(({ file }, index) => (taken[index] === true ? [file] : []));
  const lines = await missingLines(session.cwd, IGNORE_FILE, ignored);
  const ledger = answers === undefined ? undefined : await lookAtLedger(session, answers);
  if (ledger !== undefined && hasErrors(ledger.diagnostics)) return { written: [], left: [], diagnostics: ledger.diagnostics };
  const diagnostics = await writeNewFiles(session.cwd, files);
  if (hasErrors(diagnostics)) return { written: [], left, diagnostics };
  const appended = lines.length === 0 ? [] : await appendLines(session.cwd, IGNORE_FILE, lines);
  const written = [...files.map(({ file }) => file), ...(lines.length > 0 && appended.length === 0 ? [IGNORE_FILE] : [])];
  // One that is there already was begun by somebody who knows more of it; and in an older workspace, one that is missing may be lost (promise 4).
  const begun = ledger?.standing === 'missing' ? await ledgerCommand({ ...session, configFile: WORKSPACE_FILE }, { do: 'init' }) : undefined;
  const words = begun === undefined ? (ledger === undefined ? undefined : `There is a ledger already, and it is ${ledger.standing}.`) : begun.message;
  return { written, left, ...(words !== undefined && { ledger: words }), diagnostics: [...appended, ...(begun?.diagnostics ?? [])] };
}

function ownFiles({ start, ...workspace }: InitAnswers, schema: InitMaterial['schema']): readonly NewFile[] {
  const seenFrom = (depth: number): string => (schema.place.startsWith('.') || depth > 0 ? `${'../'.repeat(depth)}${schema.place}` : `./${schema.place}`);
  const manifests: Readonly<Record<Start, readonly NewFile[]>> = {
    empty: [{ file: `${MANIFESTS}/shared.yaml`, text: emptyManifest(seenFrom(1)) }],
    example: [{ file: `${MANIFESTS}/example.yaml`, text: exampleManifest(seenFrom(1)) }],
    export: [],
  };
  const copy = schema.text === undefined ? [] : [{ file: schema.place, text: schema.text }];
  return [{ file: WORKSPACE_FILE, text: workspaceText({ ...workspace, schema: seenFrom(0) }) }, ...manifests[start], ...copy];
}

/** A ledger that cannot be reached, or is another account's, is found before anything is written. */
async function lookAtLedger(session: Session, { account, baseUrl, ledger }: InitAnswers): Promise<{ readonly standing: LedgerView['standing']; readonly diagnostics: readonly Diagnostic[] }> {
  const workspace = { ...bareWorkspace(session.cwd, account, baseUrl), ledger: ledgerOf(ledger === 'git' ? { git: {} } : {}) };
  const { view, diagnostics } = await viewLedger(session, workspace);
  const todo = `Nothing was written. ${ledger === 'git' ? 'Add the remote `origin` first, or begin with --ledger file.' : 'Move it away, or name another folder.'}`;
  return { standing: view.standing, diagnostics: diagnostics.map((one) => ({ ...one, detail: `${one.detail} ${todo}` })) };
}
