// How one value is written into a text that is there already: in the order of its schema and with its escapes, as the
// writer of whole manifests does it, but in the indentation and the brackets of what stands around it.
import { Document, Pair, Scalar, visit, YAMLMap, YAMLSeq } from 'yaml';
import type { Json } from '../../model/json.ts';
import type { Shape } from '../shape.ts';
import { plainNode, withEscapes } from './write.ts';

/** How the text around is written. */
export interface TextStyle {
  /** Spaces by which a level is indented. */
  readonly indent: number;
  /** Lists in mappings are indented below their key. */
  readonly indentSeq: boolean;
  /** A space behind an opening bracket and before a closing one. */
  readonly padding: boolean;
  /** The text is JSON and stays that. */
  readonly json: boolean;
}

export interface Writing {
  readonly value: Json;
  readonly shape: Shape | undefined;
  readonly style: TextStyle;
  /** How a text stood there, or its neighbours stand: it is kept. */
  readonly quotes?: Scalar.Type | undefined;
}

/** The lines of `key: value`, the first without indentation. */
export function pairLines(key: string, writing: Writing): readonly string[] {
  const map = new YAMLMap();
  map.items = [new Pair(new Scalar(key), nodeFor(writing))];
  return printed(map, writing.style).split('\n');
}

/** The lines of `- value`. */
export function itemLines(writing: Writing): readonly string[] {
  const list = new YAMLSeq();
  list.items = [nodeFor(writing)];
  return printed(list, writing.style).split('\n');
}

/** The value as it stands in brackets; with a key the pair. On one line, but for JSON with `pretty`. */
export function flowLines({
  key,
  pretty = false,
  ...writing
}: Writing & { readonly key?: string; readonly pretty?: boolean }): readonly string[] {
  const { value, style } = writing;
  if (style.json)
    return withEscapes(
      `${key === undefined ? '' : `${JSON.stringify(key)}: `}${JSON.stringify(value, null, pretty ? style.indent : 0)}`,
    ).split('\n');
  const around = key === undefined ? new YAMLSeq() : new YAMLMap();
  around.items = key === undefined ? [nodeFor(writing)] : [new Pair(new Scalar(key), nodeFor(writing))];
  around.flow = true;
  return [printed(around, style).slice(1, -1).trim()];
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

function printed(contents: YAMLMap | YAMLSeq, { indent, indentSeq, padding }: TextStyle): string {
  const document = new Document(undefined, { version: '1.2', schema: 'core' });
  document.contents = contents;
  return withEscapes(document.toString({ lineWidth: 0, flowCollectionPadding: padding, indent, indentSeq }).trimEnd());
}
