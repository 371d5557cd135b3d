// A result as names and values, a line each: what a job hands on to its next steps (`GITHUB_OUTPUT`, dotenv files,
// `source`). Only words, numbers and digests; must not hold a text that somebody else wrote, so no value needs quotes
// and none can become a line of its own.
import type { Fleet, FleetAccount } from '../../model/plan/fleet.ts';
import type { Outcome, OutcomeWord } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { word } from './escape.ts';

export type Outputs = Readonly<Record<string, string | number>>;

/** How a command ended that has nothing to count. */
export function endOutputs(outcome: OutcomeWord): Outputs {
  return { outcome, exit_code: EXIT_CODES[outcome] };
}

/** The numbers that a plan's summary has, and how many actions there are. */
export function planOutputs({ account, digest, actions, summary, deferred }: Plan, outcome: OutcomeWord): Outputs {
  return { ...endOutputs(outcome), account, digest, actions: actions.length, ...summary, deferred: deferred.length };
}

/**
 * Of a run over many accounts: how many there are, how many differ or wait, how many need somebody, and how many did not
 * end well. Then what their plans count; of `apply` what was made, changed and deleted, and the charges of the plans that
 * ran.
 */
export function fleetOutputs({ accounts, outcome, command }: Fleet): Outputs {
  const count = (...words: readonly OutcomeWord[]): number =>
    accounts.filter((account) => words.includes(account.outcome)).length;
  const differing = count('differences', 'waiting');
  const sum = (of: (account: FleetAccount) => number): number =>
    accounts.reduce((total, account) => total + of(account), 0);
  const actions = (verb: 'create' | 'update' | 'delete'): number =>
    sum(({ summary, result }) =>
      command === 'apply'
        ? (result?.actions ?? []).filter((action) => action.verb === verb && action.result === 'done').length
        : (summary?.[verb] ?? 0),
    );
  const hasPlans = command === 'plan' || command === 'drift' || command === 'apply';
  return {
    ...endOutputs(outcome),
    accounts: accounts.length,
    differing,
    attention: accounts.filter(({ attention }) => attention !== undefined).length,
    failed: accounts.length - differing - count('done'),
    ...(hasPlans && {
      create: actions('create'),
      update: actions('update'),
      delete: actions('delete'),
      charges: sum(({ summary, result }) =>
        command === 'apply' && result === undefined ? 0 : (summary?.charges ?? 0),
      ),
    }),
  };
}

/** What became of the actions of a run. */
export function outcomeOutputs({ account, planDigest, actions, remaining, outcome }: Outcome): Outputs {
  const count = (...results: readonly string[]): number =>
    actions.filter(({ result }) => results.includes(result)).length;
  const verbs = (verb: string): number =>
    actions.filter((action) => action.verb === verb && action.result === 'done').length;
  return {
    ...endOutputs(outcome),
    account,
    digest: planDigest,
    actions: actions.length,
    create: verbs('create'),
    update: verbs('update'),
    delete: verbs('delete'),
    done: count('done', 'already-done'),
    failed: count('failed', 'unknown-outcome'),
    remaining: remaining.length,
  };
}

/** `name=value`, a line each. A list of numbers keeps its commas. */
export function renderOutputs(outputs: Outputs): string {
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${typeof value === 'number' ? value : word(value).replaceAll('%2C', ',')}\n`)
    .join('');
}
