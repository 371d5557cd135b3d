// The use cases `site restore` and `site backup delete`. A restore overwrites what was written since (BKP-04) and names
// no task (TSK-09), so it is sent once, written to the ledger, and a lost one is not sent again by itself. An archive is
// gone when it is no longer listed.
import type { Json, JsonObject } from '../../model/json.ts';
import { quote } from '../../manifest/format.ts';
import { carryOut, unsettledBefore } from '../act/act.ts';
import type { Confirm } from '../act/send.ts';
import { blocker } from '../act/problem.ts';
import { pause } from '../act/send.ts';
import type { Session } from '../session.ts';
import { makeBackup, newName } from './backup.ts';
import type { Ending, OpenSite, SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';
import { endOf, followNewTasks, newTasks, taskIds, tellTasks } from './tasks.ts';
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

const RESTORED_WITHIN_MS = 3_600_000;
const DELETED_WITHIN_MS = 900_000;

/** Puts a volume back to what one of its archives holds, after a backup where a person wants one. */
export function restoreSite(
  session: Session,
  wanted: string,
  options: RestoreOptions,
  confirm: Confirm,
): Promise<SiteResult<Restored>> {
  return withSite(session, wanted, async (site): Promise<Ending<Restored>> => {
    const chosen = chooseArchive(await readVolumes(site), options);
    if ('objection' in chosen) return cannotChoose(chosen.objection);
    const { volume, archive } = chosen;
    const once = {
      name: `restore of volume ${volume.id} of site ${site.id} from archive ${archive.id}`,
      again: options.again === true,
    };
    const look = `Look at the tasks of the site: \`hostwright site tasks ${wanted}\`. A restore that is there was carried out.`;
    // Before a backup is made for nothing.
    const unsettled = await unsettledBefore(site, once, look);
    if (unsettled !== undefined) return unsettled;
    const saved = await backUpFirst(site, volume.label, options.backup, confirm);
    if ('ending' in saved) return saved.ending;
    const what = `${quote(volume.label)} of ${site.label}`;
    const before = await taskIds(site);
    const value = {
      volume: volume.label,
      archive: archive.id,
      ...(saved.name !== undefined && { backup: saved.name }),
    };
    const kept =
      saved.name === undefined
        ? ' No backup of what was there before was made; `--backup` makes one.'
        : ` What was there before is in the archive ${quote(saved.name)}.`;
    return carryOut<Restored>(
      site,
      {
        question: `Restore the volume ${what} from the archive ${tellArchive(archive)}? Everything that was written to it since then is overwritten.${saved.name === undefined ? ' No backup of what is there now was made.' : kept}`,
        request: {
          method: 'PATCH',
          path: `${site.path}/restores/${encodeURIComponent(volume.id)}`,
          body: { backup_id: archive.id },
        },
        once,
        follow: async (answer) => {
          const { end, tasks } = await followNewTasks(site, before, RESTORED_WITHIN_MS);
          // A task that shows up may be somebody else's: it does not prove that a lost request was carried out.
          if (answer === undefined) return undefined;
          const reported = tellTasks(tasks);
          if (end === 'failed')
            return {
              outcome: 'error',
              value,
              diagnostics: [blocker(`The restore of ${what} was accepted; since then there is: ${reported}.${kept}`)],
            };
          if (end === 'ok')
            return {
              outcome: 'done',
              value,
              message: `The volume ${what} is restored from ${tellArchive(archive)}: ${reported}.${kept}`,
            };
          const state = end === 'none' ? 'the platform shows no task for it yet' : `it goes on: ${reported}`;
          return {
            outcome: 'waiting',
            value,
            message: `The restore of ${what} was accepted, and ${state}. Look at \`hostwright site tasks ${wanted}\`.${kept}`,
          };
        },
        look: `${look}${kept}`,
      },
      confirm,
    );
  });
}

/** Without a backup that was wanted nothing is overwritten. */
async function backUpFirst(
  site: OpenSite,
  label: string,
  wanted: boolean | undefined,
  confirm: Confirm,
): Promise<{ readonly name?: string } | { readonly ending: Ending<never> }> {
  const isWanted =
    wanted ??
    (await confirm(`Make a backup of the volume ${quote(label)} of ${site.label} first? \`no\` goes on without.`));
  if (!isWanted) return {};
  const name = newName(site.session);
  const volumes = (await readVolumes(site)).filter((volume) => volume.label === label);
  const { outcome, message, diagnostics = [] } = await makeBackup(site, volumes, name);
  if (outcome === 'done') return { name };
  return {
    ending: {
      outcome,
      message: `${message === undefined ? '' : `${message} `}The backup is not there, so nothing was restored.`,
      diagnostics,
    },
  };
}

/** Deletes one archive and waits until it is no longer listed (BKP-03). */
export function deleteArchive(
  session: Session,
  wanted: string,
  options: ArchiveOptions,
  confirm: Confirm,
): Promise<SiteResult<DeletedArchive>> {
  return withSite(session, wanted, async (site): Promise<Ending<DeletedArchive>> => {
    const all = await readVolumes(site);
    const chosen = chooseArchive(all, options);
    if ('objection' in chosen) return cannotChoose(chosen.objection);
    const { volume, archive } = chosen;
    const what = `The archive ${tellArchive(archive)} of the volume ${quote(volume.label)} of ${site.label}`;
    const others = volume.archives.length - 1;
    const left = others === 0 ? 'It is the last one of this volume.' : `${others} of this volume stay.`;
    const value = { volume: volume.label, archive: archive.id };
    const before = await taskIds(site);
    return carryOut<DeletedArchive>(
      site,
      {
        question: `Delete ${what.replace(/^The/, 'the')}? Nothing brings it back. ${left}`,
        request: {
          method: 'DELETE',
          path: `${site.path}/backups/${encodeURIComponent(volume.id)}`,
          body: { backup_id: archive.id },
        },
        follow: async (answer) => {
          const { gone, failed } = await untilGone(
            site,
            value,
            before,
            answer === undefined ? LOST_FOR_MS : DELETED_WITHIN_MS,
          );
          if (gone) return { outcome: 'done', value, message: `${what} is deleted.` };
          if (answer === undefined) return undefined;
          if (failed.length > 0)
            return {
              outcome: 'error',
              value,
              diagnostics: [
                blocker(
                  `${what} is still listed. The platform accepted the deletion; since then there is: ${tellTasks(failed)}. Look at \`hostwright site tasks ${wanted}\`. Running the command again does no harm.`,
                ),
              ],
            };
          return {
            outcome: 'waiting',
            value,
            message: `${what} is still listed. Look at \`hostwright site tasks ${wanted}\`.`,
          };
        },
        look: 'The archive is still listed. Running the command again does no harm.',
      },
      confirm,
    );
  });
}

/** How long a lost request is given to show. */
const LOST_FOR_MS = 60_000;

/** Waits until the archive is no longer listed, or the new tasks of the site have ended and one of them failed. */
async function untilGone(
  site: OpenSite,
  { volume, archive }: DeletedArchive,
  before: ReadonlySet<Json | undefined>,
  withinMs: number,
): Promise<{ readonly gone: boolean; readonly failed: readonly JsonObject[] }> {
  const { clock, emit } = site.session;
  const deadlineAtMs = clock.now() + withinMs;
  for (let polls = 0; ; polls += 1) {
    // Before the list: what has ended by then shows in it.
    const tasks = await newTasks(site, before);
    const failed = endOf(tasks) === 'failed' ? tasks : [];
    const found = (await readVolumes(site)).find(({ label }) => label === volume);
    // A volume that is not listed says nothing about its archives.
    if (found !== undefined && !found.archives.some(({ id }) => id === archive)) return { gone: true, failed };
    if (failed.length > 0 || clock.now() >= deadlineAtMs) return { gone: false, failed };
    emit({ type: 'waiting', address: site.label, on: 'the archive to be deleted', atMs: clock.now(), deadlineAtMs });
    await pause(site, polls);
  }
}
