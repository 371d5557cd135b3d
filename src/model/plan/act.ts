// What a person asks for by a command and that is no desired state: an action of its own, which is in no plan of
// manifests. An area makes it from its arguments; apply carries it out as it does any action. And what such commands, and
// those that look at one thing, print as JSON: `schemas/act.schema.json`.
import type { Address } from '../address.ts';
import type { Act as ActDocument } from '../generated/output/act.ts';
import type { Verb } from './plan.ts';
import type { Step } from './step.ts';

export interface Act {
  /** What is done to what, by ids: the same address is the same work. Its kind is no kind of a manifest. */
  readonly address: Address;
  readonly verb: Verb;
  readonly reason: string;
  readonly steps: readonly Step[];
}

/** What such a JSON document calls itself, by what the command is about. */
export type ActFormat = ActDocument['format'];

/** The names under which a result can stand in one. */
export type ActValue = Exclude<
  keyof ActDocument,
  'format' | 'outcome' | 'exitCode' | 'site' | 'message' | 'entries' | 'diagnostics'
>;
