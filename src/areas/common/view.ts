// What a view is: the objects of one kind with what is read for each, and a column for every value that people look for.
import { compareText } from '../../model/address.ts';
import { sameName } from '../../model/hostname.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import type { Absences } from '../../model/kind/kind.ts';
import type { GetKindRow, NotRead, ShownColumn, ShownRow, ShownValue } from '../../model/shown.ts';
import type { LISTS } from './lists.ts';

export type ListName = keyof typeof LISTS;

/** What is shown, and how far it is narrowed. */
export interface Wish {
  readonly query?: string;
  readonly status?: string;
  /** `YYYY-MM-DD` */
  readonly date?: string;
  readonly limit?: number;
  /** Values that cost a request a row are wanted too. */
  readonly detailed: boolean;
  /** Somebody waits for what moves. */
  readonly watching: boolean;
  /** Tokens of carts that the ledger knows. */
  readonly carts: readonly string[];
}

/** A read beside others: its answer, or why there is none. `none`: the documents say that there is nothing then. */
export type Attempt =
  | { readonly is: 'read'; readonly answer: Json }
  | { readonly is: 'none'; readonly code: string | null }
  | { readonly is: 'unknown'; readonly reason: string; readonly code?: string };

export interface AccountReader extends Wish {
  readonly account: string;
  /** Rejects with the client's ApiError. */
  readonly read: (path: string) => Promise<Json>;
  /** The response to a POST that changes nothing. Rejects with the client's ApiError. */
  readonly readByPost: (path: string, body: JsonObject) => Promise<Json>;
  readonly attempt: (path: string, absences?: Absences) => Promise<Attempt>;
  /** Why a read came to nothing. Throws again what concerns the whole run, and our own bugs. */
  readonly failed: (error: unknown, absences?: Absences) => Exclude<Attempt, { readonly is: 'read' }>;
  /** The rows of a list that are the account's. Rejects when it cannot be read. */
  readonly list: (name: ListName, query?: string) => Promise<readonly JsonObject[]>;
  /** What could not be read. */
  readonly missed: NotRead[];
  /** Where there is more than is shown, because of the limit. */
  readonly cuts: Cut[];
  /** Names that there are, for a suggestion. */
  readonly known: string[];
}

/** `of` is undefined where nobody knows how many there are. */
export interface Cut {
  readonly shown: number;
  readonly of: number | undefined;
}

/** A row, by which names a person may ask for it, and whether it is on its way to another state. */
export interface ViewRow extends ShownRow {
  readonly names: readonly string[];
  readonly moving: boolean;
}

/** Rows of one kind. `parents`: ids of the sites, mailspaces or registrations that alone are wanted. */
export interface View {
  /** What a person calls it, and what it shows. Generated code has these alone, for help and completion. */
  readonly called: GetKindRow;
  readonly columns: readonly ShownColumn[];
  readonly rows: (reader: AccountReader, wanted: Wanted) => Promise<readonly ViewRow[]>;
}

/** Of what may be left unread because nobody asked for it. */
export interface Wanted {
  /** The id or name of the one row that is wanted. */
  readonly name?: string;
  /** The names to read, of a kind that is read by name only. */
  readonly names?: readonly string[];
  /** The site, mailspace or registration in which rows are wanted; absent: in all. */
  readonly parent?: string;
}

interface Definition<Item> {
  readonly called: GetKindRow;
  readonly items: (reader: AccountReader, wanted: Wanted) => Promise<readonly Item[]>;
  readonly id: (item: Item) => string;
  /** Beside its id. */
  readonly names?: (item: Item) => readonly (Json | undefined)[];
  readonly object: (item: Item) => JsonObject;
  readonly moving?: (item: Item) => boolean;
  /** Items come in an order that means something; else they are sorted by the first column. */
  readonly isOrdered?: true;
  /** By heading, in the order in which they matter. */
  readonly columns: Readonly<Record<string, Cell<Item>>>;
  readonly wide?: Readonly<Record<string, Cell<Item>>>;
}

/** What stands in a column of an item: a plain value of its object, by its pointer, or what is made of the item. */
type Cell<Item> = string | ((item: Item, reader: AccountReader) => ShownValue);

/** A view, from what its objects are. */
export function defineView<Item>({ columns, wide = {}, ...of }: Definition<Item>): View {
  const cells = { ...columns, ...wide };
  return {
    called: of.called,
    columns: Object.keys(cells).map((heading) => ({ heading, name: nameOf(heading), wide: heading in wide })),
    rows: async (reader, wanted) => {
      const rows = (await of.items(reader, wanted)).map((item) => {
        const object = of.object(item);
        const shown = (cell: Cell<Item>): ShownValue =>
          typeof cell === 'string' ? plainAt(object, cell) : cell(item, reader);
        return {
          id: of.id(item),
          names: [of.id(item), ...(of.names?.(item) ?? []).filter((name) => typeof name === 'string')],
          moving: of.moving?.(item) ?? false,
          values: Object.fromEntries(Object.entries(cells).map(([heading, cell]) => [nameOf(heading), shown(cell)])),
          object,
        };
      });
      return of.isOrdered === true ? rows : rows.sort((left, right) => compareText(keyOf(left), keyOf(right)));
    },
  };
}

/** The texts of the first two columns. */
function keyOf({ values, id }: ViewRow): string {
  return [
    ...Object.values(values)
      .slice(0, 2)
      .filter((value) => typeof value === 'string'),
    id,
  ].join('\n');
}

/** `primary domain` -> `primaryDomain` */
function nameOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())
    .replace(/[^a-zA-Z0-9]/g, '');
}

/** A text, number or flag as it comes; anything else is shown as nothing. */
export function plainAt(value: Json | undefined, pointer: string): ShownValue {
  const found = valueAt(value, pointer);
  return found === undefined || found === '' || typeof found === 'object' ? null : found;
}

/** An id, whether the platform writes it as a text or as a number. */
export function idAt(value: Json | undefined, pointer = '/id'): string {
  const found = valueAt(value, pointer);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}

export function timeAt(value: Json | undefined, pointer: string, is: 'time' | 'day' = 'time'): ShownValue {
  const found = valueAt(value, pointer);
  // Some moments come in seconds since 1970: which, the documents do not say (GAP-14).
  if (typeof found === 'number') return { is, at: new Date(found * 1000).toISOString() };
  return typeof found === 'string' && found !== '' ? { is, at: found } : null;
}

export function megabytesAt(value: Json | undefined, pointer: string, factor = 1): ShownValue {
  const found = valueAt(value, pointer);
  return typeof found === 'number' ? { is: 'megabytes', megabytes: found * factor } : null;
}

export function moneyAt(value: Json | undefined, pointer: string): ShownValue {
  const price = valueAt(value, pointer);
  const cents = valueAt(price, '/amount_cents');
  if (typeof cents !== 'number') return null;
  const [currency, per] = [valueAt(price, '/currency'), valueAt(price, '/term')];
  return {
    is: 'money',
    cents,
    ...(typeof currency === 'string' && { currency }),
    ...(typeof per === 'string' && { per }),
  };
}

/** A list of texts; null is an empty one. */
export function listAt(value: Json | undefined, pointer: string): ShownValue {
  const found = valueAt(value, pointer);
  if (found === undefined || (found !== null && !Array.isArray(found))) return null;
  return { is: 'list', items: ((found ?? []) as readonly Json[]).map(inWords) };
}

/** A value of which the documents show no shape, in one line. */
export function inWords(value: Json): string {
  if (typeof value === 'string') return value;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return Object.entries(value)
    .filter(([, item]) => item !== null)
    .map(([key, item]) => `${key}=${typeof item === 'string' ? quoted(item) : JSON.stringify(item)}`)
    .join(' ');
}

/** Between quotes where it could be taken for more than one value. */
function quoted(text: string): string {
  return /[\s"=]/.test(text) ? JSON.stringify(text) : text;
}

/** A value out of a read beside others: unknown where that came to nothing. */
export function from(attempt: Attempt, value: (answer: Json) => ShownValue): ShownValue {
  if (attempt.is === 'read') return value(attempt.answer);
  return attempt.is === 'none' ? null : { is: 'unknown', reason: attempt.reason };
}

/** The same attempt; one that failed is noted as not read. */
export function noteIfUnread(reader: AccountReader, attempt: Attempt, missing: Omit<NotRead, 'reason'>): Attempt {
  if (attempt.is === 'unknown') reader.missed.push({ ...missing, reason: attempt.reason });
  return attempt;
}

/** The object of a read beside others, under the name that it may be wrapped in. */
export function objectOf(attempt: Attempt, wrapper: string): JsonObject {
  if (attempt.is !== 'read') return {};
  const inner = valueAt(attempt.answer, `/${wrapper}`);
  return isJsonObject(inner) ? inner : isJsonObject(attempt.answer) ? attempt.answer : {};
}

/** Something that has rows in it. */
export interface Place {
  readonly id: string;
  /** For people. */
  readonly label: string;
}

/** The rows that answer to a name; all of them where none is wanted. The other names are kept for a suggestion. */
export function chosen(
  reader: AccountReader,
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
  reader.known.push(...rows.flatMap(namesOf).filter((value) => typeof value === 'string'));
  return rows.filter((row) => namesOf(row).some((value) => sameName(value, name)));
}

/** The sites, mailspaces or registrations of the account; with `parent` that one alone. */
export async function placesIn(
  reader: AccountReader,
  list: ListName,
  labels: readonly string[],
  parent: string | undefined,
): Promise<readonly Place[]> {
  const places = (await reader.list(list))
    .map((row) => ({ id: idAt(row), label: labelOf(row, labels) }))
    .sort((left, right) => compareText(left.label, right.label));
  return parent === undefined ? places : places.filter(({ id }) => id === parent);
}

function labelOf(row: JsonObject, pointers: readonly string[]): string {
  return pointers
    .map((pointer) => valueAt(row, pointer))
    .find((text) => typeof text === 'string' && text !== '') as string;
}

export function sitesOf(reader: AccountReader, parent: string | undefined): Promise<readonly Place[]> {
  return placesIn(reader, 'sites', ['/name', '/primary_domain', '/id'], parent);
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
  reader: AccountReader,
  places: readonly Place[],
  { path, what, absences = [], items }: Inside<Item>,
): Promise<readonly Item[]> {
  const found = await Promise.all(
    places.map(async (place) => {
      try {
        return items(await reader.read(path(place)), place);
      } catch (error) {
        noteIfUnread(reader, reader.failed(error, absences), { of: place.label, what });
        return [];
      }
    }),
  );
  return found.flat();
}

/** A part of a site, such as a row of one of its lists. */
interface InSite<Part> {
  readonly site: Place;
  readonly part: Part;
}

type SiteDefinition<Part> = Omit<Definition<InSite<Part>>, 'items' | 'id' | 'object'> & {
  /** Its path, below that of the site. */
  readonly below: string;
  /** For people: `tasks`. */
  readonly what: string;
  readonly absences?: Absences;
  /** Throws ShapeError where the answer is not as the documents say. */
  readonly parts: (answer: Json) => readonly Part[];
  /** Absent: what a row says. */
  readonly id?: (item: InSite<Part>) => string;
  /** Beside the id of the site. Absent: the part itself. */
  readonly object?: (part: Part) => JsonObject;
};

/** A view of what one read of each site tells; its first column is the site. */
export function defineSiteView<Part extends object>({
  below,
  what,
  absences = [],
  parts,
  id = ({ part }) => idAt(part as JsonObject),
  object = (part) => part as JsonObject,
  columns,
  ...more
}: SiteDefinition<Part>): View {
  return defineView<InSite<Part>>({
    ...more,
    items: async (reader, { parent }) =>
      inside(reader, await sitesOf(reader, parent), {
        path: (site) => sitePath(site, below),
        what,
        absences,
        items: (answer, site) => parts(answer).map((part) => ({ site, part })),
      }),
    id,
    object: ({ site, part }) => ({ site: site.id, ...object(part) }),
    columns: { site: ({ site }) => site.label, ...columns },
  });
}
