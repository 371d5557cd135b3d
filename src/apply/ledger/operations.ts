// Decides what a person may do to the ledger by hand: begin it, forget an object, remove a lock, say what became of a request.
// Must not touch the account.
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LedgerView } from '../../model/ledger-view.ts';
import { diagnose } from '../diagnostics.ts';
import type { LedgerEntry } from './entries.ts';
import type { OpenOptions } from './file-ledger.ts';
import { lockFileOf, lockLedger, objectionTo, openLedger } from './file-ledger.ts';
import { readLedgerFile, writeLedgerFile } from './ledger-file.ts';
import type { LockRecord } from './lock.ts';
import { breakLock } from './lock.ts';

export interface Changed {
  readonly changed: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Makes a complete ledger where none is, or declares a partial one complete: from now on its silence counts as knowledge. */
export async function initLedger(options: OpenOptions): Promise<Changed> {
  const { file, account } = options;
  const locked = await lockLedger(options);
  if (!('lock' in locked)) return { changed: false, diagnostics: locked.diagnostics };
  try {
    const content = await readLedgerFile(file);
    if (content.state === 'missing') {
      await writeLedgerFile(file, { account, standing: 'complete', after: 0 }, []);
      return { changed: true, diagnostics: locked.diagnostics };
    }
    const objection = objectionTo(content, file, account);
    if (objection !== undefined || content.state !== 'read') return { changed: false, diagnostics: [...locked.diagnostics, ...(objection === undefined ? [] : [objection])] };
    if (content.header.standing === 'complete') return { changed: false, diagnostics: locked.diagnostics };
    await writeLedgerFile(file, { ...content.header, standing: 'complete' }, content.lines);
    return { changed: true, diagnostics: locked.diagnostics };
  } finally {
    await locked.lock.release();
  }
}

/** Takes an object out of the ledger; the object itself stays. */
export async function forgetObject(options: OpenOptions, address: Address): Promise<Changed> {
  return withLedger(options, (view) =>
    view.objects.has(address) ? { type: 'forgotten', address } : diagnose('HW5010', `${address} is not in ${options.file}. \`hostwright ledger list\` shows what is.`, address),
  );
}

/** Records what a person found out about a request whose outcome could not be known by reading. */
export async function confirmInFlight(options: OpenOptions, address: Address, finding: { readonly id: string } | 'not-made'): Promise<Changed> {
  return withLedger(options, (view) =>
    view.inFlight.some(({ action }) => action.address === address)
      ? { type: 'confirmed', address, id: finding === 'not-made' ? null : finding.id }
      : diagnose('HW5011', `No action on ${address} is in flight in ${options.file}.`, address),
  );
}

/** Removes the lock of a run that no longer goes on. That of a process that runs on this machine only with `force`. */
export async function unlockLedger(file: string, hostname: string, force = false): Promise<Changed & { readonly heldBy: LockRecord | undefined }> {
  const { removed, heldBy } = await breakLock(lockFileOf(file), hostname, force);
  if (removed || heldBy === undefined) return { changed: removed, heldBy, diagnostics: [] };
  const detail = `Process ${heldBy.pid} of ${heldBy.user} (run ${heldBy.runId}, since ${heldBy.since}) is still running. Stop it, or use --force when that number belongs to another program.`;
  return { changed: false, heldBy, diagnostics: [diagnose('HW5012', detail)] };
}

async function withLedger(options: OpenOptions, decide: (view: LedgerView) => LedgerEntry | Diagnostic): Promise<Changed> {
  const { ledger, diagnostics } = await openLedger(options);
  if (ledger === undefined) return { changed: false, diagnostics };
  try {
    const decided = decide(ledger.view());
    if ('code' in decided) return { changed: false, diagnostics: [...diagnostics, decided] };
    await ledger.append(decided);
    return { changed: true, diagnostics };
  } finally {
    await ledger.close();
  }
}
