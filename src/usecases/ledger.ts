// The use case `ledger`: begin one, look at it, forget a binding, release a lock, settle what only a person can know.
import { resolve } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose, hasErrors } from '../model/diagnostic.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { StartedBy } from '../model/plan/started-by.ts';
import { isJob } from '../model/plan/started-by.ts';
import type { Workspace } from '../model/workspace.ts';
import type { AccountLedger } from '../model/plan/ledgers.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { LedgerWriteError } from '../ledger/ledger.ts';
import { fileStore } from '../ledger/file-store.ts';
import { gitStore } from '../ledger/git/git-store.ts';
import { confirmInFlight, forgetObject, initLedger, unlockLedger } from '../ledger/by-hand.ts';
import type { LockRecord, Unlocking } from '../ledger/lock.ts';
import { describeHolder } from '../ledger/lock.ts';
import { readAllLedgers } from '../ledger/postgres-ledgers.ts';
import { postgresStore } from '../ledger/postgres-store.ts';
import { lazyStore } from '../ledger/store.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { StoreError } from '../ledger/store.ts';
import type { Opened, OpenOptions } from '../ledger/stored-ledger.ts';
import { openLedger, readLedger, storeFailure } from '../ledger/stored-ledger.ts';
import type { Database } from '../platform/sql/database.ts';
import { createDatabase } from '../platform/sql/database.ts';
import type { CredentialResult, Wanted } from '../manifest/credentials/source.ts';
import { DATABASE_VARIABLE } from '../manifest/workspace.ts';
import type { Session } from './session.ts';
import { findWorkspace, NO_WORKSPACE_FILE } from './workspace-file.ts';

export { describeLock } from '../ledger/lock.ts';
export { parseLedgerKey } from '../ledger/postgres-store.ts';
export { ledgerOf } from '../manifest/workspace.ts';

export type LedgerCommand =
  | { readonly do: 'init' }
  | { readonly do: 'list' }
  | { readonly do: 'forget'; readonly address: string }
  | ({ readonly do: 'unlock' } & Pick<Unlocking, 'force' | 'confirm'>)
  /** `notMade` records the word of a person; `confirmNotMade` reads the purchase first. */
  | { readonly do: 'confirm'; readonly address: string; readonly id?: string; readonly notMade?: boolean };

export interface LedgerResult {
  readonly view?: LedgerView;
  readonly message?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The ledger as plan and drift see it: no lock, nothing written. */
export async function viewLedger(
  session: Session,
  workspace: Workspace,
): Promise<{ readonly view: LedgerView; readonly diagnostics: readonly Diagnostic[] }> {
  return readLedger({ store: storeToRead(session, workspace), account: workspace.account });
}

/** Returns the store of the ledger that a workspace names, for reading and writing. */
export function ledgerStoreOf(session: Session, workspace: Workspace): LedgerStore {
  const store = storeIn(session, workspace);
  return session.storeFor?.(store) ?? store;
}

/** The same for what takes no lock: once the session is to stop, it rejects at once as a ledger that cannot be reached. */
export function storeToRead(session: Session, workspace: Workspace): LedgerStore {
  const store = storeIn(session, workspace, session.stop);
  return session.storeFor?.(store) ?? store;
}

/** Where the ledger of a workspace is, in words. */
export function ledgerPlace(session: Session, workspace: Workspace): string {
  const { ledger } = workspace;
  if ('file' in ledger) return ledger.file;
  if ('postgres' in ledger) return ledgerStoreOf(session, workspace).name;
  return `${ledger.git.ref} on ${ledger.git.remote}`;
}

function storeIn(session: Session, { root, account, baseUrl, ledger }: Workspace, signal?: AbortSignal): LedgerStore {
  if (session.inMemory !== undefined) return session.inMemory.store;
  const { clock, ledger: access, trustedRoots } = session;
  const how = {
    clock,
    timeoutMs: session.timeoutMs,
    ...(trustedRoots !== undefined && { trustedRoots }),
    ...(signal !== undefined && { signal }),
  };
  if ('file' in ledger) return fileStore(resolve(root, ledger.file), trustedRoots);
  if ('git' in ledger) {
    const shared = session.gitRemote?.(root, ledger.git.remote);
    const env = access?.programEnv ?? {};
    return gitStore({ ...ledger.git, ...how, folder: root, env, ...(shared !== undefined && { shared }) });
  }
  const { postgres } = ledger;
  if ('env' in postgres)
    return postgresStore({
      database: createDatabase({ ...how, address: access?.databaseNamed?.(postgres.env) }),
      account,
      platform: baseUrl,
      from: variableOf(postgres.env),
    });
  const from = `the entry ${postgres.entry} of the credentials file`;
  return lazyStore({ name: 'PostgreSQL' }, async () => {
    const { value: address } = await credentialOf(session, { entry: postgres.entry, root, account });
    return postgresStore({ database: createDatabase({ ...how, address }), account, platform: baseUrl, from });
  });
}

/** The credential of a ledger. Rejects with {@link StoreError}. */
async function credentialOf(
  { credentials }: Session,
  wanted: Wanted,
): Promise<Extract<CredentialResult, { readonly value: string }>> {
  const got = await (await credentials?.())?.get('ledgers', wanted);
  if (got === undefined) throw new StoreError('there is no credentials file here');
  if ('diagnostic' in got) throw new StoreError(got.diagnostic.detail.replace(/\.$/, ''));
  return got;
}

function variableOf(name: string): string {
  return `the environment variable ${name}`;
}

/** Returns the store in which 0.1.0 kept the ledger of this account in a database: under the account id alone. */
export function formerDatabaseStore(session: Session, { account }: Workspace, variable: string): LedgerStore {
  return postgresStore({ database: databaseOf(session, variable), account, from: variableOf(variable) });
}

function databaseOf({ clock, timeoutMs, ledger }: Session, variable: string): Database {
  return createDatabase({ address: ledger?.databaseNamed?.(variable), clock, timeoutMs });
}

/** How apply and the commands below open it for writing. */
export function ledgerOptions(session: Session, workspace: Workspace, runId: string): OpenOptions {
  const { clock, emit, stop, deadline } = session;
  const { hostname, pid, user, identity, uuid } = session.runtime;
  const waitMs = Math.max(
    0,
    Math.min(session.ledger?.waitMs ?? 0, (deadline?.lastWriteAtMs ?? Infinity) - clock.now()),
  );
  return {
    store: ledgerStoreOf(session, workspace),
    account: workspace.account,
    clock,
    owner: { hostname, pid, user, runId, by: startedBy(session), ...(identity !== undefined && { identity }) },
    uuid,
    waitMs,
    stop,
    onHeld: (holder) => emit({ type: 'lock-held', holder, waitMs }),
    ...(session.ledger?.jobEnd !== undefined && { jobEnd: session.ledger.jobEnd }),
  };
}

/** Who started the runs of this session. */
export function startedBy({ runtime: { by, user, hostname } }: Session): StartedBy {
  return by ?? { via: 'local', user, host: hostname };
}

/** The ledger of a workspace, open for the runs of one process, which hold its lock together. */
export function openWorkspaceLedger(session: Session, workspace: Workspace): Promise<Opened> {
  return openLedger(ledgerOptions(session, workspace, session.runtime.uuid()));
}

/**
 * Holds the ledger while `use` runs. `opening`: what was told when it was opened, `notices`: when it was closed. `failure`:
 * it could not be written. Or why it cannot be held.
 */
export async function inLedger<Result>(
  { session, workspace }: { readonly session: Session; readonly workspace: Workspace },
  use: (ledger: Ledger, runId: string) => Promise<Result>,
): Promise<
  | (({ readonly result: Result } | { readonly failure: LedgerWriteError }) &
      Readonly<Record<'opening' | 'notices', readonly Diagnostic[]>>)
  | { readonly diagnostics: readonly Diagnostic[] }
> {
  const runId = session.runtime.uuid();
  const { ledger, diagnostics: opening } = await openLedger(ledgerOptions(session, workspace, runId));
  if (ledger === undefined) return { diagnostics: opening };
  let ended: { readonly result: Result } | { readonly failure: LedgerWriteError };
  let notices: readonly Diagnostic[] = [];
  try {
    ended = { result: await use(ledger, runId) };
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    ended = { failure: error };
  } finally {
    notices = await ledger.close();
  }
  return { ...ended, opening, notices };
}

/** Carries out one ledger command; what went wrong is in the diagnostics. */
export async function ledgerCommand(session: Session, command: LedgerCommand): Promise<LedgerResult> {
  const { workspace, diagnostics } = await findWorkspace(session);
  if (workspace === undefined) return { diagnostics };
  const options = ledgerOptions(session, workspace, session.runtime.uuid());
  const { store } = options;
  switch (command.do) {
    case 'list':
      return viewLedger(session, workspace);
    case 'init':
      return reported(
        await initLedger(options),
        `The ledger ${store.name} is complete from now on.`,
        `The ledger ${store.name} was complete already.`,
      );
    case 'forget':
      return reported(
        await forgetObject(options, command.address),
        `${command.address} is forgotten; the next plan binds it anew.`,
      );
    case 'confirm':
      return reported(
        await confirmInFlight(options, command.address, command.id === undefined ? 'not-made' : { id: command.id }),
        'Recorded. `hostwright apply --resume` continues from there.',
      );
    case 'unlock':
      return unlocked(await unlockLedger(store, session.runtime.hostname, command));
  }
}

function unlocked({
  changed,
  heldBy,
  isDeclined,
  diagnostics,
}: Awaited<ReturnType<typeof unlockLedger>>): LedgerResult {
  if (isDeclined === true) return { message: 'Nothing was changed.', diagnostics };
  if (!changed) return { ...(diagnostics.length === 0 && { message: 'The ledger is not locked.' }), diagnostics };
  return {
    message: `Removed the lock of ${describeHolder(heldBy)}. If the run left anything in flight, \`hostwright apply --resume\` continues it.`,
    diagnostics,
  };
}

/** Whose locks are meant. */
export interface LockSelection {
  readonly runs: readonly string[];
  /** The address of a job. */
  readonly job?: string;
  /** The name of a machine, a container or a pod. */
  readonly host?: string;
}

/** Removes the lock of a ledger where it is one of those that are meant, and says whose it was. */
export async function unlockOf(
  session: Session,
  { runs, job, host }: LockSelection,
): Promise<{ readonly removed?: string; readonly diagnostics: readonly Diagnostic[] }> {
  const { workspace, diagnostics } = await findWorkspace(session);
  if (workspace === undefined) return { diagnostics };
  const isMeant = ({ runId, hostname, by }: LockRecord): boolean =>
    runs.includes(runId) || hostname === host || (job !== undefined && by !== undefined && isOfJob(by, job));
  const result = await unlockLedger(ledgerStoreOf(session, workspace), session.runtime.hostname, { isMeant });
  return {
    diagnostics: result.diagnostics,
    ...(result.changed && { removed: describeHolder(result.heldBy) }),
  };
}

/** An address without its attempt is that of all attempts. */
function isOfJob(by: StartedBy, job: string): boolean {
  const address = job.replace(/\/+$/, '');
  return isJob(by) && (by.url === address || by.url.replace(/\/attempts\/\d+$/, '') === address);
}

/**
 * Makes the ledger of a workspace complete, as `standing` says that it is not: its place was named for an account that
 * bought nothing by another one. None is begun in the place of a damaged one.
 */
export async function completeLedgerOf(
  session: Session,
  workspace: Workspace,
  standing: LedgerView['standing'],
): Promise<readonly Diagnostic[]> {
  const options = ledgerOptions(session, workspace, session.runtime.uuid());
  return (await initLedger(options, { onlyMissing: standing === 'missing' })).diagnostics;
}

/** What the ledgers of all accounts of a database say: of the one that the workspace names, or the environment. */
export async function listAllLedgers(session: Session): Promise<{
  readonly ledgers?: readonly AccountLedger[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { workspace, diagnostics } = await findWorkspace(session);
  const isNowhere = diagnostics.some(({ code }) => code === NO_WORKSPACE_FILE);
  if (workspace === undefined && !isNowhere) return { diagnostics };
  const variable =
    workspace === undefined
      ? DATABASE_VARIABLE
      : 'postgres' in workspace.ledger && 'env' in workspace.ledger.postgres
        ? workspace.ledger.postgres.env
        : undefined;
  const isUnset = workspace === undefined && session.ledger?.databaseNamed?.(DATABASE_VARIABLE) === undefined;
  if (variable === undefined || isUnset)
    return {
      diagnostics: [
        diagnose(
          'HW7164',
          `${variable === undefined ? 'This workspace keeps its ledger elsewhere.' : `There is no workspace here, and ${variable} is not set.`} For the ledgers in folders of workspaces, run \`hostwright fleet ledger FOLDERS...\`.`,
        ),
      ],
    };
  const database = databaseOf(session, variable);
  try {
    return await readAllLedgers(database, variableOf(variable));
  } catch (error) {
    return { diagnostics: [storeFailure(error, database)] };
  } finally {
    await database.close();
  }
}

function reported(
  result: { readonly changed: boolean; readonly diagnostics: readonly Diagnostic[] },
  done: string,
  nothing?: string,
): LedgerResult {
  const message = result.changed ? done : nothing;
  return {
    diagnostics: result.diagnostics,
    ...(message !== undefined && !hasErrors(result.diagnostics) && { message }),
  };
}
