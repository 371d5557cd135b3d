// The use case `site backup`: a backup of each volume of a site, or of one, under a name that nothing else has. It is
// there when an archive of that name is (BKP-05). Making one is not said to be safe to repeat (BKP-06): each request is
// sent once, and a lost answer is confirmed by the name.
import { listOf, quote } from '../../manifest/format.ts';
import type { Session } from '../session.ts';
import { carryOutAgreed } from '../act/act.ts';
import type { Confirm } from '../act/send.ts';
import { blocker } from '../act/problem.ts';
import { notConfirmed, pause, unknownEnd } from '../act/send.ts';
import type { Ending, OpenSite, SiteResult } from './open-site.ts';
import { unfollowed, withSite } from './open-site.ts';
import type { Volume } from './volumes.ts';
import { noVolume, readVolumes } from './volumes.ts';
import { endOf, newTasks, taskIds, tellTasks } from './tasks.ts';

export interface BackupOptions {
  readonly name?: string;
  /** The label of one volume; else all. */
  readonly volume?: string;
}

export interface MadeBackup {
  readonly name: string;
  readonly volumes: readonly string[];
}

const MADE_WITHIN_MS = 3_600_000;

/** Makes backups and waits until their archives are listed. */
export function backupSite(
  session: Session,
  wanted: string,
  options: BackupOptions,
  confirm: Confirm,
): Promise<SiteResult<MadeBackup>> {
  return withSite(session, wanted, async (site): Promise<Ending<MadeBackup>> => {
    const all = await readVolumes(site);
    const volumes = all.filter(({ label }) => options.volume === undefined || label === options.volume);
    const name = options.name ?? newName(session);
    const problem = objection(all, volumes, name, options.volume);
    if (problem !== undefined)
      return {
        outcome: 'error',
        diagnostics: [
          {
            code: 'HW4504',
            severity: 'error',
            summary: 'The backup cannot be made as it is asked for',
            detail: problem,
          },
        ],
      };
    const labels = volumes.map(({ label }) => label);
    if (!(await confirm(`Make the backup ${quote(name)} of ${listOf(labels, 'and')} of ${site.label}?`)))
      return notConfirmed();
    return makeBackup(site, volumes, name);
  });
}

/** A name with the time in it that nothing else has. */
export function newName({ clock, runtime }: Session): string {
  const at = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '-');
  return `hostwright-${at}Z-${runtime.uuid().slice(0, 8)}`;
}

/** Asks for a backup of each volume, nobody being asked, and waits until their archives are listed. */
export async function makeBackup(
  site: OpenSite,
  volumes: readonly Volume[],
  name: string,
): Promise<Ending<MadeBackup>> {
  const labels = volumes.map(({ label }) => label);
  const before = await taskIds(site);
  let lost: string | undefined;
  for (const { id } of volumes) {
    // All are asked for before any is waited for; a lost one is looked for with the others.
    const { value, ...ending } = await carryOutAgreed<{ readonly lost?: string }>(site, {
      request: { method: 'PATCH', path: `${site.path}/backups/${encodeURIComponent(id)}`, body: { name } },
      follow: (answer, reason) =>
        Promise.resolve({ outcome: 'done', value: { ...(answer === undefined && { lost: reason }) } }),
      look: '',
    });
    if (ending.outcome !== 'done')
      return { ...ending, diagnostics: [...(ending.diagnostics ?? []), ...unfollowed(site.sent)] };
    lost = value?.lost ?? lost;
  }
  const missing = await untilListed(site, labels, name, before);
  if (missing.labels.length === 0)
    return {
      outcome: 'done',
      value: { name, volumes: labels },
      message: `The backup ${quote(name)} of ${listOf(labels, 'and')} of ${site.label} is there.`,
    };
  const what = `The archive ${quote(name)} of ${listOf(missing.labels, 'and')}`;
  if (missing.failed !== undefined)
    return {
      outcome: 'error',
      diagnostics: [blocker(`${what} is not there; since it was asked for there is: ${missing.failed}.`)],
    };
  if (lost !== undefined)
    return unknownEnd(lost, `${what} has not shown up; look for that name before you make another.`);
  return {
    outcome: 'waiting',
    value: { name, volumes: labels },
    message: `${what} is still being made; look for that name in the site's backups.`,
  };
}

function objection(
  all: readonly Volume[],
  volumes: readonly Volume[],
  name: string,
  volume: string | undefined,
): string | undefined {
  if (volumes.length === 0) return noVolume(all, volume);
  const taken = volumes.find(({ archives }) => archives.some((archive) => archive.name === name));
  return taken === undefined
    ? undefined
    : `The volume ${quote(taken.label)} has an archive ${quote(name)} already. Give the new one another name.`;
}

interface Missing {
  readonly labels: readonly string[];
  /** Every task since has ended, and not all of them well. */
  readonly failed?: string;
}

async function untilListed(
  site: OpenSite,
  labels: readonly string[],
  name: string,
  before: Awaited<ReturnType<typeof taskIds>>,
): Promise<Missing> {
  const { clock, emit } = site.session;
  const deadlineAtMs = clock.now() + MADE_WITHIN_MS;
  for (let polls = 0; ; polls += 1) {
    // The tasks first: one that ends between the two reads has its archive in the second.
    const tasks = await newTasks(site, before);
    const volumes = await readVolumes(site);
    const missing = labels.filter(
      (label) =>
        !volumes.some((volume) => volume.label === label && volume.archives.some((archive) => archive.name === name)),
    );
    if (missing.length === 0) return { labels: [] };
    if (endOf(tasks) === 'failed') return { labels: missing, failed: tellTasks(tasks) };
    if (clock.now() >= deadlineAtMs) return { labels: missing };
    emit({ type: 'waiting', address: site.label, on: `for the archive ${name}`, atMs: clock.now(), deadlineAtMs });
    await pause(site, polls);
  }
}
