// `mcp`: the same looks for agents, on standard input and output; see `src/mcp`.
import { version } from '../../../../package.json';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { ApprovedByOptions } from '../../options.ts';
import { withApprovedBy } from '../../options.ts';
import { reportProblems } from '../../report.ts';
import { accountOptions, checkAccess } from '../../settings.ts';
import { askForge } from '../apply.ts';

const HELP = `
Speaks the Model Context Protocol. Its tools look (validate, plan, drift, get, show, trace, history, explain, schema) and propose manifests, which are
written into the working tree once they are valid. What is about a person is left out. No tool changes the account, but for apply: it is there only with --approved-by,
where the workspace file of the remote's default branch says \`guards.unreviewed: refuse\`, and runs only what the forge says, then, that a review approves.`;

export function addMcp(program: CliCommand): void {
  withApprovedBy(program.command('mcp'))
    .description(
      'Serve an agent: tools that look, and one that proposes manifests (MCP, on standard input and output).',
    )
    .addHelpText('after', HELP)
    .examples(['hostwright mcp', 'as the command of an MCP server, in the folder of the workspace'])
    .runs(serve);
}

async function serve(context: Context, options: ApprovedByOptions): Promise<OutcomeWord> {
  const problems = checkAccess(context.env);
  if (problems.length > 0) return reportProblems(context, problems);
  const { serveMcp } = await import('../../../mcp/server.ts');
  context.watch();
  await serveMcp(
    {
      account: accountOptions(context),
      redact: context.redact,
      ...(options.approvedBy !== undefined && { askForge: (outside) => askForge(context, options, outside) }),
    },
    { version, input: context.stdin, output: process.stdout, stop: context.stop },
  );
  return 'done';
}
