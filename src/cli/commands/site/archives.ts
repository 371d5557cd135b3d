// `site backup`, `site backup delete` and `site restore`: the archives of a site's volumes.
import { Argument, Option } from 'commander';
import type { BackupOptions } from '../../../usecases/site/backup.ts';
import type { ArchiveOptions, RestoreOptions } from '../../../usecases/site/restore.ts';
import type { CliCommand, Execute } from '../../command.ts';
import { withAct, withActOnce } from '../../options.ts';
import type { ActOptions } from './site-command.ts';
import { actOnSite, siteCommand } from './site-command.ts';

export function addBackup(site: CliCommand, execute: Execute): void {
  const backup = withAct(
    siteCommand<ActOptions & BackupOptions>(site, execute, 'backup', async (context, name, options) => {
      const { backupSite } = await import('../../../usecases/site/backup.ts');
      return actOnSite(context, options, (session, confirm) => backupSite(session, name, options, confirm), {
        as: 'backup',
      });
    }),
  )
    .description('Make a backup and wait until it is listed.')
    .option('--volume <label>', 'One volume instead of all.')
    .option('--name <name>', 'What the archives are called; else a name with the time in it.')
    .examples(['hostwright site backup shop --volume content --name before-import', 'one volume, under this name']);
  withAct(backup.command('delete'))
    .addArgument(new Argument('<site>', 'The name of a Site manifest, or id:ID.'))
    .description('Delete one archive and wait until it is no longer listed. Nothing brings it back.')
    .option('--volume <label>', 'The volume; not needed where there is one only.')
    .option('--archive <name>', 'The name or the id of the archive; without it the archives are named.')
    .examples(['hostwright site backup delete shop --volume content --archive before-import', 'this one alone'])
    .action((name: string, _options, command: CliCommand) => {
      // A command takes the options of the one above it; this one would do nothing.
      if (backup.opts<BackupOptions>().name !== undefined) command.error("error: unknown option '--name'");
      return execute<ActOptions & ArchiveOptions>(command, async (context, options) => {
        const { deleteArchive } = await import('../../../usecases/site/restore.ts');
        return actOnSite(context, options, (session, confirm) => deleteArchive(session, name, options, confirm), {
          as: 'deleted',
        });
      });
    });
}

export function addRestore(site: CliCommand, execute: Execute): void {
  withActOnce(
    siteCommand<ActOptions & RestoreOptions>(site, execute, 'restore', async (context, name, options) => {
      const { restoreSite } = await import('../../../usecases/site/restore.ts');
      // Without anybody to ask there is no offer: only --backup makes one.
      const given = options.yes === true && options.backup === undefined ? { ...options, backup: false } : options;
      return actOnSite(context, options, (session, confirm) => restoreSite(session, name, given, confirm), {
        as: 'restore',
      });
    }),
  )
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
