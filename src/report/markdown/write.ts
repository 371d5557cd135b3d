// Blocks as Markdown for a forge. A report that is too long drops blocks by their weight, then the ends of lists, then
// the digests that a review approves, and says which.
import type { BlockContent, PhrasingContent, RootContent, TableRow } from 'mdast';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { sortDiagnostics, toShare } from '../../model/diagnostic.ts';
import { cut } from '../../model/common/count.ts';
import type { Block, Details, Item, Line, Report, Span, Weight } from '../blocks/block.ts';
import { lighter, plainLine, WEIGHTS, wholeLine, withNames, withoutPlace } from '../blocks/block.ts';
import { showMark } from '../blocks/mark.ts';
import { mermaidLines } from '../graph/mermaid.ts';
import { severityWord, showSource } from '../view/document.ts';
import { clipSafe, escapeBlock, escapeText } from '../view/escape.ts';
import { showAddress, showProse } from '../view/names.ts';
import { diffLines } from '../view/values.ts';
import type { Limit } from './fit.ts';
import { code, fence, folded, html, joined, list, paragraph, markdownOf, prose, strong, text } from './text.ts';

/** How much of a list, and of one text in it, there is room for. */
interface Room {
  readonly entries: number;
  readonly text: number;
}

interface Level {
  readonly without: ReadonlySet<Weight>;
  readonly room: Room;
  readonly digests: boolean;
  /** What is left out, in words. */
  readonly says: readonly string[];
}

const WHOLE: Room = { entries: Infinity, text: Infinity };
/** Frames of a file stand below a diagnostic only where there is room. */
const FRAME_ROOM = 1000;

const ROOMS: readonly (Omit<Level, 'without' | 'says'> & { readonly says: string })[] = [
  { room: { entries: 50, text: 300 }, digests: true, says: 'the ends of long lists and texts' },
  { room: { entries: 50, text: 300 }, digests: false, says: 'the digests that a review approves' },
  { room: { entries: 5, text: 200 }, digests: false, says: 'most of each list' },
];

function levelsOf(blocks: readonly Block[], hasDigests: boolean): readonly Level[] {
  const present = weightsIn(blocks);
  const levels: Level[] = [{ without: new Set(), room: WHOLE, digests: true, says: [] }];
  const last = (): Level => levels.at(-1) as Level;
  for (const [weight, says] of Object.entries(WEIGHTS) as [Weight, string][])
    if (present.has(weight))
      levels.push({ ...last(), without: new Set([...last().without, weight]), says: [...last().says, says] });
  for (const { room, digests, says } of ROOMS) {
    const drops = !digests && last().digests;
    levels.push({
      without: drops ? new Set([...last().without, 'digests']) : last().without,
      room,
      digests,
      says: drops && !hasDigests ? last().says : [...last().says, says],
    });
  }
  return levels;
}

function weightsIn(blocks: readonly Block[]): ReadonlySet<Weight> {
  const found = new Set<Weight>();
  const look = (all: readonly Block[]): void => {
    for (const block of all) {
      if (block.weight !== undefined) found.add(block.weight);
      if ('blocks' in block) look(block.blocks);
      if (block.is === 'list') for (const item of block.items) look(item.blocks ?? []);
    }
  };
  look(blocks);
  return found;
}

/** undefined: its shortest form is too long. */
export function writeMarkdown(
  { blocks, notApproved, ...report }: Pick<Report, 'blocks' | 'mark' | 'notApproved'>,
  limit: Limit,
): string | undefined {
  const mark = report.mark?.();
  for (const level of levelsOf(blocks, mark?.approves !== undefined)) {
    const kept = lighter(blocks, level.without);
    const begin = mark && showMark(mark, level.digests);
    // Writing Markdown only to find it far too long would take a large account minutes.
    if (leastSize(kept, level.room) + (begin?.length ?? 0) > limit.most) continue;
    const at = kept.findIndex(({ is }) => is !== 'heading' && is !== 'paragraph');
    const place = at < 0 ? kept.length : at;
    const left = `Too long to show whole. Left out: ${level.says.join(', ')}. A saved plan has it all.`;
    const written = markdownOf([
      ...(begin === undefined ? [] : [html(begin)]),
      ...partsOf(kept.slice(0, place), level.room),
      ...(level.digests || notApproved === undefined ? [] : [paragraph(...prose(notApproved))]),
      ...(level.says.length === 0 ? [] : [paragraph(text(left))]),
      ...partsOf(kept.slice(place), level.room),
    ]);
    if ((limit.count === 'bytes' ? Buffer.byteLength(written) : written.length) <= limit.most) return written;
  }
  return undefined;
}

/** What is around what folds. */
const FOLD_SIZE = 50;

/** No report of these blocks is shorter. */
function leastSize(blocks: readonly Block[], room: Room): number {
  // Backticks may go: they only mark what is code. Percent signs and what they stand for may be shorter when shown.
  const sizeOf = (line: Line): number => Math.min(plainLine(line).replaceAll('`', '').length / 2, room.text);
  const sum = <One>(all: readonly One[], size: (one: One) => number): number =>
    all.reduce((total, one) => total + size(one), 0);
  return sum(blocks, (block) => {
    switch (block.is) {
      case 'details':
        return sizeOf(block.line) + (block.blocks.length === 0 ? 0 : FOLD_SIZE) + leastSize(block.blocks, room);
      case 'paragraph':
        return sizeOf(block.line);
      case 'section':
        return leastSize(block.blocks, room);
      case 'list':
        return sum(
          block.items.slice(0, room.entries),
          (item) => sizeOf(wholeLine(item)) + sizeOf(item.about ?? []) + leastSize(item.blocks ?? [], room),
        );
      case 'table':
        return sum(block.rows.slice(0, room.entries), (row) => sum(row, sizeOf));
      case 'code':
        return sum(block.lines, (line) => line.length);
      default:
        return 0;
    }
  });
}

function partsOf(blocks: readonly Block[], room: Room): readonly RootContent[] {
  const parts: RootContent[] = [];
  let lines: (readonly BlockContent[])[] = [];
  const endList = (): void => {
    if (lines.length > 0) parts.push(list(lines));
    lines = [];
  };
  for (const block of blocks) {
    // What has nothing to unfold is a line of a list.
    if (block.is === 'details' && block.blocks.length === 0)
      lines.push([paragraph(...phrasing(briefLine(block), room))]);
    else if (block.is === 'advice') lines.push([paragraph(text('To do: '), ...phrasing(block.line, room))]);
    else {
      endList();
      parts.push(...partOf(block, room));
    }
  }
  endList();
  return parts;
}

function partOf(block: Block, room: Room): readonly RootContent[] {
  switch (block.is) {
    case 'heading':
      return [{ type: 'heading', depth: 3, children: [...phrasing(block.line, WHOLE)] }];
    case 'paragraph':
      return [paragraph(...phrasing(block.line, room))];
    case 'section': {
      const { title, count, meaning, isAlarm } = block;
      const head = `${title}${count === undefined ? '' : ` (${count})`}`;
      const inside = partsOf(block.blocks, room);
      if (title === '') return inside;
      if (block.depth !== undefined) {
        const about = meaning === undefined ? [] : [paragraph(...phrasing(meaning, WHOLE))];
        return [{ type: 'heading', depth: block.depth, children: [...prose(head)] }, ...about, ...inside];
      }
      if (isAlarm === true) return [{ type: 'heading', depth: 4, children: [text(head)] }, ...inside];
      return [
        paragraph(strong(head), ...(meaning === undefined ? [] : [text(': '), ...phrasing(meaning, WHOLE)])),
        ...inside,
      ];
    }
    case 'details':
      return folded(
        phrasing(block.isOpen === true ? block.line : briefLine(block), WHOLE),
        partsOf(block.blocks, room),
        block.isOpen === true,
      );
    case 'list':
      return [listUpTo(block.items, room, itemParts)];
    case 'table':
      return tableParts(block, room);
    case 'changes': {
      const lines = diffLines(block.of(-1), block.verb);
      return lines.length === 0 ? [] : [fence('diff', lines)];
    }
    case 'code':
      return [fence(block.language, block.lines)];
    case 'diagnostics':
      return [listUpTo(sortDiagnostics(block.of).map(toShare), room, diagnosticParts)];
    case 'picture': {
      const lines = mermaidLines(block.of);
      return lines === undefined ? [] : folded([text('The order as a picture')], [fence('mermaid', lines)]);
    }
    case 'advice':
      return [];
  }
}

function listUpTo<One>(
  all: readonly One[],
  room: Room,
  show: (one: One, room: Room) => readonly BlockContent[],
): RootContent {
  return list(
    cut(
      all,
      room.entries,
      (one) => show(one, room),
      (left) => [paragraph(text(`and ${left} more`))],
    ),
  );
}

function briefLine({ line, brief = [] }: Details): Line {
  return plainLine(brief) === '' ? line : [...withoutPlace(line), ': ', ...brief];
}

function itemParts({ about, names = [], blocks = [], brief, ...item }: Item, room: Room): readonly BlockContent[] {
  const called = names.map(({ text: one }) => one).join(', ');
  const words = withNames(wholeLine(item), called === '' ? '' : ` (${called})`);
  const said = about ?? (blocks.length === 0 ? brief : undefined);
  const inside = partsOf(blocks, room).filter((part) => part.type !== 'code' || room.text >= FRAME_ROOM);
  return [
    paragraph(...phrasing(said === undefined ? words : [...words, ': ', ...said], room)),
    ...(inside as readonly BlockContent[]),
  ];
}

function tableParts({ heads, rows, rest }: Extract<Block, { is: 'table' }>, room: Room): readonly RootContent[] {
  const row = (cells: readonly (readonly PhrasingContent[])[]): TableRow => ({
    type: 'tableRow',
    children: cells.map((children) => ({ type: 'tableCell', children: [...children] })),
  });
  const left = rows.length - room.entries;
  return [
    {
      type: 'table',
      children: [
        row(heads.map((head) => [text(head)])),
        ...rows.slice(0, room.entries).map((cells) => row(cells.map((cell) => phrasing(cell, room)))),
      ],
    },
    ...(left > 0 ? [paragraph(text(rest?.(room.entries) ?? `and ${left} more`))] : []),
  ];
}

/** Place first, then what is wrong, and the lines of the file where there is room. */
function diagnosticParts(
  { code: id, severity, summary, detail, source, frame, address }: Diagnostic,
  room: Room,
): readonly BlockContent[] {
  return [
    paragraph(
      strong(`${severityWord(severity)} ${escapeText(id, 10)}`),
      ...(source === undefined ? [] : [text(' '), code(clipSafe(showSource(source), room.text))]),
      ...(address === undefined ? [] : [text(' '), code(clipSafe(showAddress(address), room.text))]),
      text(': '),
      ...prose(clipSafe(escapeText(summary), room.text)),
      text('. '),
      ...prose(clipSafe(showProse(detail, 4000), room.text)),
    ),
    ...(frame === undefined || room.text < FRAME_ROOM ? [] : [fence('text', escapeBlock(frame))]),
  ];
}

function phrasing(line: Line, room: Room): readonly PhrasingContent[] {
  return joined(line.flatMap((span) => spanParts(span, room)));
}

function spanParts(span: Span, room: Room): readonly PhrasingContent[] {
  // An arrow of signs would stand as code in the sentence, and one blank is as good as two.
  if (typeof span === 'string')
    return prose(clipSafe(span, room.text).replaceAll(' -> ', ' → ').replaceAll(/ {2,}/g, ' '));
  const shown = clipSafe(span.text, room.text);
  switch (span.as) {
    case 'code':
    case 'name':
    case 'create':
    case 'update':
    case 'delete':
      return [code(shown)];
    case 'place':
      return [text('('), code(shown), text(')')];
    case 'link':
      return [{ type: 'link', url: span.href ?? '', children: [text(shown)] }];
    case 'strong':
    case 'alarm':
      return shown === '' ? [] : [{ type: 'strong', children: [...prose(shown.replaceAll(' -> ', ' → '))] }];
    case 'risk':
      return [text('! '), ...prose(shown)];
    default:
      return prose(shown);
  }
}
