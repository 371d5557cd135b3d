// The volumes of a site with their archives, as the platform lists them (BKP-01), and which of them a person means.
import { diagnose } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import { objectAt, rowsAt } from '../../model/kind/rows.ts';
import { didYouMean, listOf, quote } from '../../model/format.ts';
import type { Ending, OpenSite } from './open-site.ts';

export interface Archive {
  readonly id: string;
  /** Empty where the platform shows none. */
  readonly name: string;
  /** As the platform writes it; empty where it shows none. */
  readonly created: string;
}

export interface Volume {
  readonly label: string;
  readonly id: string;
  readonly archives: readonly Archive[];
}

/** One archive of one volume. */
export interface Chosen {
  readonly volume: Volume;
  readonly archive: Archive;
}

/** Labels are the platform's and are keys, so a map of them may hold any text. */
export async function readVolumes({ client, path }: OpenSite): Promise<readonly Volume[]> {
  const rows = Object.entries(objectAt(await client.read(`${path}/backups`))).filter(
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

/**
 * The volume of that label, or the only one there is; the archive of that id or name. Else what there is to choose
 * from.
 */
export function chooseArchive(
  volumes: readonly Volume[],
  wanted: { readonly volume?: string; readonly archive?: string },
): Chosen | { readonly objection: string } {
  const { volume: label, archive: text } = wanted;
  const volume = label === undefined && volumes.length === 1 ? volumes[0] : volumes.find((one) => one.label === label);
  if (volume === undefined) return { objection: noVolume(volumes, label) };
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
    return { objection: `Several archives are called ${quote(text ?? '')}. Name one by its id. ${there}` };
  if (text === undefined) return { objection: `Say which archive with --archive. ${there}` };
  return {
    objection: `There is no archive ${quote(text)}.${didYouMean(
      text,
      archives.map(({ name }) => name),
    )} ${there}`,
  };
}

/** Why a label names no volume, and what there is. */
export function noVolume(volumes: readonly Volume[], label: string | undefined): string {
  const labels = volumes.map((volume) => volume.label);
  if (labels.length === 0) return 'The site has no volumes.';
  const there = `There are: ${listOf(labels, 'and')}.`;
  return label === undefined
    ? `Say which volume with --volume. ${there}`
    : `There is no volume ${quote(label)}.${didYouMean(label, labels)} ${there}`;
}

/** `"nightly" (id 17, made 2026-01-31T02:00:00.000Z)` */
export function tellArchive({ id, name, created }: Archive): string {
  const about = `id ${id}${created === '' ? '' : `, made ${created}`}`;
  return name === '' ? `one without a name (${about})` : `${quote(name)} (${about})`;
}

export function cannotChoose(objection: string): Ending<never> {
  return {
    outcome: 'error',
    diagnostics: [diagnose('HW4582', objection)],
  };
}

function newestFirst(archives: readonly Archive[]): readonly Archive[] {
  const at = ({ created }: Archive): number => Date.parse(created) || 0;
  return [...archives].sort((left, right) => at(right) - at(left));
}
