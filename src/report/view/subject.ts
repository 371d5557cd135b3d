// What an action is about where that is more than its fields: another holder of a registration, or other details of the
// same one. Its kind says that; here stands what follows from it.
import { wordsOf } from '../../areas/words.ts';
import { kindOf } from '../../model/address.ts';
import type { Action } from '../../model/plan/plan.ts';
import { showPrice } from '../../model/price.ts';
import { escapeText } from './escape.ts';
import { changeSides, fieldOf, showPlain } from './values.ts';

type SubjectAction = Pick<Action, 'address' | 'changes' | 'verb' | 'cost' | 'risk'>;

interface ShownSubject {
  /** `new holder`, `address and phone of the holder`. */
  readonly what: string;
  /** `Jane Doe of Acme BV, paid (12.00 EUR), cannot be undone`, or the details that change with both sides. */
  readonly values: string;
  /** Another one: not only other details. */
  readonly isReplaced: boolean;
}

/** Undefined where the fields say it all. `each`: of several for the same price. */
export function subjectIn(action: SubjectAction, each = ''): ShownSubject | undefined {
  const { address, changes, verb } = action;
  if (verb === 'delete' || changes.length === 0) return undefined;
  const subject = wordsOf(kindOf(address)).subject?.(changes, (value) =>
    typeof value === 'string' ? escapeText(value, 300) : showPlain(value),
  );
  if (subject === undefined) return undefined;
  const { what, name } = subject;
  if (name !== undefined) return { what, values: [name, ...termsOf(action, each)].join(', '), isReplaced: true };
  return {
    what,
    values: changes.map((change) => `${fieldOf(change)} ${changeSides(change, verb)}`).join(', '),
    isReplaced: false,
  };
}

/** Why the action is there: `new holder: Jane Doe, free, cannot be undone`. Its fields stand below. */
export function subjectReason(action: SubjectAction): string | undefined {
  const subject = subjectIn(action);
  if (subject === undefined) return undefined;
  const { what, values, isReplaced } = subject;
  return isReplaced ? `${what}: ${values}` : `${what} ${what.includes(' and ') ? 'change' : 'changes'}`;
}

function termsOf({ cost, risk }: SubjectAction, each: string): readonly string[] {
  const price = cost === undefined ? 'price not quoted' : `${escapeText(showPrice(cost), 100)}${each}`;
  return [
    risk.includes('charge') ? `paid (${price})` : 'free',
    ...(risk.includes('irreversible') ? ['cannot be undone'] : []),
  ];
}
