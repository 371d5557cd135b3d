// Which options go with `drift --accept`.
import type { Command } from 'commander';
import type { GlobalOptions } from '../context.ts';
import type { RunOptions } from '../settings.ts';

export interface AcceptFlags extends RunOptions {
  readonly accept: readonly string[];
  readonly dryRun?: boolean;
}

/** True when drift is to be accepted instead of shown; what does not go with that ends the command. */
export function isAccepting(
  command: Command,
  { accept, dryRun, target, format }: GlobalOptions & AcceptFlags & { readonly target: readonly string[] },
): boolean {
  if (accept.length === 0) {
    if (dryRun === true) command.error('error: --dry-run goes with --accept only; drift writes nothing by itself');
    return false;
  }
  for (const option of ['ignore', 'notify'])
    if (command.getOptionValueSource(option) === 'cli')
      command.error(`error: --${option} does not go with --accept, which shows no drift`);
  if (target.length > 0) command.error('error: --accept names its objects itself, so --target does not go with it');
  if (format === 'markdown' || format === 'github')
    command.error(`error: --format ${format} does not go with --accept; it takes human or json`);
  return true;
}
