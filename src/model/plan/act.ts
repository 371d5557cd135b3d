// What a person asks for by a command and that is no desired state: an action of its own, which is in no plan of
// manifests. An area makes it from its arguments; apply carries it out as it does any action. And what such commands, and
// those that look at one thing, end with.
import type { Address } from '../address.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { Act as ActDocument } from '../generated/output/act.ts';
import type { OutcomeWord } from './outcome.ts';
import type { Verb } from './plan.ts';
import type { Step } from './step.ts';

export interface Act {
  /** What is done to what, by ids: the same address is the same work. Its kind is no kind of a manifest. */
  readonly address: Address;
  readonly verb: Verb;
  readonly reason: string;
  readonly steps: readonly Step[];
}

/** What the JSON document of such a command calls itself, by what the command is about (`schemas/act.schema.json`). */
export type ActFormat = ActDocument['format'];

/** What can stand in one as the result, each under its own name; all of them are optional. */
export type ActValues = Omit<
  ActDocument,
  'format' | 'outcome' | 'exitCode' | 'site' | 'message' | 'entries' | 'diagnostics'
>;

/** How such a command ended, with what it shows. */
export interface Ending extends ActValues {
  readonly outcome: OutcomeWord;
  /** One sentence for people. */
  readonly message?: string;
  /** Another, which stands in no document. */
  readonly aside?: string;
  readonly diagnostics?: readonly Diagnostic[];
}

/** The same with the site that it worked on. */
export interface ActResult extends Ending {
  readonly site?: { readonly id: string };
  readonly diagnostics: readonly Diagnostic[];
}
