// How commands that write manifests see the account: opened once, read once, and planned for whatever texts.
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose, hasErrors, sortDiagnostics } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { FileEdit } from '../manifest/edit/write-edited.ts';
import { SourceText } from '../manifest/read/source-text.ts';
import type { NewFile } from '../manifest/write/new-files.ts';
import type { Reader } from '../observe/reader.ts';
import { createReader } from '../observe/reader.ts';
import { rememberReads } from './connect.ts';
import { viewLedger } from './ledger.ts';
import type { LiveAccount } from './plan/read-account.ts';
import { planLive } from './plan/plan.ts';
import type { Session } from './session.ts';
import type { Access } from './client.ts';
import { Stopped, whyEnded, withClient } from './client.ts';
import type { OpenedWorkspace } from './workspace.ts';
import { withTexts } from './workspace.ts';

/** Its client asks for nothing twice: two plans that are compared rest on the same answers. */
export interface Account extends Access {
  readonly opened: OpenedWorkspace;
  readonly reader: Reader;
}

export interface WithRequests {
  readonly diagnostics: readonly Diagnostic[];
  /** How many requests were sent, retries included. */
  readonly requests: number;
}

/** Says that something of an object cannot be brought into its manifest. */
export function unwritable(address: Address, reason: string, remedy: string): Diagnostic {
  return diagnose('HW6716', `${address}: ${reason}. Nothing was written. ${remedy}`, { address });
}

/** Opens ledger and client, and closes what has to be closed. `tellAll`: what opening the workspace told is told too. */
export async function withAccount<Result extends { readonly diagnostics: readonly Diagnostic[] }>(
  session: Session,
  opened: OpenedWorkspace,
  work: (account: Account) => Promise<Result>,
  { tellAll = false }: { readonly tellAll?: boolean } = {},
): Promise<(Result | { readonly diagnostics: readonly Diagnostic[] }) & WithRequests> {
  const { workspace } = opened;
  const end = (requests: number, ...diagnostics: readonly (readonly Diagnostic[])[]): WithRequests => ({
    diagnostics: sortDiagnostics(diagnostics.flat()),
    requests,
  });
  if (workspace === undefined || hasErrors(opened.diagnostics)) return end(0, opened.diagnostics);
  const { view: ledger, diagnostics: ofLedger } = await viewLedger(session, workspace);
  const early = [...opened.diagnostics, ...ofLedger];
  if (hasErrors(early)) return end(0, early);
  return withClient<(Result | { readonly diagnostics: readonly Diagnostic[] }) & WithRequests>(
    session,
    workspace,
    { reads: true },
    async (client, notices) => {
      const remembering = { read: rememberReads(client), ask: client.ask };
      const beside = [...notices, ...(tellAll ? early : [])];
      try {
        const account = { session, workspace, opened, ledger, client: remembering, reader: createReader(remembering) };
        const result = await work(account);
        return { ...result, ...end(client.stats.reads, result.diagnostics, beside) };
      } catch (error) {
        const why = whyEnded({ session, workspace }, error);
        return end(client.stats.reads, why, error instanceof Stopped ? beside : [...early, ...notices]);
      }
    },
    (error) => end(0, early, [error]),
  );
}

/** The plan for manifests, and what of the account it rests on. */
export interface PlannedManifests {
  readonly opened: OpenedWorkspace;
  readonly plan: Plan;
  readonly live: LiveAccount;
}

/** Files as they would be. */
export interface Draft {
  readonly edits?: readonly FileEdit[];
  readonly added?: readonly NewFile[];
  /** Only these roots are planned. Absent: all. */
  readonly within?: ReadonlySet<Address>;
}

/** The plan for the manifests as they are, or would be. */
export async function planManifests(account: Account, draft: Draft = {}): Promise<PlannedManifests | Stopped> {
  const { session, workspace, client, ledger } = account;
  const opened =
    draft.edits === undefined && draft.added === undefined ? account.opened : await drafted(account, draft);
  if (hasErrors(opened.diagnostics)) return new Stopped(opened.diagnostics);
  const { plan, live, diagnostics } = await planLive({
    session,
    workspace,
    declared: opened.declared,
    ledger,
    targets: [],
    notices: [],
    client,
    ...(draft.within !== undefined && { within: draft.within }),
  });
  return plan === undefined || live === undefined ? new Stopped(diagnostics) : { opened, plan, live };
}

/** The manifests as they would be. */
export function drafted({ opened }: Account, { edits = [], added = [] }: Draft): Promise<OpenedWorkspace> {
  const after = new Map(edits.map((edit) => [edit.file, edit.after]));
  return withTexts(opened, [
    ...opened.texts.map((text) => {
      const edited = after.get(text.source.name);
      return edited === undefined ? text : { ...text, source: new SourceText(text.source.name, edited) };
    }),
    ...added.map(({ file, text }) => ({ source: new SourceText(file, text), named: true })),
  ]);
}

/** The same account, without events of how far reading has come. */
export function quietly<Reading extends Pick<Account, 'session'>>(account: Reading): Reading {
  return { ...account, session: { ...account.session, emit: () => undefined } };
}
