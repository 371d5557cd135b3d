// `shield events`: another name for the events that `get` shows.
import { Option } from 'commander';
import type { CliCommand, Execute } from '../command.ts';
import { parseDay, parseLimit } from '../parse.ts';
import { showKind } from './get.ts';
import { SITE_HELP, siteCommand } from './site/site-command.ts';

interface EventOptions {
  /** `YYYY-MM-DD` */
  readonly date?: string;
  readonly limit: number;
}

export function addShield(program: CliCommand, execute: Execute): void {
  const shield = program
    .command('shield')
    .description('Show what Shield logged, challenged and blocked.')
    .addHelpText('after', SITE_HELP);
  siteCommand<EventOptions>(shield, execute, 'events', (context, site, { date, limit }) =>
    showKind(context, 'shield-events', undefined, { site, limit, ...(date !== undefined && { date }) }),
  )
    .description('The same as `get shield-events --site SITE`: what was logged, challenged and blocked on one day.')
    .addOption(new Option('--date <day>', 'The day, as 2026-01-31 (default: today, in UTC).').argParser(parseDay))
    .addOption(new Option('--limit <n>', 'Events at most.').argParser(parseLimit).default(100))
    .examples(['hostwright shield events shop --date 2026-01-31 --limit 20', 'of one day']);
}
