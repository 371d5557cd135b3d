// The options of `drift` that `plan` does not have.
import type { Command } from 'commander';
import { Option } from 'commander';
import { collectIgnore, collectText } from '../parse.ts';

export const DRIFT_EXIT_HELP = `
Exit code: 1 when something could not be read and compared, else 3 when something declared cannot be reached (blocked, waiting, in flight,
by hand, deferred), else 2 when anything differs, else 0. What is only unmanaged, or ignored, does not count. Whether a
notification arrived changes nothing: that it did not is a warning.`;

export function withDriftOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--ignore <address>',
        'Leave this out of the run and its exit code: an object with what is in it, or a field of it as Site/shop/Caching#/smartCache; wildcards as in Site/*/Caching (repeatable).',
      )
        .argParser(collectIgnore)
        .default([], 'nothing'),
    )
    .addOption(
      new Option(
        '--notify <url>',
        'Send the result there when the exit code is not 0: JSON, signed as Standard Webhooks say with HOSTWRIGHT_NOTIFY_SECRET, sent again for up to a minute (repeatable). Only its host is ever shown.',
      )
        .env('HOSTWRIGHT_NOTIFY')
        .argParser(collectText)
        .default([], 'nobody'),
    );
}
