// How rows read in a terminal, whatever they are of: the columns that matter first, what could not be read as `?`.
import type { Shown, ShownValue } from '../../model/shown.ts';
import { plural } from '../../model/common/count.ts';
import { firstOf } from '../../model/format.ts';
import type { Cell } from './table.ts';
import { renderTable } from './table.ts';

export interface RowOptions {
  readonly color: boolean;
  /** All columns. */
  readonly wide: boolean;
  readonly nowMs: number;
  /** Rows that were shown before have told the headings, and this wide their columns are. */
  readonly below?: readonly number[];
}

/** A value that was asked for and could not be read. */
const UNKNOWN = '?';
const DAY_MS = 86_400_000;
/** Items of a list that a row names; `-o wide` names them all. */
const NAMED = 3;

/** A table of rows. A list that could not be read has a row of its own. */
export function renderRows({ kind, columns, rows, notRead }: Shown, options: RowOptions): string {
  const shown = columns.filter(({ wide }) => options.wide || !wide);
  const unread = notRead.filter(({ of }) => of !== undefined && !rows.some((row) => isOf(row.values, of)));
  if (rows.length === 0 && unread.length === 0)
    return options.below === undefined ? `No ${kind.replaceAll('-', ' ')} found.` : '';
  const cells = [
    ...rows.map(({ values }) => shown.map(({ name }) => cellOf(values[name] ?? null, options))),
    ...unread.map(({ of }) => shown.map((_column, index): Cell => (index === 0 ? of : UNKNOWN))),
  ];
  const headings = shown.map(({ heading }) => heading.toUpperCase());
  return renderTable(headings, cells, {
    color: options.color,
    limit: Number.MAX_SAFE_INTEGER,
    ...(options.below !== undefined && { below: options.below }),
  });
}

/** How wide the columns of these rows are, for what comes below them. */
export function widthsOf({ columns, rows }: Shown, options: RowOptions): readonly number[] {
  const shown = columns.filter(({ wide }) => options.wide || !wide);
  return shown.map(({ heading, name }) =>
    Math.max(heading.length, ...rows.map(({ values }) => String(cellOf(values[name] ?? null, options) ?? '-').length)),
  );
}

function isOf(values: Readonly<Record<string, ShownValue>>, of: string): boolean {
  return Object.values(values).includes(of);
}

function cellOf(value: ShownValue, { wide, nowMs }: RowOptions): Cell {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || typeof value !== 'object') return value;
  switch (value.is) {
    case 'unknown':
      return UNKNOWN;
    case 'time':
      return momentOf(value.at);
    case 'day':
      return dayOf(value.at, nowMs);
    case 'money':
      return [(value.cents / 100).toFixed(2), value.currency, value.per].filter((part) => part !== undefined).join(' ');
    case 'megabytes':
      return sizeOf(value.megabytes);
    case 'list': {
      // One more takes no more room than to say so.
      return value.items.length <= NAMED + 1 || wide ? value.items.join(', ') : firstOf(value.items, NAMED);
    }
  }
}

/** `2026-01-15 10:03:20`, in UTC; what is no moment as it comes. */
function momentOf(at: string): string {
  const atMs = Date.parse(at);
  return Number.isNaN(atMs) ? at : new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** `2026-01-15, in 12 days` */
function dayOf(at: string, nowMs: number): string {
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return at;
  const counted = plural(Math.floor(Math.abs(atMs - nowMs) / DAY_MS), 'day');
  return `${new Date(atMs).toISOString().slice(0, 10)}, ${atMs < nowMs ? `${counted} ago` : `in ${counted}`}`;
}

function sizeOf(megabytes: number): string {
  const [amount, unit] = megabytes < 1024 ? [megabytes, 'MB'] : [megabytes / 1024, 'GB'];
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)} ${unit}`;
}
