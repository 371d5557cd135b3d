// A run over many accounts as blocks: a table of the accounts with something to tell, then the details of each, folded.
import type { Fleet, FleetAccount } from '../../model/plan/fleet.ts';
import { plural } from '../../model/common/count.ts';
import { countDiagnostics } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import type { FleetRow } from '../view/fleet.ts';
import { fleetSentence, noteOf, problemsOf, rowChanges, rowFolder, rowName, rowResult, rowsOf } from '../view/fleet.ts';
import { withoutPersonal } from '../view/personal.ts';
import type { Block, Details, Item, Line, Report } from './block.ts';
import { diagnosticsOf, listOf, marked, paragraph, section, table } from './block.ts';
import type { AccountDigest } from './mark.ts';
import { fleetMark } from './mark.ts';
import { outcomeReport } from './outcome.ts';
import { planReport } from './plan.ts';

export interface FleetReportOptions {
  /** Up to so many accounts are unfolded. */
  readonly few?: number;
  /** Of apply: the approvals that are carried out. */
  readonly done?: readonly AccountDigest[];
}

export function fleetReport(fleet: Fleet, { few = 0, done }: FleetReportOptions = {}): Report {
  const { command, outcome, exitCode, diagnostics } = fleet;
  const rows = rowsOf(fleet);
  const details = rows.flatMap((row) => accountDetails(fleet, row, rows.length <= few));
  return {
    what: `fleet ${command}`,
    title: `Fleet ${command}: ${fleetSentence(fleet)}`,
    mark: () => fleetMark(fleet, done),
    notApproved:
      'There are too many accounts for one report to approve: give the JSON of the run to `fleet apply --expect`.',
    blocks: [
      { is: 'heading', line: [`Hostwright fleet ${command}`] },
      paragraph(marked('strong', fleetSentence(fleet))),
      ...section('problems', countDiagnostics(diagnostics), diagnosticsOf(diagnostics)),
      ...tableOf(rows, command),
      ...section('accounts', 'Accounts', details, {
        count: rows.reduce((sum, row) => sum + row.length, 0),
        weight: 'accounts',
      }),
      paragraph(`Exit code ${exitCode} (${outcome}).`),
    ],
  };
}

/** Three columns at most: a phone of 420 pixels cuts off the fourth. */
function tableOf(rows: readonly FleetRow[], command: Fleet['command']): readonly Block[] {
  const hasNotes = rows.some(([account]) => noteOf(account) !== '');
  const shown = rows.map((row): readonly Line[] => {
    const folder = rowFolder(row);
    const result = [rowResult(row), rowChanges(row)].filter((words) => words !== '').join(': ');
    return [
      [
        marked('code', escapeText(rowName(row), 100)),
        ...(folder === '' ? [] : [' ', marked('place', escapeText(folder, 200))]),
      ],
      [escapeText(result, 200)],
      ...(hasNotes ? [[escapeText(noteOf(row[0]), 200)]] : []),
    ];
  });
  return table(['Account', 'Result', ...(hasNotes ? ['Note'] : [])], shown, {
    rest: (most) => {
      const left = rows.slice(most).reduce((sum, row) => sum + row.length, 0);
      const says = `${plural(left, 'more account has', 'more accounts have')} no room here; the JSON of the run has them.`;
      return command === 'plan' ? `${says} To approve this report is to approve those too.` : says;
    },
  });
}

function accountDetails({ command }: Fleet, row: FleetRow, isOpen: boolean): readonly Details[] {
  const [account] = row;
  const { attention = [], plan, result } = account;
  const blocks: readonly Block[] = [
    ...sharedBy(row),
    ...diagnosticsOf(problemsOf(account)),
    ...listOf(attention.map((says) => ({ line: [escapeText(says, 1000)] }))),
    ...reportBlocks(command, account, plan, result),
  ];
  const changes = rowChanges(row);
  if (blocks.length === 0) return [];
  return [
    {
      is: 'details',
      isOpen,
      line: [
        marked('code', escapeText(rowName(row), 200)),
        ...(changes === '' ? [] : [` ${changes}`]),
        ` (${rowResult(row)})`,
      ],
      blocks,
    },
  ];
}

/** The report of one account as it is by itself, but for its heading. */
function reportBlocks(
  command: Fleet['command'],
  { guardCheck, rehearsal, outcome }: FleetAccount,
  plan: FleetAccount['plan'],
  result: FleetAccount['result'],
): readonly Block[] {
  const whole =
    result !== undefined
      ? outcomeReport(result)
      : plan === undefined
        ? undefined
        : planReport(withoutPersonal(plan), {
            heading: command === 'drift' ? 'Drift' : 'Plan',
            verbose: false,
            isPart: true,
            few: 0,
            ...(guardCheck !== undefined && { guardCheck }),
            ...(rehearsal !== undefined && { rehearsal }),
            outcome,
            diagnostics: [],
          });
  // Numbers of actions are anchors: another account has the same ones.
  return (whole?.blocks ?? []).filter(({ is }) => is !== 'heading').map(withoutAnchors);
}

function withoutAnchors(block: Block): Block {
  if (block.is === 'list') {
    const items = block.items.map(({ line, names, blocks, ...item }): Item => ({
      ...item,
      line: line.map((span) => (typeof span === 'string' ? span : unlinked(span))),
      ...(names !== undefined && { names: names.map(unlinked) }),
      ...(blocks !== undefined && { blocks: blocks.map(withoutAnchors) }),
    }));
    return { ...block, items };
  }
  if (block.is === 'section') return { ...block, blocks: block.blocks.map(withoutAnchors) };
  if (block.is !== 'details') return block;
  const { anchor: _anchor, ...rest } = block;
  return { ...rest, blocks: block.blocks.map(withoutAnchors) };
}

function unlinked<Span extends { readonly to?: string }>({ to: _to, ...span }: Span): Omit<Span, 'to'> {
  return span;
}

/** Which accounts a row of several is about. */
function sharedBy(row: FleetRow): readonly Block[] {
  if (row.length === 1) return [];
  const names = row.map(({ account }) => escapeText(account, 100)).join(' ');
  return [
    { is: 'details', line: [`The ${row.length} accounts`], blocks: [paragraph(marked('code', names))] },
    paragraph('The same in each of them. What follows is of ', marked('code', escapeText(row[0].account, 100)), '.'),
  ];
}
