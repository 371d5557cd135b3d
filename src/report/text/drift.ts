// How drift reads in a terminal: group by group, each object with its three sides next to each other, since when and by
// whom.
import type { DriftItem, IgnoredDrift } from '../../model/plan/drift.ts';
import { showSource } from '../view/document.ts';
import { driftGroups, ignoredLine, showSides, SIDES, whenLines, wholeSentence } from '../view/drift.ts';
import { showAddress } from '../view/names.ts';
import type { Style } from './style.ts';
import { renderTable } from './table.ts';

export interface DriftTextOptions {
  readonly color: boolean;
  readonly width: number;
  readonly concise: boolean;
  readonly nowMs?: number;
}

/** More than the contacts of a registration have together. */
const FIELDS_SHOWN = 50;
/** Longest value that is shown. */
const WHOLE = 4000;

/** A block for each class, most pressing first, then what was left out. */
export function driftBlocks(
  drift: readonly DriftItem[],
  ignored: readonly IgnoredDrift[],
  options: DriftTextOptions,
  style: Style,
): readonly string[] {
  const groups = driftGroups(drift).map(({ title, meaning, remedy, items }) =>
    [
      `${style.careful(`${title} (${items.length})`)}${style.faint(`: ${meaning}`)}`,
      ...items.flatMap((item) => (options.concise ? [conciseLine(item, style)] : itemLines(item, options, style))),
      ...(options.concise ? [] : [`  ${style.faint('->')} ${remedy}`]),
    ].join('\n'),
  );
  if (ignored.length === 0) return groups;
  const left = [
    `${style.strong(`Ignored (${ignored.length})`)}${style.faint(': left out of this run, and of its exit code')}`,
    ...ignored.map((one) => `  ${ignoredLine(one)}`),
  ];
  return [...groups, left.join('\n')];
}

function conciseLine(item: DriftItem, style: Style): string {
  const whole = wholeSentence(item);
  const fields = item.fields.map((field) => showSides(field, 0).field).join(', ');
  return `  ${style.strong(showAddress(item.address))}  ${whole === '' ? fields : whole}`;
}

function itemLines(item: DriftItem, { color, width, nowMs }: DriftTextOptions, style: Style): readonly string[] {
  const { address, source, fields } = item;
  const room = Math.max(16, Math.floor((width - 36) / 3));
  const shown = fields
    .slice(0, FIELDS_SHOWN)
    .map((field) => showSides(field, WHOLE))
    .map(({ field, applied, manifest, live }) => [field, applied, manifest, live] as const);
  const fits = ([, ...sides]: readonly string[]): boolean => sides.every((side) => side.length <= room);
  const rows = shown.filter(fits);
  // What is too long for a column stands below it, whole.
  const long = shown
    .filter((row) => !fits(row))
    .flatMap(([field, ...sides]) => [
      `${field}:`,
      ...sides.map((side, index) => `  ${(SIDES[index] as string).padEnd(12)}  ${side}`),
    ]);
  const whole = wholeSentence(item);
  const lines = [
    ...(whole === '' ? [] : [whole]),
    ...(rows.length === 0 ? [] : renderTable(['field', ...SIDES], rows, { color }).split('\n')),
    ...long,
    ...(fields.length > FIELDS_SHOWN ? [`and ${fields.length - FIELDS_SHOWN} more fields`] : []),
    ...whenLines(item, nowMs),
  ];
  const place = source === undefined ? '' : `  ${style.faint(showSource(source))}`;
  return [`  ${style.strong(showAddress(address))}${place}`, ...lines.map((line) => `      ${line}`)];
}
