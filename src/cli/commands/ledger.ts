// `ledger`: what the safety net holds, and the few things that only a person can put right in it.
import { Option } from 'commander';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderLedgerJson, renderLedgersJson } from '../../report/json/index.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { LedgerCommand } from '../../usecases/ledger.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { startProgress } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { addressArgument, withLockTimeout } from '../options.ts';
import { reportProblems, reportResult, textOptions } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { checkAccess, createSession } from '../settings.ts';

type LockOptions = Pick<RunOptions, 'lockTimeout'>;

export function addLedger(program: CliCommand): void {
  const parent = program.command('ledger').description('Show the ledger, and repair what only a person can.');
  const address = () => addressArgument('Such as Site/shop/SiteDomain/www.example.com.');
  withLockTimeout(parent.command('init'))
    .description('Begin a ledger that counts as complete.')
    .examples(['hostwright ledger init', 'once for each account'])
    .runs((context, options: LockOptions) => ledger(context, options, { do: 'init' }));
  parent
    .command('list')
    .description('What is bound, what is ours, what is in flight.')
    .option('--all', 'What is in flight in the ledgers of all accounts of a PostgreSQL database.')
    .examples(
      ['hostwright ledger list', 'what is bound, what is ours, what is in flight'],
      ['hostwright ledger list --all', 'all accounts of the database of HOSTWRIGHT_DATABASE_URL, by one look'],
    )
    .runs((context, { all = false }: { all?: boolean }) =>
      all ? listAll(context) : ledger(context, {}, { do: 'list' }),
    );
  withLockTimeout(parent.command('forget'))
    .description('Forget the binding of an object; nothing on the account changes.')
    .addArgument(address())
    .examples(['hostwright ledger forget Site/shop', 'the site stays as it is'])
    .runs((context, options: LockOptions, target: string) =>
      ledger(context, options, { do: 'forget', address: target }),
    );
  parent
    .command('unlock')
    .description('Remove the lock of a run that is no longer there.')
    .option('--force', 'Also when a process with its number runs on this machine.')
    .examples(['hostwright ledger unlock', 'when the run that it names is gone'])
    .runs((context, { force = false }: { force?: boolean }) => ledger(context, {}, { do: 'unlock', force }));
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
      const became = options.id === undefined ? { notMade: true as const } : { id: options.id };
      return command.execute<LockOptions>((context, given) =>
        ledger(context, given, { do: 'confirm', address: target, ...became }),
      );
    });
}

async function listAll(context: Context): Promise<OutcomeWord> {
  await startProgress(context);
  const { listAllLedgers } = await import('../../usecases/ledger.ts');
  const { ledgersBlocks } = await import('../../report/blocks/ledger.ts');
  const { writeText } = await import('../../report/text/write.ts');
  const { ledgers, diagnostics } = await listAllLedgers(createSession(context));
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  await reportResult(context, diagnostics, {
    json: () => renderLedgersJson(ledgers, { outcome, diagnostics }),
    text: () => (ledgers === undefined ? undefined : writeText(ledgersBlocks(ledgers), textOptions(context))),
  });
  return outcome;
}

async function ledger(context: Context, options: LockOptions, command: LedgerCommand): Promise<OutcomeWord> {
  const problems = checkAccess(context.env);
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  const { ledgerCommand } = await import('../../usecases/ledger.ts');
  const { ledgerBlocks } = await import('../../report/blocks/ledger.ts');
  const { writeText } = await import('../../report/text/write.ts');
  const { message, view, diagnostics } = await ledgerCommand(createSession(context, options), command);
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  await reportResult(context, diagnostics, {
    json: () => renderLedgerJson(view, message, { outcome, diagnostics }),
    text: () =>
      [
        ...(message === undefined ? [] : [escapeText(message)]),
        ...(view === undefined ? [] : [writeText(ledgerBlocks(view), textOptions(context))]),
      ].join('\n') || undefined,
  });
  return outcome;
}
