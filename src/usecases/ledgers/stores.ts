// The stores in which an account may have a ledger: looks for others than the one that the workspace names, and moves a
// ledger from one to another.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { LedgerSetting, Workspace } from '../../model/workspace.ts';
import { plural } from '../../model/common/count.ts';
import { parseLedger } from '../../ledger/ledger-text.ts';
import { moveLedger } from '../../ledger/move.ts';
import { replay } from '../../ledger/state.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { StoreError } from '../../ledger/store.ts';
import { repositoryOf } from '../../manifest/read/load.ts';
import { DATABASE_VARIABLE, ledgerOf, ledgerRefOf } from '../../manifest/workspace.ts';
import { withGit } from '../git.ts';
import { formerDatabaseStore, ledgerOptions, ledgerStoreOf } from '../ledger.ts';
import type { Session } from '../session.ts';
import { findWorkspace } from '../workspace-file.ts';

/** The kinds of stores that a ledger can be moved to. */
export const STORE_KINDS = ['file', 'git', 'postgres'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

/** A ledger of the account in a store that the workspace does not name. */
export interface OtherLedger {
  /** Opens its store. */
  readonly open: () => LedgerStore;
  /** The name of its store, as messages call it. */
  readonly name: string;
  readonly objects: number;
  /** When its newest entry was written. Absent: it has none. */
  readonly writtenAtMs?: number;
}

/**
 * Returns the ledgers of the account in the stores that a workspace uses by default (the file, the Git ref, the database),
 * without the store that the workspace names. A store that cannot be read is a warning, HW5021.
 */
export async function findOtherLedgers(
  session: Session,
  workspace: Workspace,
): Promise<{ readonly ledgers: readonly OtherLedger[]; readonly diagnostics: readonly Diagnostic[] }> {
  const own = ledgerStoreOf(session, workspace).name;
  const ledgers: OtherLedger[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const open of await defaultStores(session, workspace)) {
    const store = open();
    if (store.name === own) continue;
    try {
      const bytes = await store.read();
      const content = bytes === undefined ? undefined : parseLedger(bytes);
      if (content === undefined || content.state === 'moved') continue;
      if (content.state === 'read' && content.header.account !== workspace.account) continue;
      const writtenAtMs = content.state === 'read' ? content.lines.at(-1)?.atMs : undefined;
      ledgers.push({
        open,
        name: store.name,
        objects: content.state === 'read' ? replay(content.header, content.lines).objects.size : 0,
        ...(writtenAtMs !== undefined && { writtenAtMs }),
      });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      diagnostics.push(diagnose('HW5021', `${store.name}: ${error.message}.`));
    } finally {
      await store.close();
    }
  }
  return { ledgers, diagnostics };
}

async function defaultStores(session: Session, workspace: Workspace): Promise<readonly (() => LedgerStore)[]> {
  const { root, account } = workspace;
  const remotes =
    repositoryOf(root) === undefined
      ? []
      : await withGit(
          session,
          root,
          async (git) => (await git.run(['remote'])).toString('utf8').split('\n'),
          () => [],
        );
  const refs = remotes.includes('origin') ? [ledgerRefOf(account), undefined] : [];
  const hasDatabase = session.ledger?.databaseNamed?.(DATABASE_VARIABLE) !== undefined;
  const settings = [
    ledgerOf({}),
    ...refs.map((ref) => ledgerOf({ git: { ...(ref !== undefined && { ref }) } })),
    ...(hasDatabase ? [ledgerOf({ postgres: {} })] : []),
  ];
  return [
    ...settings.map((ledger) => () => ledgerStoreOf(session, { ...workspace, ledger })),
    ...(hasDatabase ? [() => formerDatabaseStore(session, workspace, DATABASE_VARIABLE)] : []),
  ];
}

/** Says that another ledger exists, and which commands continue. */
export function otherLedgerProblem({ name, objects, writtenAtMs }: OtherLedger, { ledger }: Workspace): Diagnostic {
  const written = writtenAtMs === undefined ? '' : `, last written at ${new Date(writtenAtMs).toISOString()}`;
  const to = kindOfStore(ledger);
  return diagnose(
    'HW5018',
    `${name} has a ledger of this account with ${plural(objects, 'object')}${written}. A new ledger would not know what it records. ${to === undefined ? '' : `To use its entries here, run \`hostwright ledger move --to ${to}\`. `}To continue with it, set \`ledger\` in hostwright.yaml back to it. If it is obsolete, delete it.`,
  );
}

function kindOfStore(setting: LedgerSetting): StoreKind | undefined {
  return STORE_KINDS.find((kind) => kind in setting);
}

/** The setting that a workspace has for a kind of store by default, as `init` writes it. */
function settingFor(kind: StoreKind, account: string): LedgerSetting {
  if (kind === 'git') return ledgerOf({ git: { ref: ledgerRefOf(account) } });
  return ledgerOf(kind === 'file' ? {} : { postgres: {} });
}

/**
 * Moves the ledger of the workspace to a store of this kind. Where the workspace names such a store already, the other
 * ledger of the account is moved there. Returns the lines of the workspace file that name the new store.
 */
export async function moveWorkspaceLedger(
  session: Session,
  to: StoreKind,
): Promise<{ readonly message?: string; readonly diagnostics: readonly Diagnostic[] }> {
  const { workspace, diagnostics } = await findWorkspace(session);
  if (workspace === undefined) return { diagnostics };
  const isNamed = kindOfStore(workspace.ledger) === to;
  const found = isNamed ? await findOtherLedgers(session, workspace) : { ledgers: [], diagnostics: [] };
  const named = isNamed ? undefined : { open: () => ledgerStoreOf(session, workspace) };
  const [source = named, ...more] = found.ledgers;
  if (source === undefined || more.length > 0) {
    const names = found.ledgers.map(({ name }) => name).join(' and ');
    const detail =
      source === undefined
        ? `The workspace names a ${to} store already, and no other ledger of this account was found.`
        : `There are several other ledgers of this account: ${names}. Set \`ledger\` in hostwright.yaml to the one to move.`;
    return { diagnostics: [...found.diagnostics, diagnose('HW5019', detail)] };
  }
  const target = isNamed ? workspace.ledger : settingFor(to, workspace.account);
  const runId = session.runtime.uuid();
  const from = { ...ledgerOptions(session, workspace, runId), store: source.open() };
  const into = ledgerOptions(session, { ...workspace, ledger: target }, runId);
  const result = await moveLedger(from, into);
  const done = `The ledger was moved from ${from.store.name} to ${into.store.name}.`;
  const next = isNamed
    ? ''
    : ` Now write this in hostwright.yaml, below \`spec:\`, and commit it: \`ledger: ${settingText(target)}\`. Until then every run is refused.`;
  return {
    diagnostics: [...found.diagnostics, ...result.diagnostics],
    ...(result.changed && !hasErrors(result.diagnostics) && { message: `${done}${next}` }),
  };
}

function settingText(setting: LedgerSetting): string {
  if ('git' in setting) return `{ git: { remote: ${setting.git.remote}, ref: ${setting.git.ref} } }`;
  return 'file' in setting ? `{ file: ${setting.file} }` : '{ postgres: {} }';
}
