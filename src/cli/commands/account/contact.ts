// `contact`: the contacts of domain registrations.
import { Argument, Option } from 'commander';
import type { VerifyOptions } from '../../../usecases/contact/verify.ts';
import type { CliCommand, Execute } from '../../command.ts';
import { withAct } from '../../options.ts';
import { collectContact, parseContact, parseContactOrName } from '../../parse.ts';
import { inFull, showKind } from '../get.ts';
import type { ActOptions } from '../site/site-command.ts';
import { actOnSite } from '../site/site-command.ts';

const HELP = `
ID is the number of a contact, as \`contact list\` shows it. No manifest is read. Contacts are changed through the registrations that use them, never
here: a registry may refuse a change for some of its names, and the platform then splits the contact in two.

\`verify\` sends nothing where the ledger knows of a message of the last 24 hours; --resend sends it all the same. Whether the person has confirmed
stands in the validations of \`contact show ID\`, as the platform writes them: no document says what their values mean.`;

const FORMAT = 'hostwright.contact/1';

export function addContact(program: CliCommand, execute: Execute): void {
  const contact = program
    .command('contact')
    .description('Show the contacts of domain registrations, and verify them.')
    .addHelpText('after', HELP);
  const id = () => new Argument('<id>', 'The number of a contact.').argParser(parseContact);
  contact
    .command('list')
    .description('The same as `get contacts`: who is at the registrar, and which registrations use them.')
    .option('--query <text>', 'Only those whose handle, organization, name or registrations hold this.')
    .examples(['hostwright contact list --query acme', 'those in which that stands'])
    .action((_options, command: CliCommand) =>
      execute<{ readonly query?: string }>(command, (context, { query }) =>
        showKind(context, 'contacts', undefined, query === undefined ? {} : { query }),
      ),
    );
  contact
    .command('show')
    .description('The same as `get contact ID -o yaml`: all that the platform shows of one.')
    .addArgument(id())
    .action((number: string, _options, command: CliCommand) =>
      execute(command, (context) => showKind(inFull(context), 'contacts', number, {})),
    );
  withAct(contact.command('verify'))
    .description('Have the registrar ask the person once more to confirm who they are, where the TLD wants that.')
    .addArgument(
      new Argument('<id>', 'The number of a contact, or a registered name: its holder.').argParser(parseContactOrName),
    )
    .option('--resend', 'Send the message although one was sent within the last 24 hours, as the ledger knows.')
    .examples(
      ['hostwright contact verify 801', 'the person of this contact'],
      ['hostwright contact verify 801 --resend', 'once more on the same day'],
      ['hostwright contact verify example.com', 'the holder of this name'],
    )
    .action((wanted: string, _options, command: CliCommand) =>
      execute<ActOptions & VerifyOptions>(command, async (context, options) => {
        const { verifyContact, verifyHolder } = await import('../../../usecases/contact/verify.ts');
        const verify = wanted.includes('.') ? verifyHolder : verifyContact;
        return actOnSite(context, options, (session, confirm) => verify(session, wanted, options, confirm), {
          format: FORMAT,
        });
      }),
    );
  withAct(contact.command('delete'))
    .description('Delete contacts that no registration uses: a changed role leaves one behind.')
    .addArgument(new Argument('[ids...]', 'The numbers of contacts.').argParser(collectContact))
    .addOption(new Option('--unused', 'All that no registration uses.'))
    .examples(
      ['hostwright contact delete 805', 'one of them'],
      ['hostwright contact delete --unused', 'names them all, and asks'],
    )
    .action((ids: readonly string[], { unused }: { readonly unused?: boolean }, command: CliCommand) => {
      if ((unused === true) === ids.length > 0)
        command.error('error: say which contacts: their numbers, or --unused for all that no registration uses');
      return execute<ActOptions>(command, async (context, options) => {
        const { deleteContacts } = await import('../../../usecases/contact/delete.ts');
        const which = unused === true ? { unused } : { ids };
        return actOnSite(context, options, (session, confirm) => deleteContacts(session, which, confirm), {
          as: 'deletion',
          format: FORMAT,
        });
      });
    });
}
