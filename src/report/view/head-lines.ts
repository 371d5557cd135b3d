// What a reviewer must not miss: one line for each action that deletes, costs, restarts, exposes, cannot be undone or
// gives the primary hostname away, with its values and what follows from it.
import { wordsOf } from '../../areas/words.ts';
import { compareText, kindOf, parentOf, rootOf } from '../../model/address.ts';
import { HIDDEN } from '../../model/kind/words.ts';
import { groupBy } from '../../model/common/lists.ts';
import type { Action, Change, Holding, Risk, Verb } from '../../model/plan/plan.ts';
import { replaces } from '../../model/plan/plan.ts';
import { showPrice } from '../../model/price.ts';
import { capital } from '../../model/common/sentence.ts';
import { firstOf } from '../../model/format.ts';
import type { Alike } from './alike.ts';
import { groupsAlike, sharedSource, subjectOf } from './alike.ts';
import { RISK_WORDS, showSource, sortRisks } from './document.ts';
import { clipSafe, escapeText } from './escape.ts';
import { subjectIn } from './subject.ts';
import { nounOf, nounsOf, shortName, showHostname, titleOf } from './names.ts';
import { changesInWords, changeSides, fieldOf, isPosition, showPlain } from './values.ts';

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
export const APPLYING = 'Applying the manifests again would';

/** Several deletes of one list are one line sooner than equal changes: the line names each of them. */
const FEW = 3;
const NAMES_SHOWN = 10;
const CREATED_FIELDS = 4;

/** What hurts most first. */
export function headLines(actions: readonly Action[]): readonly HeadLine[] {
  const ranks = Object.keys(RISK_WORDS);
  const rank = ({ risk }: Action): number => ranks.indexOf(sortRisks(risk)[0] ?? 'delete');
  const risky = actions
    .filter(({ risk, verb }) => risk.length > 0 || verb === 'delete')
    .sort((left, right) => rank(left) - rank(right));
  const lines = groupsAlike(risky).flatMap((group) =>
    group.all.length < FEW ? group.all.map(lineOf) : [linesOf(group)],
  );
  const replaced = groupBy(actions.filter(replaces), ({ address }) => kindOf(address));
  return [...lines, ...[...replaced.values()].map(replacedLine)];
}

/** `57 aliases do not exist for a moment: each is deleted and created again`: the old and the new values are below. */
function replacedLine(actions: readonly Action[]): HeadLine {
  const [{ address }] = actions as readonly [Action];
  const { names } = subjectOf(actions.map((action) => action.address));
  if (actions.length === 1)
    return {
      actions,
      text: `${capital(titleOf(address))} does not exist for a moment: it is deleted and created again`,
      names: [],
    };
  return {
    actions,
    text: `${actions.length} ${nounsOf(kindOf(address))} do not exist for a moment: each is deleted and created again`,
    names,
  };
}

function lineOf(action: Action): HeadLine {
  return {
    actions: [action],
    text: actionLine(action),
    ...(action.source !== undefined && { source: showSource(action.source) }),
    names: [],
  };
}

/** One action in words, with its values and what follows from it. */
export function actionLine(action: Action): string {
  const { address } = action;
  const subject = subjectLine(action, ` of ${titleOf(parentOf(address) ?? address)}`);
  return subject ?? withConsequences(actionTitle(action), action, false);
}

function linesOf({ first, all }: Alike): HeadLine {
  const { subject, prefix, names } = subjectOf(all.map(({ address }) => address));
  const title =
    first.verb === 'delete'
      ? `Delete ${subject}`
      : first.verb === 'create'
        ? `${first.risk.includes('charge') ? 'Buy' : 'Create'} ${subject}`
        : updateTitle(first, prefix === '' ? subject : `${prefix.slice(0, -1)} on ${subject}`);
  const source = sharedSource(all);
  return {
    actions: all,
    text: subjectLine(first, ` of ${subject}`, ' each') ?? withConsequences(title, first, true),
    ...(source !== undefined && { source }),
    names,
  };
}

/** `New holder of registration acme.com: Jane Doe, free, cannot be undone`; undefined where the fields say it all. */
function subjectLine(action: Action, of: string, each?: string): string | undefined {
  const subject = subjectIn(action, each);
  if (subject === undefined) return undefined;
  const { what, values, isReplaced } = subject;
  const verb = isReplaced ? '' : what.includes(' and ') ? ' change' : ' changes';
  return plainTicks(`${capital(what)}${of}${verb}: ${values}`);
}

function withConsequences(name: string, action: Action, isMany: boolean): string {
  const holds = holdingsOf(action).map(plainTicks);
  const said = [
    ...(action.verb === 'delete' ? [deleteReason(action), ...(wordsOf(action.kind).deletion ?? [])] : []),
    ...holds,
    ...consequencesOf(action, isMany),
  ];
  const title = plainTicks(name);
  return said.length === 0 ? title : `${title}: ${said.join(holds.length === 0 ? ', ' : '; ')}`;
}

/** A backtick of a name would begin code in the sentence around it. */
function plainTicks(text: string): string {
  return text.replaceAll('`', '\\u{60}');
}

function deleteReason({ reason }: Action): string {
  return escapeText(reason.replace(/^will be deleted: /, ''), 300);
}

/** `Change PHP version of site shop from 8.2 to 8.3`: the action in words, with its values. */
function actionTitle(action: Action): string {
  const { address, verb, risk, expect } = action;
  const title = titleOf(address);
  if (expect.from !== undefined) return `Move ${movedTitle(address, expect.from.address)}`;
  if (verb === 'delete') return `Delete ${title}`;
  if (verb === 'create')
    return `${risk.includes('charge') ? 'Buy' : 'Create'} ${title}${becomesPrimary(action) ? ' as its primary hostname' : ''}${createdValues(action)}`;
  return updateTitle(action, title);
}

/** `title`: what changes, which may be several. */
function updateTitle(action: Action, title: string): string {
  const { address, verb } = action;
  const kind = kindOf(address);
  const telling = changesInWords(action).filter((change) => !isPosition(change));
  const [only] = telling;
  if (only === undefined) return `Move ${title}`;
  const toggle = telling.find((change) => change.path === '/enabled' && isSwitch(change));
  if (toggle !== undefined)
    return `${toggle.value === true ? 'Enable' : 'Disable'} ${title}${inBrackets(
      telling.filter((change) => change !== toggle),
      verb,
    )}`;
  if (telling.length > 1) return `Change ${title}${inBrackets(telling, verb)}`;
  if (action.expect.renamedFrom !== undefined)
    return `Rename ${titleOf(action.expect.renamedFrom)} to ${showPlain(only.value) ?? ''}`;
  if (isSwitch(only)) {
    const turned = wordsOf(kind).turned?.[only.path];
    if (turned !== undefined)
      return turned(only.value === true, title.replace(`${nounOf(kind)} `, '').replace(/^o[fn] /, ''));
    if (only.path === '/primary' && only.value === true)
      return `Make ${shortName(address)} the primary hostname of ${titleOf(parentOf(address) ?? address)}`;
    return `Turn ${only.value === true ? 'on' : 'off'} ${fieldOf(only)} of ${title}`;
  }
  const [was, value] = [showPlain(only.was), showPlain(only.value)];
  if (was === undefined || value === undefined || only.secret !== undefined)
    return `Change ${title}${inBrackets(telling, verb, nounOf(kind))}`;
  const field = only.path.slice(1);
  const noun = nounOf(kind);
  const what = noun === field || noun.endsWith(` ${field}`) ? title : `${fieldOf(only)} of ${title}`;
  return `Change ${what} from ${was} to ${value}`;
}

/** What is on and goes off, or the other way round. */
function isSwitch({ was, value }: Change): boolean {
  return typeof value === 'boolean' && was === !value;
}

/** ` (quotaMb 2048 -> 4096, allowedIps + "2001:db8::/32")`, all of them; `''` for none. `noun`: says the field already. */
function inBrackets(changes: readonly Change[], verb: Verb, noun = ''): string {
  const parts = changes.map((change) => {
    const value = change.secret === undefined && change.was === undefined ? showPlain(change.value) : undefined;
    const field = fieldOf(change);
    const shown = change.value === HIDDEN ? HIDDEN : (value ?? changeSides(change, verb));
    return noun.replaceAll(' ', '') === field ? shown : `${field} ${shown}`;
  });
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Made as the primary hostname in place of another one. */
function becomesPrimary({ verb, risk }: Action): boolean {
  return verb === 'create' && risk.includes('primary');
}

/** `hostname www.example.com from site shop to site docs`. */
function movedTitle(to: string, from: string): string {
  const parent = (address: string): string => titleOf(parentOf(address) ?? address);
  return `${nounOf(kindOf(to))} ${shortName(to)} from ${parent(from)} to ${parent(to)}`;
}

/** What is said of a new object beside its name, as far as it is short. */
function createdValues(action: Action): string {
  const { address, changes } = action;
  const name = shortName(address);
  const telling = changes.flatMap((change) => {
    const value = change.secret === undefined ? showPlain(change.value) : undefined;
    const isSaid = isPosition(change) || (change.path === '/primary' && becomesPrimary(action));
    return value === undefined || value === name || change.value === HIDDEN || isSaid
      ? []
      : [`${fieldOf(change)} ${value}`];
  });
  return telling.length === 0 ? '' : ` (${firstOf(telling, CREATED_FIELDS)})`;
}

/** What follows from an action, beside what its title says. `isMany`: from each of several. */
function consequencesOf(action: Action, isMany: boolean): readonly string[] {
  return sortRisks(action.risk).flatMap((risk) => consequence(risk, action, isMany));
}

function consequence(risk: Risk, action: Action, isMany: boolean): readonly string[] {
  const { address, verb, cost, effects, expect } = action;
  switch (risk) {
    case 'charge':
      return [
        cost === undefined
          ? 'charges (price not quoted)'
          : `costs ${escapeText(showPrice(cost), 100)}${isMany ? ' each' : ''}`,
      ];
    case 'delete':
      return verb === 'delete' || expect.from !== undefined
        ? []
        : [`ends ${isMany ? 'each' : 'the'} ${nounOf(kindOf(address))}`];
    case 'lapse':
      return [`${isMany ? 'each' : 'the'} name is given up at the end of its term`];
    case 'irreversible':
      return ['cannot be undone'];
    case 'restart':
      return [`restarts ${isMany ? 'each' : 'the'} ${nounOf(kindOf(rootOf(address)))}`];
    case 'exposure':
      return [wordsOf(kindOf(address)).exposure ?? 'lowers protection'];
    case 'primary': {
      const before = effects.find(({ path, value }) => path === '/primary' && value === false);
      if (before !== undefined && expect.from === undefined) return [`replaces ${shortName(before.address)}`];
      if (before !== undefined) return [`replaces ${shortName(before.address)} as the primary hostname`];
      return [verb === 'delete' ? 'takes the primary hostname away' : 'changes the primary hostname'];
    }
  }
}

/** What is in it: `hostnames: a.example.com, b.example.com`, `backup archives: 7 of site content (newest 2026-01-31)`; none for nothing. */
function holdingsOf({ holds = [] }: Pick<Action, 'holds'>): readonly string[] {
  return [...new Set(holds.map(({ what }) => what))].map(
    (what) =>
      `${escapeText(what, 100)}s: ${holds
        .filter((one) => one.what === what)
        .map(showHeld)
        .join(', ')}`,
  );
}

function showHeld({ count, names, of, newest }: Holding): string {
  if (count === undefined) return 'not known';
  if (names !== undefined && count > 0) {
    const shown = [...names].sort(compareText).map((name) => showHostname(name) ?? escapeText(name, 300));
    return firstOf(shown, NAMES_SHOWN);
  }
  const place = of === undefined ? '' : ` of ${clipSafe(escapeText(of), 100)}`;
  const since = newest === undefined ? '' : ` (newest ${escapeText(newest.slice(0, 10), 100)})`;
  return `${count === 0 ? 'none' : count}${place}${since}`;
}
