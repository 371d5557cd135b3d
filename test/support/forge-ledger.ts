// Appends entries to the ledger of a harness, as anyone who can write the ledger can.
import type { LedgerEntry } from '../../src/ledger/entries.ts';
import { openLedger } from '../../src/ledger/stored-ledger.ts';
import { ledgerOptions } from '../../src/usecases/ledger.ts';
import { openWorkspace } from '../../src/usecases/workspace.ts';
import type { Harness } from './harness.ts';

/** Appends the entries. The ledger must exist. */
export async function forgeLedger(one: Harness, entries: readonly LedgerEntry[]): Promise<void> {
  const session = one.session();
  const { workspace } = await openWorkspace(session, []);
  if (workspace === undefined) throw new Error('no workspace');
  const { ledger } = await openLedger(ledgerOptions(session, workspace, 'forged'));
  if (ledger === undefined) throw new Error('no ledger');
  await ledger.append(...entries);
  await ledger.close();
}

/** The entry that binds an address to a live object and claims that it is ours. */
export function forgedBinding(
  address: string,
  id: string,
  extra: Partial<Extract<LedgerEntry, { readonly type: 'bound' }>> = {},
): LedgerEntry {
  return { type: 'bound', address, id, owned: true, applied: {}, ...extra };
}
