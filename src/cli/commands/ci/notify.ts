// `ci notify`: checks that the notification channels of the workspace accept a message.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderDiagnosticsJson } from '../../../report/json/index.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { diagnosticsOutcome } from '../../exit-code.ts';
import { reportResult } from '../../report.ts';
import { createSession } from '../../settings.ts';

const HELP = `
No request is sent to the account, and the ledger is not changed. docs/notifications.md describes the messages.
Exit code: 0 if every channel accepted the message, otherwise 1.`;

export function addNotify(ci: CliCommand): void {
  ci.command('notify')
    .description('Send a test message to every notification channel of the workspace.')
    .addHelpText('after', HELP)
    .examples(['hostwright ci notify', 'after the variables of the channels were set'])
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
