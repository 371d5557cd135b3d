// `notify test`: whether the channels of the workspace take a message.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderDiagnosticsJson } from '../../../report/json/index.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { diagnosticsOutcome } from '../../exit-code.ts';
import { reportResult } from '../../report.ts';
import { createSession } from '../../settings.ts';

const HELP = `
Exit code: 0 when every channel took it, else 1. No request goes to the account, and the ledger stays as it is. docs/notifications.md says what is
sent, and when.`;

export function addNotify(program: CliCommand): void {
  const parent = program
    .command('notify')
    .description('The channels that get a message when the state of the account changes.');
  parent
    .command('test')
    .description('Send a test message to every channel that the workspace names.')
    .addHelpText('after', HELP)
    .examples(['hostwright notify test', 'after the variables are set'])
    .runs(test);
}

async function test(context: Context): Promise<OutcomeWord> {
  await startProgress(context);
  const { tryChannels } = await import('../../../usecases/notify/tell.ts');
  const { renderMessages } = await import('../../../report/view/messages.ts');
  const { told, diagnostics } = await tryChannels(createSession(context), renderMessages);
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  await reportResult(context, diagnostics, {
    json: () => renderDiagnosticsJson(diagnostics, outcome),
    text: () => told.map(({ channel, host }) => `Sent: ${channel}, by ${host}`).join('\n') || undefined,
  });
  return outcome;
}
