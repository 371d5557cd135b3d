// `site`: what an operator looks at, and does that is not desired state.
import { Option } from 'commander';
import type { PurgeLayer } from '../../../usecases/site/purge.ts';
import type { CliCommand, Execute } from '../../command.ts';
import { withAct, withActOnce } from '../../options.ts';
import { showKind, TASK_FILTERS } from '../get.ts';
import { addBackup, addRestore } from './archives.ts';
import { addLogs } from './logs.ts';
import { addMetrics } from './metrics.ts';
import type { ActOptions } from './site-command.ts';
import { actOnSite, readSite, SITE_HELP, siteCommand } from './site-command.ts';

export function addSite(program: CliCommand, execute: Execute): void {
  const site = program
    .command('site')
    .description('Restart, purge or back up a site, look at its mail and logs, or log in.')
    .addHelpText('after', SITE_HELP);
  addRestart(site, execute);
  addPurge(site, execute);
  addBackup(site, execute);
  addRestore(site, execute);
  addSso(site, execute);
  addTasks(site, execute);
  addLogs(site, execute);
  addMetrics(site, execute);
  addMail(site, execute);
}

function addRestart(site: CliCommand, execute: Execute): void {
  withActOnce(
    siteCommand<ActOptions & { again?: boolean }>(site, execute, 'restart', async (context, name, options) => {
      const { restartSite } = await import('../../../usecases/site/restart.ts');
      return actOnSite(context, options, (session, confirm) => restartSite(session, name, confirm, options), {});
    }),
  )
    .description('Restart the CMS container, not the database or the caches.')
    .examples(['hostwright site restart shop --yes', 'without asking']);
}

function addPurge(site: CliCommand, execute: Execute): void {
  withAct(
    siteCommand<ActOptions & { layer?: PurgeLayer }>(site, execute, 'purge', async (context, name, options) => {
      const { purgeSite } = await import('../../../usecases/site/purge.ts');
      return actOnSite(context, options, (session, confirm) => purgeSite(session, name, options.layer, confirm), {});
    }),
  )
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
}

interface SsoOptions extends ActOptions {
  readonly user?: string;
  readonly database?: boolean;
  readonly list?: boolean;
}

function addSso(site: CliCommand, execute: Execute): void {
  withAct(
    siteCommand<SsoOptions>(site, execute, 'sso', async (context, name, options) => {
      const { siteLogin, siteUsers } = await import('../../../usecases/site/sso.ts');
      const { renderUsers } = await import('../../../report/text/site.ts');
      if (options.list === true)
        return readSite(context, (session) => siteUsers(session, name), {
          as: 'users',
          text: (users) => renderUsers(users, { color: context.color.stdout }),
        });
      // The URL as it is: whoever copies it needs every character. A URL cannot hold one that a terminal acts on.
      return actOnSite(context, options, (session, confirm) => siteLogin(session, name, options, confirm), {
        as: 'login',
        text: ({ url }) => url,
      });
    }),
  )
    .description('Mint a login URL for the CMS or the database. It is a secret, and printed on stdout only.')
    .option('--user <login>', 'The user of the CMS; not needed where there is one only.')
    .addOption(new Option('--database', 'The database instead of the CMS.').conflicts('user'))
    .addOption(
      new Option('--list', 'List the users of the CMS and mint nothing.').conflicts(['user', 'database', 'yes']),
    );
}

function addTasks(site: CliCommand, execute: Execute): void {
  siteCommand<{ status?: string }>(site, execute, 'tasks', (context, name, { status }) =>
    showKind(context, 'tasks', undefined, { site: name, ...(status !== undefined && { status }) }),
  )
    .description('The same as `get tasks --site SITE`.')
    .addOption(new Option('--status <status>', 'Only these.').choices(TASK_FILTERS));
}

function addMail(site: CliCommand, execute: Execute): void {
  const mail = site.command('mail').description('The transactional mail of a site.');
  siteCommand(mail, execute, 'show', (context, name) =>
    showKind(context, 'site-mail', undefined, { site: name }),
  ).description('The same as `get site-mail --site SITE`.');
  withActOnce(
    siteCommand<ActOptions & { again?: boolean }>(mail, execute, 'unblock', async (context, name, options) => {
      const { unblockMail } = await import('../../../usecases/site/mail.ts');
      return actOnSite(context, options, (session, confirm) => unblockMail(session, name, confirm, options), {
        as: 'mail',
      });
    }),
  ).description('Lift a sending block, where the customer may: twice in 30 days.');
  withAct(
    siteCommand<ActOptions>(mail, execute, 'check', async (context, name, options) => {
      const { checkMail } = await import('../../../usecases/site/mail.ts');
      return actOnSite(context, options, (session, confirm) => checkMail(session, name, confirm), {
        as: 'mail',
        text: () => `\`hostwright get site-mail --site ${name}\` shows the verdict on each record.`,
      });
    }),
  ).description('Check the DNS of the sender domain and wait for the verdict: once in five minutes.');
}
