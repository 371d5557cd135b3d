// A run over many accounts, for a terminal: one row for each account that has something to tell, then what went wrong.
import type { Fleet } from '../../model/plan/fleet.ts';
import { plural } from '../../model/common/count.ts';
import { escapeText } from '../view/escape.ts';
import { fleetSentence, noteOf, problemsOf, rowChanges, rowFolder, rowName, rowResult, rowsOf } from '../view/fleet.ts';
import type { FleetRow } from '../view/fleet.ts';
import { renderDiagnostics } from './diagnostics.ts';
import type { Sheet } from './prose.ts';
import { createStyle } from './style.ts';
import { renderTable } from './table.ts';

/** Rows, and problems that are told in full, unless all are wanted. */
const ROWS = 40;
const PROBLEMS = 10;
/** Names of accounts that share a problem. */
const NAMES = 5;

const COLUMNS = [
  ['ACCOUNT', rowName],
  ['WORKSPACE', rowFolder],
  ['RESULT', rowResult],
  ['CHANGES', rowChanges],
  ['NOTE', ([account]: FleetRow) => noteOf(account)],
] as const;

export function renderFleet(fleet: Fleet, { all = false, ...sheet }: Sheet & { readonly all?: boolean }): string {
  const { color } = sheet;
  const rows = rowsOf(fleet, { all });
  const shown = all ? rows : rows.slice(0, ROWS);
  const left = count(rows) - count(shown);
  const used = COLUMNS.filter(([, show]) => shown.some((row) => show(row) !== ''));
  const problems = rows.filter(([account]) => problemsOf(account).length > 0);
  const told = all ? problems : problems.slice(0, PROBLEMS);
  const untold = count(problems) - count(told);
  return [
    ...(shown.length === 0
      ? []
      : [
          renderTable(
            used.map(([head]) => head),
            shown.map((row) => used.map(([, show]) => show(row))),
            { color },
          ),
        ]),
    ...(left === 0 ? [] : [`${plural(left, 'more account')} with something to tell; --all shows them.`]),
    ...(shown.length === 0 ? [] : ['']),
    createStyle(color).strong(fleetSentence(fleet)),
    ...told.map(
      (row) => `\n${whoseProblem(row.map(({ account }) => account))}\n${renderDiagnostics(problemsOf(row[0]), sheet)}`,
    ),
    ...(untold === 0 ? [] : [`\n${plural(untold, 'more account')} with problems; --all shows them.`]),
  ].join('\n');
}

function count(rows: readonly (readonly unknown[])[]): number {
  return rows.reduce((sum, row) => sum + row.length, 0);
}

/** `acc-1, acc-2 and 498 more accounts:` */
function whoseProblem(accounts: readonly string[]): string {
  const names = accounts.slice(0, NAMES).map((account) => escapeText(account));
  const more = accounts.length - names.length;
  return `${names.join(', ')}${more === 0 ? '' : ` and ${plural(more, 'more account')}`}:`;
}
