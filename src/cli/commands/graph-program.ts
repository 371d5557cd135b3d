// The command `graph`, its options and its help.
import type { Command } from 'commander';
import type { GraphOptions } from './graph.ts';
import type { GlobalOptions } from '../context.ts';
import type { Execute } from '../program.ts';
import { withReading } from '../reading-options.ts';

const GRAPH_HELP = `
Forms: mermaid (also without --format), dot for Graphviz, json. An arrow goes from what comes first to what waits for it, with the rule that asks
for it and why; what waits by way of something else has no arrow of its own. What charges, deletes, restarts or exposes is marked.
  hostwright graph plan.json --format dot | dot -Tsvg > plan.svg`;

export function addGraph(program: Command, execute: Execute): void {
  withReading(program.command('graph'))
    .description('The order of a plan as a picture: of a saved plan, or of one that is made now.')
    .argument(
      '[plan-or-paths...]',
      'A saved plan, or files, folders, globs or - for standard input; else what the workspace names.',
    )
    .addHelpText('after', GRAPH_HELP)
    .action((positionals: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & GraphOptions>();
      return execute(options, async (context) => (await import('./graph.ts')).graph(context, positionals, options));
    });
}
