// A run over many accounts as one comment or one issue: a table of the accounts with something to tell, the details of
// each folded. It begins with the digest of each account's plan, which is what a review of it approves.
import type { RootContent, TableRow } from 'mdast';
import type { Fleet } from '../../model/plan/fleet.ts';
import { plural } from '../view/document.ts';
import type { FleetRow } from '../view/fleet.ts';
import { fleetSentence, noteOf, problemsOf, rowChanges, rowFolder, rowName, rowResult, rowsOf } from '../view/fleet.ts';
import { escapeText } from '../view/escape.ts';
import { withoutPersonal } from '../view/personal.ts';
import type { Limit } from './fit.ts';
import { firstThatFits } from './fit.ts';
import { decodedWord, word } from './marker.ts';
import { renderOutcomeMarkdown } from './outcome.ts';
import { diagnosticList } from './parts.ts';
import { renderPlanMarkdown } from './plan.ts';
import { code, folded, html, paragraph, prose, strong, text, writeMarkdown } from './text.ts';

interface Level {
  /** Characters of the details of one account; 0: none. */
  readonly details: number;
  /** Rows of the table. */
  readonly rows: number;
  /** The digests of the plans have no room either: the report approves nothing. */
  readonly withoutDigests?: boolean;
}

/** Characters of the shortest report on one account. */
const LEAST = 500;

const LEVELS: readonly Level[] = [
  { details: 20_000, rows: Infinity },
  { details: 4_000, rows: Infinity },
  { details: 1_000, rows: Infinity },
  { details: 0, rows: Infinity },
  { details: 0, rows: 200 },
  { details: 0, rows: 50 },
  { details: 0, rows: 0 },
  { details: 0, rows: 20, withoutDigests: true },
];

/** An account and the digest of its plan. */
export type AccountDigest = readonly [account: string, digest: string];

/**
 * undefined: it does not fit, however little it tells. `done`: of apply, the approvals that are carried out, which is
 * what uses them up.
 */
export function renderFleetMarkdown(
  fleet: Fleet,
  limit: Limit,
  done: readonly AccountDigest[] = [],
): string | undefined {
  const listed = rowsOf(fleet);
  // Hundreds of plans are not worded only to find that they have no room.
  const plans = listed.filter(([{ plan, result }]) => plan !== undefined || result !== undefined).length;
  const levels = LEVELS.filter(({ details }) => details === 0 || plans * LEAST <= limit.most);
  return firstThatFits(
    levels,
    limit,
    (level) => `${marker(fleet, done, level)}\n\n${writeMarkdown(parts(fleet, listed, level))}`,
  );
}

const MARKER =
  /^<!-- hostwright: fleet (plan|apply)(?: of-none)?( without-digests)?\r?\n((?:\S+ [0-9a-f]{64}\r?\n)*)-->/;

/**
 * The plans that a report on many accounts begins with. `too long`: it had no room for them. undefined: it is no such
 * report.
 */
export function readApprovedFleet(report: string): readonly AccountDigest[] | 'too long' | undefined {
  return readMarker(report, 'plan');
}

/** The approvals that a report says are carried out, as far as it had room for them. undefined: it is no such report. */
export function readDoneFleet(report: string): readonly AccountDigest[] | undefined {
  const found = readMarker(report, 'apply');
  return found === 'too long' ? [] : found;
}

function readMarker(report: string, command: Fleet['command']): readonly AccountDigest[] | 'too long' | undefined {
  const [, found, tooLong, digests = ''] = MARKER.exec(report) ?? [];
  if (found !== command) return undefined;
  if (tooLong !== undefined) return 'too long';
  const lines = digests.split(/\r?\n/).filter((line) => line !== '');
  return lines.map((line) => {
    const [account = '', digest = ''] = line.split(' ');
    return [decodedWord(account), digest] as const;
  });
}

const OF_NO_ACCOUNT = /^<!-- hostwright: fleet \w+ of-none\r?\n-->/;

/** True for a report on a run in which no account was. */
export function isOfNoAccount(report: string): boolean {
  return OF_NO_ACCOUNT.test(report);
}

/** At the very beginning: names and values further down are written by others. */
function marker(
  { command, accounts, diagnostics }: Fleet,
  done: readonly AccountDigest[],
  { withoutDigests = false }: Level,
): string {
  const planned = accounts.flatMap(({ account, digest, plan }) =>
    digest === undefined || plan === undefined ? [] : [[account, digest] as const],
  );
  const named = withoutDigests ? [] : command === 'plan' ? planned : command === 'apply' ? done : [];
  const mark = withoutDigests ? ' without-digests' : accounts.length + diagnostics.length === 0 ? ' of-none' : '';
  return [
    `<!-- hostwright: fleet ${command}${mark}`,
    ...named.map(([account, digest]) => `${word(account)} ${digest}`),
    '-->',
  ].join('\n');
}

function parts(
  fleet: Fleet,
  listed: readonly FleetRow[],
  { details, rows, withoutDigests = false }: Level,
): readonly RootContent[] {
  const { command, outcome, exitCode, diagnostics } = fleet;
  const shown = listed.slice(0, rows);
  const left = listed.slice(rows).reduce((sum, row) => sum + row.length, 0);
  const untold = `${plural(left, 'more account')} ${left === 1 ? 'has' : 'have'} no room here; the JSON of the run has them.`;
  return [
    { type: 'heading', depth: 3, children: [text(`Hostwright fleet ${command}`)] },
    paragraph(strong(fleetSentence(fleet))),
    ...(diagnostics.length === 0 ? [] : [diagnosticList(diagnostics, { entries: 20, text: 500 })]),
    ...(shown.length === 0 ? [] : [tableOf(shown)]),
    ...(left === 0
      ? []
      : [
          paragraph(
            text(
              command === 'plan' && !withoutDigests
                ? `${untold} To approve this report is to approve those too.`
                : untold,
            ),
          ),
        ]),
    ...(withoutDigests && command === 'plan'
      ? [
          paragraph(
            text(
              'There are too many accounts for one report to approve: give the JSON of the run to `fleet apply --expect`.',
            ),
          ),
        ]
      : []),
    ...(details === 0 ? problemsIn(shown) : shown.flatMap((row) => detailsOf(fleet, row, details))),
    paragraph(text(`Exit code ${exitCode} (${outcome}).`)),
  ];
}

function tableOf(rows: readonly FleetRow[]): RootContent {
  const row = (...cells: TableRow['children']): TableRow => ({ type: 'tableRow', children: cells });
  const cell = (...children: TableRow['children'][number]['children']) => ({ type: 'tableCell' as const, children });
  const shown = (value: string) => cell(...prose(escapeText(value, 200)));
  const isPlaced = rows.some((one) => rowFolder(one) !== '');
  const headings = ['Account', ...(isPlaced ? ['Workspace'] : []), 'Result', 'Changes', 'Note'];
  return {
    type: 'table',
    children: [
      row(...headings.map((heading) => cell(text(heading)))),
      ...rows.map((one) =>
        row(
          cell(code(escapeText(rowName(one), 100))),
          ...(isPlaced ? [shown(rowFolder(one))] : []),
          shown(rowResult(one)),
          shown(rowChanges(one)),
          shown(noteOf(one[0])),
        ),
      ),
    ],
  };
}

/** Problems are told even where no plan has room, the first ones in full. */
function problemsIn(rows: readonly FleetRow[]): readonly RootContent[] {
  const failed = rows.filter(([account]) => problemsOf(account).length > 0);
  return failed
    .slice(0, 10)
    .flatMap((row) => [
      paragraph(code(escapeText(rowName(row), 100)), text(':')),
      diagnosticList(problemsOf(row[0]), { entries: 3, text: 300 }),
    ]);
}

function detailsOf({ command }: Fleet, row: FleetRow, most: number): readonly RootContent[] {
  const [account] = row;
  const problems = problemsOf(account);
  const report = reportOf(command, account, { count: 'characters', most });
  if (report === undefined && problems.length === 0) return [];
  return folded(
    [{ code: escapeText(rowName(row), 100) }, ...(rowChanges(row) === '' ? [] : [rowChanges(row)])],
    [
      ...alike(row),
      ...(problems.length === 0 ? [] : [diagnosticList(problems, { entries: 10, text: 500 })]),
      // The report of one account as it is by itself, but for the line by which it is found.
      ...(report === undefined ? [] : [html(report.replace(/^<!--[^]*?-->\n*/, '').replace(/^### .*\n+/, ''))]),
    ],
  );
}

/** Which accounts a row of several is about. */
function alike(row: FleetRow): readonly RootContent[] {
  if (row.length === 1) return [];
  const names = row.map(({ account }) => escapeText(account, 100)).join(' ');
  return [
    ...folded([`The ${row.length} accounts`], [paragraph(code(names))]),
    paragraph(text('The same in each of them. What follows is of '), code(escapeText(row[0].account, 100)), text('.')),
  ];
}

function reportOf(
  command: Fleet['command'],
  { plan, guardCheck, result, outcome }: FleetRow[0],
  limit: Limit,
): string | undefined {
  if (result !== undefined) return renderOutcomeMarkdown(result, limit);
  if (plan === undefined) return undefined;
  return renderPlanMarkdown(withoutPersonal(plan), {
    heading: command === 'drift' ? 'Drift' : 'Plan',
    verbose: false,
    isPart: true,
    ...(guardCheck !== undefined && { guardCheck }),
    outcome,
    diagnostics: [],
    limit,
  });
}
