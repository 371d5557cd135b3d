// The options of every command that reads the account for a plan.
import type { Command } from 'commander';
import { Option } from 'commander';
import { collectTarget, parseDuration, parseParallelism, parseRate } from './parse.ts';

export function withReading(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--target <address>',
        'Only this object, what is in it, and what that needs; globs such as Site/*/Caching (repeatable).',
      )
        .argParser(collectTarget)
        .default([], 'everything'),
    )
    .addOption(
      new Option(
        '--parallelism <n>',
        'Requests in flight at most (default: 16); for apply also actions side by side (default: 10).',
      )
        .env('HOSTWRIGHT_PARALLELISM')
        .argParser(parseParallelism),
    )
    .addOption(
      new Option(
        '--max-rps <n>',
        'Requests a second at most, such as 5 or 0.5 (default: as many as the platform takes).',
      )
        .env('HOSTWRIGHT_MAX_RPS')
        .argParser(parseRate),
    )
    .addOption(
      new Option(
        '--timeout <duration>',
        'How long one read may take, all its retries together: 90s, 20m (default: 2m).',
      )
        .env('HOSTWRIGHT_TIMEOUT')
        .argParser(parseDuration),
    );
}
