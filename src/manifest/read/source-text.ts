// Where in a file something stands: offsets to lines and columns, and the frame of lines that is shown with a caret.
// Lines are counted only once somebody asks.
import { codeFrameColumns } from '@babel/code-frame';
import type { SourceRange } from '../../model/diagnostic.ts';
import { masked, namesSecret, visible } from '../../model/format.ts';

/** Offsets into the text; the end is exclusive. */
export type Span = readonly [start: number, end: number];

const LINES_AROUND = 2;
const LINE_WIDTH = 140;
/** How much of a line is kept before the caret when a line is clipped. */
const LEAD = 60;
const LONG_LINE = 2_000;

export class SourceText {
  /** What the user called it; `-` is standard input. */
  readonly name: string;
  readonly text: string;
  readonly #starts: number[] = [];

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** The range of a span, cut at the end of its first line: a caret under twenty lines shows nothing. */
  range([start, end]: Span): SourceRange {
    const line = this.#lineAt(start);
    const from = this.#lineStarts()[line] ?? 0;
    const lineEnd = from + this.#line(line).length;
    const stop = Math.max(Math.min(end, lineEnd), start);
    const trimmed = start + this.text.slice(start, stop).trimEnd().length;
    return {
      file: this.name,
      line: line + 1,
      column: start - from + 1,
      endLine: line + 1,
      endColumn: Math.max(trimmed, start) - from + 1,
    };
  }

  /** The lines around a range with a caret under it. What looks like a secret is masked; long lines are clipped. */
  frame({ line, column, endColumn }: SourceRange): string {
    const first = Math.max(line - LINES_AROUND, 1);
    const last = Math.min(line + LINES_AROUND, this.#lineStarts().length);
    const cut = this.#cutFor(line, column);
    const lines: string[] = [];
    for (let number = first; number <= last; number += 1)
      lines.push(shown(this.#line(number - 1), number === line ? cut : 0));
    while (lines.length > line - first + 1 && lines.at(-1) === '') lines.pop();
    const lead = cut === 0 ? 0 : cut - 1;
    const start = { line, column: column - lead };
    const end = { line, column: Math.max(Math.min(endColumn - lead, LINE_WIDTH + 2), start.column) };
    const options = { linesAbove: LINES_AROUND, linesBelow: LINES_AROUND, startLine: first, highlightCode: false };
    return codeFrameColumns(lines.join('\n'), { start, end }, options);
  }

  /** How many characters of each line are left out at its start. */
  #cutFor(line: number, column: number): number {
    return this.#line(line - 1).length <= LINE_WIDTH || column <= LINE_WIDTH - LEAD ? 0 : column - LEAD;
  }

  #line(index: number): string {
    const starts = this.#lineStarts();
    return this.text.slice(starts[index], (starts[index + 1] ?? this.text.length + 1) - 1).replace(/\r$/, '');
  }

  /** The offset of a place; of one that is not in the text, the nearest before it. */
  offsetAt({ line, column }: { readonly line: number; readonly column: number }): number {
    const starts = this.#lineStarts();
    const index = Math.min(Math.max(line, 1), starts.length) - 1;
    return Math.min((starts[index] as number) + Math.max(column, 1) - 1, this.text.length);
  }

  #lineAt(offset: number): number {
    const starts = this.#lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #lineStarts(): readonly number[] {
    if (this.#starts.length > 0) return this.#starts;
    this.#starts.push(0);
    for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
    return this.#starts;
  }
}

function shown(line: string, cut: number): string {
  const part = line.length > LONG_LINE ? clipLong(line, cut) : masked(line).slice(cut, cut + LINE_WIDTH);
  return visible(`${cut > 0 && line.length > 0 ? '…' : ''}${part}${line.length > cut + LINE_WIDTH ? '…' : ''}`);
}

/** A very long line is not searched as a whole: what stands near a name of a secret is not shown at all. */
function clipLong(line: string, cut: number): string {
  const part = line.slice(cut, cut + LINE_WIDTH);
  const around = line.slice(Math.max(cut - LONG_LINE, 0), cut + LONG_LINE);
  return namesSecret(around) || around.includes('://') ? '*'.repeat(part.length) : part;
}
