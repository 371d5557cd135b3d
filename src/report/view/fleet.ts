// What every form of a report on many accounts says: which accounts are worth a row, in which order, and their counts in
// words.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Fleet, FleetAccount } from '../../model/plan/fleet.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { Verb } from '../../model/plan/plan.ts';
import { andMore, countsOf, plural } from '../../model/common/count.ts';
import { groupBy } from '../../model/common/lists.ts';

/** Accounts that are told in one row: one of them, or several with the same problem or the same changes. */
export type FleetRow = readonly [FleetAccount, ...FleetAccount[]];

/** So many accounts with one problem, or with the same changes, are one row. */
const ALIKE = 3;

/**
 * What failed first, then what deletes or costs money, then the rest; in each of these by account. Accounts with nothing
 * to tell have no row, unless `all` are wanted.
 */
export function rowsOf({ accounts }: Fleet, { all = false }: { readonly all?: boolean } = {}): readonly FleetRow[] {
  const told = accounts.filter((account) => all || !isQuiet(account));
  const keyOf = (account: FleetAccount): unknown =>
    problemKey(account) ?? (all ? undefined : changeKey(account)) ?? account;
  const keys = new Map(told.map((account) => [account, keyOf(account)]));
  const alike = groupBy(told, (account) => keys.get(account));
  const rows = told.flatMap((account): readonly FleetRow[] => {
    const group = alike.get(keys.get(account)) as FleetRow;
    if (group.length < ALIKE) return [[account]];
    return group[0] === account ? [group] : [];
  });
  return rows
    .map((row, index) => ({ row, index, rank: rankOf(row[0]) }))
    .sort((left, right) => left.rank - right.rank || left.index - right.index)
    .map(({ row }) => row);
}

const CALM: readonly OutcomeWord[] = ['done', 'differences', 'waiting'];

function rankOf({ outcome, summary, attention }: FleetAccount): number {
  if (!CALM.includes(outcome)) return 0;
  if (attention !== undefined) return 1;
  return (summary?.delete ?? 0) + (summary?.charges ?? 0) > 0 ? 1 : 2;
}

/** The same for accounts that end alike: what differs is their names. undefined: it has more to tell than a problem. */
function problemKey(account: FleetAccount): string | undefined {
  const hasMore = account.plan !== undefined || (account.result?.actions.length ?? 0) > 0;
  if ((CALM.includes(account.outcome) && account.attention === undefined) || hasMore) return undefined;
  const says = [account.note ?? '', ...problemsOf(account).map(({ code, detail }) => `${code} ${detail}`)].join('\n');
  return [account.outcome, withoutNames(account, says)].join('\n');
}

/** Its name may stand in other words too: of `acc-1`, a variable ends with `ACC_1`. */
function withoutNames({ workspace, account }: FleetAccount, text: string): string {
  const known = [workspace, account].reduce((rest, name) => rest.replaceAll(name, '*'), text);
  const words = (workspace.split('/').at(-1) ?? '').split(/[^A-Za-z0-9]+/).filter(Boolean);
  if (words.length < 2) return known;
  return known.replace(new RegExp(`(?<![A-Za-z0-9])${words.join('[^A-Za-z0-9]?')}(?![A-Za-z0-9])`, 'gi'), '*');
}

/**
 * The same for accounts in which the same is done. What is left alone may differ. undefined: there is nothing to do in
 * it.
 */
function changeKey({
  outcome,
  note,
  content,
  diagnostics,
  plan,
  guardCheck,
  rehearsal,
  result,
}: FleetAccount): string | undefined {
  if (content === undefined) return undefined;
  if (result !== undefined) {
    const { actions, remaining } = result;
    const ends = actions.map(({ outputs: _outputs, ...action }) => action);
    return JSON.stringify([outcome, note, content, diagnostics, ends, remaining, result.diagnostics]);
  }
  if (plan === undefined) return undefined;
  const { blocked, unknown, waiting, manual, deferred, orphaned, released, notices, drift, ignored } = plan;
  const beside = [blocked, unknown, waiting, manual, deferred, orphaned, released, notices, drift, ignored];
  return JSON.stringify([outcome, note, content, diagnostics, guardCheck, rehearsal, ...beside]);
}

/** How an account ended, for its row. */
export function rowResult([{ outcome, attention }]: FleetRow): string {
  return outcome === 'done' && attention !== undefined ? 'needs somebody' : outcome;
}

/** `acc-1`, or `acc-1 and 496 more`. */
export function rowName([first, ...others]: FleetRow): string {
  return `${first.account}${andMore(others.length)}`;
}

/** Where a row's account is declared, unless the folder has the name of the account. Several are in several folders. */
export function rowFolder([{ account, workspace }, ...others]: FleetRow): string {
  return others.length > 0 || workspace === account || workspace.endsWith(`/${account}`) ? '' : workspace;
}

/** `2 to create, 1 charge`, or `2 to create, 1 charge each`. */
export function rowChanges([first, ...others]: FleetRow): string {
  const changes = changesOf(first);
  return others.length === 0 || ['', 'none'].includes(changes) ? changes : `${changes} each`;
}

/** `2 to create, 1 charge`; of a run that is over `2 created`. */
function changesOf({ summary, digest, result }: FleetAccount): string {
  if (result !== undefined) {
    const done = (verb: Verb): number =>
      result.actions.filter((action) => action.verb === verb && action.result === 'done').length;
    return (
      countsOf([
        [done('create'), 'created'],
        [done('update'), 'changed'],
        [done('delete'), 'deleted'],
      ]) || 'none'
    );
  }
  if (summary === undefined) return digest === undefined ? '' : 'none';
  return plannedWords(summary) || 'none';
}

type Counts = Readonly<Record<'create' | 'update' | 'delete' | 'charges', number>> & { readonly replace?: number };

function plannedWords({ create, update, replace = 0, delete: deleted, charges }: Counts): string {
  return countsOf([
    [create, 'to create'],
    [update, 'to change'],
    [replace, 'to delete and create again'],
    [deleted, 'to delete'],
    [charges, charges === 1 ? 'charge' : 'charges'],
  ]);
}

/** What is said of an account beside its counts: its own words, else its first problem. */
export function noteOf({ note, diagnostics, plan }: FleetAccount): string {
  if (note !== undefined) return note;
  const first = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0];
  if (first !== undefined) return `${first.code} ${first.summary}`;
  const [blocked, ...others] = plan?.blocked ?? [];
  if (blocked !== undefined)
    return `blocked: ${blocked.reason}${others.length === 0 ? '' : ` (and ${others.length} more)`}`;
  if ((plan?.unknown.length ?? 0) > 0) return `${plural(plan?.unknown.length ?? 0, 'object')} could not be read`;
  const released = plan?.released?.length ?? 0;
  return released === 0 ? '' : `${plural(released, 'field')} no longer declared, with the value that a run set`;
}

/** Nothing was to do and nothing went wrong: such accounts are counted and not listed. */
function isQuiet(account: FleetAccount): boolean {
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

/** `500 accounts: 488 without changes, 11 with changes, 1 failed. 12 to create, 1 charge.` */
export function fleetSentence({ accounts, command }: Fleet): string {
  if (accounts.length === 0) return 'No account is in this run.';
  const counts = (Object.keys(ENDS) as OutcomeWord[]).flatMap((word) => {
    const ended = accounts.filter(({ outcome }) => outcome === word);
    const needs = word === 'done' ? ended.filter(({ attention }) => attention !== undefined).length : 0;
    return [
      [ended.length - needs, word === 'done' && command !== 'apply' ? doneWords(command) : ENDS[word]],
      [needs, needs === 1 ? 'needs somebody' : 'need somebody'],
    ] as const;
  });
  const sum = (of: keyof Counts): number => accounts.reduce((total, { summary }) => total + (summary?.[of] ?? 0), 0);
  const planned =
    command === 'plan'
      ? plannedWords({ create: sum('create'), update: sum('update'), delete: sum('delete'), charges: sum('charges') })
      : '';
  return `${plural(accounts.length, 'account')}: ${countsOf(counts)}.${planned === '' ? '' : ` In all ${planned}.`}`;
}

function doneWords(command: Fleet['command']): string {
  return command === 'plan' ? 'without changes' : command === 'drift' ? 'as declared' : 'in order';
}

/** The problems of one account, for those who look closer. */
export function problemsOf({ diagnostics }: FleetAccount): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}
