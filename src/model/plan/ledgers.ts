// What the ledgers of many accounts say, where one place has all of them.
import type { Address } from '../address.ts';
import type { Verb } from './plan.ts';

/** The ledger of one account among others. */
export interface AccountLedger {
  readonly account: string;
  /** The address of the platform that the account belongs to. Absent: 0.1.0 wrote it. */
  readonly platform?: string;
  /**
   * `damaged`: it cannot be used, and a diagnostic says why. `set-aside`: it was damaged, and is kept for a restore.
   * `moved`: it is in another store now, which `place` names.
   */
  readonly standing: 'complete' | 'partial' | 'missing' | 'damaged' | 'set-aside' | 'moved';
  /** What it is kept as, where that is not the account: a ledger that was set aside or moved. */
  readonly place?: string;
  readonly objects: number;
  readonly inFlight: readonly {
    readonly address: Address;
    readonly verb: Verb;
    readonly runId: string;
    /** A request that was sent, and whose answer never came. */
    readonly unanswered?: string;
  }[];
  /** Requests of commands, of which nobody knows what became of them. */
  readonly openActs: readonly string[];
  /** When something was last written to it. */
  readonly writtenAtMs?: number;
  /** Who holds its lock, in words. */
  readonly heldBy?: string;
}
