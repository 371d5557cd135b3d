// `ledger`: what the safety net holds, and the few things that only a person can put right in it.
import { Option } from 'commander';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderLedgerJson, renderLedgersJson } from '../../report/json/index.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { LedgerCommand, LedgerResult } from '../../usecases/ledger.ts';
import type { StoreKind } from '../../usecases/ledgers/stores.ts';
import type { Session } from '../../usecases/session.ts';
import type { CliCommand } from '../command.ts';
import type { ActOptions } from './act.ts';
import { cannotAsk, consentIn } from './act.ts';
import type { Context } from '../context.ts';
import { startProgress } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { addressArgument, withYes } from '../options.ts';
import { reportProblems, reportResult, textOptions } from '../report.ts';
import { checkAccess, createSession } from '../settings.ts';

export function addLedger(program: CliCommand): void {
  const parent = program.command('ledger').description('Show the ledger, and repair what only a person can.');
  const address = () => addressArgument('Such as Site/shop/SiteDomain/www.example.com.');
  parent
    .command('init')
    .description('Begin a ledger that counts as complete, unless the account shows that it is not.')
    .option('--yes', 'Begin it although the account has paid objects that nothing is bound to.')
    .examples(['hostwright ledger init', 'once for each account'])
    .runs((context, { yes = false }: { yes?: boolean }) =>
      ledger(context, async (session) => {
        const { initLedgerChecked } = await import('../../usecases/ledgers/init.ts');
        return initLedgerChecked(session, { yes });
      }),
    );
  parent
    .command('move')
    .description('Move the ledger with its history to another store.')
    .addOption(
      new Option('--to <store>', 'The kind of store to move it to.')
        .choices(['file', 'git', 'postgres'])
        .makeOptionMandatory(),
    )
    .examples(
      ['hostwright ledger move --to git', 'prints the lines for hostwright.yaml'],
      ['hostwright ledger move --to postgres', 'the old store keeps a note that names the new one'],
    )
    .runs((context, { to }: { to: StoreKind }) =>
      ledger(context, async (session) => {
        const { moveWorkspaceLedger } = await import('../../usecases/ledgers/stores.ts');
        return moveWorkspaceLedger(session, to);
      }),
    );
  parent
    .command('list')
    .description('What is bound, what is ours, what is in flight.')
    .option('--all', 'What is in flight in the ledgers of all accounts of a PostgreSQL database.')
    .examples(
      ['hostwright ledger list', 'what is bound, what is ours, what is in flight'],
      ['hostwright ledger list --all', 'all accounts of the database of HOSTWRIGHT_DATABASE_URL, by one look'],
    )
    .runs((context, { all = false }: { all?: boolean }) => (all ? listAll(context) : ledger(context, { do: 'list' })));
  parent
    .command('forget')
    .description('Forget the binding of an object; nothing on the account changes.')
    .addArgument(address())
    .examples(['hostwright ledger forget Site/shop', 'the site stays as it is'])
    .runs((context, _options, target: string) => ledger(context, { do: 'forget', address: target }));
  withYes(parent.command('unlock'))
    .description('Remove the lock of a run that has ended. Shows the run, and asks.')
    .option('--force', 'Remove it also if a process with the same number runs on this machine.')
    .examples(['hostwright ledger unlock', 'after a run was killed on another machine'])
    .runs(unlock);
  parent
    .command('confirm')
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
      const { id } = options;
      return command.execute((context) =>
        ledger(
          context,
          id === undefined
            ? async (session) => (await import('../../usecases/ledgers/purchase.ts')).confirmNotMade(session, target)
            : { do: 'confirm', address: target, id },
        ),
      );
    });
  withYes(parent.command('abandon'))
    .description('Give a purchase in flight up: cancel its order, and end it in the ledger once nothing can be bought.')
    .addArgument(address())
    .addHelpText('after', ABANDON)
    .examples(['hostwright ledger abandon Site/launch', 'asks before it cancels an order'])
    .runs(abandon);
}

const ABANDON = `
An order that has not ended is cancelled. A cart that waits for its payment cannot be cancelled: do not pay it, and run the
command again once it has expired. A purchase that is completed is not given up: delete the object instead.`;

async function unlock(
  context: Context,
  { force = false, yes = false }: { readonly force?: boolean; readonly yes?: boolean },
): Promise<OutcomeWord> {
  if (yes) return ledger(context, { do: 'unlock', force });
  if (!context.canAsk) return reportProblems(context, [cannotAsk()]);
  const confirm = async (holder: string): Promise<boolean> => {
    context.progress.pause();
    const { askPerson } = await import('../prompt.ts');
    const question = `The ledger is locked by ${escapeText(holder, 600)}. Remove this lock?`;
    return askPerson(context, { question }, 'Only `yes` removes it:');
  };
  return ledger(context, { do: 'unlock', force, confirm });
}

async function abandon(context: Context, options: ActOptions, target: string): Promise<OutcomeWord> {
  if (options.yes !== true && !context.canAsk) return reportProblems(context, [cannotAsk()]);
  return ledger(context, async (session) => {
    const confirm = await consentIn(context, session, options.yes === true);
    if (typeof confirm !== 'function') return { diagnostics: [confirm] };
    const { abandonPurchase } = await import('../../usecases/ledgers/purchase.ts');
    const { act } = await import('../../usecases/act/act.ts');
    return abandonPurchase(session, target, (id) =>
      act(session, { operation: 'cancel', address: `Order/${id}` }, confirm),
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

async function ledger(
  context: Context,
  command: LedgerCommand | ((session: Session) => Promise<LedgerResult>),
): Promise<OutcomeWord> {
  const problems = checkAccess(context.env);
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  const { ledgerCommand } = await import('../../usecases/ledger.ts');
  const { ledgerBlocks } = await import('../../report/blocks/ledger.ts');
  const { writeText } = await import('../../report/text/write.ts');
  const { message, view, diagnostics } = await (typeof command === 'function'
    ? command(createSession(context))
    : ledgerCommand(createSession(context), command));
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
