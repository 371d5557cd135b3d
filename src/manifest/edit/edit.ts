// How the text of a file changes so that its documents hold other values: only where they differ. Comments, empty
// lines, quotes, indentation, brackets and the order of keys stay. Every step is read back; one that says anything else
// is refused.
import type { Document, Node, YAMLMap } from 'yaml';
import { isAlias, isCollection, isMap, isSeq, visit } from 'yaml';
import type { Json } from '../../model/json.ts';
import { sameJson, valueAt } from '../../model/json.ts';
import type { EditStep, Path } from './difference.ts';
import { afterStep, nextStep, pointerTo } from './difference.ts';
import { insertValue, removeValue, replaceValue } from './flow.ts';
import type { Entry } from './places.ts';
import { CannotEdit, entriesOf, entriesTo, isFirstOnLine, lineEnd, lineStart, refuseAlias } from './places.ts';
import type { Splice } from './splice.ts';
import { insertLines, insertText, linesOf, putValue, quotesOf, removeLines, spliced } from './splice.ts';
import type { TextStyle, Writing } from './style.ts';
import { blockLines, flowLines, lineBreakOf, styleOf } from './style.ts';
import { shapes } from '../generated/shapes.ts';
import type { Shape } from '../shape.ts';
import { shapeBelow } from '../shape.ts';
import { quote } from '../../model/format.ts';
import { splitDocuments } from '../read/yaml-documents.ts';
import { soundDocuments } from '../read/yaml-values.ts';

export type EditedText =
  | { readonly text: string }
  /** Nothing is written: the place, and why. */
  | { readonly refused: string; readonly document: number; readonly pointer: string };

/** The text of a sound file with other values in documents, by their number among those that hold anything. */
export function editDocuments(text: string, values: ReadonlyMap<number, Json>): EditedText {
  const eol = lineBreakOf(text);
  const parts: string[] = [];
  let number = 0;
  for (const [start, end] of splitDocuments(text)) {
    const part = text.slice(start, end);
    const parsed = read(part);
    if (parsed === undefined) return { refused: 'the document cannot be read', document: number, pointer: '' };
    const wanted = parsed.value === undefined ? undefined : values.get(number);
    const edited = wanted === undefined ? part : editPart(part, eol, wanted);
    if (typeof edited !== 'string') return { ...edited, document: number };
    parts.push(edited);
    if (parsed.value !== undefined) number += 1;
  }
  const missing = [...values.keys()].find((wanted) => wanted < 0 || wanted >= number);
  return missing === undefined
    ? { text: parts.join('') }
    : { refused: 'there is no such document in the file', document: missing, pointer: '' };
}

interface ReadPart {
  readonly document: Document.Parsed | undefined;
  readonly value: Json | undefined;
}

/** A part of a file that holds one document at most; undefined where it is not sound. */
function read(text: string): ReadPart | undefined {
  const found = soundDocuments(text, { tokens: true });
  if (found === undefined || found.length > 1) return undefined;
  return found[0] ?? { document: undefined, value: undefined };
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
    try {
      const after = spliced(text, splicesFor({ text, eol, root: document?.contents as Node, style, shape }, step));
      const readBack = read(after);
      if (readBack === undefined || !sameJson(readBack.value, afterStep(value as Json, step)))
        throw new CannotEdit('it is written there in a way that cannot be changed without changing something else');
      [text, now] = [after, readBack];
    } catch (error) {
      if (!(error instanceof CannotEdit)) throw error;
      return { refused: error.message, pointer: pointerTo(step.path) };
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
  refuseAlias(parent);
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
      if (isFlow) return insertValue(block, token as number, (pretty) => flowLines(writing, pretty));
      const lines = step.from === undefined ? undefined : linesOf(block, step.from);
      return (
        (lines === undefined ? undefined : insertText(block, token as number, lines)) ??
        insertLines(block, token as number, blockLines(writing))
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
  refuseAlias(node);
  refuseShared(root, [node]);
  const writing = writingOf(editing, path, value, isCollection(node) ? undefined : quotesOf([node]));
  if (isFlow) return replaceValue(text, eol, entry, (pretty) => flowLines(writing, pretty));
  const lines = blockLines(writing, entry.key === undefined ? undefined : 'k');
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
  if (map.flow === true) return insertValue({ text, eol, entries }, index, (pretty) => flowLines(writing, pretty, key));
  return insertLines({ text, eol, entries }, index, blockLines(writing, key));
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
