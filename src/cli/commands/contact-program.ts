// The commands on contacts, their options and their help.
import type { Command } from 'commander';
import { Argument } from 'commander';
import type { ActOptions } from './site/act.ts';
import type { GlobalOptions } from '../context.ts';
import { parseContact } from '../parse.ts';
import type { Execute } from '../program.ts';

const CONTACT_HELP = `
ID is the number of a contact, as \`contact list\` shows it. No manifest is read. Contacts are changed through the registrations that use them, never
here: a registry may refuse a change for some of its names, and the platform then splits the contact in two.`;

export function addContact(program: Command, execute: Execute): void {
  const contact = program
    .command('contact')
    .description('Look at the contacts of domain registrations.')
    .addHelpText('after', CONTACT_HELP);
  contact
    .command('list')
    .description('Who is at the registrar, and which registrations use them in which roles.')
    .option('--query <text>', 'Only those whose handle, organization, name or registrations hold this.')
    .action((_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { query?: string }>();
      return execute(options, async (context) => (await import('./contact.ts')).list(context, options.query));
    });
  one(contact, 'show', 'All that the platform shows of one contact.').action((id: string, _options, command: Command) =>
    execute(command.optsWithGlobals<GlobalOptions>(), async (context) =>
      (await import('./contact.ts')).show(context, id),
    ),
  );
  one(
    contact,
    'verify',
    'Have the registrar ask the person once more to confirm who they are, where the TLD wants that.',
  )
    .option('--yes', 'Do it without asking.')
    .action((id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ActOptions>();
      return execute(options, async (context) => (await import('./contact.ts')).verify(context, id, options));
    });
}

function one(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .addArgument(new Argument('<id>', 'The number of a contact.').argParser(parseContact));
}
