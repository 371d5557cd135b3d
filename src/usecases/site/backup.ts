// The use case `site backup`: a backup of each volume of a site, or of one, under a name that nothing else has.
import { diagnose } from '../../model/diagnostic.ts';
import { listOf, quote } from '../../model/format.ts';
import type { Json } from '../../model/json.ts';
import { valueAt } from '../../model/json.ts';
import type { Act } from '../../model/plan/act.ts';
import { siteActs } from '../../areas/index.ts';
import type { Confirm } from '../act/run-act.ts';
import { begunBefore, runAct } from '../act/run-act.ts';
import type { Session } from '../session.ts';
import type { Ending, OpenSite, SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';
import { newestTask } from './tasks.ts';
import type { Volume } from './volumes.ts';
import { noVolume, readVolumes } from './volumes.ts';

export interface BackupOptions {
  readonly name?: string;
  /** The label of one volume; else all. */
  readonly volume?: string;
}

export interface MadeBackup {
  readonly name: string;
  readonly volumes: readonly string[];
}

/** Makes backups and waits until their archives are listed. */
export function backupSite(
  session: Session,
  wanted: string,
  options: BackupOptions,
  confirm: Confirm,
): Promise<SiteResult<MadeBackup>> {
  return withSite(session, wanted, async (site) => makeBackup(site, await readVolumes(site), options, confirm));
}

/** Asks for a backup of each volume, and waits until their archives are listed (BKP-05). */
export async function makeBackup(
  site: OpenSite,
  all: readonly Volume[],
  options: BackupOptions,
  confirm: Confirm,
): Promise<Ending<MadeBackup>> {
  const volumes = all.filter(({ label }) => options.volume === undefined || label === options.volume);
  const name = options.name ?? newName(site.session);
  const of = [options.volume, options.name].filter((part) => part !== undefined).join(' ');
  const act = siteActs.makeBackup(site.id, { name, volumes, after: await newestTask(site), of: of === '' ? null : of });
  const earlier = await begunBefore(site, act);
  if ('ending' in earlier) return earlier.ending;
  const begun = nameIn(earlier.flight?.action ?? act);
  const problem = volumes.length === 0 ? noVolume(all, options.volume) : undefined;
  const taken = earlier.flight === undefined ? nameTaken(volumes, name) : undefined;
  if (problem !== undefined || taken !== undefined) return cannotBackUp(problem ?? taken ?? '');
  const labels = volumes.map(({ label }) => label);
  const told = `${listOf(labels, 'and')} of ${site.label}`;
  return runAct<MadeBackup>(
    site,
    act,
    {
      question: `Make the backup ${quote(begun)} of ${told}?`,
      done: async () => {
        // A request whose answer was lost may have been sent again, under another name (BKP-06).
        const made = await readVolumes(site);
        const names = labels.flatMap((label) => namesOf(made, label).find((one) => one.startsWith(begun)) ?? []);
        const [shown = begun] = [...new Set(names)].sort((left, right) => left.length - right.length);
        return {
          outcome: 'done',
          value: { name: shown, volumes: labels },
          message: `The backup ${quote(shown)} of ${told} is there.`,
        };
      },
      waiting: (reason) =>
        `The backup ${quote(begun)} of ${told} is still being made (${reason}). The same command goes on waiting for it.`,
      value: { name: begun, volumes: labels },
      look: `Look for an archive of the name ${quote(begun)} before you make another.`,
    },
    confirm,
  );
}

function namesOf(volumes: readonly Volume[], label: string): readonly string[] {
  return volumes.filter((volume) => volume.label === label).flatMap(({ archives }) => archives.map(({ name }) => name));
}

/** A name with the time in it that nothing else has. */
function newName({ clock, runtime }: Session): string {
  const at = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '-');
  return `hostwright-${at}Z-${runtime.uuid().slice(0, 8)}`;
}

/** The name that the backup has which a run began. */
function nameIn({ steps }: Pick<Act, 'steps'>): string {
  const names = steps.map((step) => (step.do === 'request' ? valueAt(step.body as Json, '/name') : undefined));
  return names.find((name) => typeof name === 'string') ?? '';
}

function nameTaken(volumes: readonly Volume[], name: string): string | undefined {
  const taken = volumes.find(({ label }) => namesOf(volumes, label).some((one) => one.startsWith(name)));
  return taken === undefined
    ? undefined
    : `The volume ${quote(taken.label)} has an archive already whose name begins with ${quote(name)}. Give the new one another name.`;
}

function cannotBackUp(detail: string): Ending<never> {
  return {
    outcome: 'error',
    diagnostics: [diagnose('HW4504', detail)],
  };
}
