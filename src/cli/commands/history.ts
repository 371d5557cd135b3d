// `history`: what runs did, whether all of it is still there, and the edits that take a run back.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { Block } from '../../report/blocks/block.ts';
import { renderHistoryJson } from '../../report/json/index.ts';
import { endOutputs } from '../../report/view/outputs.ts';
import type { HistoryOptions } from '../../usecases/history/read.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { startProgress } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { addressArgument } from '../options.ts';
import { writeReports } from '../report-files.ts';
import { reportEdits, reportProblems, reportResult, textOptions } from '../report.ts';
import { checkAccess, createSession } from '../settings.ts';

interface ShowOptions {
  readonly check?: boolean;
  readonly all?: readonly string[];
}

export function addHistory(program: CliCommand): void {
  const parent = program
    .command('history')
    .description('Show what runs did to the account: when, who, what, from and to.')
    .addArgument(addressArgument('Only this object, and what is in it.').argOptional())
    .option('--check', 'Only check that no row was changed or taken out.')
    .option(
      '--all <folders...>',
      "Instead a table of the runs of many accounts: folders of workspaces, such as 'accounts/*'.",
    )
    .formats('markdown')
    .withReport()
    .examples(
      ['hostwright history', 'every run, the newest first'],
      ['hostwright history Site/shop', 'what was done to one site, and in it'],
      ['hostwright history --check', 'each row against the one before it'],
      ["hostwright history --all 'accounts/*' --report html=runs.html", 'who did what, in every account'],
    )
    .runs((context, options: ShowOptions, address?: string) =>
      show(context, address === undefined ? {} : { address }, options),
    )
    .hook('preAction', (_this, command) => {
      const { all, check } = command.opts<ShowOptions>();
      if (all !== undefined && (check === true || command.args.length > 0))
        command.error('error: --all shows the runs of many accounts, so no address and no --check goes with it');
    });
  parent
    .command('show')
    .description('Show one run.')
    .argument('<run>', 'Its id, or the beginning of it.')
    .formats('markdown')
    .withReport()
    .examples(['hostwright history show 6f1c', 'as `history` names it'])
    .runs((context, _options: object, run: string) => show(context, { run }, {}));
  parent
    .command('undo')
    .description('Edit the manifests so that they say what was so before a run.')
    .argument('<run>', 'Its id, or the beginning of it.')
    .option('--dry-run', 'Show what would be written, and write nothing.')
    .examples(['hostwright history undo 6f1c', 'then look at the plan, and have it reviewed'])
    .runs(undo);
}

async function show(
  context: Context,
  wanted: HistoryOptions,
  { check = false, all }: ShowOptions,
): Promise<OutcomeWord> {
  const problems = checkAccess(context.env);
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  const { readAllRuns, readRuns } = await import('../../usecases/history/read.ts');
  const { historyBlocks, historyTable } = await import('../../report/blocks/history.ts');
  const { writePage } = await import('../../report/page.ts');
  const session = createSession(context);
  const many = all === undefined ? undefined : await readAllRuns(session, all);
  const accounts = many?.accounts ?? [await readRuns(session, wanted)];
  const diagnostics = many?.diagnostics ?? accounts.flatMap((one) => one.diagnostics);
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  const known = accounts.flatMap(({ account, runs }) => (runs === undefined ? [] : [{ account, runs }]));
  const [one] = known;
  const rows = accounts.reduce((sum, account) => sum + account.rows, 0);
  const blocks = many !== undefined ? historyTable(known) : one === undefined ? undefined : historyBlocks(one);
  const json = (): string => renderHistoryJson(accounts, outcome);
  if (blocks !== undefined) await writeHistoryReports(context, blocks, { json, outcome });
  await reportResult(context, diagnostics, {
    json,
    text: () => {
      if (check && outcome === 'done') return `${rows} rows, each follows from the one before it.`;
      if (check || blocks === undefined) return undefined;
      return writePage(blocks, context.options.format, textOptions(context));
    },
  });
  return outcome;
}

async function writeHistoryReports(
  context: Context,
  blocks: readonly Block[],
  { json, outcome }: { readonly json: () => string; readonly outcome: OutcomeWord },
): Promise<void> {
  await writeReports(context, {
    json,
    outputs: () => endOutputs(outcome),
    report: () => Promise.resolve({ what: 'history', title: 'history', blocks }),
    isWhole: true,
  });
}

async function undo(
  context: Context,
  { dryRun = false }: { readonly dryRun?: boolean },
  run: string,
): Promise<OutcomeWord> {
  const problems = checkAccess(context.env);
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  const { undoRun } = await import('../../usecases/history/undo.ts');
  const result = await undoRun(createSession(context), { run, dryRun });
  return reportEdits(context, result, diagnosticsOutcome(result.diagnostics, context.stop.aborted));
}
