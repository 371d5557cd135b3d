// How a file that people wrote is laid out as `export` would have written it: fields in the order of their schema, lists
// and mappings in the same form. Comments, empty lines and quotes stay. What comes out holds the same documents and the
// same comments as before, or nothing comes out.
import type { CST, Document, Node, Pair, YAMLMap, YAMLSeq } from 'yaml';
import { isCollection, isMap, isPair, isScalar, isSeq, visit } from 'yaml';
import type { Json } from '../../model/json.ts';
import { isJsonObject, parseJson, sameJson } from '../../model/json.ts';
import { manifestReference } from '../../model/manifest-reference.ts';
import { shapes } from '../generated/shapes.ts';
import { isOurs } from '../read/validate.ts';
import { parsePart, splitDocuments } from '../read/yaml-documents.ts';
import { soundDocuments, valueOf } from '../read/yaml-values.ts';
import type { Shape } from '../shape.ts';
import { shapeBelow } from '../shape.ts';
import { commentsIn, fieldsInOrder, fitsOneLine, isInvisible, printed, withEscapes } from '../write/write.ts';
import { lineBreakOf } from './style.ts';

export type LaidOut =
  | { readonly text: string }
  /** Nothing comes out: why, in a sentence. */
  | { readonly refused: string };

/** How often what comes out is laid out again, until nothing changes any more. */
const ROUNDS = 5;

/** The text of a file in which every document can be parsed. What is not ours in it stays as it is. */
export function layOut(text: string): LaidOut {
  const eol = lineBreakOf(text);
  const lines = text.replaceAll('\r\n', '\n');
  const documents = documentsIn(lines);
  if (documents === undefined) return { refused: 'It cannot be read.' };
  // A field must not come before the anchor that it names.
  const [first, second] = [true, false].map((sorted) => settled(lines, sorted));
  for (const laidOut of [first, second]) {
    if (laidOut === undefined || !sameDocuments(documentsIn(laidOut), documents)) continue;
    // In the order of the alphabet: comments go with their fields.
    if (!sameJson([...commentsIn(laidOut)].sort(), [...commentsIn(lines)].sort()))
      return { refused: 'In the standard layout it would lose a comment.' };
    return { text: laidOut.replaceAll('\n', eol) };
  }
  return { refused: 'In the standard layout it would say something else.' };
}

/** Laid out until nothing changes any more; undefined when that never comes. */
function settled(text: string, sorted: boolean): string | undefined {
  let now = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    const parts = splitDocuments(now).map(([start, end]) => layOutPart(now.slice(start, end), sorted));
    if (parts.includes(undefined)) return undefined;
    const next = parts.join('');
    if (next === now) return now;
    now = next;
  }
  return undefined;
}

/** The documents of a text; undefined where one cannot be read. */
function documentsIn(text: string): readonly Json[] | undefined {
  const parts = splitDocuments(text).map((span) => soundDocuments(text.slice(...span)));
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part?.map(({ value }) => value) ?? []);
}

function sameDocuments(left: readonly Json[] | undefined, right: readonly Json[]): boolean {
  return left !== undefined && sameJson(left, right);
}

/** A part of a file that holds one document at most; undefined where an alias would come before its anchor. */
function layOutPart(part: string, sorted: boolean): string | undefined {
  const lines = part.split('\n');
  // What stands at the very left below a document is about no field of it: the library would indent it with the last.
  const last = lines.findLastIndex((line) => line !== '' && !line.startsWith('#') && !/^\.\.\.(\s|$)/.test(line));
  const content = lines.slice(0, last + 1).join('\n');
  const tail = lines
    .slice(last + 1)
    .join('\n')
    .trimEnd();
  const parsed = parsePart(content, { tokens: true });
  const [document, ...others] = parsed.state === 'parsed' ? parsed.documents : [];
  const value = document === undefined || others.length > 0 ? undefined : valueOf(document, []);
  if (document === undefined || value === undefined || !isOurs(value)) return part;
  const shape = shapes[isJsonObject(value) && typeof value.kind === 'string' ? value.kind : ''];
  // What stands in brackets throughout stays JSON.
  const json = parseJson(content);
  const text = json === undefined ? arranged(document, shape, sorted) : printedJson(json, shape);
  if (text === undefined) return undefined;
  return `${text.trimEnd()}\n${tail.replace(/^\n+/, '\n')}${tail === '' ? '' : '\n'}`;
}

function printedJson(value: Json, shape: Shape | undefined): string {
  return withEscapes(JSON.stringify(inOrder(value, shape), null, 2));
}

function inOrder(value: Json, shape: Shape | undefined): Json {
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item, index) => inOrder(item, shapeBelow(shape, index)));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    fieldsInOrder(Object.keys(value), shape).map((key) => [key, inOrder(value[key] as Json, shapeBelow(shape, key))]),
  );
}

function arranged(document: Document.Parsed, shape: Shape | undefined, sorted: boolean): string | undefined {
  const root = document.contents;
  const heading = isMap(root) ? takeHeading(root) : undefined;
  arrange(root, shape, sorted);
  if (heading !== undefined) putHeading(root as YAMLMap<Node, Node | null>, heading);
  const anchors = new Set<string | undefined>();
  let isSound = true;
  visit(document, {
    Alias: (_, { source }) => {
      isSound &&= anchors.has(source);
    },
    Value: (_, { anchor }) => {
      anchors.add(anchor);
    },
  });
  if (!isSound) return undefined;
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && isInvisible(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return printed(document, { ownComments: true });
}

/** What is said above the first field is said of the whole document: it stays above whatever comes first. */
function takeHeading({ items: [first] }: YAMLMap<Node, Node | null>): string | undefined {
  const heading = first?.key.commentBefore ?? undefined;
  if (first !== undefined && heading !== undefined) first.key.commentBefore = null;
  return heading;
}

function putHeading({ items: [first] }: YAMLMap<Node, Node | null>, heading: string): void {
  if (first === undefined) return;
  const own = first.key.commentBefore;
  first.key.commentBefore = own == null ? heading : `${heading}\n\n${own}`;
}

/** Puts a value and all that is in it into the form in which manifests are written. `isValue`: it belongs to a key. */
function arrange(node: Node | null, shape: Shape | undefined, sorted: boolean, isValue = false): void {
  if (isMap(node)) arrangeMap(node as YAMLMap<Node, Node | null>, shape, sorted, isValue);
  else if (isSeq(node)) arrangeList(node as YAMLSeq<Node>, shape, sorted);
}

function arrangeMap(
  map: YAMLMap<Node, Node | null>,
  shape: Shape | undefined,
  sorted: boolean,
  isValue: boolean,
): void {
  takeOverComments(map);
  for (const pair of map.items) {
    keepBehindKey(pair);
    arrange(pair.value, shapeBelow(shape, keyOf(pair)), sorted, true);
    putBehindKey(pair);
  }
  if (sorted) sortFields(map, shape, isValue);
  map.flow = map.items.length === 0 || (isReference(map) && !hasComments(map));
}

function arrangeList(list: YAMLSeq<Node>, shape: Shape | undefined, sorted: boolean): void {
  takeOverComments(list);
  for (const item of list.items) {
    arrange(item, shapeBelow(shape, 0), sorted);
    // Behind the brackets that are no more: it goes above.
    if (isCollection(item) && item.flow !== true && item.srcToken?.type === 'flow-collection' && item.comment != null) {
      item.commentBefore = joined(item.commentBefore, item.comment);
      item.comment = null;
    }
  }
  const isPlain = list.items.every((item) => isScalar(item) && !String(item.type).startsWith('BLOCK'));
  const values = list.items.map((item) => (isScalar(item) ? (item.value as Json) : null));
  // Behind brackets a comment stands behind them again; below items it has to stay below them.
  const isBare = list.comment == null || list.srcToken?.type === 'flow-collection';
  const isQuiet = list.commentBefore == null && list.items.every((item) => item.comment == null && !hasComments(item));
  list.flow = isPlain && fitsOneLine(values) && isBare && isQuiet;
  if (list.flow) for (const item of list.items) item.spaceBefore = false;
}

/**
 * A comment below a value that is indented no further than the value's own key or dash is not about the value, as the
 * library takes it: it is about what comes next, or stands at the end of the list or mapping.
 */
function takeOverComments(around: YAMLMap<Node, Node | null> | YAMLSeq<Node>): void {
  const indent = blockToken(around)?.indent;
  if (indent === undefined) return;
  const entries = isMap(around)
    ? around.items.map(({ key, value }) => ({ start: key, value }))
    : around.items.map((item) => ({ start: item, value: item }));
  for (const [index, { value }] of entries.entries()) {
    const taken = takeComments(value, indent);
    if (taken === '') continue;
    const next = entries[index + 1]?.start;
    if (next === undefined) around.comment = joined(taken, around.comment);
    else next.commentBefore = joined(taken, next.commentBefore);
  }
}

/** Takes the comments at the end of a value from the first that is indented this far at most. */
function takeComments(value: Node | null, indent: number): string {
  const token = blockToken(value);
  if (token === undefined) return '';
  const last = (value as YAMLMap<Node, Node | null> | YAMLSeq<Node>).items.at(-1);
  const deeper = takeComments(isPair(last) ? last.value : (last ?? null), indent);
  const end = token.items.at(-1);
  const comments = end?.start?.filter(({ type }) => type === 'comment') ?? [];
  const first = comments.findIndex((comment) => comment.indent <= indent);
  if (end === undefined || end.key != null || end.value !== undefined || first === -1 || value?.comment == null)
    return deeper;
  end.start = end.start.slice(0, end.start.indexOf(comments[first] as CST.SourceToken));
  const lines = value.comment.split('\n');
  // An empty line between comments is one between lines too.
  const at = lines.findIndex((_, line) => lines.slice(0, line + 1).filter((text) => text !== '').length > first);
  value.comment = lines.slice(0, at).join('\n').trimEnd() || null;
  return joined(deeper === '' ? undefined : deeper, lines.slice(at).join('\n'));
}

type BlockToken = Extract<CST.Token, { readonly type: 'block-map' | 'block-seq' }>;

function blockToken(node: Node | null): BlockToken | undefined {
  const token = isCollection(node) ? node.srcToken : undefined;
  return token?.type === 'block-map' || token?.type === 'block-seq' ? token : undefined;
}

function joined(...comments: readonly (string | null | undefined)[]): string {
  return comments.filter((comment) => comment != null).join('\n');
}

/** A comment on the line of a key stays there: the library takes it for the first line above what is below. */
function keepBehindKey({ key, value, srcToken }: Pair<Node, Node | null>): void {
  if (
    !isCollection(value) ||
    value.anchor !== undefined ||
    value.srcToken?.type === 'flow-collection' ||
    !isScalar(key)
  )
    return;
  const sep = srcToken?.sep ?? [];
  const end = sep.findIndex(({ type }) => type === 'newline');
  const isOwn = sep.slice(0, end === -1 ? sep.length : end).some(({ type }) => type === 'comment');
  if (!isOwn || value.commentBefore == null) return;
  const [first = '', ...rest] = value.commentBefore.split('\n');
  key.comment = first;
  value.commentBefore = rest.join('\n').replace(/^\n+/, '') || null;
}

/** A comment behind brackets stands behind the key once they are gone. */
function putBehindKey({ key, value }: Pair<Node, Node | null>): void {
  if (!isCollection(value) || value.srcToken?.type !== 'flow-collection' || value.flow === true) return;
  if (value.comment == null || value.comment.includes('\n') || !isScalar(key)) return;
  key.comment = value.comment;
  value.comment = null;
}

/** In the order of the schema; what stands right above a field goes with it. */
function sortFields(map: YAMLMap<Node, Node | null>, shape: Shape | undefined, isValue: boolean): void {
  const order = fieldsInOrder(map.items.map(keyOf), shape);
  const items = [...map.items].sort((left, right) => order.indexOf(keyOf(left)) - order.indexOf(keyOf(right)));
  const [first, newFirst] = [map.items[0], items[0]];
  if (first === undefined || newFirst === undefined || first === newFirst) return;
  map.items = items;
  if (!isValue) return;
  // The library keeps what stands above the first field with the mapping. Only the lines right above it are about it.
  const [about, ...above] = (map.commentBefore ?? '').split('\n\n').reverse();
  if (about !== undefined && about !== '') first.key.commentBefore = about;
  map.commentBefore = above.length === 0 ? null : above.reverse().join('\n\n');
  newFirst.key.spaceBefore = above.length > 0;
}

function keyOf({ key }: Pair<Node, Node | null>): string {
  return isScalar(key) ? String(key.value) : '';
}

/** A reference to another manifest, which stands on one line. */
function isReference(map: YAMLMap<Node, Node | null>): boolean {
  const fields = Object.fromEntries(
    map.items.map((pair) => [keyOf(pair), isScalar(pair.value) ? (pair.value.value as Json) : null]),
  );
  return manifestReference(fields) !== undefined;
}

/** True when something is said inside of a value, or above it. */
function hasComments(node: Node): boolean {
  let found = node.commentBefore != null;
  visit(node, {
    Node: (_, { comment, commentBefore }, path) => {
      found ||= (path.length > 0 && comment != null) || commentBefore != null;
    },
  });
  return found;
}
