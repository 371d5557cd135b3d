// What a run tells while it goes on. Events are for progress only: the outcome carries every result.
import type { Address } from '../address.ts';
import type { FleetCommand } from './fleet.ts';
import type { ActionWord } from './outcome.ts';
import type { Verb } from './plan.ts';

export type RunEvent =
  /** Another run holds the ledger and is waited for. `holder`: who, where, since when. */
  | { readonly type: 'lock-held'; readonly holder: string; readonly waitMs: number }
  | { readonly type: 'reading'; readonly done: number; readonly total: number }
  /** Of a run over many accounts. */
  | {
      readonly type: 'accounts';
      readonly command: FleetCommand;
      readonly done: number;
      readonly total: number;
      readonly changed: number;
      readonly failed: number;
    }
  | { readonly type: 'run-started'; readonly actions: readonly { readonly address: Address; readonly verb: Verb }[] }
  | { readonly type: 'action-started'; readonly address: Address; readonly verb: Verb; readonly atMs: number }
  | {
      readonly type: 'step-started';
      readonly address: Address;
      readonly step: string;
      readonly text: string;
      readonly atMs: number;
    }
  | {
      readonly type: 'waiting';
      readonly address: Address;
      readonly on: string;
      readonly atMs: number;
      readonly deadlineAtMs: number;
      /** What the last look showed. */
      readonly seen?: string;
      /** When it is looked at again. */
      readonly nextAtMs?: number;
      /** What somebody outside has to do; told with the first look of a wait. */
      readonly remedy?: string;
    }
  /** The platform asks for a pause. `isWaitedFor`: false if it is longer than the run waits. */
  | { readonly type: 'paused'; readonly untilMs: number; readonly isWaitedFor: boolean }
  | { readonly type: 'retrying'; readonly text: string; readonly inMs: number }
  | {
      readonly type: 'action-finished';
      readonly address: Address;
      readonly verb: Verb;
      readonly result: ActionWord;
      readonly reason?: string;
      readonly atMs: number;
    }
  | { readonly type: 'interrupted'; readonly running: number }
  | { readonly type: 'run-finished'; readonly atMs: number };

export type EmitEvent = (event: RunEvent) => void;
