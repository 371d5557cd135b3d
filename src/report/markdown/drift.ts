// How drift reads in a comment or an issue: group by group, each object with its three sides in a table, since when and
// by whom.
import type { BlockContent, List, RootContent, TableRow } from 'mdast';
import type { DriftedField, DriftItem } from '../../model/plan/drift.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { driftGroups, ignoredLine, showSides, SIDES, whenLines, wholeSentence } from '../view/drift.ts';
import { clipSafe } from '../view/escape.ts';
import { showAddress } from '../view/names.ts';
import type { ListRoom } from './parts.ts';
import { cutList, name } from './parts.ts';
import { code, list, paragraph, prose, strong, text } from './text.ts';

const VALUE_ROOM = 1000;
const FIELDS_SHOWN = 50;

/** A part for each class, most pressing first, then what was left out. */
export function driftParts(
  { drift = [], ignored = [] }: Plan,
  { values, room }: { readonly values: boolean; readonly room: ListRoom },
): readonly RootContent[] {
  const groups = driftGroups(drift).flatMap(({ title, meaning, remedy, items }) => [
    paragraph(strong(`${title} (${items.length})`), text(`: ${meaning}. `), ...prose(remedy)),
    roomy(cutList(items, room, (item) => itemParts(item, values, room))),
  ]);
  if (ignored.length === 0) return groups;
  return [
    ...groups,
    paragraph(strong(`Ignored (${ignored.length})`), text(': left out of this run, and of its exit code')),
    cutList(ignored, room, (one) => [paragraph(...prose(ignoredLine(one)))]),
  ];
}

/** No report has less of each item. */
export function leastDriftSize({ drift = [], ignored = [] }: Plan, { entries }: ListRoom): number {
  const sizes = [...driftGroups(drift).map(({ items }) => items), ignored].map((items) =>
    items.slice(0, entries).reduce((sum, { address }) => sum + Math.min(address.length, 20), 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** With empty lines between what is in an item: not every forge takes a table right below a text. */
function roomy(list: List): List {
  return { ...list, children: list.children.map((item) => ({ ...item, spread: true })) };
}

function itemParts(item: DriftItem, values: boolean, room: ListRoom): readonly BlockContent[] {
  const { address, fields } = item;
  const whole = wholeSentence(item);
  const said = whole === '' ? fields.map((field) => showSides(field, 0).field).join(', ') : whole;
  const head = paragraph(name(showAddress(address), room), text(': '), ...prose(clipSafe(said, 500)));
  if (!values) return [head];
  const times = whenLines(item).map((line) => [paragraph(...prose(line.trim()))]);
  return [head, ...(fields.length === 0 ? [] : [tableOf(fields)]), ...(times.length === 0 ? [] : [list(times)])];
}

function tableOf(fields: readonly DriftedField[]): BlockContent {
  const rest = fields.length - FIELDS_SHOWN;
  const row = (cells: readonly TableRow['children'][number][]): TableRow => ({
    type: 'tableRow',
    children: [...cells],
  });
  const plain = (value: string): TableRow['children'][number] => ({ type: 'tableCell', children: [text(value)] });
  const cell = (value: string): TableRow['children'][number] => ({ type: 'tableCell', children: [code(value)] });
  return {
    type: 'table',
    children: [
      row(['field', ...SIDES].map(plain)),
      ...fields.slice(0, FIELDS_SHOWN).map((field) => {
        const shown = showSides(field, VALUE_ROOM);
        return row([shown.field, shown.applied, shown.manifest, shown.live].map(cell));
      }),
      ...(rest > 0 ? [row([plain(`and ${rest} more`)])] : []),
    ],
  };
}
