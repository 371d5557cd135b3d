// What one step does to a text where values are written by indentation: which characters go and which lines come.
// Comments that do not belong to what goes stay.
import type { Scalar } from 'yaml';
import { isScalar } from 'yaml';
import type { Entry } from './places.ts';
import {
  CannotEdit,
  columnOf,
  commentsAbove,
  isBlankLine,
  isBlock,
  isFirstOnLine,
  entriesOf,
  lastLineEnd,
  lineEnd,
  lineStart,
  nextLine,
} from './places.ts';

/** Characters that go, and what comes in their place. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The text with the splices, which do not overlap, in it. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = text;
  for (const { from, to, text: insert } of [...splices].sort(
    (left, right) => right.from - left.from || right.to - left.to,
  ))
    result = result.slice(0, from) + insert + result.slice(to);
  return result;
}

export interface Block {
  readonly text: string;
  readonly eol: string;
  readonly entries: readonly Entry[];
}

/** Lines that come before the entry with this number, or behind the last. They have no indentation yet. */
export function insertLines(block: Block, index: number, lines: readonly string[]): readonly Splice[] {
  const { text, eol, entries } = block;
  const { start } = entries[0] as Entry;
  const column = columnOf(text, start);
  const shifted = indented(lines, column);
  const inserted = insertText(block, index, shifted.join(eol));
  if (inserted !== undefined) return inserted;
  const [head = '', ...rest] = shifted;
  return [{ from: start, to: start, text: [head.slice(column), ...rest, ' '.repeat(column)].join(eol) }];
}

/** The same for lines that have their indentation; undefined where the first entry has no lines for itself. */
export function insertText({ text, eol, entries }: Block, index: number, lines: string): readonly Splice[] | undefined {
  const first = entries[0] as Entry;
  const column = columnOf(text, first.start);
  const gap = isSpaced(text, entries, column) ? eol : '';
  if (index > 0) {
    const at = lastLineEnd(text, entries[index - 1] as Entry, column);
    return [{ from: at, to: at, text: eol + gap + lines }];
  }
  const at = lineStart(text, first.start);
  return isFirstOnLine(text, first.start) ? [{ from: at, to: at, text: lines + eol + gap }] : undefined;
}

/** An entry goes, with its comments, and others stay. */
export function removeLines(block: Block, index: number): readonly Splice[] {
  const { text, entries } = block;
  const entry = entries[index] as Entry;
  if (isFirstOnLine(text, entry.start)) return [withoutLines(text, ...regionOf(block, index))];
  const next = entries[index + 1] as Entry;
  if (text.slice(entry.end, next.start).trim() === '') return [{ from: entry.start, to: next.start, text: '' }];
  const behind = /^ */.exec(text.slice(entry.end))?.[0].length ?? 0;
  return [{ from: entry.start, to: entry.end + behind, text: '' }];
}

/** The lines of an entry as they stand there, or undefined where it has no lines for itself. */
export function linesOf(block: Block, index: number): string | undefined {
  const { text, entries } = block;
  const entry = entries[index] as Entry;
  if (!isFirstOnLine(text, entry.start)) return undefined;
  const column = columnOf(text, entry.start);
  return text.slice(ownStart(block, index, column), lastLineEnd(text, entry, column));
}

/** Comments above the first entry are about the whole list or mapping. */
function ownStart({ text, entries }: Block, index: number, column: number): number {
  const start = lineStart(text, (entries[index] as Entry).start);
  return index === 0 ? start : commentsAbove(text, start, column, (entries[index - 1] as Entry).end);
}

function regionOf(block: Block, index: number): readonly [number, number] {
  const { text, entries } = block;
  const entry = entries[index] as Entry;
  const column = columnOf(text, entry.start);
  let from = ownStart(block, index, column);
  let to = nextLine(text, lastLineEnd(text, entry, column));
  const isLast = index === entries.length - 1;
  if (index > 0 && (isLast || isBlankLine(text, to))) {
    // Of two gaps one stays.
    while (isBlankLine(text, lineStart(text, from - 1))) from = lineStart(text, from - 1);
  } else if (index === 0) {
    while (!isLast && isBlankLine(text, to)) to = nextLine(text, to);
  }
  return [from, to];
}

/** The last line of a text ends as it did. */
function withoutLines(text: string, from: number, to: number): Splice {
  if (to < text.length || text.endsWith('\n') || from === 0) return { from, to, text: '' };
  return { from: lineEnd(text, lineStart(text, from - 1)), to, text: '' };
}

/** Entries with an empty line between each two of them. */
function isSpaced(text: string, entries: readonly Entry[], column: number): boolean {
  return (
    entries.length > 1 &&
    entries
      .slice(1)
      .every((_, index) => isBlankLine(text, nextLine(text, lastLineEnd(text, entries[index] as Entry, column))))
  );
}

/**
 * Another value for an entry of a block. `lines`: what is written behind the colon or the dash, then the lines below;
 * all as if the entry stood at the start of its line.
 */
export function putValue(
  text: string,
  eol: string,
  entry: Entry,
  [head = '', ...below]: readonly string[],
): readonly Splice[] {
  const { node, opening, end } = entry;
  const rest = indented(below, columnOf(text, entry.start));
  const under = rest.map((line) => eol + line).join('');
  if (isBlock(node)) {
    const entries = entriesOf(node, text);
    const first = entries[0] as Entry;
    if (!isFirstOnLine(text, first.start)) return [{ from: opening, to: end, text: head + under }];
    const column = columnOf(text, first.start);
    const gone = withoutLines(
      text,
      lineStart(text, first.start),
      nextLine(text, lastLineEnd(text, entries.at(-1) as Entry, column)),
    );
    const lines = rest.map((line) => line + eol).join('');
    return [
      { from: opening, to: opening, text: head },
      { ...gone, text: gone.to === text.length && !text.endsWith('\n') ? under : lines },
    ];
  }
  if (end === opening) return [{ from: opening, to: opening, text: head }, ...linesBelow(text, opening, under)];
  const start = node?.range?.[0] ?? opening;
  if (!text.slice(opening, start).includes('#'))
    return [{ from: opening, to: end, text: head }, ...linesBelow(text, end, under)];
  if (below.length > 0) throw new CannotEdit('a comment stands between the key and its value');
  return [{ from: start, to: end, text: head.trimStart() }];
}

/** Below the whole line: a comment at its end stays there. */
function linesBelow(text: string, offset: number, under: string): readonly Splice[] {
  const at = lineEnd(text, offset);
  return under === '' ? [] : [{ from: at, to: at, text: under }];
}

function indented(lines: readonly string[], column: number): readonly string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(column) + line));
}

/** How the texts that stand there are quoted, where all of them are quoted in one way. */
export function quotesOf(nodes: readonly Entry['node'][]): Scalar.Type | undefined {
  const types = new Set(
    nodes.map((node) => (isScalar(node) && typeof node.value === 'string' ? node.type : undefined)),
  );
  const [only] = types;
  return types.size === 1 ? only : undefined;
}
