// The command `explain`, its options and its help.
import type { Command } from 'commander';
import type { GlobalOptions } from '../context.ts';
import type { Execute } from '../program.ts';

const EXPLAIN_HELP = `
A field is written as Site.edgeRules.triggers.type, with or without [] behind lists, or as a JSON pointer: Site/edgeRules/0/name. Kinds of
objects that are declared in a manifest are found too: EdgeRule is Site.edgeRules. Without an argument: all kinds. Forms: human, json, markdown.`;

export function addExplain(program: Command, execute: Execute): void {
  program
    .command('explain')
    .description('What a kind, a section or a field is: type, limits, what a change of it comes to, an example.')
    .argument('[kind-or-field]', 'Such as Site, EdgeRule or Site.caching.smartCache.')
    .addHelpText('after', EXPLAIN_HELP)
    .action((what: string | undefined, _options, command: Command) =>
      execute(command.optsWithGlobals<GlobalOptions>(), async (context) =>
        (await import('./explain.ts')).explain(context, what),
      ),
    );
}
