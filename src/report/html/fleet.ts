// A run over many accounts as one page: what it comes to, then a row for each account with something to tell, the
// failed ones first. A row opens to what is done in the account.
import type { Fleet, FleetAccount } from '../../model/plan/fleet.ts';
import type { Action } from '../../model/plan/plan.ts';
import { countDiagnostics } from '../text/diagnostics.ts';
import { driftGroups } from '../view/drift.ts';
import { groupsOf, plural, saidReason } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import type { FleetRow } from '../view/fleet.ts';
import { fleetSentence, noteOf, problemsOf, rowChanges, rowFolder, rowName, rowResult, rowsOf } from '../view/fleet.ts';
import { withoutPersonal } from '../view/personal.ts';
import { markup } from './markup.ts';
import type { Markup, Part } from './markup.ts';
import { resultRow } from './outcome.ts';
import { driftRow } from './drift.ts';
import { writePage } from './page.ts';
import {
  changeTable,
  diagnosticRows,
  entryRow,
  madeAt,
  objectName,
  place,
  prose,
  riskBadges,
  section,
  sentenceOf,
  tools,
  verbBadge,
} from './parts.ts';

/** Rows of no more accounts than these are unfolded. */
const FEW = 3;

export function renderFleetHtml(fleet: Fleet, { nowMs }: { readonly nowMs: number }): string {
  const { command, outcome, exitCode, diagnostics, accounts } = fleet;
  const listed = rowsOf(fleet);
  const told = listed.reduce((sum, row) => sum + row.length, 0);
  const sentence = fleetSentence(fleet);
  return writePage({
    title: `Fleet ${command}: ${sentence}`,
    head: [
      markup`<p class="eyebrow">Hostwright fleet ${command} · ${madeAt(nowMs)}</p>
<h1>${plural(accounts.length, 'account')}</h1>
<p class="lead">${sentence}</p>`,
    ],
    main: [
      diagnostics.length > 0 && section('problems', countDiagnostics(diagnostics), '', diagnosticRows(diagnostics)),
      listed.length > 0 && tools([]),
      listed.length > 0 &&
        section(
          'accounts',
          `Accounts (${told})`,
          'Failed accounts stand first, then those with deletes or charges. Accounts without anything to tell are only counted.',
          listed.map((row) => rowCard(fleet, row, listed.length <= FEW)),
        ),
    ],
    foot: [markup`<p>Exit code ${exitCode} (${outcome}).</p>`],
  });
}

function toneOf([{ outcome, attention }]: FleetRow): string {
  if (outcome === 'done') return attention === undefined ? 'create' : 'update';
  return outcome === 'differences' || outcome === 'waiting' ? 'update' : 'delete';
}

function rowCard(fleet: Fleet, row: FleetRow, isOpen: boolean): Markup {
  const [account] = row;
  const beside = [rowChanges(row), rowFolder(row)].filter((text) => text !== '');
  const note = noteOf(account);
  return markup`<details class="card root group"${isOpen && markup` open`}><summary class="row"><span class="what"><h3>${escapeText(rowName(row), 200)}</h3>${note !== '' && markup` ${prose(escapeText(note, 500))}`}</span><span class="soft">${beside.map((text) => escapeText(text, 200)).join(' · ')}</span><span class="badge ${toneOf(row)}">${rowResult(row)}</span></summary>${alike(row)}${detailsOf(fleet, account)}</details>
`;
}

function alike(row: FleetRow): Part {
  if (row.length === 1) return undefined;
  const names = row.map(({ account }) => escapeText(account, 100)).join(', ');
  const same = markup`<div>The same in ${plural(row.length, 'account')}: ${names}. What follows is of ${escapeText(row[0].account, 100)}.</div>`;
  return list('', [markup`<li class="item">${same}</li>`]);
}

function detailsOf({ command }: Fleet, account: FleetAccount): readonly Part[] {
  const { attention = [], result } = account;
  const plan = account.plan === undefined ? undefined : withoutPersonal(account.plan);
  const ended = (result?.diagnostics ?? []).filter(({ severity }) => severity === 'error');
  const problems = [...problemsOf(account), ...ended];
  const isDrift = command === 'drift';
  const note = noteOf(account);
  const isAll = problems.length + attention.length === 0 && plan === undefined && (result?.actions ?? []).length === 0;
  return [
    // The search looks at entries: an account that has only a note is found by it.
    isAll && note !== '' && list('', [markup`<li class="item"><div>${prose(escapeText(note, 1000))}</div></li>`]),
    problems.length > 0 && diagnosticRows(problems),
    list(
      '',
      attention.map((says) => markup`<li class="item" data-is="open"><div>${prose(escapeText(says, 1000))}</div></li>`),
    ),
    list(
      '',
      (result?.actions ?? []).map((action) => resultRow(action)),
    ),
    ...(plan === undefined
      ? []
      : [
          ...(isDrift
            ? driftGroups(plan.drift ?? []).map(({ title, items }) => list(title, items.map(driftRow)))
            : [list('', plan.actions.map(actionRow))]),
          ...groupsOf(plan).map(({ title, entries }) => list(title, entries.map(entryRow))),
        ]),
  ];
}

function list(title: string, items: readonly Markup[]): Part {
  if (items.length === 0) return undefined;
  const heading = title === '' ? '' : `${title} (${items.length})`;
  return markup`${heading !== '' && markup`<p class="soft">${heading}</p>`}<ul class="rows">${items}</ul>`;
}

function actionRow(action: Action): Markup {
  const reason = sentenceOf(saidReason(action));
  const is = [action.verb, ...(action.risk.length > 0 ? ['risk'] : [])].join(' ');
  return markup`<li class="item" data-is="${is}"><div class="row">${verbBadge(action.verb)}<span class="what">${objectName(action.address)}${riskBadges(action)}</span>${place(action.source)}</div>${reason !== '' && markup`<div>${prose(reason)}</div>`}${changeTable(action, undefined, undefined)}</li>
`;
}
