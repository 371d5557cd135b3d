// `serve worker status`, `retry` and `forget`: inspect the queue of workers and change it without SQL.
import type { Work } from '../../../../model/generated/output/work.ts';
import type { OutcomeWord } from '../../../../model/plan/outcome.ts';
import { renderDocument } from '../../../../report/json/index.ts';
import { escapeText } from '../../../../report/view/escape.ts';
import type { Operated, OperateOptions } from '../../../../worker/operate.ts';
import type { CliCommand } from '../../../command.ts';
import type { Context } from '../../../context.ts';
import { withYes } from '../../../options.ts';
import { reportProblems, reportResult, textOptions } from '../../../report.ts';
import { cannotAsk, confirmIn } from '../../act.ts';

export function addOperate(parent: CliCommand): void {
  parent
    .command('status')
    .description('Show the queue, and the accounts with a failed run, a request or a lock.')
    .examples(
      ['hostwright serve worker status', 'failed runs and their reasons'],
      ['hostwright serve worker status --format json', 'every account, for programs'],
    )
    .runs((context) =>
      operate(context, async (options) => (await import('../../../../worker/operate.ts')).workStatus(options)),
    );
  parent
    .command('retry')
    .description('Run accounts now: the requests that failed or wait for a retry, otherwise a drift check.')
    .argument('[accounts...]', 'Ids of accounts.')
    .option('--all', 'Every account whose last run or request failed.')
    .examples(
      ['hostwright serve worker retry acc-acme', 'after its token was fixed'],
      ['hostwright serve worker retry --all', 'after an outage of the platform'],
    )
    .action((accounts: string[], { all = false }: { all?: boolean }, command: CliCommand) => {
      if (all === accounts.length > 0) command.error('error: name accounts, or say --all');
      return command.execute((context) =>
        operate(context, async (options) =>
          (await import('../../../../worker/operate.ts')).retryAccounts(options, all ? 'all' : accounts),
        ),
      );
    });
  withYes(parent.command('forget'))
    .description('Remove accounts from the queue and the database. The accounts and their ledgers are not changed.')
    .argument('<accounts...>', 'Ids of accounts.')
    .examples(['hostwright serve worker forget acc-gone', 'after its folder was removed'])
    .runs((context, { yes = false }: { yes?: boolean }, accounts: readonly string[]) =>
      operate(context, async (options) => {
        if (!yes && !context.canAsk) return { outcome: 'error', diagnostics: [cannotAsk()] };
        const { forgetAccounts } = await import('../../../../worker/operate.ts');
        return forgetAccounts(options, accounts, confirmIn(context, yes));
      }),
    );
}

async function operate(context: Context, work: (options: OperateOptions) => Promise<Operated>): Promise<OutcomeWord> {
  const { env, clock, output } = context;
  const queue = { databaseUrl: env.HOSTWRIGHT_DATABASE_URL?.trim() || undefined, node: process.versions.node };
  const { checkAddress } = await import('../../../../worker/queue.ts');
  const unusable = checkAddress(queue.databaseUrl);
  if (unusable !== undefined) return reportProblems(context, [unusable]);
  const onError = ({ message }: Error): void => output.error(escapeText(`The queue: ${message}`, 2000));
  const { outcome, message, queue: counts, accounts, diagnostics } = await work({ ...queue, clock, onError });
  const { workBlocks } = await import('../../../../report/blocks/work.ts');
  const { writeText } = await import('../../../../report/text/write.ts');
  await reportResult(context, diagnostics, {
    json: () =>
      renderDocument<Work>('hostwright.work/1', { outcome, diagnostics }, { message, queue: counts, accounts }),
    text: () =>
      message === undefined && counts !== undefined && accounts !== undefined
        ? writeText(workBlocks({ queue: counts, accounts }, clock.now()), textOptions(context))
        : message
            ?.split('\n')
            .map((line) => escapeText(line))
            .join('\n'),
  });
  return outcome;
}
