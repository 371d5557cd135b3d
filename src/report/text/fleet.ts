// A run over many accounts, for a terminal: one row for each account that has something to tell, then what went wrong.
import type { Fleet } from '../../model/fleet.ts';
import { escapeText } from '../view/escape.ts';
import { changesOf, fleetSentence, isQuiet, noteOf, problemsOf } from '../view/fleet.ts';
import { showDuration } from '../view/document.ts';
import { renderDiagnostics } from './diagnostics.ts';
import { createStyle } from './style.ts';
import { renderTable } from './table.ts';

export function renderFleet(
  fleet: Fleet,
  { color, all = false }: { readonly color: boolean; readonly all?: boolean },
): string {
  const style = createStyle(color);
  const listed = fleet.accounts.filter((account) => all || !isQuiet(account));
  const isCounted = listed.some((account) => changesOf(account) !== '');
  const rows = listed.map((account) => [
    account.account,
    account.workspace,
    account.outcome,
    ...(isCounted ? [changesOf(account)] : []),
    account.requests,
    showDuration(account.ms),
    noteOf(account),
  ]);
  const headings = ['ACCOUNT', 'WORKSPACE', 'RESULT', ...(isCounted ? ['CHANGES'] : []), 'REQUESTS', 'TIME', 'NOTE'];
  const problems = listed
    .map((account) => ({ account, found: problemsOf(account) }))
    .filter(({ found }) => found.length > 0);
  return [
    ...(rows.length === 0 ? [] : [renderTable(headings, rows, { color }), '']),
    style.strong(fleetSentence(fleet)),
    ...problems.map(
      ({ account: { account, workspace }, found }) =>
        `\n${escapeText(account)} (${escapeText(workspace)}):\n${renderDiagnostics(found, { color })}`,
    ),
  ].join('\n');
}
