// `serve`: the commands that run until they are stopped.
import type { CliCommand } from '../../command.ts';
import { addMcp } from './mcp.ts';
import { addReceiver } from './receiver/receiver.ts';
import { addWorker } from './worker/worker.ts';

export function addServe(program: CliCommand): void {
  const serve = program.command('serve').description('Run a webhook receiver, a worker or an MCP server.');
  addReceiver(serve);
  addWorker(serve);
  addMcp(serve);
}
