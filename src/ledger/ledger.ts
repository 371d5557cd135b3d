// What a run can do with a ledger, wherever it is kept.
import type { Diagnostic } from '../model/diagnostic.ts';
import { sameJson } from '../model/json.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { LedgerEntry } from './entries.ts';

/** A ledger that is open for writing: nobody else writes it meanwhile. */
export interface Ledger {
  readonly view: () => LedgerView;
  /**
   * Resolves when the entries, and all that was noted before, are on stable storage; rejects with
   * {@link LedgerWriteError}, and for ever after. Without an entry it is for what was noted.
   */
  readonly append: (...entries: readonly LedgerEntry[]) => Promise<void>;
  /**
   * Takes entries that may wait: where a write is slow they go with the next append, at the latest when the ledger is
   * closed. For what a run that dies before then loses without harm, because the next one works it out again. Rejects
   * like `append`.
   */
  readonly note: (...entries: readonly LedgerEntry[]) => Promise<void>;
  /**
   * A request is about to leave that may simply be sent again. Like `note` while the lock was seen to be ours a moment
   * ago, else like `append`: a run whose lock was taken away sends nothing for long.
   */
  readonly announce: (...entries: readonly LedgerEntry[]) => Promise<void>;
  /** Somebody else took the lock or wrote before this run wrote anything: it may begin anew. */
  readonly isOutrun: () => boolean;
  /**
   * Writes what was noted, writes it all anew when it has grown long, and releases the lock. What of that failed is
   * told, as an error where entries are not written; what was appended stands.
   */
  readonly close: () => Promise<readonly Diagnostic[]>;
}

/** The ledger could not be written: nothing may be sent any more. */
export class LedgerWriteError extends Error {}

export type Binding = Omit<Extract<LedgerEntry, { readonly type: 'bound' }>, 'type'>;

/**
 * Records which live objects manifests are bound to; writes only what differs. Returns how many were written. `all`:
 * these are all that is declared and live.
 */
export async function recordBindings(ledger: Ledger, bindings: readonly Binding[], all = false): Promise<number> {
  const { objects, recorded } = ledger.view();
  const entries = bindings
    .filter((binding) => {
      const known = objects.get(binding.address);
      if (known === undefined) return true;
      const sameOutputs = binding.outputs === undefined || sameJson(known.outputs, binding.outputs);
      const sameRotationTokens = binding.rotated === undefined || sameJson(known.rotated, binding.rotated);
      const sameLists = binding.lists === undefined || sameJson(known.lists, binding.lists);
      return (
        known.id !== binding.id ||
        known.owned !== binding.owned ||
        !sameOutputs ||
        !sameRotationTokens ||
        !sameLists ||
        !sameJson(known.applied, binding.applied)
      );
    })
    .map((binding): LedgerEntry => ({ type: 'bound', ...binding }));
  // A ledger that does not exist yet is not begun for this alone.
  const end: readonly LedgerEntry[] =
    all && recorded !== true && objects.size + entries.length > 0 ? [{ type: 'recorded' }] : [];
  if (entries.length + end.length > 0) await ledger.note(...entries, ...end);
  return entries.length;
}
