// Blocks as text for a terminal: everything unfolded, prose wrapped at words where somebody looks at a screen.
import type { Verb } from '../../model/plan/plan.ts';
import { firstOf } from '../../model/format.ts';
import type { Block, Details, Item, Line, Span } from '../blocks/block.ts';
import { plainLine, withNames, withoutPlace } from '../blocks/block.ts';
import { clipSafe } from '../view/escape.ts';
import type { ShownChange } from '../view/values.ts';
import { renderDiagnostics } from './diagnostics.ts';
import { unbroken, wrapProse } from './prose.ts';
import type { Style } from './style.ts';
import { createStyle } from './style.ts';
import { renderTable } from './table.ts';

export interface TextOptions {
  readonly color: boolean;
  /** Columns: decides which values stand on one line. */
  readonly width: number;
  /** Longer lines are broken between words. */
  readonly wrap?: boolean;
  /** With the ids of rules in the problems. */
  readonly rules?: boolean;
  /** A line for each thing. */
  readonly concise?: boolean;
}

/** Objects that one line names; the rest is counted. */
const NAMED = 8;
const CONCISE = 200;

export function writeText(blocks: readonly Block[], options: TextOptions): string {
  return new TextWriter(options).write(blocks);
}

class TextWriter {
  private readonly style: Style;
  private readonly options: TextOptions;

  constructor(options: TextOptions) {
    this.options = options;
    this.style = createStyle(options.color);
  }

  write(blocks: readonly Block[]): string {
    return this.lines(blocks, '', true).join('\n');
  }

  /** With an empty line before a section, and before an action that has something below it. */
  private lines(blocks: readonly Block[], indent: string, isTop: boolean): readonly string[] {
    let wasTall = false;
    return blocks.flatMap((block, index) => {
      const lines = this.block(block, indent);
      if (lines.length === 0) return [];
      const isTall = isTop
        ? block.is !== 'paragraph' && !('isAlarm' in block)
        : block.is === 'details' && lines.length > 1;
      const gap = index > 0 && (isTall || wasTall) ? [''] : [];
      wasTall = isTall;
      return [...gap, ...lines];
    });
  }

  private block(block: Block, indent: string): readonly string[] {
    const { style } = this;
    switch (block.is) {
      case 'heading':
        return this.prose([...block.line], indent).map((line) => style.strong(line));
      case 'paragraph':
        return this.prose(block.line, indent);
      case 'advice':
        return this.prose([`${style.faint('->')} `, ...block.line], indent, 3);
      case 'section': {
        if (block.title === '') return this.lines(block.blocks, indent, false);
        const { title, count, meaning, isAlarm = false } = block;
        if (block.depth !== undefined) {
          const about = meaning === undefined ? '' : `  ${style.faint(this.paint(meaning))}`;
          return [
            ...this.prose([`${style.strong(title)}${about}`], indent),
            ...(block.depth === 1 ? [''] : []),
            ...this.lines(block.blocks, `${indent}  `, true),
          ];
        }
        const head = (isAlarm ? style.alarm : style.careful)(`${title}${count === undefined ? '' : ` (${count})`}`);
        const after = meaning === undefined ? ':' : style.faint(`: ${this.paint(meaning)}`);
        const inside = this.lines(block.blocks, `${indent}  `, false);
        return [
          ...this.prose([`${head}${inside.length === 0 && meaning === undefined ? '' : after}`], indent),
          ...inside,
        ];
      }
      case 'details':
        return this.details(block, indent);
      case 'list':
        return block.items.some(({ cells }) => cells !== undefined)
          ? this.columns(block.items, indent)
          : block.items.flatMap((item) => this.item(item, indent, block.isAlarm));
      case 'table':
        return renderTable(
          block.heads,
          block.rows.map((row) => row.map((cell) => this.paint(cell))),
          { color: this.options.color, painted: true },
        )
          .split('\n')
          .map((line) => `${indent}${line}`);
      case 'changes':
        return this.changes(block.of(Math.max(this.options.width - 12, 40)), block.verb, `${indent}  `);
      case 'code':
        return block.lines.map((line) => `${indent}  ${line}`);
      case 'diagnostics':
        return renderDiagnostics(block.of, {
          color: this.options.color,
          wrapAt: this.options.wrap === true ? this.options.width - indent.length : undefined,
          rules: this.options.rules === true,
        })
          .split('\n')
          .map((line) => `${indent}${line}`.trimEnd());
      case 'picture':
        return [];
    }
  }

  private details({ line, brief = [], blocks }: Details, indent: string): readonly string[] {
    const inside = this.lines(blocks, `${indent}    `, false);
    if (inside.length > 0) return [...this.prose(line, indent, 4), ...inside];
    const said = this.paint(brief);
    return this.prose(said === '' ? line : [...withoutPlace(line), '  ', said], indent, 4);
  }

  private item({ line, names = [], blocks = [], ...item }: Item, indent: string, isAlarm = false): readonly string[] {
    const isConcise = this.options.concise === true;
    const about = item.about ?? (isConcise || blocks.length === 0 ? item.brief : undefined);
    const called = names.map(({ text }) => text);
    const words = withNames(line, names.length === 0 ? '' : ` (${firstOf(called, NAMED)})`);
    const head = isAlarm ? [`${this.style.alarm('!')} `, ...words] : words;
    if (isConcise && about !== undefined)
      return this.prose([...head, '  ', clipSafe(this.paint(about), CONCISE)], indent, 4);
    return [
      ...this.prose(head, indent, isAlarm ? 2 : 4),
      ...(about === undefined ? [] : this.prose(about, `${indent}    `)),
      ...(isConcise ? [] : this.lines(blocks, `${indent}    `, false)),
    ];
  }

  /** Each cell as wide as the widest of its column; where what follows has no room beside them, it stands below. */
  private columns(items: readonly Item[], indent: string): readonly string[] {
    const { wrap, width } = this.options;
    // A ledger lists more objects than a call takes arguments.
    const most = items.reduce((sofar, { cells = [] }) => Math.max(sofar, cells.length), 0);
    const cap = wrap === true && most === 1 ? Math.floor(width / 3) : Infinity;
    const widths = Array.from({ length: most }, (_none, column) =>
      Math.min(
        cap,
        items.reduce((widest, { cells = [] }) => Math.max(widest, plainLine(cells[column] ?? []).length), 0),
      ),
    );
    const hang = widths.reduce((sum, one) => sum + one + 2, 0);
    return items.flatMap(({ cells = [], line, blocks = [] }) => {
      const isLong = cells.some((cell, column) => plainLine(cell).length > (widths[column] ?? 0));
      const head = widths
        .map((room, column) => {
          const cell = cells[column] ?? [];
          return `${this.paint(cell)}${' '.repeat(Math.max(0, room - plainLine(cell).length))}  `;
        })
        .join('');
      const below = `${indent}${' '.repeat((widths[0] ?? 0) + 2)}`;
      const room = wrap === true ? width - indent.length - hang : Infinity;
      const isBeside = !isLong && Math.max(...line.flatMap(piecesOf).map((piece) => piece.length)) <= room;
      const lines = this.prose(line, isBeside ? `${indent}${' '.repeat(hang)}` : below);
      return [
        ...(isBeside
          ? [`${indent}${head}${(lines[0] ?? '').trimStart()}`.trimEnd(), ...lines.slice(1)]
          : [`${indent}${head.trimEnd()}`, ...lines]),
        ...this.lines(blocks, below, false),
      ];
    });
  }

  private changes(changes: readonly ShownChange[], verb: Verb, indent: string): readonly string[] {
    const { style } = this;
    const widths = changes.map(({ field, inline }) => (inline === undefined ? 0 : field.length));
    const pad = Math.min(24, Math.max(0, ...widths));
    const paint = { '+': style.good, '-': style.bad, ' ': style.faint };
    // A list's `- "a"` would read as an item of YAML.
    const words = { '+': 'added  ', '-': 'removed', ' ': '       ' };
    return changes.flatMap(({ field, inline, sides, items = [], isWhole, isList }) => {
      if (inline !== undefined) {
        const shown = sides === undefined ? inline : `${style.bad(sides[0])} -> ${style.good(sides[1])}`;
        return this.prose([`${`${field}:`.padEnd(pad + 1)} ${shown}`], indent, pad + 2);
      }
      return [
        `${indent}${field}:`,
        ...items.map(({ mark, text }) => {
          const sign = isList === true && verb === 'update' ? words[mark] : mark;
          return `${indent}  ${isWhole === true ? text : paint[mark](`${sign} ${text}`)}`;
        }),
      ];
    });
  }

  private prose(line: Line, indent: string, hang = 0): readonly string[] {
    const { wrap, width } = this.options;
    if (wrap !== true) return [`${indent}${this.paint(line)}`];
    const spans = line.map((span) =>
      typeof span !== 'string' && span.as === 'code' ? { ...span, text: unbroken(span.text) } : span,
    );
    return wrapProse(this.paint(spans), width, indent, hang);
  }

  private paint(line: Line): string {
    return line.map((span) => this.span(span)).join('');
  }

  private span(span: Span): string {
    if (typeof span === 'string') return span;
    const { as, text } = span;
    const { style } = this;
    switch (as) {
      case 'code':
        return text;
      case 'link':
        return `${text} (${span.href ?? ''})`;
      case 'name':
        return style.strong(text);
      case 'place':
        return style.faint(text);
      case 'risk':
        return style.alarm(`! ${text}`);
      case 'create':
      case 'update':
      case 'delete':
        return style.verb[as](text);
      default:
        return style[as](text);
    }
  }
}

/** What stays in one piece wherever lines are broken. */
function piecesOf(span: Span): readonly string[] {
  if (typeof span === 'string') return span.split(' ');
  return span.as === 'code' ? [span.text] : span.text.split(' ');
}
