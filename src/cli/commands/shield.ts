// `shield`: the events of one day as they come, and learning, which has an end.
import { Option } from 'commander';
import type { CliCommand, Execute } from '../command.ts';
import { withYes } from '../options.ts';
import { parseDay, parseLimit } from '../parse.ts';
import { showKind } from './get.ts';
import type { ActOptions } from './site/site-command.ts';
import { actOnSite, SITE_HELP, siteCommand } from './site/site-command.ts';

interface EventOptions {
  /** `YYYY-MM-DD` */
  readonly date?: string;
  readonly limit: number;
}

export function addShield(program: CliCommand, execute: Execute): void {
  const shield = program
    .command('shield')
    .description('Show what Shield logged, challenged and blocked, and have it learn.')
    .addHelpText('after', SITE_HELP);
  siteCommand<EventOptions>(shield, execute, 'events', (context, site, { date, limit }) =>
    showKind(context, 'shield-events', undefined, { site, limit, ...(date !== undefined && { date }) }),
  )
    .description('The same as `get shield-events --site SITE`: what was logged, challenged and blocked on one day.')
    .addOption(new Option('--date <day>', 'The day, as 2026-01-31 (default: today, in UTC).').argParser(parseDay))
    .addOption(new Option('--limit <n>', 'Events at most.').argParser(parseLimit).default(100))
    .examples(['hostwright shield events shop --date 2026-01-31 --limit 20', 'of one day']);
  withYes(
    siteCommand<ActOptions & { readonly off?: boolean }>(shield, execute, 'learn', async (context, site, options) => {
      const { shieldLearn } = await import('../../workflow/site/shield-learn.ts');
      return actOnSite(context, options, (session, confirm) => shieldLearn(session, site, options, confirm), {
        as: 'learning',
      });
    }),
  )
    .description(
      'Have Shield learn from the traffic of the site. It ends by itself, when the platform says: no call sets that time, so there is no --days.',
    )
    .option('--off', 'End it now.')
    .examples(
      ['hostwright shield learn shop', 'before the WAF is set to block'],
      ['hostwright shield learn shop --off', 'when it has learnt enough'],
    );
}
