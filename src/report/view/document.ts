// What every reporter says alike: the numbers of actions, the groups and their order, the words for verbs, risks,
// counts and ends.
import type { Address } from '../../model/address.ts';
import { collectionOf } from '../../model/address.ts';
import type { Diagnostic, Severity, SourcePosition } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { ActionOutcome, ActionWord, OutcomeWord } from '../../model/plan/outcome.ts';
import type { Action, Plan, Requirement, Risk, Verb } from '../../model/plan/plan.ts';
import { isUnfinished, replaces } from '../../model/plan/plan.ts';
import { showPrice, sumPrices } from '../../model/price.ts';
import { countsOf, plural } from '../../model/common/count.ts';
import { groupBy, present } from '../../model/common/lists.ts';
import { countDrift } from './drift.ts';
import { escapeText } from './escape.ts';
import { subjectReason } from './subject.ts';
import { shortName, showAddress, showProse } from './names.ts';
import { changesLine, isPosition } from './values.ts';

export const VERB_MARKS: Readonly<Record<Verb, '+' | '~' | '-'>> = { create: '+', update: '~', delete: '-' };

/** In the order in which they are shown: what hurts most first. */
export const RISK_WORDS: Readonly<Record<Risk, string>> = {
  irreversible: 'CANNOT BE UNDONE',
  charge: 'CHARGES',
  delete: 'DELETES',
  lapse: 'ENDS RENEWAL',
  primary: 'CHANGES PRIMARY HOSTNAME',
  exposure: 'EXPOSES',
  restart: 'RESTARTS',
};

/** What each risk does to the account, as the end of the sentence "No action ...". */
const RISK_ENDINGS: Readonly<Record<Risk, string>> = {
  delete: 'deletes',
  charge: 'costs money',
  restart: 'restarts a site',
  exposure: 'lowers protection',
  lapse: 'ends a renewal',
  primary: 'changes a primary hostname',
  irreversible: 'cannot be undone',
};

/** Lists every risk that was checked, for a plan that has none of them. It is not a judgement of the plan. */
export function checkedRisks(): string {
  const endings = Object.values(RISK_ENDINGS);
  return `No action ${endings.slice(0, -1).join(', ')} or ${endings.at(-1) ?? ''}.`;
}

export const RESULT_WORDS: Readonly<Record<ActionWord, string>> = {
  done: 'done',
  'already-done': 'already done',
  failed: 'FAILED',
  skipped: 'skipped',
  blocked: 'blocked',
  waiting: 'waiting',
  'unknown-outcome': 'OUTCOME UNKNOWN',
  'not-started': 'not started',
};

/** What each end means to the person who ran the command. */
export const OUTCOME_SENTENCES: Readonly<Record<OutcomeWord, string>> = {
  done: 'Done.',
  differences: 'The account differs from the manifests.',
  waiting: 'Not everything is done yet.',
  'partly-applied': 'Partly applied: some actions failed, the rest was done.',
  error: 'Stopped by an error.',
  refused: 'Refused.',
  conflict: 'Something is not as it was reviewed: nothing ran.',
  interrupted: 'Interrupted.',
};

/** The number of each action in execution order, from 1. */
export function numberActions(actions: readonly { readonly address: Address }[]): ReadonlyMap<Address, number> {
  return new Map(actions.map(({ address }, index) => [address, index + 1]));
}

/** `#1, #3-#7`; what this plan does not hold is told by its address. */
export function showNumbers(addresses: readonly Address[], numbers: ReadonlyMap<Address, number>): string {
  const known = [...new Set(addresses.flatMap((address) => numbers.get(address) ?? []))].sort(
    (left, right) => left - right,
  );
  const runs: [number, number][] = [];
  for (const number of known) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  const shown = runs.flatMap(([first, last]) =>
    last - first > 1 ? [`#${first}-#${last}`] : first === last ? [`#${first}`] : [`#${first}`, `#${last}`],
  );
  return [
    ...shown,
    ...addresses.filter((address) => !numbers.has(address)).map((address) => showAddress(address)),
  ].join(', ');
}

/** The risks of an action, what hurts most first. */
export function sortRisks(risks: readonly Risk[]): readonly Risk[] {
  return (Object.keys(RISK_WORDS) as Risk[]).filter((risk) => risks.includes(risk));
}

/** `CHARGES #4, DELETES #5-#6`, or nothing. */
export function riskSummary(actions: readonly Action[]): string {
  const numbers = numberActions(actions);
  return sortRisks(actions.flatMap(({ risk }) => risk))
    .map((risk) => {
      const addresses = actions.filter((action) => action.risk.includes(risk)).map(({ address }) => address);
      return `${RISK_WORDS[risk]} ${showNumbers(addresses, numbers)}${risk === 'charge' ? showCosts(actions) : ''}`;
    })
    .join(', ');
}

/** ` (12.00 EUR)`: the sum of what was quoted, or nothing where nothing was. */
function showCosts(actions: readonly Action[]): string {
  const sum = totalCost(actions);
  return sum === undefined ? '' : ` (${sum})`;
}

/** `24.00 EUR`: the sum of what was quoted; undefined where nothing was. */
export function totalCost(actions: readonly Action[]): string | undefined {
  const charges = actions.filter(({ risk }) => risk.includes('charge'));
  const quoted = charges.flatMap(({ cost }) => cost ?? []);
  if (quoted.length === 0) return undefined;
  const sum = sumPrices(quoted)
    .map((price) => escapeText(showPrice(price), 100))
    .join(' and ');
  const unquoted = charges.length - quoted.length;
  return unquoted === 0 ? sum : `${sum} plus ${plural(unquoted, 'price')} not quoted`;
}

/** The words for the risks of one action, with what it costs. */
export function showRisks({ risk, cost }: Pick<Action, 'risk' | 'cost'>): readonly string[] {
  return sortRisks(risk).map((one) =>
    one === 'charge' && cost !== undefined ? `${RISK_WORDS[one]} ${escapeText(showPrice(cost), 100)}` : RISK_WORDS[one],
  );
}

/**
 * `2 to create, 1 to change, 0 to delete`: counted from the actions, because no digest covers the summary. Objects that
 * are deleted and created again are counted after the changes.
 */
export function countActions(actions: readonly Pick<Action, 'verb' | 'steps'>[]): string {
  const count = (verb: Verb): number => actions.filter((action) => action.verb === verb).length;
  const replaced = actions.filter(replaces).length;
  const again = replaced === 0 ? '' : ` (${replaced} deleted and created again)`;
  return `${count('create')} to create, ${count('update')} to change${again}, ${count('delete')} to delete`;
}

/** Why an action is there, without what its changes show: `''` where they show all of it. */
export function saidReason(action: Action): string {
  const { reason, changes } = action;
  if (changes.length === 0) return showProse(reason);
  const beside = reason.split('; ').filter((part) => !/^\w+(, \w+)* differs?$/.test(part));
  return [subjectReason(action) ?? [], showProse(beside.join('; '))]
    .flat()
    .filter((part) => part !== '')
    .join('; ');
}

/** An action on one line, where its values do not stand below it. */
export function shortReason(action: Action, position?: string): string {
  const reason = saidReason(action);
  if (reason === '') return changesLine(action, position);
  return subjectReason(action) === undefined ? reason : `${reason}: ${changesLine(action, position)}`;
}

/** Where each action that takes a place among its neighbours puts its object, in words. */
export function positionsIn(actions: readonly Action[]): ReadonlyMap<Address, string> {
  const placed = actions.flatMap(({ address, verb, changes }) => {
    const at = verb === 'delete' ? undefined : changes.find(isPosition)?.value;
    return typeof at === 'number' ? [{ address, at, verb }] : [];
  });
  return new Map(
    [...groupBy(placed, ({ address }) => collectionOf(address)).values()].flatMap((list) => {
      const sorted = [...list].sort((left, right) => left.at - right.at);
      return sorted.map(({ address, verb }, index): readonly [Address, string] => {
        const [before, after] = [sorted[index - 1], sorted[index + 1]];
        const moves = verb === 'update' ? 'moves ' : '';
        if (before !== undefined) return [address, `${moves}after ${shortName(before.address)}`];
        if (after !== undefined) return [address, `${moves}before ${shortName(after.address)}`];
        return [address, verb === 'update' ? 'moves' : ''];
      });
    }),
  );
}

/** What a plan comes to in a few words: what it counts, or that there is nothing to count. */
export function headline(plan: Plan, heading: 'Plan' | 'Drift'): string {
  const { drift = [], ignored = [] } = plan;
  if (drift.length > 0) return countDrift(drift, ignored);
  if (plan.actions.length > 0) {
    const charges = plan.actions.filter(({ risk }) => risk.includes('charge'));
    const total = charges.length > 1 ? totalCost(charges) : undefined;
    return `${countActions(plan.actions)}${total === undefined ? '' : `; charges ${total}`}`;
  }
  if (isUnfinished(plan)) return 'nothing to run, and not everything matches its manifest';
  const left = ignored.length === 0 ? '' : `, ${ignored.length} ignored`;
  const matching = plan.summary.unchanged === 1 ? 'matches its manifest' : 'match their manifests';
  return `${heading === 'Drift' ? 'none' : 'no changes'}, ${plural(plan.summary.unchanged, 'object')} ${matching}${left}`;
}

export function isDone({ result }: Pick<ActionOutcome, 'result'>): boolean {
  return result === 'done' || result === 'already-done';
}

/** `3 done, 1 failed`: in the order of the words above. */
export function countResults(actions: readonly Pick<ActionOutcome, 'result'>[]): string {
  return countsOf(
    (Object.keys(RESULT_WORDS) as ActionWord[]).map((result) => [
      actions.filter((action) => action.result === result).length,
      RESULT_WORDS[result].toLowerCase(),
    ]),
  );
}

/** What the credential must be able to do, or '' when nothing is asked. */
export function showRequirement({ userCredential, closedToOauth, scopes, roles }: Requirement): string {
  return present(
    userCredential && "a user's own credential",
    closedToOauth === true && 'no OAuth token',
    scopes.length > 0 && `scope ${scopes.map((scope) => escapeText(scope, 100)).join(', ')}`,
    roles.length > 0 && `role ${roles.map((role) => escapeText(role, 100)).join(', ')}`,
  ).join('; ');
}

/** `sites/shop.yaml:14:7`, as terminals and editors make links of. */
export function showSource({ file, line, column }: SourcePosition): string {
  return `${escapeText(file, 300)}:${line}:${column}`;
}

/** `0s`, `450ms`, `45s`, `2m`, `1h 5m`: two units at most. */
export function showDuration(durationMs: number): string {
  if (durationMs === 0) return '0s';
  if (durationMs < 1000) return `${Math.round(durationMs)}ms`;
  const seconds = Math.round(durationMs / 1000);
  const units = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  return units
    .slice(first, first + 2)
    .flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`]))
    .join(' ');
}

/** How severe a diagnostic is, in the word that compilers use. */
export function severityWord(severity: Severity): 'error' | 'warning' | 'note' {
  return severity === 'info' ? 'note' : severity;
}

/** `2 errors, 1 warning`; '' when there are none. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Severity): number =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const counts = [
    [count('error'), 'error'],
    [count('warning'), 'warning'],
    [count('info'), severityWord('info')],
  ] as const;
  return counts.flatMap(([number, noun]) => (number === 0 ? [] : [plural(number, noun)])).join(', ');
}

/** Manifests that were checked. */
export interface Validation {
  readonly diagnostics: readonly Diagnostic[];
  readonly manifests: number;
  readonly objects: number;
}

/** `Valid: 2 manifests, 5 objects`, or what was found. */
export function validationVerdict(
  { diagnostics, manifests, objects }: Validation,
  style: { readonly alarm: (text: string) => string; readonly good: (text: string) => string } = {
    alarm: String,
    good: String,
  },
): string {
  const found = countDiagnostics(diagnostics);
  const counts = `${plural(manifests, 'manifest')}, ${plural(objects, 'object')}`;
  return hasErrors(diagnostics)
    ? `${style.alarm('Not valid')}: ${found} (${counts})`
    : `${style.good('Valid')}: ${counts}${found === '' ? '' : `, ${found}`}`;
}
