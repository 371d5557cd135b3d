// `shield`: the events of one day as they come, and learning, which has an end.
import { Option } from 'commander';
import type { CliCommand } from '../command.ts';
import { withAct } from '../options.ts';
import { parseDay, parseDays, parseLimit } from '../parse.ts';
import { showKind } from './get.ts';
import { actCommand, SITE_HELP, siteCommand } from './act.ts';

interface EventOptions {
  /** `YYYY-MM-DD` */
  readonly date?: string;
  readonly limit: number;
}

export function addShield(program: CliCommand): void {
  const shield = program
    .command('shield')
    .description('Show what Shield logged, challenged and blocked, and have it learn.')
    .addHelpText('after', SITE_HELP);
  siteCommand<EventOptions>(shield, 'events', (context, site, { date, limit }) =>
    showKind(context, 'shield-events', undefined, { site, limit, ...(date !== undefined && { date }) }),
  )
    .description('The same as `get shield-events --site SITE`: what was logged, challenged and blocked on one day.')
    .addOption(new Option('--date <day>', 'The day, as 2026-01-31 (default: today, in UTC).').argParser(parseDay))
    .addOption(new Option('--limit <n>', 'Events at most.').argParser(parseLimit).default(100))
    .examples(['hostwright shield events shop --date 2026-01-31 --limit 20', 'of one day']);
  withAct(actCommand(shield, 'shield learn'))
    .description(
      'Have Shield learn from the traffic of the site. It ends by itself, when the platform says: no call sets that time.',
    )
    .option('--off', 'End it now.')
    .addOption(
      new Option(
        '--days <n>',
        'Be told after so many days that it is time to end it, by plan, drift and doctor; kept in the ledger.',
      )
        .argParser(parseDays)
        .conflicts('off'),
    )
    .examples(
      ['hostwright shield learn shop', 'before the WAF is set to block'],
      ['hostwright shield learn shop --days 3', 'and be told when three days are over'],
      ['hostwright shield learn shop --off', 'when it has learnt enough'],
    );
}
