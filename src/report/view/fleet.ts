// What every form of a report on many accounts says: which accounts are worth a row, and their counts in words.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Fleet, FleetAccount } from '../../model/fleet.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { plural } from './document.ts';

/** `created 2, updated 1` or what else happened, in the words of a table. */
export function changesOf({ summary, digest }: FleetAccount): string {
  if (summary === undefined) return digest === undefined ? '' : 'none';
  const { create, update, delete: deleted, charges } = summary;
  const parts = [
    ...(create > 0 ? [`${create} to create`] : []),
    ...(update > 0 ? [`${update} to change`] : []),
    ...(deleted > 0 ? [`${deleted} to delete`] : []),
    ...(charges > 0 ? [`${plural(charges, 'charge')}`] : []),
  ];
  return parts.length === 0 ? 'none' : parts.join(', ');
}

/** What is said of an account beside its counts: its own words, else its first problem. */
export function noteOf({ note, diagnostics }: FleetAccount): string {
  if (note !== undefined) return note;
  const first = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0];
  return first === undefined ? '' : `${first.code} ${first.summary}`;
}

/** Nothing was to do and nothing went wrong: such accounts are counted and not listed. */
export function isQuiet(account: FleetAccount): boolean {
  return account.outcome === 'done' && noteOf(account) === '' && ['', 'none'].includes(changesOf(account));
}

const ENDS: Readonly<Record<OutcomeWord, string>> = {
  done: 'done',
  differences: 'with changes',
  waiting: 'waiting',
  'partly-applied': 'applied in part',
  error: 'failed',
  refused: 'refused',
  conflict: 'in conflict',
  interrupted: 'not finished',
};

/** `500 accounts: 488 done, 11 with changes, 1 failed.` */
export function fleetSentence({ accounts, command }: Fleet): string {
  if (accounts.length === 0) return 'No account is in this run.';
  const counts = (Object.keys(ENDS) as OutcomeWord[]).flatMap((word) => {
    const count = accounts.filter(({ outcome }) => outcome === word).length;
    const words = word === 'done' && command !== 'apply' ? doneWords(command) : ENDS[word];
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return `${plural(accounts.length, 'account')}: ${counts.join(', ')}.`;
}

function doneWords(command: Fleet['command']): string {
  return command === 'plan' ? 'without changes' : command === 'drift' ? 'as declared' : 'in order';
}

/** The problems of one account, for those who look closer. */
export function problemsOf({ diagnostics }: FleetAccount): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}
