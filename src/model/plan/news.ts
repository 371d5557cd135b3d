// What people get a message about after a run: what changed on an account.
import type { Diagnostic } from '../diagnostic.ts';
import type { AccountCondition as Condition } from '../generated/output/notification.ts';
import type { Outcome, OutcomeWord } from './outcome.ts';
import type { Plan } from './plan.ts';

export type { AccountCondition as Condition } from '../generated/output/notification.ts';

/** Where messages go, as the workspace file calls them. */
export const CHANNELS = ['slack', 'teams', 'webhook', 'email'] as const;
export type Channel = (typeof CHANNELS)[number];

/** How a run ended: a look at the account, an apply, or an apply with a look after it. */
export interface RunEnd {
  readonly outcome: OutcomeWord;
  /** Of a look with drift, or what an apply ran. Absent: none could be made. */
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
  /** Of an apply. Absent: it only looked. */
  readonly result?: Outcome;
}

/** What is news on one account. */
export interface Message {
  readonly account: string;
  /** Absent: there was no run; somebody tries whether it arrives. */
  readonly end?: RunEnd;
  /** What is so since this run, or otherwise than before. */
  readonly firing: readonly Condition[];
  /** What was told before, and is so no more. */
  readonly resolved: readonly Pick<Condition, 'is' | 'where'>[];
  /** Where a person reads more. */
  readonly link?: string;
  readonly atMs: number;
}

/** The text for a channel, in the form that it takes. A webhook gets one message a text; a mail begins with its subject. */
export type RenderMessages = (channel: Channel, messages: readonly Message[]) => string;
