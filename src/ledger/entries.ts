// What a line of the ledger can say. Entries only ever get added to: a reader of an older ledger still understands it.
import type { Address } from '../model/address.ts';
import type { Check } from '../model/common/checks.ts';
import {
  anything,
  isAddress,
  isFlag,
  isText,
  isTime,
  isTrue,
  listOf,
  objectOf,
  oneOf,
  optional,
  orNull,
  recordOf,
} from '../model/common/checks.ts';
import type { JsonObject } from '../model/json.ts';
import { isJsonObject, parseJsonObject } from '../model/json.ts';
import type { BegunAction } from '../model/ledger/begun.ts';
import { areKnownOutputs, areOutputs, isBegunAction, isId } from '../model/ledger/begun.ts';
import type { Effect } from '../model/plan/plan.ts';
import type { Outputs } from '../model/plan/step.ts';
import type { ChainedRow } from '../model/plan/history.ts';
import type { KeptAct } from '../model/plan/ledger-view.ts';
import type { StartedBy } from '../model/plan/started-by.ts';
import type { RotationTokens } from '../model/secret.ts';
import { areRotationTokens } from '../model/secret.ts';

export type LedgerEntry =
  /**
   * A run begins. `approved`: the digests that it was allowed to run. `by`: who started it; older ledgers do not say.
   */
  | {
      readonly type: 'run-started';
      readonly runId: string;
      readonly planId: string;
      readonly approved: readonly string[];
      readonly by?: StartedBy;
    }
  /**
   * An action begins. `action` has facts about it and no steps. `known` are the ids of other objects that its steps refer
   * to, `effects` what earlier actions changed in this one, `own` what their run creates, deletes or moves in its
   * collection. Of a hook that comes after changes: `triggeredBy` and `triggered` as in `InFlight`.
   */
  | {
      readonly type: 'begin';
      readonly runId: string;
      readonly action: BegunAction;
      readonly known: Readonly<Record<Address, Outputs>>;
      readonly effects: readonly Effect[];
      readonly own?: readonly string[];
      readonly triggeredBy?: readonly Address[];
      readonly triggered?: true;
    }
  /** On stable storage before the request leaves. */
  | { readonly type: 'sent'; readonly address: Address; readonly step: string }
  /**
   * `follow`: what is still to do with this answer; `row`: the name of the row of the answer table that took it, null
   * where the defaults did.
   */
  | {
      readonly type: 'answered';
      readonly address: Address;
      readonly step: string;
      readonly status: number | null;
      readonly row: string | null;
      readonly follow?: 'wait-for' | 'look-up';
      readonly outputs: Outputs;
    }
  /** Something became known while an answer is still followed. */
  | { readonly type: 'learnt'; readonly address: Address; readonly step: string; readonly outputs: Outputs }
  /** What an answer left to do is done. */
  | { readonly type: 'followed'; readonly address: Address; readonly step: string; readonly outputs: Outputs }
  /** The action stays in flight, and this is why. */
  | { readonly type: 'held'; readonly address: Address; readonly reason: string }
  /**
   * The action ended well. `id` null: the object has none, or is gone. `rotated`: the rotation tokens of its secrets;
   * without it they are as before.
   */
  | {
      readonly type: 'succeeded';
      readonly address: Address;
      readonly id: string | null;
      readonly gone: boolean;
      readonly applied: JsonObject;
      readonly outputs: Outputs;
      readonly rotated?: RotationTokens;
    }
  | { readonly type: 'failed'; readonly address: Address; readonly reason: string }
  /**
   * `appliedAtMs`: since when `applied` was so, where that is longer than this entry. `createdAtMs`, `lists`: without
   * them they are as before.
   */
  | {
      readonly type: 'bound';
      readonly address: Address;
      readonly id: string;
      readonly owned: boolean;
      readonly applied: JsonObject;
      readonly createdAtMs?: number;
      readonly appliedAtMs?: number;
      readonly lists?: Readonly<Record<string, number>>;
      readonly outputs?: Outputs;
      readonly rotated?: RotationTokens;
    }
  /** A row of the history. It is kept when all else is written anew. */
  | ({ readonly type: 'history' } & Omit<ChainedRow, 'atMs'>)
  /** All that is declared and live is bound by the entries before this one. */
  | { readonly type: 'recorded' }
  | { readonly type: 'forgotten'; readonly address: Address }
  /** A person found out what became of an unanswered request: `id` of what it made, or null when it made nothing. */
  | { readonly type: 'confirmed'; readonly address: Address; readonly id: string | null }
  | { readonly type: 'run-finished'; readonly runId: string; readonly planId: string; readonly complete: boolean }
  /**
   * Before a request that a person asked for by a command leaves, where it could do its work twice. `act` names what is
   * done to what: the same words are the same work.
   */
  | { readonly type: 'act'; readonly act: string; readonly runId: string; readonly request: string }
  /** What a channel of notifications was told and is still so, by key. It is about messages, and nothing else. */
  | { readonly type: 'told'; readonly channel: string; readonly state: Readonly<Record<string, string>> }
  /** It is known what became of the last one of this name. `kept`: it is remembered, and nothing else of that name. */
  | { readonly type: 'acted'; readonly act: string; readonly kept?: KeptAct };

/** A line as it stands in the file. */
export interface LedgerLine {
  /** Grows by one with every line, so that a missing one shows. */
  readonly n: number;
  readonly atMs: number;
  readonly entry: LedgerEntry;
}

// The keys that each entry has. A table, so that the compiler asks for every type.
const REQUIRED_KEYS: Readonly<Record<LedgerEntry['type'], readonly string[]>> = {
  'run-started': ['runId', 'planId', 'approved'],
  begin: ['runId', 'action', 'known', 'effects'],
  sent: ['address', 'step'],
  answered: ['address', 'step', 'status', 'row', 'outputs'],
  learnt: ['address', 'step', 'outputs'],
  followed: ['address', 'step', 'outputs'],
  held: ['address', 'reason'],
  succeeded: ['address', 'id', 'gone', 'applied', 'outputs'],
  failed: ['address', 'reason'],
  bound: ['address', 'id', 'owned', 'applied'],
  history: ['row', 'previous'],
  recorded: [],
  forgotten: ['address'],
  confirmed: ['address', 'id'],
  'run-finished': ['runId', 'planId', 'complete'],
  told: ['channel', 'state'],
  act: ['act', 'runId', 'request'],
  acted: ['act'],
};

/**
 * The check of each member, which means the same in every entry that has it. An entry with another member is from a newer
 * version, which this version reads as far as it knows it.
 */
const CHECKS: Readonly<Record<MemberName, Check>> = {
  act: isText,
  action: isBegunAction,
  address: isAddress,
  applied: isJsonObject,
  appliedAtMs: isTime,
  approved: listOf(isText),
  by: isJsonObject,
  channel: isText,
  complete: isFlag,
  createdAtMs: isTime,
  effects: listOf(objectOf({ address: isAddress, path: isText, value: anything })),
  follow: oneOf(['wait-for', 'look-up']),
  gone: isFlag,
  id: orNull(isId),
  kept: objectOf({ request: isText, untilMs: optional(isTime) }),
  known: areKnownOutputs,
  lists: recordOf(isTime),
  outputs: areOutputs,
  own: listOf(isText),
  owned: isFlag,
  planId: isText,
  previous: isText,
  reason: isText,
  request: isText,
  rotated: areRotationTokens,
  row: orNull(isText),
  runId: isText,
  state: recordOf(isText),
  status: (value) => value === null || typeof value === 'number',
  step: isText,
  triggered: isTrue,
  triggeredBy: listOf(isAddress),
};

/** The name of a member that some entry has, other than its type. */
type MemberName = LedgerEntry extends infer Entry
  ? Entry extends LedgerEntry
    ? Exclude<keyof Entry, 'type'>
    : never
  : never;

/**
 * Returns the line in a text; `newer` for an entry that this version does not know; undefined for anything else, also
 * for a line whose members are not what its type of entry has.
 */
export function parseLine(text: string): LedgerLine | 'newer' | undefined {
  const line = parseAnyLine(text);
  return line === undefined || line === 'newer' ? line : checkLine(line);
}

/** Returns the line where the members of its entry are what its type has, else undefined. */
export function checkLine(line: AnyLine): LedgerLine | undefined {
  const { entry } = line;
  // Rows of the history are only reported. Their readers check them.
  if (entry.type === 'history')
    return isJsonObject(entry.row) && isText(entry.previous) ? (line as unknown as LedgerLine) : undefined;
  const isValid = Object.entries(entry).every(
    ([key, value]) => !Object.hasOwn(CHECKS, key) || CHECKS[key as MemberName](value),
  );
  return isValid ? (line as unknown as LedgerLine) : undefined;
}

/** A line with the members that its type of entry has, whatever is in them. */
export interface AnyLine {
  readonly n: number;
  readonly atMs: number;
  readonly entry: JsonObject & { readonly type: LedgerEntry['type'] };
}

/** The same without a look at what is in the members of the entry: an older format has others. */
export function parseAnyLine(text: string): AnyLine | 'newer' | undefined {
  const value = parseJsonObject(text);
  if (
    value === undefined ||
    typeof value.n !== 'number' ||
    typeof value.at !== 'string' ||
    typeof value.type !== 'string'
  )
    return undefined;
  const { n, at, ...entry } = value;
  const keys = Object.hasOwn(REQUIRED_KEYS, value.type) ? REQUIRED_KEYS[value.type as LedgerEntry['type']] : undefined;
  if (keys === undefined) return 'newer';
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs) || !keys.every((key) => Object.hasOwn(entry, key))) return undefined;
  return { n, atMs, entry: entry as AnyLine['entry'] };
}

/** The text of a line, with its line feed. */
export function formatLine({ n, atMs, entry }: LedgerLine): string {
  return `${JSON.stringify({ n, at: new Date(atMs).toISOString(), ...entry })}\n`;
}
