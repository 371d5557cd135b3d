// The commands on one site, their options and their help.
import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import type { BackupOptions } from '../../../workflow/site/backup.ts';
import type { PurgeLayer } from '../../../workflow/site/purge.ts';
import type { TaskFilter } from '../../../workflow/site/tasks.ts';
import type { EventCommandOptions } from './shield-events.ts';
import type { ActOptions } from './act.ts';
import type { LogCommandOptions } from './logs.ts';
import type { MetricCommandOptions } from './read.ts';
import type { SsoOptions } from './sso.ts';
import type { Context, GlobalOptions } from '../../context.ts';
import { collectFilter, collectText, parseDay, parseLimit, parseSpan } from '../../parse.ts';
import type { Execute } from '../../program.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';

const SITE_HELP = `
SITE is the name of a Site manifest, found on the account as \`plan\` finds it, or \`id:\` and the id of a live site; then no manifest is read.
What acts asks first, on a terminal only; --yes says it beforehand. Nothing is sent twice: where an answer is lost, that is said.`;

type Run<Options> = (context: Context, site: string, options: GlobalOptions & Options) => Promise<OutcomeWord>;

/** A command on one site, under `parent`. */
function siteCommand<Options>(
  parent: Command,
  execute: Execute,
  name: string,
  description: string,
  run: Run<Options>,
): Command {
  return parent
    .command(name)
    .description(description)
    .addArgument(new Argument('<site>', 'The name of a Site manifest, or id:ID.'))
    .action((site: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & Options>();
      return execute(options, (context) => run(context, site, options));
    });
}

export function addSite(program: Command, execute: Execute): void {
  const site = program
    .command('site')
    .description('Look at one site and do what is not desired state.')
    .addHelpText('after', SITE_HELP);
  addActs(site, execute);
  addReads(site, execute);
  const mail = site.command('mail').description('The transactional mail of a site.');
  siteCommand(mail, execute, 'show', 'How it stands: sender, DNS verdict, suspension.', async (context, name) =>
    (await import('./read.ts')).mail(context, name),
  );
  yes(
    siteCommand<ActOptions>(
      mail,
      execute,
      'unblock',
      'Lift a sending block, where the customer may: twice in 30 days.',
      async (context, name, options) => (await import('./act.ts')).unblock(context, name, options),
    ),
  );
  yes(
    siteCommand<ActOptions>(
      mail,
      execute,
      'check',
      'Check the DNS of the sender domain and wait for the verdict: once in five minutes.',
      async (context, name, options) => (await import('./act.ts')).check(context, name, options),
    ),
  );
}

export function addShield(program: Command, execute: Execute): void {
  const shield = program.command('shield').description('Look at what Shield did.').addHelpText('after', SITE_HELP);
  siteCommand<EventCommandOptions>(
    shield,
    execute,
    'events',
    'What was logged, challenged and blocked on one day, as it comes.',
    async (context, name, options) => (await import('./shield-events.ts')).events(context, name, options),
  )
    .addOption(new Option('--date <day>', 'The day, as 2026-01-31 (default: today, in UTC).').argParser(parseDay))
    .addOption(new Option('--limit <n>', 'Events at most.').argParser(parseLimit).default(100));
}

function addActs(site: Command, execute: Execute): void {
  yes(
    siteCommand<ActOptions>(
      site,
      execute,
      'restart',
      'Restart the CMS container, not the database or the caches.',
      async (context, name, options) => (await import('./act.ts')).restart(context, name, options),
    ),
  );
  yes(
    siteCommand<ActOptions & { layer?: PurgeLayer }>(
      site,
      execute,
      'purge',
      'Empty the cache of the CDN, or of one layer.',
      async (context, name, options) => (await import('./act.ts')).purge(context, name, options),
    ),
  ).addOption(
    new Option('--layer <layer>', 'One cache layer instead of the whole zone of the CDN.').choices([
      'redis',
      'nginx',
      'cdn',
      'all',
    ]),
  );
  yes(
    siteCommand<ActOptions & BackupOptions>(
      site,
      execute,
      'backup',
      'Make a backup and wait until it is listed.',
      async (context, name, options) => (await import('./act.ts')).backup(context, name, options),
    ),
  )
    .option('--volume <label>', 'One volume instead of all.')
    .option('--name <name>', 'What the archives are called; else a name with the time in it.');
  yes(
    siteCommand<SsoOptions>(
      site,
      execute,
      'sso',
      'Mint a login URL for the CMS or the database. It is a secret, and printed on stdout only.',
      async (context, name, options) => (await import('./sso.ts')).sso(context, name, options),
    ),
  )
    .option('--user <login>', 'The user of the CMS; not needed where there is one only.')
    .addOption(new Option('--database', 'The database instead of the CMS.').conflicts('user'))
    .addOption(
      new Option('--list', 'List the users of the CMS and mint nothing.').conflicts(['user', 'database', 'yes']),
    );
}

function addReads(site: Command, execute: Execute): void {
  siteCommand<{ status?: TaskFilter }>(
    site,
    execute,
    'tasks',
    'The work that the platform did and does, at most 100 tasks.',
    async (context, name, options) => (await import('./read.ts')).tasks(context, name, options),
  ).addOption(
    new Option('--status <status>', 'Only these.').choices([
      'OK',
      'PENDING',
      'RUNNING',
      'CANCELLED',
      'PAUSED',
      'FAILED',
      'TODAY',
    ]),
  );
  siteCommand<LogCommandOptions>(
    site,
    execute,
    'logs',
    'Log entries as they come, the newest first.',
    async (context, name, options) => (await import('./logs.ts')).logs(context, name, options),
  )
    .addOption(
      new Option('--of <log>', 'Requests at the CDN, the log of the origin, or mail that was sent.')
        .choices(['access', 'origin', 'mail'])
        .default('access'),
    )
    .addOption(new Option('--since <duration>', 'How far back: 1h, 3d (default: 24h).').argParser(parseSpan))
    .addOption(new Option('--limit <n>', 'Entries at most.').argParser(parseLimit).default(100))
    .addOption(
      new Option(
        '--filter <name=value>',
        'access: status, cache_status, country, url_contains; mail: rcpt, sender, subject, delivered (Y or N), end_date; origin: date (repeatable).',
      )
        .argParser(collectFilter)
        .default({}, 'none'),
    );
  siteCommand<MetricCommandOptions>(
    site,
    execute,
    'metrics',
    'Numbers, and plots of what goes over time.',
    async (context, name, options) => (await import('./read.ts')).metrics(context, name, options),
  )
    .addOption(
      new Option('--of <metrics>', 'CDN, containers over time, containers now, mail, or Shield.')
        .choices(['cdn', 'resources', 'now', 'mail', 'shield'])
        .default('cdn'),
    )
    .addOption(
      new Option(
        '--since <duration>',
        'How far back: 6h, 30d (default: 24h). Beyond three days the CDN answers the past month by day.',
      ).argParser(parseSpan),
    )
    .addOption(
      new Option('--chart <name>', 'What to plot, by the name that the platform gives it (repeatable).')
        .argParser(collectText)
        .default([], 'the first that are not all zero'),
    );
}

function yes(command: Command): Command {
  return command.option('--yes', 'Do it without asking.');
}
