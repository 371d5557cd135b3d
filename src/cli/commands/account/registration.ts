// `registration`: what a person does with registered names, and with names that nobody has declared.
import { Argument } from 'commander';
import type { Session } from '../../../usecases/session.ts';
import type { Decision } from '../../../usecases/registration/transfer.ts';
import type { CliCommand, Execute } from '../../command.ts';
import { withAct, withActOnce, withYes } from '../../options.ts';
import type { ActOptions } from '../site/site-command.ts';
import { actOnSite, readSite } from '../site/site-command.ts';

const HELP = `
NAME is a registered name of the account, such as example.com. No manifest is read. What acts asks first, on a terminal only; --yes says it beforehand.`;

const FORMAT = 'hostwright.registration/1';

export function addRegistration(program: CliCommand, execute: Execute): void {
  const registration = program
    .command('registration')
    .description('Registered names: transfers, codes, and whether a name can be bought.')
    .addHelpText('after', HELP);
  addCheck(registration, execute);
  addTransferOut(registration, execute);
  addEppCode(registration, execute);
  addPush(registration, execute);
  addRefresh(registration, execute);
}

const nameArgument = () => new Argument('<name>', 'A registered name of the account.');

function addCheck(parent: CliCommand, execute: Execute): void {
  parent
    .command('check')
    .description('Whether names can be bought, and for how much. Buys nothing.')
    .addArgument(new Argument('<names...>', 'Full names, such as example.com.'))
    .option('--suggest', 'Other names like these, too.')
    .examples(
      ['hostwright registration check example.com example.net', 'availability and price of both'],
      ['hostwright registration check example.com --suggest', 'and others like it'],
    )
    .action((names: string[], _options, command: CliCommand) =>
      execute<{ readonly suggest?: boolean }>(command, async (context, { suggest = false }) => {
        const { checkNames } = await import('../../../usecases/registration/check.ts');
        const { renderNames } = await import('../../../report/text/registration.ts');
        return readSite(context, (session: Session) => checkNames(session, names, { suggest }), {
          as: 'names',
          format: FORMAT,
          text: (rows) => renderNames(rows, { color: context.color.stdout }),
        });
      }),
    );
}

function addTransferOut(parent: CliCommand, execute: Execute): void {
  withAct(parent.command('transfer-out'))
    .description('Decide about a transfer that somebody has asked for: the name leaves, or it stays.')
    .addArgument(nameArgument())
    .addArgument(new Argument('<decision>', 'What is to become of it.').choices(['approve', 'reject']))
    .examples(
      ['hostwright registration transfer-out example.com reject', 'the name stays'],
      ['hostwright registration transfer-out example.com approve', 'the name leaves the account'],
    )
    .action((name: string, decision: Decision, _options, command: CliCommand) =>
      execute<ActOptions>(command, async (context, options) => {
        const { transferOut } = await import('../../../usecases/registration/transfer.ts');
        return actOnSite(context, options, (session, confirm) => transferOut(session, name, decision, confirm), {
          as: 'transfer',
          format: FORMAT,
        });
      }),
    );
}

function addEppCode(parent: CliCommand, execute: Execute): void {
  withYes(parent.command('epp-code'))
    .description('The code with which a name can be transferred elsewhere. It is a secret, and printed on stdout only.')
    .addArgument(nameArgument())
    .examples(['hostwright registration epp-code example.com', 'also known as authcode or transfer code'])
    .action((name: string, _options, command: CliCommand) =>
      execute<ActOptions>(command, async (context, options) => {
        const { eppCode } = await import('../../../usecases/registration/transfer.ts');
        const { escapeText } = await import('../../../report/view/escape.ts');
        return actOnSite(context, options, (session, confirm) => eppCode(session, name, confirm), {
          as: 'epp',
          format: FORMAT,
          text: ({ code }) => escapeText(code),
        });
      }),
    );
}

function addPush(parent: CliCommand, execute: Execute): void {
  withActOnce(parent.command('push-transfer'))
    .description('Hand a name over to another holder at the registrar, without a code. It leaves the account.')
    .addArgument(nameArgument())
    .requiredOption('--to <handle>', 'The handle of the recipient at the registrar.')
    .examples(['hostwright registration push-transfer example.com --to ABC123', 'asks first'])
    .action((name: string, _options, command: CliCommand) =>
      execute<ActOptions & { readonly to: string; readonly again?: boolean }>(command, async (context, options) => {
        const { pushTransfer } = await import('../../../usecases/registration/transfer.ts');
        return actOnSite(context, options, (session, confirm) => pushTransfer(session, name, options, confirm), {
          as: 'push',
          format: FORMAT,
        });
      }),
    );
}

function addRefresh(parent: CliCommand, execute: Execute): void {
  withAct(parent.command('refresh'))
    .description('Have the platform ask the registry how a name stands, and say what that changed.')
    .addArgument(nameArgument())
    .examples(['hostwright registration refresh example.com --yes', 'before a plan, or while a change is waited for'])
    .action((name: string, _options, command: CliCommand) =>
      execute<ActOptions>(command, async (context, options) => {
        const { refreshRegistration } = await import('../../../usecases/registration/refresh.ts');
        return actOnSite(context, options, (session, confirm) => refreshRegistration(session, name, confirm), {
          as: 'refresh',
          format: FORMAT,
        });
      }),
    );
}
