// The table of the bench, for a terminal and for docs/performance.md.
import type { Label, Row } from './ground.ts';

/** What one run of the bench found, section by section. */
export interface Found {
  readonly section: string;
  readonly title: string;
  /** When and how: `2026-11-22 with Node.js 20.20.2, a quick run`. */
  readonly measured: string;
  readonly rows: readonly Row[];
}

export interface Results {
  readonly found: readonly Found[];
}

/** `1.08 x`, `320 MB`, `2.4 MB`, `2.0 %`. */
export function valueText({ unit }: Row, value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '-';
  if (unit === 'MB') return `${value.toFixed(value < 10 ? 1 : 0)} MB`;
  if (unit === '%') return `${value.toFixed(1)} %`;
  if (unit === 'requests') return Number.isInteger(value) ? String(value) : value.toFixed(2);
  if (unit === 'exponent') return value.toFixed(2);
  return `${value.toFixed(2)} x`;
}

function aimText(row: Row): string {
  if (row.aim === undefined) return '';
  return `${row.moreIsBetter === true ? 'at least' : 'at most'} ${valueText(row, row.aim)}`;
}

/** What was measured: `before` only where there was such a build. */
export function labelsOf(found: readonly Found[]): readonly Label[] {
  const all = found.flatMap(({ rows }) => rows.flatMap(({ values }) => Object.keys(values)));
  return (['before', 'now'] as const).filter((label) => label === 'now' || all.includes(label));
}

export function reaches(row: Row, value: number | undefined): boolean | undefined {
  if (value === undefined || row.aim === undefined || Number.isNaN(value)) return undefined;
  // As it is shown: three lists among thousands of requests are no request a change.
  const shown = Math.round(value * 100) / 100;
  return row.moreIsBetter === true ? shown >= row.aim : shown <= row.aim;
}

export function terminalLines({ title, rows }: Found, labels: readonly Label[]): readonly string[] {
  const lines = rows.map((row) => {
    const values = labels.map((label) => valueText(row, row.values[label]).padStart(9)).join(' ');
    const missed = reaches(row, row.values.now) === false ? '  (missed)' : '';
    const word = row.word === undefined ? '' : `\n    ${row.word}`;
    return `  ${row.name.padEnd(76)} ${values}   ${aimText(row)}${missed}\n    against ${row.against}${word}`;
  });
  return ['', title, `  ${''.padEnd(76)} ${labels.map((label) => label.padStart(9)).join(' ')}   aim`, ...lines];
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

export function markdownTable({ found }: Results): string {
  const labels = labelsOf(found);
  const heads = ['what', 'against', ...labels, 'aim'];
  const isOneRun = new Set(found.map(({ measured }) => measured)).size === 1;
  const parts = found.map(({ title, measured, rows }) => {
    const when = isOneRun ? '' : `Measured on ${measured}.\n\n`;
    const lines = rows.map((row) => {
      const values = labels.map((label) => valueText(row, row.values[label]));
      const against = row.word === undefined ? row.against : `${row.against} (${row.word})`;
      return `| ${[cell(row.name), cell(against), ...values, aimText(row)].join(' | ')} |`;
    });
    return `### ${title}\n\n${when}| ${heads.join(' | ')} |\n|${heads.map((_, index) => (index < 2 ? '---' : '---:')).join('|')}|\n${lines.join('\n')}\n`;
  });
  return `${isOneRun ? `Measured on ${found[0]?.measured ?? ''}.\n\n` : ''}${parts.join('\n')}`;
}
