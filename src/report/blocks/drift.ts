// Drift as blocks: class by class, in one table where it fits, since when and by whom.
import type { DriftItem } from '../../model/plan/drift.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { sentenceOf } from '../../model/common/sentence.ts';
import { driftGroups, ignoredLine, notWatchedSentence, showSides, whenLines, wholeSentence } from '../view/drift.ts';
import type { ShownSides } from '../view/drift.ts';
import { titleOf } from '../view/names.ts';
import type { Block, Item, Line } from './block.ts';
import { listOf, marked, nameOf, paragraph, placeOf, section } from './block.ts';

const FIELDS_SHOWN = 50;
/** Longest value that is shown. */
const WHOLE = 4000;

/** A section for each class, most pressing first, then what was left out. */
export function driftSections(plan: Plan, nowMs?: number): readonly Block[] {
  const unseen = notWatchedSentence(plan.notWatched ?? []);
  return [...groupSections(plan, nowMs), ...(unseen === undefined ? [] : [paragraph(unseen)])];
}

function groupSections({ drift = [], ignored = [] }: Plan, nowMs?: number): readonly Block[] {
  return [
    ...driftGroups(drift).flatMap(({ title, meaning, remedy, items }) =>
      section(
        title.toLowerCase().replaceAll(' ', '-'),
        title,
        isNarrow(items) ? tableBlocks(items, nowMs) : listOf(items.map((item) => driftItem(item, nowMs))),
        { count: items.length, meaning: [`${meaning}. `, remedy] },
      ),
    ),
    ...section('ignored', 'Ignored', listOf(ignored.map((one) => ({ line: [ignoredLine(one)] }))), {
      count: ignored.length,
      meaning: ['left out of this run, and of its exit code'],
    }),
  ];
}

/** What a phone of 420 pixels shows of a table on a forge, in characters, without the space around its cells. */
const PHONE = 36;

/** One table where it fits: of objects that changed on one side. The words of its first column may be broken. */
function isNarrow(items: readonly DriftItem[]): boolean {
  const rows = items.flatMap((item) =>
    item.fields.map((field) => ({ ...showSides(item, field, WHOLE), title: titleOf(item.address) })),
  );
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
  const width =
    widest(rows.flatMap(({ field, title }) => [field, ...title.split(/[\s-]/)])) +
    widest(['manifest', ...rows.flatMap(({ manifest, applied }) => [manifest, applied])]) +
    widest(['live', ...rows.map(({ live }) => live)]);
  return (
    width <= PHONE &&
    items.every(({ is, class: which, fields }) => is === 'changed' && which !== 'both' && fields.length <= FIELDS_SHOWN)
  );
}

function tableBlocks(items: readonly DriftItem[], nowMs?: number): readonly Block[] {
  const isUndeclared = items.some((item) => item.class === 'undeclared');
  const rows = items.flatMap((item) =>
    item.fields.map((field): readonly Line[] => {
      const { field: name, manifest: said, applied, live } = showSides(item, field, WHOLE);
      const manifest = isUndeclared ? applied : said;
      return [
        [`${titleOf(item.address)}: `, marked('strong', name)],
        [marked('code', manifest)],
        [marked('code', live)],
      ];
    }),
  );
  const times = items.map((item) => whenLines(item, nowMs).map((line) => line.trim()));
  const first = times[0] ?? [];
  const areAlike = times.every((lines) => lines.join('\n') === first.join('\n'));
  const told = items.map((item, index): Item => ({
    line: [nameOf(item.address), ...placeOf(item.source)],
    blocks: (times[index] ?? []).map((line) => paragraph(line)),
  }));
  return [
    { is: 'table', heads: ['what', isUndeclared ? 'observed' : 'manifest', 'live'], rows },
    ...(areAlike && first.length > 0
      ? first.map((line) => ({ ...paragraph(sentenceOf(line)), weight: 'updates' }) as const)
      : [{ is: 'list', items: told } as const]),
  ];
}

/** Which sides of a field say something: two that are equal are said once. */
function sidesOf({ applied, manifest, live }: ShownSides, which: DriftItem['class']): Line {
  if (which === 'undeclared') return ['observed ', marked('code', applied), ', live ', marked('code', live)];
  const before = applied === manifest || applied === live ? [] : ['last applied ', marked('code', applied), ', '];
  return [...before, 'manifest ', marked('code', manifest), ', live ', marked('code', live)];
}

function driftItem(item: DriftItem, nowMs?: number): Item {
  const { address, source, fields } = item;
  const whole = wholeSentence(item);
  const rest = fields.length - FIELDS_SHOWN;
  const shown = fields.slice(0, FIELDS_SHOWN).map((field) => showSides(item, field, WHOLE));
  const lines = [
    ...shown.map((sides): Item => ({ line: [marked('strong', sides.field), ': ', ...sidesOf(sides, item.class)] })),
    ...(rest > 0 ? [{ line: [`and ${rest} more fields`] }] : []),
  ];
  return {
    line: [nameOf(address), ...placeOf(source)],
    ...(whole !== '' && { about: [whole] }),
    brief: [shown.map(({ field }) => field).join(', ')],
    tags: ['drift'],
    blocks: [
      ...listOf(lines, 'updates'),
      ...whenLines(item, nowMs).map((line): Block => ({ ...paragraph(line.trim()), weight: 'updates' })),
    ],
  };
}
