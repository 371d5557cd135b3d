// `contact`: the contacts of domain registrations.
import { Argument, Option } from 'commander';
import type { CliCommand } from '../../command.ts';
import { withAct } from '../../options.ts';
import { collectContact, parseContact, parseContactOrName } from '../../parse.ts';
import { actCommand } from '../act.ts';
import { inFull, showKind } from '../get.ts';

const HELP = `
ID is the number of a contact, as \`contact list\` shows it. No manifest is read. Contacts are changed through the registrations that use them, never
here: a registry may refuse a change for some of its names, and the platform then splits the contact in two.

\`verify\` sends nothing where the ledger knows of a message of the last 24 hours; --resend sends it all the same. Whether the person has confirmed
stands in the validations of \`contact show ID\`, as the platform writes them: no document says what their values mean.`;

export function addContact(program: CliCommand): void {
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
    .runs((context, { query }: { readonly query?: string }) =>
      showKind(context, 'contacts', undefined, query === undefined ? {} : { query }),
    );
  contact
    .command('show')
    .description('The same as `get contact ID -o yaml`: all that the platform shows of one.')
    .addArgument(id())
    .runs((context, _options, number: string) => showKind(inFull(context), 'contacts', number, {}));
  const person = new Argument('<id>', 'The number of a contact, or a registered name: its holder.');
  withAct(actCommand(contact, 'contact verify', { takes: [person.argParser(parseContactOrName)] }))
    .description('Have the registrar ask the person once more to confirm who they are, where the TLD wants that.')
    .option('--resend', 'Send the message although one was sent within the last 24 hours, as the ledger knows.')
    .examples(
      ['hostwright contact verify 801', 'the person of this contact'],
      ['hostwright contact verify 801 --resend', 'once more on the same day'],
      ['hostwright contact verify example.com', 'the holder of this name'],
    );
  withAct(
    actCommand(contact, 'contact delete', {
      takes: [new Argument('[ids...]', 'The numbers of contacts.').argParser(collectContact)],
      misused: ({ ids, unused }) =>
        (unused === true) === (ids as readonly string[]).length > 0
          ? 'say which contacts: their numbers, or --unused for all that no registration uses'
          : undefined,
    }),
  )
    .description('Delete contacts that no registration uses: a changed role leaves one behind.')
    .addOption(new Option('--unused', 'All that no registration uses.'))
    .examples(
      ['hostwright contact delete 805', 'one of them'],
      ['hostwright contact delete --unused', 'names them all, and asks'],
    );
}
