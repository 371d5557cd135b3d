// What a person may do to the ledger by hand: begin it, forget an object, remove a lock, say what became of a request.
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { LedgerEntry } from './entries.ts';
import type { Ledger } from './ledger.ts';
import { LedgerWriteError } from './ledger.ts';
import { formatLedger, parseLedger } from './ledger-text.ts';
import type { Lock, LockRecord, Unlocking } from './lock.ts';
import { breakLock } from './lock.ts';
import type { LedgerStore } from './store.ts';
import { OutrunError } from './store.ts';
import type { OpenOptions } from './stored-ledger.ts';
import {
  releaseAndClose,
  lockLedger,
  objectionToMissing,
  objectionTo,
  openLedger,
  storeFailure,
} from './stored-ledger.ts';

export interface Changed {
  readonly changed: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Makes a complete ledger where none is, or declares a partial one complete: from now on what it does not have was not
 * done. `onlyMissing`: one that is there by now is left as it is, and none is begun in the place of a damaged one.
 */
export async function initLedger(
  options: OpenOptions,
  { onlyMissing = false }: { readonly onlyMissing?: boolean } = {},
): Promise<Changed> {
  const { store } = options;
  try {
    await store.prepare?.();
  } catch (error) {
    await store.close();
    return { changed: false, diagnostics: [storeFailure(error, store)] };
  }
  return complete({ ...options, withFirstWrite: true }, onlyMissing);
}

async function complete(options: OpenOptions, onlyMissing: boolean): Promise<Changed> {
  const { store, withFirstWrite = false } = options;
  const locked = await lockLedger(options);
  if (!('lock' in locked)) return { changed: false, diagnostics: locked.diagnostics };
  let made: Changed | undefined;
  let notices: readonly Diagnostic[] = [];
  try {
    made = await completeLocked(options, locked.lock, onlyMissing);
  } catch (error) {
    const isOutrun = withFirstWrite && error instanceof OutrunError;
    if (!isOutrun) made = { changed: false, diagnostics: [storeFailure(error, store)] };
  } finally {
    notices = await releaseAndClose(store, locked.lock);
  }
  // Begun anew, from what the other one left.
  if (made === undefined) return complete({ ...options, withFirstWrite: false }, onlyMissing);
  return { changed: made.changed, diagnostics: [...locked.diagnostics, ...made.diagnostics, ...notices] };
}

async function completeLocked(
  { store, account }: OpenOptions,
  { record }: Lock,
  onlyMissing: boolean,
): Promise<Changed> {
  const bytes = await store.read();
  if (bytes === undefined) {
    const aside = onlyMissing ? await objectionToMissing(store) : undefined;
    if (aside !== undefined) return { changed: false, diagnostics: [aside] };
    await store.rewrite(formatLedger({ account, standing: 'complete', after: 0 }, []), record);
    return { changed: true, diagnostics: [] };
  }
  const content = parseLedger(bytes);
  const objection = objectionTo(content, store.name, account);
  if (objection !== undefined || content.state !== 'read')
    return { changed: false, diagnostics: objection === undefined ? [] : [objection] };
  if (onlyMissing || content.header.standing === 'complete') return { changed: false, diagnostics: [] };
  await store.rewrite(formatLedger({ ...content.header, standing: 'complete' }, content.lines), record);
  return { changed: true, diagnostics: [] };
}

/** Takes an object out of the ledger; the object itself stays. */
export async function forgetObject(options: OpenOptions, address: Address): Promise<Changed> {
  return withLedger(options, (view) =>
    view.objects.has(address)
      ? { type: 'forgotten', address }
      : diagnose('HW5010', `${address} is not in ${options.store.name}. \`hostwright ledger list\` shows what is.`, {
          address,
        }),
  );
}

/** Records what a person found out about a request whose outcome could not be known by reading. */
export async function confirmInFlight(
  options: OpenOptions,
  address: Address,
  finding: { readonly id: string } | 'not-made',
): Promise<Changed> {
  return withLedger(options, (view) =>
    view.inFlight.some(({ action }) => action.address === address)
      ? { type: 'confirmed', address, id: finding === 'not-made' ? null : finding.id }
      : diagnose('HW5011', `No action on ${address} is in flight in ${options.store.name}.`, { address }),
  );
}

/** Removes the lock of a run that has ended. */
export async function unlockLedger(
  store: LedgerStore,
  hostname: string,
  how: Unlocking = {},
): Promise<Changed & { readonly heldBy: LockRecord | undefined; readonly isDeclined?: true }> {
  try {
    const { removed, heldBy, isDeclined } = await breakLock(store.lock, hostname, how);
    if (removed || heldBy === undefined)
      return { changed: removed, heldBy, diagnostics: [], ...(isDeclined === true && { isDeclined }) };
    const detail = `Process ${heldBy.pid} of ${heldBy.user} (run ${heldBy.runId}, since ${heldBy.since}) is still running. Stop it, or use --force when that number belongs to another program.`;
    return { changed: false, heldBy, diagnostics: [diagnose('HW5012', detail)] };
  } catch (error) {
    return { changed: false, heldBy: undefined, diagnostics: [storeFailure(error, store)] };
  } finally {
    await store.close();
  }
}

async function withLedger(
  options: OpenOptions,
  decide: (view: LedgerView) => LedgerEntry | Diagnostic,
): Promise<Changed> {
  const { ledger, diagnostics } = await openLedger(options);
  if (ledger === undefined) return { changed: false, diagnostics };
  let notices: readonly Diagnostic[] = [];
  let result: Changed;
  try {
    result = await change(ledger, decide(ledger.view()));
  } finally {
    notices = await ledger.close();
  }
  return { changed: result.changed, diagnostics: [...diagnostics, ...result.diagnostics, ...notices] };
}

async function change(ledger: Ledger, decided: LedgerEntry | Diagnostic): Promise<Changed> {
  if ('code' in decided) return { changed: false, diagnostics: [decided] };
  try {
    await ledger.append(decided);
    return { changed: true, diagnostics: [] };
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    return {
      changed: false,
      diagnostics: [
        diagnose(
          'HW5006',
          `${error.message}. Nothing was changed on the account; look with \`hostwright ledger list\` before trying again.`,
        ),
      ],
    };
  }
}
