// What runs did, for people: rows that stay when the rest of the ledger is written anew. Each has the digest of the one
// before. Without secrets, and without values about a person.
import type { Address } from '../address.ts';
import type { Check } from '../common/checks.ts';
import {
  anything,
  isAddress,
  isFlag,
  isText,
  isTrue,
  isWholeNumber,
  listOf,
  objectOf,
  oneOf,
  optional,
} from '../common/checks.ts';
import type { Json } from '../json.ts';
import type { Price } from '../price.ts';
import type { Action, Verb } from './plan.ts';
import type { ApprovedBy, StartedBy } from './started-by.ts';
import { isApprovedBy, isStartedBy } from './started-by.ts';

/** A field before and after. `hidden`: it is a secret, or about a person. */
export interface HistoryChange {
  readonly path: string;
  readonly was?: Json;
  readonly value?: Json;
  readonly hidden?: true;
}

export interface HistoryAction {
  readonly address: Address;
  readonly verb: Verb;
  /** The digest of the action in its plan, which a review approves. Absent: a version before 0.1.0 wrote the row. */
  readonly digest?: string;
  readonly changes: readonly HistoryChange[];
  /** It charges the account. Without `cost`, the platform quoted no price. Absent: it charges nothing. */
  readonly charges?: true;
  readonly cost?: Price;
}

/** The ids that the platform returned for an action: of the object, and of the cart and order of a purchase. */
export interface HistoryIds {
  readonly id?: string;
  readonly cart?: string;
  readonly order?: string;
}

export type HistoryRow =
  /** Before the first request: what the run is about to do. */
  | {
      readonly is: 'run';
      readonly run: string;
      readonly by?: StartedBy;
      readonly approvedBy?: ApprovedBy;
      readonly actions: readonly HistoryAction[];
    }
  /** How an action ended of which something was sent; `run`: the one that began it. */
  | ({
      readonly is: 'action';
      readonly run: string;
      readonly address: Address;
      readonly verb: Verb;
      readonly result: 'done' | 'failed';
      readonly reason?: string;
    } & HistoryIds)
  | { readonly is: 'end'; readonly run: string; readonly complete: boolean };

export interface ChainedRow {
  readonly atMs: number;
  readonly row: HistoryRow;
  /** The digest of the row before; '' for the first. */
  readonly previous: string;
}

/**
 * What became of an action. `in-flight`: the next run continues it. `not-done`: the run ended without it.
 * `not-recorded`: the run was killed; an update may have been made, and the plan after it shows what was left.
 */
export type HistoryResult = 'done' | 'failed' | 'in-flight' | 'not-done' | 'not-recorded';

export interface RunHistory {
  readonly run: string;
  readonly startedAtMs: number;
  readonly by?: StartedBy;
  /** Who approved it, as the forge or the terminal reported. Absent: neither was asked. */
  readonly approvedBy?: ApprovedBy;
  /** Absent: it has not ended, or it was killed. */
  readonly endedAtMs?: number;
  readonly actions: readonly (HistoryAction &
    HistoryIds & { readonly result: HistoryResult; readonly reason?: string })[];
}

const isVerb = oneOf(['create', 'update', 'delete']);
const isIds = { id: optional(isText), cart: optional(isText), order: optional(isText) };
const isPrice = objectOf({ amountCents: isWholeNumber, currency: isText });
const isHistoryAction = objectOf({
  address: isAddress,
  verb: isVerb,
  digest: optional(isText),
  changes: listOf(
    objectOf({ path: isText, was: optional(anything), value: optional(anything), hidden: optional(isTrue) }),
  ),
  charges: optional(isTrue),
  cost: optional(isPrice),
});
const ROWS: readonly Check[] = [
  objectOf({
    is: oneOf(['run']),
    run: isText,
    by: optional(isStartedBy),
    approvedBy: optional(isApprovedBy),
    actions: listOf(isHistoryAction),
  }),
  objectOf({
    is: oneOf(['action']),
    run: isText,
    address: isAddress,
    verb: isVerb,
    result: oneOf(['done', 'failed']),
    reason: optional(isText),
    ...isIds,
  }),
  objectOf({ is: oneOf(['end']), run: isText, complete: isFlag }),
];

/** Returns true for a row that has the members of its type and no others. A row of a store can be anything. */
export function isHistoryRow(row: unknown): row is HistoryRow {
  return ROWS.some((check) => check(row as Json));
}

/** Returns an action as the history keeps it. */
export function historyAction({ address, verb, digest, changes, risk, cost }: Action): HistoryAction {
  return {
    address,
    verb,
    digest,
    changes: changes.map(({ path, was, value, secret, personal = [] }) =>
      secret !== undefined || personal.length > 0
        ? { path, hidden: true }
        : { path, ...(was !== undefined && { was }), ...(value !== undefined && { value }) },
    ),
    ...(risk.includes('charge') && { charges: true }),
    ...(cost !== undefined && { cost }),
  };
}

/** Returns the runs that valid rows of a ledger report, the newest first. */
export function runsIn({
  history,
  inFlight,
}: {
  readonly history: readonly ChainedRow[];
  readonly inFlight: readonly { readonly runId: string; readonly action: { readonly address: Address } }[];
}): readonly RunHistory[] {
  const runs = new Map<string, { -readonly [Key in keyof RunHistory]: RunHistory[Key] }>();
  const ends = new Map<string, Extract<HistoryRow, { readonly is: 'action' }>>();
  const keyOf = (run: string, address: Address): string => `${run} ${address}`;
  const open = new Set(inFlight.map(({ runId, action }) => keyOf(runId, action.address)));
  for (const { atMs, row } of history.filter((one) => isHistoryRow(one.row))) {
    const known = runs.get(row.run);
    if (row.is === 'action') ends.set(keyOf(row.run, row.address), row);
    else if (row.is === 'end') Object.assign(known ?? {}, { endedAtMs: atMs });
    else {
      const { endedAtMs: _, ...before } = known ?? { run: row.run, startedAtMs: atMs, actions: [] };
      const coming = row.actions.map((action) => ({ ...action, result: 'not-done' as const }));
      runs.set(row.run, {
        ...before,
        ...(row.by !== undefined && { by: row.by }),
        ...(row.approvedBy !== undefined && { approvedBy: row.approvedBy }),
        actions: [...before.actions, ...coming],
      });
    }
  }
  return [...runs.values()].reverse().map((run) => ({
    ...run,
    actions: run.actions.map((action) => {
      const end = ends.get(keyOf(run.run, action.address));
      if (end !== undefined) {
        const { id, cart, order, result, reason } = end;
        return {
          ...action,
          ...(id !== undefined && { id }),
          ...(cart !== undefined && { cart }),
          ...(order !== undefined && { order }),
          result,
          ...(reason !== undefined && { reason }),
        };
      }
      const left = run.endedAtMs === undefined ? 'not-recorded' : 'not-done';
      return { ...action, result: open.has(keyOf(run.run, action.address)) ? 'in-flight' : left };
    }),
  }));
}
