// The slips that people make in YAML, tried in reverse: what may have been meant by the lines near a place where the
// parser stumbled, and in which words somebody is told.
import type { Code } from '../../../model/diagnostic.ts';
import { masked, quote } from '../../../model/format.ts';
import { plural } from '../../../model/common/count.ts';
import type { Span } from '../source-text.ts';

const LINES_BEFORE = 3;
const LINES_WITHIN_QUOTES = 12;
/** A line in a message; a longer one is not written out. */
const LONGEST_LINE = 80;
/** Nor is one mended that nobody wrote by hand. */
const LONGEST_MENDED = 400;

/** One way to mend a text. */
export interface Edit {
  readonly code: Code;
  readonly what: string;
  readonly line: number;
  /** The lines from there on that take the place of as many. */
  readonly lines: readonly string[];
  /** Where the carets go, in columns of the line; absent: all that is written in it. */
  readonly span?: Span;
}

/** The edits that are tried, the likeliest first. The slip stands where the parser stumbled, or shortly before it. */
export function* likelyEdits(lines: readonly string[], at: number): Generator<Edit> {
  const written = lines.flatMap((line, index) => (isContent(line) && line.length <= LONGEST_MENDED ? [index] : []));
  const here = written.findLastIndex((index) => index <= at);
  const near = written.slice(Math.max(here - LINES_BEFORE, 0), here + 2);
  const order = near.sort((left, right) => Math.abs(left - at) - Math.abs(right - at) || left - right);
  for (const index of order) yield* blankEdits(lines, written, index);
  for (const index of order) yield* indentEdits(lines, written, index);
  for (const index of order) yield* keyEdits(lines[index] as string, index);
  for (const index of order) yield* quoteEdits(lines[index] as string, index);
  // What is not closed is noticed lines later.
  for (const index of written
    .slice(0, here + 1)
    .slice(-LINES_WITHIN_QUOTES)
    .reverse())
    yield* closingEdits(lines[index] as string, index);
}

/** True of a line with something of a document in it. */
export function isContent(line: string): boolean {
  return /^\s*[^#\s]/.test(line) && !/^(---|\.\.\.)(\s|$)/.test(line);
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Where the keys of a mapping begin: after the dash of an item. */
function columnOf(line: string): number {
  return indentOf(line) + (/^(?:- +)+/.exec(line.trimStart())?.[0].length ?? 0);
}

/** Indentation with anything but spaces. */
function* blankEdits(lines: readonly string[], written: readonly number[], index: number): Generator<Edit> {
  const line = lines[index] as string;
  const blank = line.slice(0, indentOf(line));
  if (/^ *$/.test(blank)) return;
  const isTab = blank.includes('\t');
  const span: Span = [0, Math.max(blank.length, 1)];
  for (const wanted of neighbourColumns(lines, written, index)) {
    const what = isTab
      ? `The line is indented with a tab, its neighbours by ${plural(wanted, 'space')}.`
      : `The line is indented with characters that look like spaces and are none, its neighbours by ${plural(wanted, 'space')}.`;
    const code = isTab ? 'HW1103' : 'HW1112';
    yield { code, what, line: index, lines: [' '.repeat(wanted) + line.trimStart()], span };
  }
}

/** The columns that lines around this one begin at, and what it may stand in; two further than the line above, at last. */
function neighbourColumns(lines: readonly string[], written: readonly number[], index: number): readonly number[] {
  const place = written.indexOf(index);
  const around = [1, -1, 2, -2, 3, -3].flatMap((step) => written[place - step] ?? []);
  const columns = [...around, ...openAbove(lines, written.slice(0, Math.max(place, 0)))].flatMap((one) => [
    columnOf(lines[one] as string),
    indentOf(lines[one] as string),
  ]);
  const above = written[place - 1];
  return [...new Set([...columns, ...(above === undefined ? [] : [columnOf(lines[above] as string) + 2])])];
}

/** The lines above that are indented less than all below them, from the last to the first. */
function openAbove(lines: readonly string[], above: readonly number[]): readonly number[] {
  let least = Infinity;
  return above.toReversed().filter((one) => {
    const isOpen = indentOf(lines[one] as string) < least;
    least = Math.min(least, indentOf(lines[one] as string));
    return isOpen;
  });
}

/** A key or an item that begins in a column of its own. */
function* indentEdits(lines: readonly string[], written: readonly number[], index: number): Generator<Edit> {
  const line = lines[index] as string;
  const indent = indentOf(line);
  const body = line.trimStart();
  if (!/^(?:- |-$|(?:["']?[\w.-]+["']?|"[^"]*"):(?:\s|$))/.test(body)) return;
  const above = lines[written[written.indexOf(index) - 1] ?? -1] ?? '';
  const own = written.filter((one) => one > index);
  const end = own.find((one) => indentOf(lines[one] as string) <= indent) ?? lines.length;
  const block = lines.slice(index + 1, end);
  const wrong = [...new Set(neighbourColumns(lines, written, index))]
    .filter((wanted) => wanted !== indent)
    .sort((left, right) => Math.abs(left - indent) - Math.abs(right - indent));
  for (const wanted of wrong) {
    // Further in than a line that is complete, it would be a part of the text there.
    if (wanted > columnOf(above) && !/(:|^\s*-)\s*$/.test(above.replace(/\s#.*$/, ''))) continue;
    const move = (one: string): string =>
      isContent(one) ? ' '.repeat(Math.max(indentOf(one) + wanted - indent, 0)) + one.trimStart() : one;
    const what = `This line is indented by ${plural(indent, 'space')}, its neighbours by ${wanted}.`;
    yield { code: 'HW1112', what, line: index, lines: [move(line)] };
    if (block.some(isContent)) {
      const more = `${what} Move the lines below it that belong to it as well.`;
      yield { code: 'HW1112', what: more, line: index, lines: [move(line), ...block.map(move)] };
    }
  }
}

/** A key without its colon, or without the space after it, and a dash without the space. */
function* keyEdits(line: string, index: number): Generator<Edit> {
  const [, start = '', body = ''] = /^(\s*(?:- +)*)(.*?)\s*$/.exec(line) ?? [];
  const edit = (what: string, mended: string): Edit => rewritten('HW1113', what, line, index, start + mended);
  const tight = /^([A-Za-z]\w*):(?=[^\s:/])/.exec(body);
  if (tight !== null) {
    const key = tight[1] as string;
    yield edit(`There is no space after the colon of ${quote(key)}.`, `${key}: ${body.slice(key.length + 1)}`);
  }
  const equals = /^([A-Za-z]\w*)\s*=>?\s*(?=\S)/.exec(body);
  if (equals !== null)
    yield edit(
      `${quote(equals[1] as string)} and its value stand on both sides of a colon, not of \`=\`.`,
      `${equals[1]}: ${body.slice(equals[0].length)}`,
    );
  const open = /^([A-Za-z]\w*)(?:[ \t]+(?=\S)|$)/.exec(body);
  if (open !== null && !body.slice((open[1] as string).length).startsWith(' :'))
    yield edit(
      `There is no colon after ${quote(open[1] as string)}.`,
      `${open[1]}: ${body.slice(open[0].length)}`.trimEnd(),
    );
  const dash = /^-(?=[\w"'{[])/.exec(body);
  if (dash !== null) yield edit('There is no space after the dash.', `- ${body.slice(1)}`);
}

/** A text that begins with a character that YAML keeps for itself, or holds a colon or a quote. */
function* quoteEdits(line: string, index: number): Generator<Edit> {
  const [bare, comment] = withoutComment(line);
  const edit = (what: string, mended: string): Edit => rewritten('HW1114', what, line, index, mended + comment);
  const star = /(^\s*(?:- +)*|[:[,{] *)(\*(?![A-Za-z_][\w-]*(?:\s|[,\]}]|$))[^\s,\]}#]*)/g;
  const stars = [...bare.matchAll(star)].map(([, , text = '']) => text);
  if (stars.length > 0)
    yield edit(
      `${stars.length === 1 ? '`*` has' : 'Texts that begin with `*` have'} to be in quotes.`,
      bare.replace(star, (_, before: string, text: string) => `${before}"${text}"`),
    );
  const [, start = '', text = ''] = /^(\s*(?:- +)*(?:["']?[\w.-]+["']?: +|(?<=- )))(\S.*?)\s*$/.exec(bare) ?? [];
  if (text === '') return;
  const inner = /^'(.*)'$/.test(text) ? text.slice(1, -1) : text;
  const quoted = `${start}${JSON.stringify(inner)}`;
  if (/^(?:[@`%!|>]|& |\{\{|\[[^\]]*\] *[^\s,])/.test(text))
    yield edit(`A text that begins with ${reserved(text)} has to be in quotes.`, quoted);
  if (/^[^"'[{].*:(\s|$)/.test(text)) yield edit('A text that holds a colon and a space has to be in quotes.', quoted);
  if (/^'.*'.*'$/.test(text)) yield edit("A text that holds `'` has to be in double quotes.", quoted);
  if (/^".*".*"$/.test(text))
    yield edit('A text that holds `"` has to be in single quotes.', `${start}'${text.slice(1, -1)}'`);
  const after = /^("(?:[^"\\]|\\.)*"|'[^']*')\s*[,;]?\s*\S/.exec(text);
  if (after !== null)
    yield edit('Something stands after the closing quote.', `${start}${JSON.stringify(text.replaceAll(/["']/g, ''))}`);
}

function reserved(text: string): string {
  return text.startsWith('`') ? 'a backtick' : `\`${text.charAt(0)}\``;
}

/** A quote or a bracket that is not closed, or a comma that is missing or too many. */
function* closingEdits(line: string, index: number): Generator<Edit> {
  const [text, comment] = withoutComment(line);
  const edit = (what: string, mended: string): Edit => rewritten('HW1101', what, line, index, mended + comment);
  const mark = /(?:^\s*|: +|- +|[[,{]\s*)(["'])(?:(?!\1).)*$/.exec(text)?.[1];
  if (mark !== undefined) {
    const what = `A text that starts with ${mark} does not end with it.`;
    const inner = new RegExp(`^(.*)(${mark}[^${mark},\\]}]*?)( *[,\\]}].*)$`).exec(text);
    if (inner !== null) yield edit(what, `${inner[1]}${inner[2]}${mark}${inner[3]}`);
    yield edit(what, text + mark);
  }
  const end = /(["'])\s*$/.exec(text)?.[1];
  const [, before = '', bare = ''] = /^(\s*(?:- +)*(?:[\w.-]+: +)?)([^"'\s].*)$/.exec(text) ?? [];
  if (end !== undefined && bare !== '')
    yield edit(`A text that ends with ${end} does not start with it.`, `${before}${end}${bare}`);
  yield* bracketEdits(text, edit, '[', ']');
  yield* bracketEdits(text, edit, '{', '}');
  if (/[,;]$/.test(text)) yield edit('The line ends with a comma.', text.slice(0, -1));
  const field = /(?<=[{,] *\w+: *(?:"[^"]*"|'[^']*'|[^\s,{}"'[\]]+|\[[^\]]*\])) +(?=(\w+): )/.exec(text);
  if (field !== null)
    yield edit(
      `There is no comma before ${quote(field[1] as string)}.`,
      `${text.slice(0, field.index)}, ${text.slice(field.index).trimStart()}`,
    );
  const items = text.replace(/(?<=[[,] *(?:"[^"]*"|'[^']*')) +(?=["'])/g, ', ');
  if (items !== text) yield edit('There is no comma between two items.', items);
}

function* bracketEdits(
  text: string,
  edit: (what: string, mended: string) => Edit,
  opens: '[' | '{',
  closes: ']' | '}',
): Generator<Edit> {
  const missing = count(text, opens) - count(text, closes);
  const space = text.includes(`${opens} `) ? ' ' : '';
  if (missing > 0) {
    const what = `A \`${opens}\` is not closed.`;
    yield edit(what, `${text}${space}${closes}`);
    const last = /( ?)[\]}]$/.exec(text);
    if (last !== null) yield edit(what, `${text.slice(0, last.index)}${space}${closes}${last[0]}`);
  }
  if (missing < 0) {
    const [, before = '', rest = ''] = /^(\s*(?:- +)*(?:["']?[\w.-]+["']?: +)?)(.*)$/.exec(text) ?? [];
    yield edit(`A \`${closes}\` closes nothing.`, `${before}${opens}${closes === '}' ? ' ' : ''}${rest}`);
    if (text.endsWith(closes)) yield edit(`There is one \`${closes}\` too many.`, text.slice(0, -1).trimEnd());
  }
}

function withoutComment(line: string): readonly [text: string, comment: string] {
  const text = line.replace(/\s+#.*$/, '').trimEnd();
  return [text, line.slice(text.length).trimEnd()];
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}

/** An edit of one line, which the message spells out unless it is long or may hold a secret. */
function rewritten(code: Code, what: string, line: string, index: number, mended: string): Edit {
  const shown = mended.trim();
  const isShown = shown.length <= LONGEST_LINE && masked(line) === line && masked(shown) === shown;
  return { code, what: isShown ? `${what} Write ${quoted(shown)}.` : what, line: index, lines: [mended] };
}

/** In backticks, as Markdown does it: as many as the text does not hold. */
function quoted(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : quote(text);
}
