// The use cases `site restore` and `site backup delete`: which archive is meant, a backup first, and the words.
import type { Act } from '../../model/plan/act.ts';
import { quote } from '../../model/format.ts';
import { siteActs } from '../../areas/index.ts';
import type { Confirm } from '../act/run-act.ts';
import { begunBefore, runAct } from '../act/run-act.ts';
import type { Session } from '../session.ts';
import { makeBackup } from './backup.ts';
import type { Ending, OpenSite, SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';
import { newestTask } from './tasks.ts';
import type { Volume } from './volumes.ts';
import { cannotChoose, chooseArchive, readVolumes, tellArchive } from './volumes.ts';

export interface ArchiveOptions {
  /** The label of a volume; not needed where there is one only. */
  readonly volume?: string;
  /** The name or the id of an archive. */
  readonly archive?: string;
}

export interface RestoreOptions extends ArchiveOptions {
  /** Whether the volume is backed up first; absent: a person is asked. */
  readonly backup?: boolean;
  /** Nobody can tell what became of the last one, and a person wants it once more. */
  readonly again?: boolean;
}

export interface Restored {
  readonly volume: string;
  readonly archive: string;
  /** The backup that was made before. */
  readonly backup?: string;
}

export interface DeletedArchive {
  readonly volume: string;
  readonly archive: string;
}

/** Puts a volume back to what one of its archives holds, after a backup where a person wants one. */
export function restoreSite(
  session: Session,
  wanted: string,
  options: RestoreOptions,
  confirm: Confirm,
): Promise<SiteResult<Restored>> {
  return withSite(session, wanted, async (site): Promise<Ending<Restored>> => {
    const volumes = await readVolumes(site);
    const chosen = chooseArchive(volumes, options);
    if ('objection' in chosen) return cannotChoose(chosen.objection);
    const { volume, archive } = chosen;
    const actAfter = (after: number): Act => siteActs.restoreVolume(site.id, { volume, archive: archive.id, after });
    const earlier = await begunBefore(site, actAfter(0));
    if ('ending' in earlier) return earlier.ending;
    const formerly = `restore of volume ${volume.id} of site ${site.id} from archive ${archive.id}`;
    const isNew =
      options.again === true ||
      (earlier.flight === undefined && earlier.view.openActs?.some(({ act }) => act === formerly) !== true);
    // Not before a restore that is under way already.
    const saved = isNew ? await backUpFirst(site, volumes, volume.label, options.backup, confirm) : {};
    if ('ending' in saved) return saved.ending;
    const what = `${quote(volume.label)} of ${site.label}`;
    const kept =
      saved.name === undefined
        ? ' No backup of what was there before was made; `--backup` makes one.'
        : ` What was there before is in the archive ${quote(saved.name)}.`;
    const value = {
      volume: volume.label,
      archive: archive.id,
      ...(saved.name !== undefined && { backup: saved.name }),
    };
    return runAct<Restored>(
      site,
      actAfter(await newestTask(site)),
      {
        question: `Restore the volume ${what} from the archive ${tellArchive(archive)}? Everything that was written to it since then is overwritten.${saved.name === undefined ? ' No backup of what is there now was made.' : kept}`,
        done: ({ outputs: { tasks = 'the platform shows no task for it' } }) => ({
          outcome: 'done',
          value,
          message: `The volume ${what} is restored from ${tellArchive(archive)}: ${tasks}.${kept}`,
        }),
        waiting: (reason) =>
          `The restore of ${what} was accepted (${reason}). Look at \`hostwright site tasks ${wanted}\`.${kept}`,
        value,
        look: `Look at the tasks of the site: \`hostwright site tasks ${wanted}\`. A restore that is there was carried out.${kept}`,
        again: { option: '--again', given: options.again === true },
        formerly,
      },
      confirm,
    );
  });
}

/** Without a backup that was wanted nothing is overwritten. */
async function backUpFirst(
  site: OpenSite,
  volumes: readonly Volume[],
  label: string,
  wanted: boolean | undefined,
  confirm: Confirm,
): Promise<{ readonly name?: string } | { readonly ending: Ending<never> }> {
  const isWanted =
    wanted ??
    (await confirm(`Make a backup of the volume ${quote(label)} of ${site.label} first? \`no\` goes on without.`));
  if (!isWanted) return {};
  const ended = await makeBackup(site, volumes, { volume: label }, () => Promise.resolve(true));
  const { outcome, message, diagnostics = [], value } = ended;
  if (outcome === 'done' && value !== undefined) return { name: value.name };
  const left = 'The backup is not there, so nothing was restored.';
  return { ending: { outcome, message: message === undefined ? left : `${message} ${left}`, diagnostics } };
}

/** Deletes one archive and waits until it is no longer listed (BKP-03). */
export function deleteArchive(
  session: Session,
  wanted: string,
  options: ArchiveOptions,
  confirm: Confirm,
): Promise<SiteResult<DeletedArchive>> {
  return withSite(session, wanted, async (site): Promise<Ending<DeletedArchive>> => {
    const chosen = chooseArchive(await readVolumes(site), options);
    if ('objection' in chosen) return cannotChoose(chosen.objection);
    const { volume, archive } = chosen;
    const what = `The archive ${tellArchive(archive)} of the volume ${quote(volume.label)} of ${site.label}`;
    const others = volume.archives.length - 1;
    const left = others === 0 ? 'It is the last one of this volume.' : `${others} of this volume stay.`;
    const value = { volume: volume.label, archive: archive.id };
    return runAct<DeletedArchive>(
      site,
      siteActs.deleteArchive(site.id, { volume, archive: archive.id, after: await newestTask(site) }),
      {
        question: `Delete ${what.replace(/^The/, 'the')}? Nothing brings it back. ${left}`,
        done: () => ({ outcome: 'done', value, message: `${what} is deleted.` }),
        waiting: () => `${what} is still listed. Look at \`hostwright site tasks ${wanted}\`.`,
        value,
        look: 'Running the command again does no harm.',
      },
      confirm,
    );
  });
}
