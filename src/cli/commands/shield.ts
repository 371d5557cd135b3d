// `shield events`: the events of one day as they come.
import { Option } from 'commander';
import type { CliCommand, Execute } from '../command.ts';
import { parseDay, parseLimit } from '../parse.ts';
import { reportProblems } from '../report.ts';
import { checkToken, createSession } from '../settings.ts';
import { printEntries } from './site/print-entries.ts';
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
  siteCommand<EventOptions>(shield, execute, 'events', async (context, site, options) => {
    const problems = checkToken(context.env);
    if (problems.length > 0) return reportProblems(context, problems);
    const { shieldEvents } = await import('../../workflow/site/shield-events.ts');
    return printEntries(context, options.limit, (take) => shieldEvents(createSession(context), site, options, take));
  })
    .description('What was logged, challenged and blocked on one day, as it comes.')
    .addOption(new Option('--date <day>', 'The day, as 2026-01-31 (default: today, in UTC).').argParser(parseDay))
    .addOption(new Option('--limit <n>', 'Events at most.').argParser(parseLimit).default(100))
    .examples(['hostwright shield events shop --date 2026-01-31 --limit 20', 'of one day']);
}
