// Which kind of progress a command gets.
import { isInteractive } from '../color.ts';
import type { Context } from '../context.ts';
import { createProgress, everyInterval } from './progress.ts';

export async function startProgress(context: Context): Promise<void> {
  const { stderr, clock, options, env } = context;
  const mode = options.quiet === true ? 'none' : isInteractive(stderr.isTTY, env) ? 'live' : 'lines';
  context.progress = await createProgress({ stream: stderr, mode, clock, every: everyInterval });
}
