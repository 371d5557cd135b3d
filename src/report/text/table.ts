// How rows read in a terminal: columns under headings, as wide as their longest cell.
import Table from 'cli-table3';
import { escapeText } from '../view/escape.ts';
import { createStyle } from './style.ts';

const CELL_LIMIT = 120;
/** No lines: they would stand in the way of grep and copying. */
const BARE = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

export type Cell = string | number | boolean | null | undefined;

export interface TableOptions {
  readonly color: boolean;
  /** Characters of a cell at most (default: 120). */
  readonly limit?: number;
  /** Cells are escaped and painted already, and have no limit. */
  readonly painted?: true;
  /** The headings stand above already, with columns this wide. */
  readonly below?: readonly number[];
}

/** A table; null, undefined and an empty text are shown as `-`. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  { color, limit = CELL_LIMIT, painted, below }: TableOptions,
): string {
  const style = createStyle(color);
  const numeric = headings.map(
    (_heading, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'),
  );
  const table = new Table({
    head: below === undefined ? headings.map((heading) => style.strong(heading)) : [],
    chars: BARE,
    colAligns: numeric.map((isNumeric) => (isNumeric ? 'right' : 'left')),
    // Colour is ours to decide: the library would look at the environment.
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(
    ...rows.map((row) =>
      headings.map((_heading, column) =>
        showCell(row[column], painted === true ? undefined : limit).padEnd(below?.[column] ?? 0),
      ),
    ),
  );
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function showCell(value: Cell, limit: number | undefined): string {
  const text = value === null || value === undefined ? '' : String(value);
  if (text === '') return '-';
  return limit === undefined ? text : escapeText(text, limit);
}
