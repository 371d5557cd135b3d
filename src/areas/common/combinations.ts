// What the conditions of one rule come to together. Two conditions on the same variable can match every request, or none,
// although neither does alone.
import { networkHolds } from './networks.ts';

export interface Trigger {
  readonly type: string | number;
  readonly match?: string | number;
  /** `*` stands for any text. */
  readonly patterns: readonly string[];
  readonly parameter1?: string;
}

export interface Conditions {
  readonly match?: string | number;
  readonly triggers?: readonly Trigger[];
}

export interface Combination {
  readonly matches: 'everything' | 'nothing';
  /** The type of the conditions. */
  readonly type: string;
}

/** Types of conditions on a variable that has exactly one value in each request (EDG-04). */
const SINGLE_VALUED: ReadonlySet<string | number> = new Set([
  'CountryCode',
  'CountryStateCode',
  'RemoteIP',
  'RequestMethod',
  'StatusCode',
  'UrlExtension',
]);

/** The values that a condition accepts, or all values but these. */
interface Accepted {
  readonly isExcept: boolean;
  readonly values: readonly string[];
}

/**
 * Returns whether conditions on one variable match every request, or none, when they are taken together (EDG-03).
 * Undefined: neither is certain.
 */
export function combinationOf({ match = 'any', triggers = [] }: Conditions): Combination | undefined {
  for (const [type, accepted] of acceptedByType(triggers)) {
    const isEverything = somePair(accepted, coverAll);
    const isNothing = accepted.some(isEmpty) || somePair(accepted, excludeEachOther);
    if (match === 'any' && isEverything) return { matches: 'everything', type };
    if (match === 'all' && isNothing) return { matches: 'nothing', type };
    if (match === 'none' && isEverything) return { matches: 'nothing', type };
  }
  return undefined;
}

function acceptedByType(triggers: readonly Trigger[]): ReadonlyMap<string, readonly Accepted[]> {
  const byType = new Map<string, Accepted[]>();
  for (const trigger of triggers) {
    const accepted = acceptedBy(trigger);
    if (accepted === undefined) continue;
    const type = String(trigger.type);
    byType.set(type, [...(byType.get(type) ?? []), accepted]);
  }
  return byType;
}

/** Undefined if the condition is not about whole values. */
function acceptedBy({ type, match = 'any', patterns }: Trigger): Accepted | undefined {
  if (!SINGLE_VALUED.has(type) || patterns.some((pattern) => /\*|^pattern:/.test(pattern))) return undefined;
  if (match === 'any') return { isExcept: false, values: patterns };
  if (match === 'none') return { isExcept: true, values: patterns };
  if (match !== 'all') return undefined;
  // One value cannot equal two different ones.
  const isOne = patterns.every((left) => patterns.every((right) => overlap(left, right)));
  return { isExcept: false, values: isOne ? patterns.slice(0, 1) : [] };
}

function isEmpty({ isExcept, values }: Accepted): boolean {
  return !isExcept && values.length === 0;
}

/** True if every value is accepted by at least one of the two. */
function coverAll(left: Accepted, right: Accepted): boolean {
  if (left.isExcept && right.isExcept) return areDisjoint(left.values, right.values);
  if (left.isExcept === right.isExcept) return false;
  const [except, only] = left.isExcept ? [left, right] : [right, left];
  return except.values.every((value) => only.values.includes(value));
}

/** True if no value is accepted by both. */
function excludeEachOther(left: Accepted, right: Accepted): boolean {
  if (!left.isExcept && !right.isExcept) return areDisjoint(left.values, right.values);
  if (left.isExcept === right.isExcept) return false;
  const [except, only] = left.isExcept ? [left, right] : [right, left];
  return only.values.every((value) => except.values.includes(value));
}

function areDisjoint(left: readonly string[], right: readonly string[]): boolean {
  return left.every((one) => right.every((other) => !overlap(one, other)));
}

/** True if one value may be matched by both: letter case may not count, and a network may be read as one. */
function overlap(left: string, right: string): boolean {
  return (
    left.toLowerCase() === right.toLowerCase() ||
    networkHolds(left, right) === true ||
    networkHolds(right, left) === true
  );
}

function somePair(all: readonly Accepted[], test: (left: Accepted, right: Accepted) => boolean): boolean {
  return all.some((left, index) => all.slice(index + 1).some((right) => test(left, right)));
}
