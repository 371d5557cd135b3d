// What views have in common: rows inside of others, and choosing the one that is wanted before more is read of it.
import { compareText } from '../../../model/address.ts';
import type { Json, JsonObject } from '../../../model/json.ts';
import { valueAt } from '../../../model/json.ts';
import { sameName } from '../find.ts';
import type { Absences } from '../../../model/kind/kind.ts';
import type { ListName, Look } from '../look.ts';
import { failed } from '../look.ts';
import { idAt } from '../view.ts';

/** Something that has rows in it. */
export interface Place {
  readonly id: string;
  /** For people. */
  readonly label: string;
}

/** The rows that answer to a name; all of them where none is wanted. The other names are kept for a suggestion. */
export function chosen(
  look: Look,
  rows: readonly JsonObject[],
  name: string | undefined,
  pointers: readonly string[],
): readonly JsonObject[] {
  if (name === undefined) return rows;
  const namesOf = (row: JsonObject): readonly Json[] =>
    pointers.flatMap((pointer) => {
      const value = valueAt(row, pointer);
      return value === undefined || value === null ? [] : [value];
    });
  look.know(rows.flatMap(namesOf).filter((value) => typeof value === 'string'));
  return rows.filter((row) => namesOf(row).some((value) => sameName(value, name)));
}

/** The sites, mailspaces or registrations of the account; with `parent` that one alone. */
export async function placesIn(
  look: Look,
  list: ListName,
  labels: readonly string[],
  parent: string | undefined,
): Promise<readonly Place[]> {
  const places = (await look.list(list))
    .map((row) => ({ id: idAt(row), label: labelOf(row, labels) }))
    .sort((left, right) => compareText(left.label, right.label));
  return parent === undefined ? places : places.filter(({ id }) => id === parent);
}

function labelOf(row: JsonObject, pointers: readonly string[]): string {
  return pointers
    .map((pointer) => valueAt(row, pointer))
    .find((text) => typeof text === 'string' && text !== '') as string;
}

export function sitesOf(look: Look, parent: string | undefined): Promise<readonly Place[]> {
  return placesIn(look, 'sites', ['/name', '/primary_domain', '/id'], parent);
}

export function sitePath({ id }: Place, below = ''): string {
  return `/api/sites/${encodeURIComponent(id)}${below}`;
}

interface Inside<Item> {
  readonly path: (place: Place) => string;
  /** For people: `tasks`. */
  readonly what: string;
  readonly absences?: Absences;
  /** Throws ShapeError where the answer is not as the documents say. */
  readonly items: (answer: Json, place: Place) => readonly Item[];
}

/** What is in each place, side by side. What cannot be read is told, and the others are shown. */
export async function inside<Item>(
  look: Look,
  places: readonly Place[],
  { path, what, absences = [], items }: Inside<Item>,
): Promise<readonly Item[]> {
  const found = await Promise.all(
    places.map(async (place) => {
      try {
        return items(await look.read(path(place)), place);
      } catch (error) {
        const end = failed(error, absences);
        if (end.is === 'unknown') look.miss({ of: place.label, what, reason: end.reason });
        return [];
      }
    }),
  );
  return found.flat();
}
