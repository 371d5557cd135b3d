// What a reviewer must not miss: one line for each action that deletes, costs, restarts, exposes, cannot be undone or
// gives the primary hostname away, with its values and what follows from it.
import { kindOf, parentOf, rootOf } from '../../model/address.ts';
import type { Action, Risk } from '../../model/plan/plan.ts';
import { showPrice } from '../../model/price.ts';
import type { Alike } from './alike.ts';
import { groupsAlike, sharedSource, subjectOf } from './alike.ts';
import { RISK_WORDS, showSource, sortRisks } from './document.ts';
import { escapeText } from './escape.ts';
import { nounOf, shortName, titleOf } from './names.ts';
import { changeLine, fieldOf, isPosition, showPlain } from './values.ts';

export interface HeadLine {
  /** One, or several that say the same. */
  readonly actions: readonly Action[];
  /** `Change plan of site blog from mini to pro: charges (price not quoted), restarts the site`. */
  readonly text: string;
  /** `sites/blog.yaml:4:3`. */
  readonly source?: string;
  /** What several are called. Empty for one. */
  readonly names: readonly string[];
}

/** What stands above the lines of a drift: a drift does nothing by itself. */
export const APPLYING = 'To apply the manifests again would';

/** Several deletes of one list are one line sooner than equal changes: the line names each of them. */
const FEW = 3;
const MOST_FIELDS = 20;
const CREATED_FIELDS = 4;

/** What hurts most first. */
export function headLines(actions: readonly Action[]): readonly HeadLine[] {
  const ranks = Object.keys(RISK_WORDS);
  const rank = ({ risk }: Action): number => ranks.indexOf(sortRisks(risk)[0] ?? 'delete');
  const risky = actions
    .filter(({ risk, verb }) => risk.length > 0 || verb === 'delete')
    .sort((left, right) => rank(left) - rank(right));
  return groupsAlike(risky).flatMap((group) => (group.all.length < FEW ? group.all.map(lineOf) : [linesOf(group)]));
}

function lineOf(action: Action): HeadLine {
  return {
    actions: [action],
    text: withConsequences(actionTitle(action), action),
    ...(action.source !== undefined && { source: showSource(action.source) }),
    names: [],
  };
}

function linesOf({ first, all }: Alike): HeadLine {
  const { subject, prefix, names } = subjectOf(all.map(({ address }) => address));
  const values = first.changes.map((change) => `${prefix}${changeLine(change, first.verb)}`).join(', ');
  const title =
    first.verb === 'delete'
      ? `Delete ${subject}`
      : first.verb === 'create'
        ? `${first.risk.includes('charge') ? 'Buy' : 'Create'} ${subject}`
        : `Change ${values} on ${subject}`;
  const source = sharedSource(all);
  return {
    actions: all,
    text: withConsequences(title, first),
    ...(source !== undefined && { source }),
    names,
  };
}

/** A backtick of a name would begin code in the sentence around it. */
function withConsequences(name: string, action: Action): string {
  const title = name.replaceAll('`', '\\u{60}');
  const said = [...(action.verb === 'delete' ? [deleteReason(action)] : []), ...consequencesOf(action)];
  return said.length === 0 ? title : `${title}: ${said.join(', ')}`;
}

function deleteReason({ reason }: Action): string {
  return escapeText(reason.replace(/^will be deleted: /, ''), 300);
}

/** `Change PHP version of site shop from 8.2 to 8.3`: the action in words, with its values. */
function actionTitle(action: Action): string {
  const { address, verb, changes, risk, expect } = action;
  const title = titleOf(address);
  if (expect.from !== undefined) return `Move ${movedTitle(address, expect.from.address)}`;
  if (verb === 'delete') return `Delete ${title}`;
  if (verb === 'create') return `${risk.includes('charge') ? 'Buy' : 'Create'} ${title}${createdValues(action)}`;
  const telling = changes.filter((change) => !isPosition(change));
  const [only] = telling;
  if (only === undefined) return `Move ${title}`;
  if (telling.length > 1)
    return `Change ${title}: ${telling
      .slice(0, MOST_FIELDS)
      .map((change) => changeLine(change, verb))
      .join(', ')}`;
  const field = only.path.slice(1);
  if (only.path === '/enabled' && only.was === !only.value)
    return `${only.value === true ? 'Enable' : 'Disable'} ${title}`;
  const [was, value] = [showPlain(only.was), showPlain(only.value)];
  if (was === undefined || value === undefined || only.secret !== undefined)
    return `Change ${title}: ${changeLine(only, verb)}`;
  const noun = nounOf(kindOf(address));
  const what = noun === field || noun.endsWith(` ${field}`) ? title : `${fieldOf(only)} of ${title}`;
  return `Change ${what} from ${was} to ${value}`;
}

/** `hostname www.example.com from site shop to site docs`. */
function movedTitle(to: string, from: string): string {
  const parent = (address: string): string => titleOf(parentOf(address) ?? address);
  return `${nounOf(kindOf(to))} ${shortName(to)} from ${parent(from)} to ${parent(to)}`;
}

/** What is said of a new object beside its name, as far as it is short. */
function createdValues({ address, changes }: Action): string {
  const name = shortName(address);
  const telling = changes.flatMap((change) => {
    const value = change.secret === undefined ? showPlain(change.value) : undefined;
    return value === undefined || value === name || isPosition(change) ? [] : [`${fieldOf(change)} ${value}`];
  });
  const rest = telling.length - CREATED_FIELDS;
  return telling.length === 0
    ? ''
    : ` (${telling.slice(0, CREATED_FIELDS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`;
}

/** What follows from an action, beside what its title says. */
function consequencesOf(action: Action): readonly string[] {
  return sortRisks(action.risk).flatMap((risk) => consequence(risk, action));
}

function consequence(risk: Risk, { address, verb, cost, effects, expect }: Action): readonly string[] {
  switch (risk) {
    case 'charge':
      return [cost === undefined ? 'charges (price not quoted)' : `costs ${escapeText(showPrice(cost), 100)}`];
    case 'delete':
      return verb === 'delete' || expect.from !== undefined ? [] : ['ends it'];
    case 'irreversible':
      return ['cannot be undone'];
    case 'restart':
      return [`restarts the ${nounOf(kindOf(rootOf(address)))}`];
    case 'exposure':
      return ['lowers protection'];
    case 'primary': {
      const before = effects.find(({ path, value }) => path === '/primary' && value === false);
      if (before !== undefined) return [`takes the place of ${shortName(before.address)} as the primary hostname`];
      return [verb === 'delete' ? 'takes the primary hostname away' : 'changes the primary hostname'];
    }
  }
}
