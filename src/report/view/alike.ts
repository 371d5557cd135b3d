// Actions that say the same about many objects, told once: with a profile, one edited line is hundreds of them.
import type { Address } from '../../model/address.ts';
import { kindOf, parentOf, parseAddress } from '../../model/address.ts';
import type { Action } from '../../model/plan/plan.ts';
import { showSource, sortRisks } from './document.ts';
import { nounOf, nounsOf, shortName, titleOf } from './names.ts';
import type { Json } from '../../model/json.ts';
import { groupBy } from '../../model/common/lists.ts';
import { changeLine, changesInWords, fieldOf, isPosition, showPlain } from './values.ts';

/** So many that say the same become one line. */
const MANY = 5;

export interface Alike {
  readonly first: Action;
  readonly all: readonly Action[];
}

/**
 * By kind, verb, risks, price and values, in the order of their first ones; of what is deleted the values are its own,
 * so its reason counts.
 */
export function groupsAlike(actions: readonly Action[]): readonly Alike[] {
  const groups = groupBy(actions, (action) => {
    const { address, verb, risk, cost, changes, reason, holds } = action;
    const says = verb === 'delete' || changes.length === 0 ? reason : changes;
    return JSON.stringify([kindOf(address), verb, sortRisks(risk), cost ?? 0, action.protected, says, holds]);
  });
  return [...groups.values()].map((all) => ({ first: all[0] as Action, all }));
}

/** Actions that are told in one line. `isSame`: with the same values, so that only the names are told of each. */
export interface Fold extends Alike {
  readonly isSame: boolean;
}

/** What is told once, and all other actions, in the order of their first ones. */
export function foldActions(actions: readonly Action[]): readonly (Fold | Action)[] {
  const folds = new Map<Action, Fold>();
  const fold = ({ first, all }: Alike, isSame: boolean): void => {
    if (all.length >= MANY) for (const action of all) folds.set(action, { first, all, isSame });
  };
  for (const alike of groupsAlike(actions)) if (alike.first.verb !== 'delete') fold(alike, true);
  const rest = actions.filter((action) => !folds.has(action));
  const similar = groupBy(rest, ({ address, verb, risk, changes, hook }) => {
    const fields = verb === 'update' ? changes.map(({ path }) => path) : [];
    return JSON.stringify([kindOf(address), verb, sortRisks(risk), fields, hook]);
  });
  for (const all of similar.values()) fold({ first: all[0] as Action, all }, false);
  return actions.flatMap((action): readonly (Fold | Action)[] => {
    const found = folds.get(action);
    return found === undefined ? [action] : found.first === action ? [found] : [];
  });
}

export interface ShownAlike {
  /** `caching.varyWebp: false -> true on 200 sites`. */
  readonly text: string;
  /** `sites/shop.yaml:4`, where one line is behind all of them: a profile's. */
  readonly source?: string;
  /** What tells them apart, in the order of the actions. */
  readonly names: readonly string[];
}

/** A group in one line. */
export function showAlike({ first, all }: Alike): ShownAlike {
  const { subject, prefix, names } = subjectOf(all.map(({ address }) => address));
  const values = changesInWords(first)
    .map((change) => prefixed(prefix, changeLine(change, first.verb)))
    .join(', ');
  const what =
    first.verb === 'update' && values !== ''
      ? `${values} on ${subject}`
      : `${prefix === '' ? '' : `${nounOf(kindOf(first.address))} of `}${subject}: ${values === '' ? first.reason : values}`;
  const source = sharedSource(all);
  return { text: what, ...(source !== undefined && { source }), names };
}

/** Actions on one kind with values of their own: `caching.cacheExpiration on 60 sites: 60…3600 -> 300…890`. */
export function showSimilar({ first, all }: Alike): ShownAlike {
  const { subject, prefix, names } = subjectOf(all.map(({ address }) => address));
  if (first.verb !== 'update') return { text: subject, names };
  const fields = first.changes
    .filter((change) => !isPosition(change))
    .map((change) => ({
      field: fieldOf(change),
      values: (['was', 'value'] as const)
        .map((side) =>
          rangeOf(all.flatMap(({ changes }) => changes.find(({ path }) => path === change.path)?.[side] ?? null)),
        )
        .filter((range) => range !== ''),
    }));
  const named = fields.map(({ field }) => prefixed(prefix, `${field}:`).slice(0, -1)).join(', ');
  const values = fields.map(({ values: sides }) => sides.join(' -> '));
  const shown =
    fields.length > 1 ? values.map((value, index) => (value === '' ? '' : `${fields[index]?.field} ${value}`)) : values;
  const told = shown.filter((value) => value !== '').join(', ');
  return {
    text: `${named === '' ? 'order' : named} ${prefix === '' ? 'of' : 'on'} ${subject}${told === '' ? '' : `: ${told}`}`,
    names,
  };
}

const MOST_VALUES = 3;

/** `60…3600`, or up to three values; '' for what has an inside. */
function rangeOf(values: readonly Json[]): string {
  const shown = [...new Set(values.map((value) => (value === null ? '(not set)' : showPlain(value))))];
  if (shown.includes(undefined)) return '';
  if (shown.length <= MOST_VALUES) return shown.join(' or ');
  if (values.every((value) => typeof value === 'number')) return `${Math.min(...values)}…${Math.max(...values)}`;
  return `${shown.length} values`;
}

/** `caching.varyWebp: ...`; `PHP version: ...`, whose field is called the same. */
function prefixed(prefix: string, line: string): string {
  const noun = prefix.slice(0, -1);
  const field = line.slice(0, line.indexOf(':'));
  return noun === field || noun.endsWith(` ${field}`) ? `${noun}${line.slice(field.length)}` : `${prefix}${line}`;
}

/** The line that all of them come from; undefined where they come from several. */
export function sharedSource(all: readonly Action[]): string | undefined {
  const sources = new Set(all.map(({ source }) => (source === undefined ? '' : showSource(source))));
  const [only = ''] = sources;
  return sources.size === 1 && only !== '' ? only : undefined;
}

interface Subject {
  /** `200 sites`, `3 edge rules of site shop`, `edge rule "Force TLS" on 10 sites`. */
  readonly subject: string;
  /** What stands before the name of a field: `caching.`. */
  readonly prefix: string;
  readonly names: readonly string[];
}

/** What several objects of one kind are called together. */
export function subjectOf(addresses: readonly Address[]): Subject {
  const [first = ''] = addresses;
  const kind = kindOf(first);
  const isOnlyOne = parseAddress(first)?.at(-1)?.name === null;
  const parents = addresses.map((address) => parentOf(address));
  if (isOnlyOne) {
    const of = parentOf(first);
    return {
      subject: `${addresses.length} ${of === null ? nounsOf(kind) : nounsOf(kindOf(of))}`,
      prefix: `${nounOf(kind)}.`,
      names: parents.map((parent, index) => shortName(parent ?? (addresses[index] as Address))),
    };
  }
  const [parent = null] = parents;
  const isOneInEach = new Set(parents).size === addresses.length;
  if (parent !== null && isOneInEach && addresses.every((one) => shortName(one) === shortName(first)))
    return {
      subject: `${nounOf(kind)} ${shortName(first)} on ${addresses.length} ${nounsOf(kindOf(parent))}`,
      prefix: '',
      names: parents.map((one) => shortName(one ?? first)),
    };
  const isTogether = parents.every((other) => other === parent);
  return {
    subject: `${addresses.length} ${nounsOf(kind)}${isTogether && parent !== null ? ` of ${titleOf(parent)}` : ''}`,
    prefix: '',
    names: addresses.map((address, index) => {
      const above = parents[index];
      return isTogether || above === null || above === undefined
        ? shortName(address)
        : `${shortName(address)} of ${shortName(above)}`;
    }),
  };
}
