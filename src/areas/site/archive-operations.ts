// The operations `backup`, `restore` and `delete-archive` on the archives of a site's volumes, as the platform lists them
// (BKP-01).
import { didYouMean, listOf, quote } from '../../model/format.ts';
import type { JsonObject } from '../../model/json.ts';
import { escapePointer, isJsonObject } from '../../model/json.ts';
import { objectAt, rowsAt } from '../../model/kind/rows.ts';
import type { OperationOptions } from '../../model/plan/operation.ts';
import type { Act, Ending } from '../../model/plan/act.ts';
import { path } from '../../model/plan/step.ts';
import type { Asked, GivenOptions, OpenSite } from '../common/operation.ts';
import { actOn, begunIn, failed, onSite } from '../common/operation.ts';
import { change, sendOnce, until } from '../common/steps.ts';
import { backupSteps } from './kinds/backup.ts';
import { lookAtTasks, newestTask, SITE, tasksAfter, taskShows } from './operations.ts';

interface Archive {
  readonly id: string;
  /** Empty where the platform shows none. */
  readonly name: string;
  /** As the platform writes it; empty where it shows none. */
  readonly created: string;
}

interface Volume {
  readonly label: string;
  readonly id: string;
  readonly archives: readonly Archive[];
}

/** One archive of one volume. */
interface Chosen {
  readonly volume: Volume;
  readonly archive: Archive;
}

const BACKED_UP_WITHIN_MS = 3_600_000;
const RESTORED_WITHIN_MS = 3_600_000;
const DELETED_WITHIN_MS = 900_000;

/** Makes backups and waits until their archives are listed. */
const backup = onSite(
  {
    name: 'backup',
    does: 'Back up all volumes, or one, and wait until the archives are listed.',
    takes: ['volume', 'name'],
  },
  async (site, options) => makeBackup(site, await readVolumes(site), options),
);

/** A backup of each volume, or of one, under a name that nothing else has (BKP-05). */
async function makeBackup(site: OpenSite, all: readonly Volume[], options: OperationOptions): Promise<Asked | Ending> {
  const volumes = all.filter(({ label }) => options.volume === undefined || label === options.volume);
  if (volumes.length === 0) return cannotBackUp(noVolume(all, options.volume));
  const name = options.name ?? newName(site);
  const failsWith = tasksAfter(site.id, await newestTask(site), BACKED_UP_WITHIN_MS);
  const actNamed = (called: string): Act =>
    actOn([SITE, site.id], 'MakeBackup', {
      // Tells it from other backups of the site: what was asked for.
      of: [options.volume, options.name].filter((part) => part !== undefined).join(' ') || null,
      verb: 'create',
      steps: backupSteps({ site: site.id, name: called, volumes, failsWith }),
    });
  const begun = begunIn(await site.ledger(), actNamed(name))?.action.terms?.name ?? name;
  const labels = volumes.map(({ label }) => label);
  const told = `${listOf(labels, 'and')} of ${site.label}`;
  return {
    act: actNamed(begun),
    question: `Make the backup ${quote(begun)} of ${told}?`,
    unlessBegun: nameTaken(volumes, name),
    done: async () => {
      // A request whose answer was lost may have been sent again, under another name (BKP-06).
      const made = await readVolumes(site);
      const names = labels.flatMap((label) => namesOf(made, label).find((one) => one.startsWith(begun)) ?? []);
      const [shown = begun] = [...new Set(names)].sort((left, right) => left.length - right.length);
      const message = `The backup ${quote(shown)} of ${told} is there.`;
      return { outcome: 'done', backup: { name: shown, volumes: labels }, message };
    },
    waiting: (reason) =>
      `The backup ${quote(begun)} of ${told} is still being made (${reason}). The same command goes on waiting for it.`,
    values: { backup: { name: begun, volumes: labels } },
    look: `Look for an archive of the name ${quote(begun)} before you make another.`,
  };
}

/** A name with the time in it that nothing else has. */
function newName({ now, uuid }: OpenSite): string {
  const at = new Date(now()).toISOString().slice(0, 19).replaceAll(':', '-');
  return `hostwright-${at}Z-${uuid().slice(0, 8)}`;
}

function nameTaken(volumes: readonly Volume[], name: string): Ending | undefined {
  const taken = volumes.find(({ label }) => namesOf(volumes, label).some((one) => one.startsWith(name)));
  return taken === undefined
    ? undefined
    : cannotBackUp(
        `The volume ${quote(taken.label)} has an archive already whose name begins with ${quote(name)}. Give the new one another name.`,
      );
}

function cannotBackUp(detail: string): Ending {
  return failed('HW4504', detail);
}

/** Puts a volume back to what one of its archives holds, after a backup where a person wants one. */
const restore = onSite(
  {
    name: 'restore',
    does: 'Restore a volume from an archive and wait for the result. Later changes to it are lost.',
    takes: ['volume', 'archive', 'backup', 'again'],
  },
  async (site, options) => {
    const volumes = await readVolumes(site);
    const chosen = chooseArchive(volumes, options);
    if ('outcome' in chosen) return chosen;
    const { volume, archive } = chosen;
    const formerly = `restore of volume ${volume.id} of site ${site.id} from archive ${archive.id}`;
    const ledger = await site.ledger();
    const isBegun =
      begunIn(ledger, restoreVolume(site.id, chosen, 0)) !== undefined ||
      ledger.openActs?.some((one) => one.act === formerly) === true;
    // Not before a restore that is under way already.
    const saved = isBegun && options.again !== true ? {} : await backUpFirst(site, volumes, volume.label, options);
    if ('outcome' in saved) return saved;
    const what = `${quote(volume.label)} of ${site.label}`;
    const kept =
      saved.backup === undefined
        ? ' No backup of what was there before was made; `--backup` makes one.'
        : ` What was there before is in the archive ${quote(saved.backup)}.`;
    return {
      act: restoreVolume(site.id, chosen, await newestTask(site)),
      question: `Restore the volume ${what} from the archive ${tellArchive(archive)}? Everything that was written to it since then is overwritten.${saved.backup === undefined ? ' No backup of what is there now was made.' : kept}`,
      done: ({ outputs: { tasks = 'the platform shows no task for it' } }) =>
        `The volume ${what} is restored from ${tellArchive(archive)}: ${tasks}.${kept}`,
      waiting: (reason) =>
        `The restore of ${what} was accepted (${reason}). Look at \`hostwright get tasks --site ${site.name}\`.${kept}`,
      values: { restore: { volume: volume.label, archive: archive.id, ...saved } },
      look: `${lookAtTasks(site)} A restore that is there was carried out.${kept}`,
      again: { option: '--again', given: options.again },
      formerly,
    };
  },
);

/** Puts a volume back to what an archive holds: what was written since is lost, and nothing shows a lost one (BKP-04). */
function restoreVolume(site: string, { volume, archive }: Chosen, after: number): Act {
  const ended = tasksAfter(site, after, RESTORED_WITHIN_MS);
  return actOn([SITE, site], 'RestoreVolume', {
    of: `${volume.id} from ${archive.id}`,
    steps: [
      sendOnce({
        name: 'restore',
        method: 'PATCH',
        path: path`/api/sites/${site}/restores/${volume.id}`,
        body: { backup_id: archive.id },
        reason: `restore the volume ${volume.label}`,
        rule: 'BKP-04',
      }),
      { do: 'wait-for', name: 'task of the restore', open: true, waitFor: taskShows(ended) },
      { do: 'wait-for', name: 'end of the restore', open: true, waitFor: ended },
    ],
  });
}

/** The name of the backup, where one is wanted. Without a backup that was wanted nothing is overwritten. */
async function backUpFirst(
  site: OpenSite,
  volumes: readonly Volume[],
  label: string,
  { backup: isWanted, yes = false }: GivenOptions,
): Promise<{ readonly backup?: string } | Ending> {
  const question = `Make a backup of the volume ${quote(label)} of ${site.label} first? \`no\` goes on without.`;
  if (!(isWanted ?? (!yes && (await site.confirm(question))))) return {};
  const asked = await makeBackup(site, volumes, { volume: label });
  const ended = 'act' in asked ? await site.run({ ...asked, question: undefined }) : asked;
  const { outcome, message, diagnostics = [], backup: made } = ended;
  if (outcome === 'done' && made !== undefined) return { backup: made.name };
  const left = 'The backup is not there, so nothing was restored.';
  return { outcome, message: message === undefined ? left : `${message} ${left}`, diagnostics };
}

/** Deletes one archive and waits until it is no longer listed (BKP-03). */
const deleteArchive = onSite(
  {
    name: 'delete-archive',
    does: 'Delete one archive and wait until it is no longer listed. It cannot be recovered.',
    takes: ['volume', 'archive'],
  },
  async (site, options) => {
    const chosen = chooseArchive(await readVolumes(site), options);
    if ('outcome' in chosen) return chosen;
    const { volume, archive } = chosen;
    const what = `archive ${tellArchive(archive)} of the volume ${quote(volume.label)} of ${site.label}`;
    const listed = {
      read: path`/api/sites/${site.id}/backups`,
      rows: `/${escapePointer(volume.label)}/archives`,
      where: [{ pointer: '/id', value: archive.id }],
      capture: {},
    };
    const failsWith = tasksAfter(site.id, await newestTask(site), DELETED_WITHIN_MS);
    const gone = { ...until(false, listed, 'the archive is no longer listed', DELETED_WITHIN_MS), failsWith };
    const others = volume.archives.length - 1;
    const left = others === 0 ? 'It is the last one of this volume.' : `${others} of this volume stay.`;
    return {
      act: actOn([SITE, site.id], 'DeleteArchive', {
        of: `${archive.id} of ${volume.id}`,
        verb: 'delete',
        steps: [
          change({
            name: 'delete',
            method: 'DELETE',
            path: path`/api/sites/${site.id}/backups/${volume.id}`,
            body: { backup_id: archive.id },
            // It may have been this request that removed it, sent before.
            answers: [
              { status: '2xx', then: 'done' },
              { status: 404, then: 'done' },
            ],
            reason: `delete an archive of the volume ${volume.label}`,
            rule: 'BKP-03',
          }),
          { do: 'wait-for', name: 'end of the deletion', open: true, waitFor: gone },
        ],
      }),
      question: `Delete the ${what}? Nothing brings it back. ${left}`,
      done: () => `The ${what} is deleted.`,
      waiting: () => `The ${what} is still listed. Look at \`hostwright get tasks --site ${site.name}\`.`,
      values: { deleted: { volume: volume.label, archive: archive.id } },
    };
  },
);

/** Labels are the platform's and are keys, so a map of them may hold any text. */
async function readVolumes({ read, path }: OpenSite): Promise<readonly Volume[]> {
  const rows = Object.entries(objectAt(await read(`${path}/backups`))).filter(
    (entry): entry is [string, JsonObject] => isJsonObject(entry[1]) && entry[1].archives !== undefined,
  );
  return rows.map(([label, volume]) => ({
    label,
    id: String(volume.id as string | number),
    archives: (volume.archives === null ? [] : rowsAt(volume.archives)).map(({ id, name, created }) => ({
      id: String(id as string | number),
      name: typeof name === 'string' ? name : '',
      created: typeof created === 'string' ? created : '',
    })),
  }));
}

function namesOf(volumes: readonly Volume[], label: string): readonly string[] {
  return volumes.filter((volume) => volume.label === label).flatMap(({ archives }) => archives.map(({ name }) => name));
}

/**
 * The volume of that label, or the only one there is; the archive of that id or name. Else what there is to choose
 * from.
 */
function chooseArchive(
  volumes: readonly Volume[],
  { volume: label, archive: text }: OperationOptions,
): Chosen | Ending {
  const volume = label === undefined && volumes.length === 1 ? volumes[0] : volumes.find((one) => one.label === label);
  if (volume === undefined) return unclear(noVolume(volumes, label));
  const { archives } = volume;
  const found = archives.filter(({ id }) => id === text);
  const named = found.length > 0 ? found : archives.filter(({ name }) => name !== '' && name === text);
  const [archive] = named;
  if (archive !== undefined && named.length === 1) return { volume, archive };
  const there =
    archives.length === 0
      ? `The volume ${quote(volume.label)} has no archives.`
      : `Archives of ${quote(volume.label)}: ${newestFirst(archives).map(tellArchive).join('; ')}.`;
  if (named.length > 1)
    return unclear(`Several archives are called ${quote(text ?? '')}. Name one by its id. ${there}`);
  if (text === undefined) return unclear(`Say which archive with --archive. ${there}`);
  const names = archives.map(({ name }) => name);
  return unclear(`There is no archive ${quote(text)}.${didYouMean(text, names)} ${there}`);
}

/** Why a label names no volume, and what there is. */
function noVolume(volumes: readonly Volume[], label: string | undefined): string {
  const labels = volumes.map((volume) => volume.label);
  if (labels.length === 0) return 'The site has no volumes.';
  const there = `There are: ${listOf(labels, 'and')}.`;
  return label === undefined
    ? `Say which volume with --volume. ${there}`
    : `There is no volume ${quote(label)}.${didYouMean(label, labels)} ${there}`;
}

/** `"nightly" (id 17, made 2026-01-31T02:00:00.000Z)` */
function tellArchive({ id, name, created }: Archive): string {
  const about = `id ${id}${created === '' ? '' : `, made ${created}`}`;
  return name === '' ? `one without a name (${about})` : `${quote(name)} (${about})`;
}

function unclear(detail: string): Ending {
  return failed('HW4582', detail);
}

function newestFirst(archives: readonly Archive[]): readonly Archive[] {
  const at = ({ created }: Archive): number => Date.parse(created) || 0;
  return [...archives].sort((left, right) => at(right) - at(left));
}

export const archiveOperations = [backup, restore, deleteArchive];
