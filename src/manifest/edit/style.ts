// How a document is written, from what stands in it, and how one value is written so that it looks like what is there:
// in the order of its schema and with its escapes, as whole manifests are.
import type { Node } from 'yaml';
import { Document, isMap, isSeq, Pair, Scalar, visit, YAMLMap, YAMLSeq } from 'yaml';
import type { Json } from '../../model/json.ts';
import { parseJson } from '../../model/json.ts';
import type { Shape } from '../shape.ts';
import { plainNode, printed, withEscapes } from '../write/write.ts';
import { columnOf, entriesOf, isBlock } from './places.ts';

/** How the text around is written. */
export interface TextStyle {
  /** Spaces by which a level is indented. */
  readonly indent: number;
  /** Lists in mappings are indented below their key. */
  readonly indentSeq: boolean;
  /** A space behind an opening bracket and before a closing one. */
  readonly padding: { readonly lists: boolean; readonly mappings: boolean };
  /** The text is JSON and stays that. */
  readonly json: boolean;
}

const USUAL_INDENT = 2;

/** The style of a document with this text. */
export function styleOf(text: string, root: Node | null): TextStyle {
  const json = parseJson(text) !== undefined;
  const first = json ? /\n( +)\S/.exec(text)?.[1]?.length : levelOf(isMap, root, text);
  const lists = levelOf(isSeq, root, text);
  return {
    indent: first ?? USUAL_INDENT,
    indentSeq: lists === undefined || lists > 0,
    // What stands in quotes is counted too; it makes no difference but to the eye.
    padding: {
      lists: count(text, /\[ /g) > count(text, /\[(?=[^\s\]])/g),
      mappings: count(text, /\{ /g) >= count(text, /\{(?=[^\s}])/g),
    },
    json,
  };
}

function count(text: string, what: RegExp): number {
  return (text.match(what) ?? []).length;
}

/** The line break of a text. */
export function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** By how much the first mapping, or list, that is a value in a block mapping is indented. */
function levelOf(isIt: (node: Node | null) => boolean, node: Node | null, text: string): number | undefined {
  if (!isBlock(node)) return undefined;
  for (const entry of entriesOf(node, text)) {
    const [below] = isBlock(entry.node) ? entriesOf(entry.node, text) : [];
    if (below !== undefined && isMap(node) && isIt(entry.node))
      return columnOf(text, below.start) - columnOf(text, entry.start);
    const deeper = levelOf(isIt, entry.node, text);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

export interface Writing {
  readonly value: Json;
  readonly shape: Shape | undefined;
  readonly style: TextStyle;
  /** How a text stood there, or its neighbours stand: it is kept. */
  readonly quotes?: Scalar.Type | undefined;
}

/** The lines of `key: value`, or of `- value`; the first without indentation. */
export function blockLines(writing: Writing, key?: string): readonly string[] {
  return textOf(wrapped(writing, key), writing.style).split('\n');
}

/** The value as it stands in brackets; with a key the pair. On one line, but for JSON with `pretty`. */
export function flowLines(writing: Writing, pretty: boolean, key?: string): readonly string[] {
  const { value, style } = writing;
  if (style.json)
    return withEscapes(
      `${key === undefined ? '' : `${JSON.stringify(key)}: `}${JSON.stringify(value, null, pretty ? style.indent : 0)}`,
    ).split('\n');
  const around = wrapped(writing, key);
  around.flow = true;
  return [textOf(around, style).slice(1, -1).trim()];
}

function wrapped(writing: Writing, key: string | undefined): YAMLMap | YAMLSeq {
  const around = key === undefined ? new YAMLSeq() : new YAMLMap();
  around.items = key === undefined ? [nodeFor(writing)] : [new Pair(new Scalar(key), nodeFor(writing))];
  return around;
}

function nodeFor({ value, shape, quotes }: Writing): YAMLMap | YAMLSeq | Scalar {
  const node = plainNode(value, shape);
  if (quotes !== 'QUOTE_DOUBLE' && quotes !== 'QUOTE_SINGLE') return node;
  visit(node, {
    Scalar: (at, scalar) => {
      if (at !== 'key' && typeof scalar.value === 'string' && scalar.type === undefined) scalar.type = quotes;
    },
  });
  return node;
}

function textOf(contents: YAMLMap | YAMLSeq, { indent, indentSeq, padding }: TextStyle): string {
  const document = new Document(undefined, { version: '1.2', schema: 'core' });
  document.contents = contents;
  return printed(document, { indent, indentSeq, padding }).trimEnd();
}
