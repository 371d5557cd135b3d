// `registration`: what a person does with registered names, and with names that nobody has declared.
import { Argument } from 'commander';
import type { CliCommand } from '../../command.ts';
import { withAct, withActOnce, withYes } from '../../options.ts';
import { actCommand } from '../act.ts';

const HELP = `
NAME is a registered name of the account, such as example.com. No manifest is read. What acts asks first, on a terminal only; --yes says it beforehand.`;

export function addRegistration(program: CliCommand): void {
  const registration = program
    .command('registration')
    .description('Registered names: transfers, codes, and whether a name can be bought.')
    .addHelpText('after', HELP);
  const name = new Argument('<name>', 'A registered name of the account.');
  const names = new Argument('<names...>', 'Full names, such as example.com.');
  const decision = new Argument('<decision>', 'What is to become of it.').choices(['approve', 'reject']);
  actCommand(registration, 'registration check', { takes: [names] })
    .description('Whether names can be bought, and for how much. Buys nothing.')
    .option('--suggest', 'Other names like these, too.')
    .examples(
      ['hostwright registration check example.com example.net', 'availability and price of both'],
      ['hostwright registration check example.com --suggest', 'and others like it'],
    );
  withAct(actCommand(registration, 'registration transfer-out', { takes: [name, decision] }))
    .description('Decide about a transfer that somebody has asked for: the name leaves, or it stays.')
    .examples(
      ['hostwright registration transfer-out example.com reject', 'the name stays'],
      ['hostwright registration transfer-out example.com approve', 'the name leaves the account'],
    );
  withYes(actCommand(registration, 'registration epp-code', { takes: [name] }))
    .description('The code with which a name can be transferred elsewhere. It is a secret, and printed on stdout only.')
    .examples(['hostwright registration epp-code example.com', 'also known as authcode or transfer code']);
  withActOnce(actCommand(registration, 'registration push-transfer', { takes: [name] }))
    .description('Hand a name over to another holder at the registrar, without a code. It leaves the account.')
    .requiredOption('--to <handle>', 'The handle of the recipient at the registrar.')
    .examples(['hostwright registration push-transfer example.com --to ABC123', 'asks first']);
  withAct(actCommand(registration, 'registration refresh', { takes: [name] }))
    .description('Have the platform ask the registry how a name stands, and say what that changed.')
    .examples(['hostwright registration refresh example.com --yes', 'before a plan, or while a change is waited for']);
}
