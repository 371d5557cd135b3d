// How a kind is worded for people, where its name and its fields do not say it. Reports ask; no plan is made of it.
import type { Json } from '../json.ts';
import type { Action, Change } from '../plan/plan.ts';

/** Stands in place of what is about a person and is not shown. */
export const HIDDEN = '(personal)';

/** What an action is about where that is more than its fields: `new holder`, by name, or `address of the holder`. */
export interface Subject {
  readonly what: string;
  /** Another one takes its place. Absent: it stays the same one, and details of it change. */
  readonly name?: string;
}

export interface KindWords {
  /** Absent: the words of its name, `edge rule` of `EdgeRule`. */
  readonly noun?: string;
  /** Absent: what the noun makes of it. */
  readonly nouns?: string;
  /** What people call it who do not know its name yet, in small letters and singular. */
  readonly alsoCalled?: readonly string[];
  /** A value of a field as it reads in a manifest. */
  readonly value?: (path: string, value: Json) => Json;
  /** The changes of an action as they read in a manifest. */
  readonly changes?: (action: Pick<Action, 'changes' | 'steps'>) => readonly Change[];
  /** Names under which a request carries something about a person, changed or not. */
  readonly personalKeys?: readonly string[];
  /** `text`: a value as it may be shown. */
  readonly subject?: (
    changes: readonly Change[],
    text: (value: Json | undefined) => string | undefined,
  ) => Subject | undefined;
  /** What it is to turn a field on and off. `parent`: the title of what it is in. */
  readonly turned?: Readonly<Record<string, (isOn: boolean, parent: string) => string>>;
  /** What follows where protection is lowered. Absent: just that. */
  readonly exposure?: string;
  /** What follows a deletion, for the reviewer. */
  readonly deletion?: readonly [string];
  /** A new one leads nowhere until its DNS records are published. */
  readonly needsRecords?: true;
}

export type WordsOf = Readonly<Record<string, KindWords>>;
