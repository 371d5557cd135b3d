// `history`: what runs did, whether all of it is still there, and the edits that take a run back.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderHistoryJson } from '../../../report/json/index.ts';
import type { HistoryOptions } from '../../../usecases/history/read.ts';
import type { CliCommand, Execute } from '../../command.ts';
import type { Context } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { diagnosticsOutcome } from '../../exit-code.ts';
import { addressArgument } from '../../options.ts';
import { reportEdits, reportProblems, reportResult, textOptions } from '../../report.ts';
import { checkAccess, checkLedgerAccess, createSession } from '../../settings.ts';

interface CheckOptions {
  readonly check?: boolean;
}

export function addHistory(program: CliCommand, execute: Execute): void {
  const parent = program
    .command('history')
    .description('Show what runs did to the account: when, who, what, from and to.')
    .addArgument(addressArgument('Only this object, and what is in it.').argOptional())
    .option('--check', 'Only check that no row was changed or taken out.')
    .formats('markdown')
    .examples(
      ['hostwright history', 'every run, the newest first'],
      ['hostwright history Site/shop', 'what was done to one site, and in it'],
      ['hostwright history --check', 'each row against the one before it'],
    )
    .action((address: string | undefined, _options, command: CliCommand) =>
      execute<CheckOptions>(command, (context, options) =>
        show(context, address === undefined ? {} : { address }, options),
      ),
    );
  parent
    .command('show')
    .description('Show one run.')
    .argument('<run>', 'Its id, or the beginning of it.')
    .formats('markdown')
    .examples(['hostwright history show 6f1c', 'as `history` names it'])
    .action((run: string, _options, command: CliCommand) => execute(command, (context) => show(context, { run }, {})));
  parent
    .command('undo')
    .description('Edit the manifests so that they say what was so before a run.')
    .argument('<run>', 'Its id, or the beginning of it.')
    .option('--dry-run', 'Show what would be written, and write nothing.')
    .examples(['hostwright history undo 6f1c', 'then look at the plan, and have it reviewed'])
    .action((run: string, _options, command: CliCommand) =>
      execute<{ readonly dryRun?: boolean }>(command, (context, { dryRun = false }) => undo(context, run, dryRun)),
    );
}

async function show(context: Context, wanted: HistoryOptions, { check = false }: CheckOptions): Promise<OutcomeWord> {
  const problems = checkLedgerAccess(context.env);
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  const { readRuns } = await import('../../../usecases/history/read.ts');
  const [{ historyBlocks }, { writePage }] = await Promise.all([
    import('../../../report/blocks/history.ts'),
    import('../../../report/page.ts'),
  ]);
  const result = await readRuns(createSession(context), wanted);
  const { account, runs, rows, diagnostics } = result;
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  const { format } = context.options;
  await reportResult(context, diagnostics, {
    json: () => renderHistoryJson(result, outcome),
    text: () => {
      if (check && outcome === 'done') return `${rows} rows, each follows from the one before it.`;
      if (check || runs === undefined) return undefined;
      return writePage(historyBlocks({ account, runs }), format, textOptions(context));
    },
  });
  return outcome;
}

async function undo(context: Context, run: string, dryRun: boolean): Promise<OutcomeWord> {
  const problems = checkAccess(context.env);
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  const { undoRun } = await import('../../../usecases/history/undo.ts');
  const result = await undoRun(createSession(context), { run, dryRun });
  return reportEdits(context, result, diagnosticsOutcome(result.diagnostics, context.stop.aborted));
}
