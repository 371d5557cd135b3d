// The few ways in which fields protect, for kinds to name beside a field. Where the direction cannot be known,
// protection is lowered: a value that nobody documents may mean anything (GAP-28).
import type { Json, JsonObject } from '../../model/json.ts';
import { sameJson, valueAt } from '../../model/json.ts';
import type { Lowers } from '../../model/kind/protection.ts';

/** Protects while it is true. */
export const unlessOn: Lowers = ({ value }) => value !== true;

/**
 * Protects more the later it stands in the order, weakest first. Where the platform does not tell what was there, only
 * the strongest is surely no less.
 */
export function weakerThanBefore(order: readonly string[]): Lowers {
  return ({ was, value }) => {
    const [from, to] = [was, value].map((one) => order.indexOf(one as string)) as [number, number];
    if (was === undefined) return to !== order.length - 1;
    return to < 0 || from < 0 || to < from;
  };
}

/** Protects more the lower the number is. */
export const unlessLower: Lowers = ({ was, value }) =>
  typeof was !== 'number' || typeof value !== 'number' || value > was;

/** Protects more the higher the number is. */
export const unlessHigher: Lowers = ({ was, value }) =>
  typeof was !== 'number' || typeof value !== 'number' || value < was;

/** What the list names is not protected. */
export const moreEntries: Lowers = ({ was, value }) =>
  entriesOf(value).some((entry) => !entriesOf(was).some((known) => sameJson(known, entry)));

/** Only what the list names gets in, and everybody does while it is empty. */
export const moreAllowed: Lowers = (change) => {
  if (change.before === null || change.after === null) return false;
  return entriesOf(change.value).length === 0 || (entriesOf(change.was).length > 0 && moreEntries(change));
};

/** The entries of a list; none of what is no list. */
export function entriesOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Of a field that means nothing while another one is false. */
export function exceptWhileOff(field: string, lowers: Lowers): Lowers {
  return (change) => valueAt(change.before, `/${field}`) !== false && lowers(change);
}

/** What the fields of a rule say of protection, by what its `action` does with the requests that it matches. */
export interface RuleProtection {
  readonly action: Lowers;
  /** Which requests it matches. Wider or narrower cannot be told: any change counts where it stops or lets through. */
  readonly scope: Lowers;
  /** Says how much a rule that stops requests stops. */
  readonly strength: (lowers: Lowers) => Lowers;
}

interface RuleActions {
  /** Let requests through. */
  readonly open: readonly string[];
  /** Only watches. */
  readonly watch: string;
  /** Stop requests, weakest first. */
  readonly stop: readonly string[];
}

/** An action that is none of these may do anything. */
export function ruleProtection(actions: RuleActions): RuleProtection {
  /** 0: nothing, as with no rule at all. NaN: an action that is not known, neither more nor less than anything. */
  const rankOf = (rule: JsonObject | null): number => {
    if (rule === null || rule.action === actions.watch) return 0;
    if (actions.open.includes(rule.action as string)) return -1;
    const place = actions.stop.indexOf(rule.action as string);
    return place < 0 ? Number.NaN : 1 + place;
  };
  return {
    // Of two that let through nobody says which lets more through.
    action: ({ before, after }) => !(rankOf(after) > rankOf(before) || (rankOf(before) === 0 && rankOf(after) === 0)),
    scope: ({ before, after }) => before !== null && after !== null && !(rankOf(before) <= 0 && rankOf(after) >= 0),
    strength: (lowers) => (change) =>
      change.before !== null && change.after !== null && rankOf(change.before) !== 0 && lowers(change),
  };
}
