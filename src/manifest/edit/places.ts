// Where in a text the entries of a list or a mapping begin and end, with what belongs to them, and what the lines around
// them are.
import type { Node, Pair, YAMLMap, YAMLSeq } from 'yaml';
import { isAlias, isCollection, isMap, isScalar, isSeq } from 'yaml';
import { quote } from '../../model/format.ts';

/** Why a text cannot be edited as wanted. */
export class CannotEdit extends Error {}

/** A value of a list or a mapping, with its dash or its key. */
export interface Entry {
  /** Of a mapping. */
  readonly key?: string;
  readonly node: Node | null;
  readonly start: number;
  /** Behind the colon or the dash, and behind an anchor: the value begins after it. */
  readonly opening: number;
  /** Behind the last character of the value. */
  readonly end: number;
}

interface Token {
  readonly type: string;
  readonly offset: number;
  readonly source?: string;
}

interface TokenItem {
  readonly start?: readonly Token[];
  readonly key?: Token | null;
  readonly sep?: readonly Token[];
  readonly value?: Token;
}

const TRIVIA = new Set(['space', 'newline', 'comment', 'comma']);
const OPENING = new Set(['seq-item-ind', 'map-value-ind', 'anchor', 'tag']);

/** The entries of a list or a mapping, which was parsed with its tokens. */
export function entriesOf(node: YAMLMap | YAMLSeq, text: string): readonly Entry[] {
  return isMap(node)
    ? node.items.map((pair) => pairEntry(pair as Pair<Node | null, Node | null>, text))
    : itemEntries(node as YAMLSeq<Node | null>, text);
}

function pairEntry(pair: Pair<Node | null, Node | null>, text: string): Entry {
  const { start = [], key, sep = [] } = pair.srcToken as TokenItem;
  const first = start.find(({ type }) => !TRIVIA.has(type)) ?? key;
  const opening = openingIn(sep);
  if (first === undefined || first === null || opening === undefined || !isScalar(pair.key))
    throw new CannotEdit('a key stands there in an unusual form');
  return {
    key: String(pair.key.value),
    node: pair.value,
    start: first.offset,
    opening,
    end: Math.max(opening, contentEnd(pair.value, text)),
  };
}

function itemEntries(list: YAMLSeq<Node | null>, text: string): readonly Entry[] {
  const { items } = list.srcToken as unknown as { readonly items: readonly TokenItem[] };
  const tokens = items.filter(({ start = [], key, sep, value }) =>
    list.flow === true
      ? key !== undefined || sep !== undefined || value !== undefined
      : start.some(({ type }) => type === 'seq-item-ind'),
  );
  if (tokens.length !== list.items.length) throw new CannotEdit('a list stands there in an unusual form');
  return tokens.map(({ start = [], key, value }, index) => {
    const node = list.items[index] ?? null;
    const first = (start.find(({ type }) => !TRIVIA.has(type)) ?? key ?? value) as Token;
    const opening = openingIn(start) ?? first.offset;
    return { node, start: first.offset, opening, end: Math.max(opening, contentEnd(node, text)) };
  });
}

function openingIn(tokens: readonly Token[]): number | undefined {
  const last = tokens.findLast(({ type }) => OPENING.has(type));
  return last === undefined ? undefined : last.offset + (last.source ?? '').length;
}

/** Behind the last character that says something; 0 where nothing stands. */
function contentEnd(node: Node | null, text: string): number {
  const [start, end] = node?.range ?? [0, 0];
  if (node === null || start === end) return 0;
  if (isBlock(node)) return entriesOf(node, text).reduce((last, entry) => Math.max(last, entry.end), 0);
  if (isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')) {
    const source = text.slice(start, end);
    // With `+` the empty lines at its end are part of it.
    return start + (/^.[^\n]*\+/.test(source) ? source.replace(/\r?\n$/, '') : source.trimEnd()).length;
  }
  return end;
}

/** A list or a mapping that is written by indentation. */
export function isBlock(node: Node | null): node is YAMLMap | YAMLSeq {
  return isCollection(node) && node.flow !== true;
}

/** The entry at the end of a path, with all that it is in, the outermost first. */
export function entriesTo(root: Node | null, path: readonly (string | number)[], text: string): readonly Entry[] {
  const found: Entry[] = [];
  let node = root;
  for (const token of path) {
    refuseAlias(node);
    const entry: Entry | undefined =
      isMap(node) || isSeq(node)
        ? entriesOf(node, text).find(({ key }, index) => (isMap(node) ? key === token : index === token))
        : undefined;
    if (entry === undefined) throw new CannotEdit('the place is not in the text');
    found.push(entry);
    node = entry.node;
  }
  return found;
}

export function refuseAlias(node: Node | null): void {
  if (isAlias(node))
    throw new CannotEdit(`what stands there is taken from ${quote(`&${node.source}`)} elsewhere in the document`);
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Before the line break, however it is written. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** Behind the line break. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** Nothing but white space stands before it on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

export function isBlankLine(text: string, offset: number): boolean {
  return offset < text.length && text.slice(offset, lineEnd(text, offset)).trim() === '';
}

/** The column of a comment that has its line for itself. */
function commentColumn(text: string, offset: number): number | undefined {
  const found = /^[ \t]*(?=#)/.exec(text.slice(offset, lineEnd(text, offset)));
  return found === null ? undefined : found[0].length;
}

/** The end of the last line of an entry in a block: comments that are indented below it are its own. */
export function lastLineEnd(text: string, entry: Entry, column: number): number {
  let end = lineEnd(text, entry.end);
  for (let at = nextLine(text, end); at < text.length; at = nextLine(text, at)) {
    const comment = commentColumn(text, at);
    if (comment !== undefined && comment > column) end = lineEnd(text, at);
    else if (!isBlankLine(text, at)) break;
  }
  return end;
}

/** The start of the first of the comments right above a line that stand in its column; not before `after`. */
export function commentsAbove(text: string, offset: number, column: number, after: number): number {
  let start = offset;
  while (start > after) {
    const above = lineStart(text, start - 1);
    if (above <= after || commentColumn(text, above) !== column) break;
    start = above;
  }
  return start;
}

/** Where the next character stands that is neither white space nor comment. */
export function nextSignificant(text: string, offset: number): number {
  return offset + (/^(?:\s|(?<=\s)#[^\n]*)*/.exec(text.slice(offset))?.[0].length ?? 0);
}
