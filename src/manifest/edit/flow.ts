// What one step does to a text where values stand in brackets: the commas, and the lines where each value has one. So
// JSON is edited too.
import type { Entry } from './places.ts';
import { CannotEdit, isFirstOnLine, lineEnd, lineStart, nextLine, nextSignificant } from './places.ts';
import type { Block, Splice } from './splice.ts';

/** A value before the entry with this number, or behind the last. `write` gives its lines, spread out or on one. */
export function insertValue(
  { text, eol, entries }: Block,
  index: number,
  write: (pretty: boolean) => readonly string[],
): readonly Splice[] {
  const beside = entries[Math.max(index - 1, 0)] as Entry;
  const ownLine = isFirstOnLine(text, beside.start);
  const value = shifted(text, beside.start, eol, write(ownLine));
  if (index === 0)
    return [
      {
        from: beside.start,
        to: beside.start,
        text: ownLine ? `${value},${eol}${marginOf(text, beside.start)}` : `${value}, `,
      },
    ];
  if (!ownLine) return [{ from: beside.end, to: beside.end, text: `, ${value}` }];
  const next = nextSignificant(text, beside.end);
  const hasComma = text[next] === ',';
  const tail = hasComma ? next + 1 : beside.end;
  const at = isRestEmpty(text, tail) ? lineEnd(text, tail) : tail;
  const line = `${eol}${marginOf(text, beside.start)}${value}${hasComma ? ',' : ''}`;
  if (!hasComma && at === beside.end) return [{ from: at, to: at, text: `,${line}` }];
  return [...(hasComma ? [] : [{ from: beside.end, to: beside.end, text: ',' }]), { from: at, to: at, text: line }];
}

/** An entry goes, with its comma and a comment on its line, and others stay. */
export function removeValue({ text, entries }: Block, index: number): readonly Splice[] {
  const entry = entries[index] as Entry;
  const next = entries[index + 1];
  const before = entries[index - 1];
  const behind = nextSignificant(text, entry.end);
  const hasComma = text[behind] === ',';
  const tail = hasComma ? behind + 1 : entry.end;
  const lines =
    isFirstOnLine(text, entry.start) && isRestEmpty(text, tail) && lineEnd(text, tail) < text.length
      ? [{ from: lineStart(text, entry.start), to: nextLine(text, tail), text: '' }]
      : undefined;
  if (next !== undefined)
    return (
      lines ?? [{ from: entry.start, to: text.slice(tail, next.start).trim() === '' ? next.start : tail, text: '' }]
    );
  // The comma before it, which JSON does not allow to stay.
  const comma = nextSignificant(text, (before as Entry).end);
  if (lines !== undefined) return [...(hasComma ? [] : [{ from: comma, to: comma + 1, text: '' }]), ...lines];
  if (text.slice(comma + 1, entry.start).trim() === '')
    return [{ from: hasComma ? comma + 1 : comma, to: tail, text: '' }];
  return [
    { from: comma, to: comma + 1, text: '' },
    { from: entry.start, to: tail, text: '' },
  ];
}

/** Another value for an entry, or for what is in it. */
export function replaceValue(
  text: string,
  eol: string,
  entry: Entry,
  write: (pretty: boolean) => readonly string[],
): readonly Splice[] {
  const start = entry.end === entry.opening ? entry.opening : Math.max(entry.opening, entry.node?.range?.[0] ?? 0);
  if (/(^|\s)#/.test(text.slice(entry.opening, start)))
    throw new CannotEdit('a comment stands between the key and its value');
  const value = shifted(text, entry.start, eol, write(isFirstOnLine(text, entry.start)));
  return [
    {
      from: start,
      to: entry.end,
      text: start === entry.opening && start === entry.end && text[start - 1] === ':' ? ` ${value}` : value,
    },
  ];
}

/** The lines below the first as far in as the line that the value stands on. */
function shifted(text: string, offset: number, eol: string, lines: readonly string[]): string {
  return lines.join(eol + marginOf(text, offset));
}

function marginOf(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

function isRestEmpty(text: string, offset: number): boolean {
  return /^\s*(#.*)?$/.test(text.slice(offset, lineEnd(text, offset)));
}
