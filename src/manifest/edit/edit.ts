// How the text of a file changes so that its documents hold other values: character by character only where they
// differ. Comments, empty lines, quotes, indentation, brackets and the order of keys stay. Every step is read back; one
// that says anything else is refused.
import type { Document, Node, YAMLMap } from 'yaml';
import { isAlias, isCollection, isMap, isSeq, visit } from 'yaml';
import type { Json } from '../../model/json.ts';
import { escapePointer, sameJson, valueAt } from '../../model/json.ts';
import type { EditStep, Path } from './difference.ts';
import { afterStep, nextStep, shapeBelow } from './difference.ts';
import { insertValue, removeValue, replaceValue } from './flow.ts';
import type { Entry } from './places.ts';
import { CannotEdit, entriesOf, entriesTo, isFirstOnLine, lineEnd, lineStart } from './places.ts';
import type { Splice } from './splice.ts';
import { copyLines, insertLines, linesOf, putValue, quotesOf, removeLines, spliced } from './splice.ts';
import { lineBreakOf, styleOf } from './style.ts';
import { shapes } from '../generated/shapes.ts';
import type { Shape } from '../shape.ts';
import type { TextStyle, Writing } from '../write/value.ts';
import { flowLines, itemLines, pairLines } from '../write/value.ts';
import type { AnnotatedManifest } from '../write/write.ts';
import { writeManifests } from '../write/write.ts';
import { quote } from '../format.ts';
import { parsePart, splitDocuments } from '../read/yaml-documents.ts';
import type { Trouble } from '../read/yaml-values.ts';
import { valueOf } from '../read/yaml-values.ts';

export interface DocumentEdits {
  /** What documents are to hold, by their number among those of the file that hold anything. */
  readonly values: ReadonlyMap<number, Json>;
  /** Documents to come behind the last. */
  readonly append?: readonly AnnotatedManifest[];
}

export type EditedText =
  | { readonly text: string }
  /** Nothing is written: the place, and why. */
  | { readonly refused: string; readonly document: number; readonly pointer: string };

/** The text of a sound file with other values in its documents. */
export function editDocuments(text: string, { values, append = [] }: DocumentEdits): EditedText {
  const eol = lineBreakOf(text);
  const parts: string[] = [];
  const numbers: (number | undefined)[] = [];
  let number = 0;
  for (const [start, end] of splitDocuments(text)) {
    const part = text.slice(start, end);
    const parsed = read(part);
    if (parsed === undefined) return refusal(number, 'the document cannot be read');
    const wanted = values.get(number);
    if (wanted === undefined || parsed.value === undefined) parts.push(part);
    else {
      const edited = editPart(part, eol, wanted);
      if (typeof edited !== 'string') return { ...edited, document: number };
      parts.push(edited);
    }
    numbers.push(parsed.value === undefined ? undefined : number);
    if (parsed.value !== undefined) number += 1;
  }
  const missing = [...values.keys()].find((wanted) => !numbers.includes(wanted));
  if (missing !== undefined) return refusal(missing, 'there is no such document in the file');
  const edited = parts.join('');
  if (append.length === 0) return { text: edited };
  if (number === 1 && isWholeJson(text)) return refusal(0, 'a JSON file holds one document');
  return { text: withDocuments(edited, eol, append, number > 0) };
}

function refusal(document: number, refused: string, pointer = ''): Extract<EditedText, { readonly refused: string }> {
  return { refused, document, pointer };
}

function isWholeJson(text: string): boolean {
  return styleOf(text, null).json;
}

function withDocuments(text: string, eol: string, added: readonly AnnotatedManifest[], hasOthers: boolean): string {
  const ended = text === '' || text.endsWith('\n') ? text : text + eol;
  const written = writeManifests(added).split('\n').join(eol) + eol;
  return `${ended}${hasOthers ? `---${eol}` : ''}${written}`;
}

interface ReadPart {
  readonly document: Document.Parsed | undefined;
  readonly value: Json | undefined;
}

/** A part of a file that holds one document at most; undefined where it is not sound. */
function read(text: string): ReadPart | undefined {
  const parsed = parsePart(text, { tokens: true });
  if (parsed.state !== 'parsed') return undefined;
  const found = parsed.documents.map((document): ReadPart & { readonly troubles: readonly Trouble[] } => {
    const troubles: Trouble[] = [];
    const isSound = document.errors.length + document.warnings.length === 0;
    const value = isSound ? valueOf(document, troubles) : undefined;
    return { document, value, troubles };
  });
  if (
    found.some(
      ({ document, troubles }) =>
        (document?.errors.length ?? 0) + (document?.warnings.length ?? 0) + troubles.length > 0,
    )
  )
    return undefined;
  const whole = found.filter(({ value }) => value !== undefined);
  return whole.length > 1 ? undefined : { document: whole[0]?.document, value: whole[0]?.value };
}

interface Editing {
  readonly text: string;
  readonly eol: string;
  readonly root: Node;
  readonly style: TextStyle;
  readonly shape: Shape | undefined;
}

function editPart(
  part: string,
  eol: string,
  wanted: Json,
): string | { readonly refused: string; readonly pointer: string } {
  let text = part;
  let now = read(part);
  const style = styleOf(part, now?.document?.contents ?? null);
  const kind = valueAt(wanted, '/kind');
  const shape = shapes[typeof kind === 'string' ? kind : ''];
  for (;;) {
    const { document, value } = now as ReadPart;
    const step = nextStep(value as Json, wanted, shape);
    if (step === undefined) return text;
    const pointer = step.path.map((token) => `/${escapePointer(String(token))}`).join('');
    try {
      const after = spliced(text, splicesFor({ text, eol, root: document?.contents as Node, style, shape }, step));
      const readBack = read(after);
      if (readBack === undefined || !sameJson(readBack.value, afterStep(value as Json, step)))
        return {
          refused: 'it is written there in a way that cannot be changed without changing something else',
          pointer,
        };
      [text, now] = [after, readBack];
    } catch (error) {
      if (!(error instanceof CannotEdit)) throw error;
      return { refused: error.message, pointer };
    }
  }
}

function splicesFor(editing: Editing, step: EditStep): readonly Splice[] {
  const { text, root } = editing;
  const token = step.path.at(-1);
  if (token === undefined) throw new CannotEdit('the whole document would be another one');
  const around = step.path.slice(0, -1);
  const chain = entriesTo(root, around, text);
  const parent = chain.at(-1)?.node ?? root;
  if (isAlias(parent))
    throw new CannotEdit(`what stands there is taken from ${quote(`&${parent.source}`)} elsewhere in the document`);
  refuseShared(root, [root, ...chain.map(({ node }) => node)]);
  if (!isMap(parent) && !isSeq(parent)) throw new CannotEdit('the place is not in the text');
  const entries = entriesOf(parent, text);
  const block = { ...editing, entries };
  const isFlow = parent.flow === true;
  switch (step.do) {
    case 'set':
      return setValue(editing, step, entriesTo(root, step.path, text).at(-1) as Entry, isFlow);
    case 'drop': {
      const index = typeof token === 'number' ? token : entries.findIndex(({ key }) => key === token);
      return isFlow ? removeValue(block, index) : removeLines(block, index);
    }
    case 'add':
      return addPair(editing, step, parent as YAMLMap, entries);
    case 'insert': {
      const writing = writingOf(editing, step.path, step.value, quotesOf(entries.map(({ node }) => node)));
      if (isFlow) return insertValue(block, token as number, (pretty) => flowLines({ ...writing, pretty }));
      const lines = step.from === undefined ? undefined : linesOf(block, step.from);
      return (
        (lines === undefined ? undefined : copyLines(block, token as number, lines)) ??
        insertLines(block, token as number, itemLines(writing))
      );
    }
  }
}

function setValue(
  editing: Editing,
  { path, value }: Extract<EditStep, { readonly do: 'set' }>,
  entry: Entry,
  isFlow: boolean,
): readonly Splice[] {
  const { text, eol, root } = editing;
  const { node } = entry;
  if (isAlias(node))
    throw new CannotEdit(`what stands there is taken from ${quote(`&${node.source}`)} elsewhere in the document`);
  refuseShared(root, [node]);
  const writing = writingOf(editing, path, value, isCollection(node) ? undefined : quotesOf([node]));
  if (isFlow) return replaceValue(text, eol, entry, (pretty) => flowLines({ ...writing, pretty }));
  const lines = entry.key === undefined ? itemLines(writing) : pairLines('k', writing);
  return putValue(text, eol, entry, [(lines[0] as string).slice(entry.key === undefined ? 1 : 2), ...lines.slice(1)]);
}

/** Behind the last of the keys that come before it in the schema. */
function addPair(
  editing: Editing,
  { path, value }: Extract<EditStep, { readonly do: 'add' }>,
  map: YAMLMap,
  entries: readonly Entry[],
): readonly Splice[] {
  const { text, eol } = editing;
  const key = path.at(-1) as string;
  const around = shapeFor(editing.shape, path.slice(0, -1));
  const order = around?.is === 'object' ? Object.keys(around.fields) : [];
  const before = order.slice(0, Math.max(order.indexOf(key), 0));
  const last = entries.findLastIndex((entry) => before.includes(entry.key as string));
  const index =
    last === -1 && (!order.includes(key) || hasHeading(text, entries[0] as Entry)) ? entries.length : last + 1;
  const writing = writingOf(editing, path, value, undefined);
  if (map.flow === true)
    return insertValue({ text, eol, entries }, index, (pretty) => flowLines({ ...writing, key, pretty }));
  return insertLines({ text, eol, entries }, index, pairLines(key, writing));
}

/** A comment above the first key may be about that key. */
function hasHeading(text: string, { start }: Entry): boolean {
  if (!isFirstOnLine(text, start) || lineStart(text, start) === 0) return false;
  const above = lineStart(text, lineStart(text, start) - 1);
  return text.slice(above, lineEnd(text, above)).trimStart().startsWith('#');
}

function writingOf({ style, shape }: Editing, path: Path, value: Json, quotes: Writing['quotes']): Writing {
  return { value, style, shape: shapeFor(shape, path), quotes };
}

function shapeFor(shape: Shape | undefined, path: Path): Shape | undefined {
  return path.reduce<Shape | undefined>((at, token) => shapeBelow(at, token), shape);
}

/** What has a name that is used elsewhere cannot be changed in one place. */
function refuseShared(root: Node, nodes: readonly (Node | null)[]): void {
  const used = new Set<string>();
  visit(root, { Alias: (_, { source }) => void used.add(source) });
  const shared = nodes.find(
    (node) => node !== null && !isAlias(node) && 'anchor' in node && node.anchor !== undefined && used.has(node.anchor),
  );
  if (shared !== undefined)
    throw new CannotEdit(
      `what stands there has the anchor ${quote(`&${(shared as { readonly anchor: string }).anchor}`)} and is used elsewhere in the document`,
    );
}
