// What happens to the holder of a registration, in the words of whoever owns it: another person, or other details of the
// same one. Only what changes is named: what a format hides of it is hidden here as well.
import { kindOf } from '../../model/address.ts';
import type { Action } from '../../model/plan/plan.ts';
import { showPrice } from '../../model/price.ts';
import { escapeText } from './escape.ts';
import { HIDDEN } from './personal.ts';
import { changeSides, fieldOf, showPlain } from './values.ts';

type HolderAction = Pick<Action, 'address' | 'changes' | 'verb' | 'cost' | 'risk'>;

interface HolderChange {
  /** `new holder`, `address and phone of the holder`. */
  readonly what: string;
  /** `Jane Doe of Acme BV, paid (12.00 EUR), cannot be undone`, or the details that change with both sides. */
  readonly values: string;
  /** Another person: not only other details. */
  readonly isReplaced: boolean;
}

/** Must be those that `kinds/registration` calls a person: another one of these is another holder (REG-25). */
const PERSON = ['/firstName', '/lastName', '/organization'];
const DETAILS: Readonly<Record<string, string>> = {
  '/streetAddress': 'address',
  '/postCode': 'address',
  '/city': 'address',
  '/state': 'address',
  '/country': 'address',
  '/email': 'email',
  '/phone': 'phone',
};

/** Undefined for what is no change of a holder. `each`: of several names for the same price. */
export function holderChange(action: HolderAction, each = ''): HolderChange | undefined {
  const { address, changes, verb } = action;
  if (kindOf(address) !== 'RegistrationOwner' || verb === 'delete' || changes.length === 0) return undefined;
  const isReplaced = changes.some(({ path }) => PERSON.includes(path));
  if (isReplaced)
    return { what: 'new holder', values: [nameOf(action), ...termsOf(action, each)].join(', '), isReplaced };
  const details = [...new Set(changes.map(({ path }) => DETAILS[path] ?? 'registry data'))];
  return {
    what: `${listed(details)} of the holder`,
    values: changes.map((change) => `${fieldOf(change)} ${changeSides(change, verb)}`).join(', '),
    isReplaced,
  };
}

/** Why the action of a holder is there: `new holder: Jane Doe, free, cannot be undone`. Its fields stand below. */
export function holderReason(action: HolderAction): string | undefined {
  const change = holderChange(action);
  if (change === undefined) return undefined;
  const { what, values, isReplaced } = change;
  return isReplaced ? `${what}: ${values}` : `${what} ${what.includes(' and ') ? 'change' : 'changes'}`;
}

/** As far as the name changes: `Jane Doe of Acme BV`. */
function nameOf({ changes }: HolderAction): string {
  const changed = PERSON.map((path) => changes.find((change) => change.path === path));
  if (changed.some((change) => change?.value === HIDDEN)) return HIDDEN;
  const [first, last, organization] = changed.map((change) => textOf(change?.value));
  const person = [first, last].filter((name) => name !== undefined && name !== '').join(' ');
  if (organization === undefined) return person;
  if (organization === '') return person === '' ? 'the organization is removed' : `${person}, no organization`;
  return person === '' ? organization : `${person} of ${organization}`;
}

function textOf(value: HolderAction['changes'][number]['value']): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? escapeText(value, 300) : showPlain(value);
}

function termsOf({ cost, risk }: HolderAction, each: string): readonly string[] {
  const price = cost === undefined ? 'price not quoted' : `${escapeText(showPrice(cost), 100)}${each}`;
  return [
    risk.includes('charge') ? `paid (${price})` : 'free',
    ...(risk.includes('irreversible') ? ['cannot be undone'] : []),
  ];
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
