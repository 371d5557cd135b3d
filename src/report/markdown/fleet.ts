// A run over many accounts as one comment or one issue: a table of the accounts with something to tell, the details of
// each folded. It begins with the digest of each account's plan, which is what a review of it approves.
import type { RootContent, TableRow } from 'mdast';
import type { Fleet, FleetAccount } from '../../model/fleet.ts';
import { changesOf, fleetSentence, isQuiet, noteOf, problemsOf } from '../view/fleet.ts';
import { escapeText } from '../view/escape.ts';
import { withoutPersonal } from '../view/personal.ts';
import type { Limit } from './fit.ts';
import { firstThatFits } from './fit.ts';
import { word } from './marker.ts';
import { renderOutcomeMarkdown } from './outcome.ts';
import { diagnosticList } from './parts.ts';
import { renderPlanMarkdown } from './plan.ts';
import { code, folded, html, paragraph, prose, strong, text, writeMarkdown } from './text.ts';

interface Level {
  /** Characters of the details of one account; 0: none. */
  readonly details: number;
  /** Accounts in the table. */
  readonly rows: number;
}

const LEVELS: readonly Level[] = [
  { details: 20_000, rows: Infinity },
  { details: 4_000, rows: Infinity },
  { details: 1_000, rows: Infinity },
  { details: 0, rows: Infinity },
  { details: 0, rows: 100 },
  { details: 0, rows: 0 },
];

/** undefined: not even the digests of the plans fit. */
export function renderFleetMarkdown(fleet: Fleet, limit: Limit): string | undefined {
  return firstThatFits(LEVELS, limit, (level) => `${marker(fleet)}\n\n${writeMarkdown(parts(fleet, level))}`);
}

const APPROVED = /^<!-- hostwright: fleet plan\r?\n((?:\S+ [0-9a-f]{64}\r?\n)*)-->/;

/** The digest of each account's plan that a report on a plan begins with; undefined: it is no such report. */
export function readApprovedFleet(report: string): ReadonlyMap<string, string> | undefined {
  const found = APPROVED.exec(report);
  if (found === null) return undefined;
  const lines = (found[1] as string).split(/\r?\n/).filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [account = '', digest = ''] = line.split(' ');
      return [decodeURIComponent(account), digest];
    }),
  );
}

/** At the very beginning: names and values further down are written by others. */
function marker({ command, accounts }: Fleet): string {
  const digests =
    command === 'plan'
      ? accounts.flatMap(({ account, digest, plan }) =>
          digest === undefined || plan === undefined ? [] : [`${word(account)} ${digest}`],
        )
      : [];
  return [`<!-- hostwright: fleet ${command}`, ...digests, '-->'].join('\n');
}

function parts(fleet: Fleet, { details, rows }: Level): readonly RootContent[] {
  const { command, accounts, outcome, exitCode, diagnostics } = fleet;
  const listed = accounts.filter((account) => !isQuiet(account));
  const shown = listed.slice(0, rows);
  const left = listed.length - shown.length;
  return [
    { type: 'heading', depth: 3, children: [text(`Hostwright fleet ${command}`)] },
    paragraph(strong(fleetSentence(fleet))),
    ...(diagnostics.length === 0 ? [] : [diagnosticList(diagnostics, { entries: 20, text: 500 })]),
    ...(shown.length === 0 ? [] : [tableOf(shown)]),
    ...(left === 0 ? [] : [paragraph(text(`${left} more accounts have no room here; the JSON of the run has them.`))]),
    ...(details === 0 ? [] : shown.flatMap((account) => detailsOf(fleet, account, details))),
    paragraph(text(`Exit code ${exitCode} (${outcome}).`)),
  ];
}

function tableOf(accounts: readonly FleetAccount[]): RootContent {
  const row = (...cells: TableRow['children']): TableRow => ({ type: 'tableRow', children: cells });
  const cell = (...children: TableRow['children'][number]['children']) => ({ type: 'tableCell' as const, children });
  const shown = (value: string) => cell(...prose(escapeText(value, 200)));
  return {
    type: 'table',
    children: [
      row(...['Account', 'Workspace', 'Result', 'Changes', 'Note'].map((heading) => cell(text(heading)))),
      ...accounts.map((account) =>
        row(
          cell(code(escapeText(account.account, 100))),
          shown(account.workspace),
          shown(account.outcome),
          shown(changesOf(account)),
          shown(noteOf(account)),
        ),
      ),
    ],
  };
}

function detailsOf({ command }: Fleet, account: FleetAccount, most: number): readonly RootContent[] {
  const problems = problemsOf(account);
  const report = reportOf(command, account, { count: 'characters', most });
  if (report === undefined && problems.length === 0) return [];
  return folded(
    [{ code: escapeText(account.account, 100) }, changesOf(account)],
    [
      ...(problems.length === 0 ? [] : [diagnosticList(problems, { entries: 10, text: 500 })]),
      // The report of one account as it is by itself, but for the line by which it is found.
      ...(report === undefined ? [] : [html(report.replace(/^<!--[^]*?-->\n*/, '').replace(/^### .*\n+/, ''))]),
    ],
  );
}

function reportOf(
  command: Fleet['command'],
  { plan, result, outcome }: FleetAccount,
  limit: Limit,
): string | undefined {
  if (result !== undefined) return renderOutcomeMarkdown(result, limit);
  if (plan === undefined) return undefined;
  return renderPlanMarkdown(withoutPersonal(plan), {
    heading: command === 'drift' ? 'Drift' : 'Plan',
    verbose: false,
    outcome,
    diagnostics: [],
    limit,
  });
}
