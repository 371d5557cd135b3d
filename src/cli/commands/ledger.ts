// `ledger`: what the safety net holds, and the few things that only a person can put right in it.
import { Option } from 'commander';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderLedgerJson, renderLedgersJson } from '../../report/json/index.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { LedgerCommand } from '../../usecases/ledger.ts';
import type { CliCommand, Execute } from '../command.ts';
import type { Context } from '../context.ts';
import { startProgress } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { addressArgument, withLockTimeout } from '../options.ts';
import { reportProblems, reportResult, textOptions } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { checkLedgerAccess, createSession } from '../settings.ts';

export function addLedger(program: CliCommand, execute: Execute): void {
  const parent = program.command('ledger').description('Show the ledger, and repair what only a person can.');
  const run = (command: CliCommand, what: LedgerCommand): Promise<void> =>
    execute<Pick<RunOptions, 'lockTimeout'>>(command, (context, options) => ledger(context, what, options));
  const address = () => addressArgument('Such as Site/shop/SiteDomain/www.example.com.');
  withLockTimeout(parent.command('init'))
    .description('Begin a ledger that counts as complete.')
    .examples(['hostwright ledger init', 'once for each account'])
    .action((_options, command: CliCommand) => run(command, { do: 'init' }));
  parent
    .command('list')
    .description('What is bound, what is ours, what is in flight.')
    .option('--all', 'What is in flight in the ledgers of all accounts of a PostgreSQL database.')
    .examples(
      ['hostwright ledger list', 'what is bound, what is ours, what is in flight'],
      ['hostwright ledger list --all', 'all accounts of the database of HOSTWRIGHT_DATABASE_URL, by one look'],
    )
    .action((options: { all?: boolean }, command: CliCommand) =>
      options.all === true ? execute(command, listAll) : run(command, { do: 'list' }),
    );
  withLockTimeout(parent.command('forget'))
    .description('Forget the binding of an object; nothing on the account changes.')
    .addArgument(address())
    .examples(['hostwright ledger forget Site/shop', 'the site stays as it is'])
    .action((target: string, _options, command: CliCommand) => run(command, { do: 'forget', address: target }));
  parent
    .command('unlock')
    .description('Remove the lock of a run that is no longer there.')
    .option('--force', 'Also when a process with its number runs on this machine.')
    .examples(['hostwright ledger unlock', 'when the run that it names is gone'])
    .action((options: { force?: boolean }, command: CliCommand) =>
      run(command, { do: 'unlock', force: options.force === true }),
    );
  withLockTimeout(parent.command('confirm'))
    .description('Say what became of a request whose answer was lost.')
    .addArgument(address())
    .addOption(new Option('--id <id>', 'It was carried out: the id of what it made.').conflicts('notMade'))
    .addOption(new Option('--not-made', 'It was not carried out.'))
    .examples(
      ['hostwright ledger confirm Site/shop --id 1f3c', 'it was made, and this is its id'],
      ['hostwright ledger confirm Site/shop --not-made', 'it was not'],
    )
    .action((target: string, options: { id?: string; notMade?: boolean }, command: CliCommand) => {
      if (options.id === undefined && options.notMade !== true)
        command.error('error: say what became of it: --id ID, or --not-made');
      return run(command, {
        do: 'confirm',
        address: target,
        ...(options.id === undefined ? { notMade: true } : { id: options.id }),
      });
    });
}

async function listAll(context: Context): Promise<OutcomeWord> {
  await startProgress(context);
  const { listAllLedgers } = await import('../../usecases/ledger.ts');
  const { ledgersBlocks } = await import('../../report/blocks/ledger.ts');
  const { writeText } = await import('../../report/text/write.ts');
  const result = await listAllLedgers(createSession(context));
  const { ledgers, diagnostics } = result;
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  await reportResult(context, diagnostics, {
    json: () => renderLedgersJson(result, outcome),
    text: () => (ledgers === undefined ? undefined : writeText(ledgersBlocks(ledgers), textOptions(context))),
  });
  return outcome;
}

async function ledger(
  context: Context,
  command: LedgerCommand,
  options: Pick<RunOptions, 'lockTimeout'>,
): Promise<OutcomeWord> {
  const problems = checkLedgerAccess(context.env);
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  const { ledgerCommand } = await import('../../usecases/ledger.ts');
  const { ledgerBlocks } = await import('../../report/blocks/ledger.ts');
  const { writeText } = await import('../../report/text/write.ts');
  const result = await ledgerCommand(createSession(context, options), command);
  const { message, view, diagnostics } = result;
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  await reportResult(context, diagnostics, {
    json: () => renderLedgerJson(result, outcome),
    text: () =>
      [
        ...(message === undefined ? [] : [escapeText(message)]),
        ...(view === undefined ? [] : [writeText(ledgerBlocks(view), textOptions(context))]),
      ].join('\n') || undefined,
  });
  return outcome;
}
