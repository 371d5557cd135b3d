// `serve mcp`: an MCP server for agents, on standard input and output; see `src/mcp`.
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
The tools read (validate, plan, drift, get, show, trace, history, explain, schema) and propose manifests, which are written to the working tree after
they are valid. Personal data is left out. No tool changes the account except apply, which exists only with --approved-by and only if the
workspace file of the default branch of the remote sets \`guards.unreviewed: refuse\`. It runs only what the forge reports as approved at that moment.`;

export function addMcp(serve: CliCommand): void {
  withApprovedBy(serve.command('mcp'))
    .description('Serve an agent over the Model Context Protocol (MCP), on standard input and output.')
    .addHelpText('after', HELP)
    .examples(['hostwright serve mcp', 'as the command of an MCP server, in the folder of the workspace'])
    .runs(serveAgent);
}

async function serveAgent(context: Context, options: ApprovedByOptions): Promise<OutcomeWord> {
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
