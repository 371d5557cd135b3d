// `site`: what an operator looks at, and does that is not desired state.
import { Option } from 'commander';
import type { CliCommand } from '../../command.ts';
import { withAct, withActOnce } from '../../options.ts';
import { actCommand, SITE_HELP, siteCommand } from '../act.ts';
import { showKind, TASK_FILTERS } from '../get.ts';
import { addLogs } from './logs.ts';
import { addMetrics } from './metrics.ts';

export function addSite(program: CliCommand): void {
  const site = program
    .command('site')
    .description('Restart, purge or back up a site, look at its mail and logs, or log in.')
    .addHelpText('after', SITE_HELP);
  withActOnce(actCommand(site, 'site restart'))
    .description('Restart the CMS container, not the database or the caches.')
    .examples(['hostwright site restart shop --yes', 'without asking']);
  withAct(actCommand(site, 'site purge'))
    .description('Empty the cache of the CDN, or of one layer. The platform has no call that purges a single URL.')
    .addOption(
      new Option('--layer <layer>', 'One cache layer instead of the whole zone of the CDN.').choices([
        'redis',
        'nginx',
        'cdn',
        'all',
      ]),
    )
    .examples(['hostwright site purge shop --layer redis', 'one layer of its caches']);
  addArchives(site);
  withAct(actCommand(site, 'site sso'))
    .description('Mint a login URL for the CMS or the database. It is a secret, and printed on stdout only.')
    .option('--user <login>', 'The user of the CMS; not needed where there is one only.')
    .addOption(new Option('--database', 'The database instead of the CMS.').conflicts('user'))
    .addOption(
      new Option('--list', 'List the users of the CMS and mint nothing.').conflicts(['user', 'database', 'yes']),
    );
  siteCommand<{ status?: string }>(site, 'tasks', (context, name, { status }) =>
    showKind(context, 'tasks', undefined, { site: name, ...(status !== undefined && { status }) }),
  )
    .description('The same as `get tasks --site SITE`.')
    .addOption(new Option('--status <status>', 'Only these.').choices(TASK_FILTERS));
  addLogs(site);
  addMetrics(site);
  addMail(site);
}

function addArchives(site: CliCommand): void {
  const backup = withAct(actCommand(site, 'site backup'))
    .description('Make a backup and wait until it is listed.')
    .option('--volume <label>', 'One volume instead of all.')
    .option('--name <name>', 'What the archives are called; else a name with the time in it.')
    .examples(['hostwright site backup shop --volume content --name before-import', 'one volume, under this name']);
  withAct(
    actCommand(backup, 'site backup delete', {
      // A command takes the options of the one above it; this one would do nothing.
      misused: () => (backup.opts<{ name?: string }>().name === undefined ? undefined : "unknown option '--name'"),
    }),
  )
    .description('Delete one archive and wait until it is no longer listed. Nothing brings it back.')
    .option('--volume <label>', 'The volume; not needed where there is one only.')
    .option('--archive <name>', 'The name or the id of the archive; without it the archives are named.')
    .examples(['hostwright site backup delete shop --volume content --archive before-import', 'this one alone']);
  withActOnce(actCommand(site, 'site restore'))
    .description(
      'Put a volume back to what one of its archives holds, and wait for it. What was written since is lost.',
    )
    .option('--volume <label>', 'The volume; not needed where there is one only.')
    .option('--archive <name>', 'The name or the id of an archive; without it the archives are named.')
    .addOption(new Option('--backup', 'Make a backup of the volume first; a person at a terminal is asked.'))
    .addOption(new Option('--no-backup', 'Make none, and do not ask. --yes alone makes none either, and says so.'))
    .examples(
      ['hostwright site restore shop --volume content', 'names the archives of this volume'],
      ['hostwright site restore shop --volume content --archive nightly', 'asks for a backup first, then restores'],
      ['hostwright site restore shop --volume content --archive 17 --backup --yes', 'in a script, with a backup first'],
    );
}

function addMail(site: CliCommand): void {
  const mail = site.command('mail').description('The transactional mail of a site.');
  siteCommand(mail, 'show', (context, name) => showKind(context, 'site-mail', undefined, { site: name })).description(
    'The same as `get site-mail --site SITE`.',
  );
  withActOnce(actCommand(mail, 'site mail unblock')).description(
    'Lift a sending block, where the customer may: twice in 30 days.',
  );
  withAct(actCommand(mail, 'site mail check')).description(
    'Check the DNS of the sender domain and wait for the verdict: once in five minutes.',
  );
}
