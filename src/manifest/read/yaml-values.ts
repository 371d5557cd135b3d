// Which JSON value a YAML document holds, and where in the text each part of it stands.
import type { Code } from '../../model/diagnostic.ts';
import type { Document, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Json } from '../../model/json.ts';
import { escapePointer } from '../../model/json.ts';
import type { Span } from './source-text.ts';
import { quote } from '../../model/format.ts';
import { parsePart } from './yaml-documents.ts';

/** Where a value stands; a value of a mapping has a key too. */
export interface Place {
  readonly key?: Span;
  readonly value: Span;
}

/** Places by JSON pointer. What an alias stands for is at the alias. */
export type Places = ReadonlyMap<string, Place>;

export interface Trouble {
  readonly code: Code;
  readonly span: Span;
  readonly what: string;
}

/** Values that aliases may add to one document. Ordinary reuse stays far below; nested aliases multiply and do not. */
const MAX_ALIASED = 10_000;

/** The documents of a part that hold anything, with their values; undefined where something is wrong with one. */
export function soundDocuments(
  text: string,
  form?: Parameters<typeof parsePart>[1],
): readonly { readonly document: Document.Parsed; readonly value: Json }[] | undefined {
  const parsed = parsePart(text, form);
  if (parsed.state !== 'parsed') return undefined;
  if (parsed.documents.some(({ errors, warnings }) => errors.length + warnings.length > 0)) return undefined;
  const troubles: Trouble[] = [];
  const found = parsed.documents.flatMap((document) => {
    const value = valueOf(document, troubles);
    return value === undefined ? [] : [{ document, value }];
  });
  return troubles.length === 0 ? found : undefined;
}

interface Taking {
  readonly troubles: Trouble[];
  readonly anchors: Map<string, { readonly value: Json; readonly size: number }>;
  /** Values taken so far, those behind aliases counted each time. */
  size: number;
  aliased: number;
}

/** The value of a document; undefined when nothing stands in it. Troubles are added to the list. */
export function valueOf(document: Document.Parsed, troubles: Trouble[]): Json | undefined {
  const { contents } = document;
  if (
    contents === null ||
    (isScalar(contents) && contents.value === null && contents.source === '' && contents.anchor === undefined)
  )
    return undefined;
  return take(contents, { troubles, anchors: new Map(), size: 0, aliased: 0 });
}

function take(node: Node | null, taking: Taking): Json {
  const before = taking.size;
  taking.size += 1;
  if (node === null) return null;
  if (isAlias(node)) return takeAlias(node.source, spanOf(node), taking);
  const value = isMap(node)
    ? takeMap(node, taking)
    : isSeq(node)
      ? node.items.map((item) => take(item as Node | null, taking))
      : (node as Scalar<Json>).value;
  // Known only once it is whole, so that it cannot hold itself.
  if (node.anchor !== undefined) taking.anchors.set(node.anchor, { value, size: taking.size - before });
  return value;
}

function takeAlias(name: string, span: Span, taking: Taking): Json {
  const anchor = taking.anchors.get(name);
  if (anchor === undefined) {
    taking.troubles.push({ code: 'HW1105', span, what: `There is no anchor ${quote(name)} before this alias.` });
    return null;
  }
  taking.size += anchor.size;
  taking.aliased += anchor.size;
  if (taking.aliased <= MAX_ALIASED) return anchor.value;
  // One message is enough: the values are not used.
  if (!taking.troubles.some(({ code }) => code === 'HW1104')) {
    taking.troubles.push({
      code: 'HW1104',
      span,
      what: `The aliases of the document stand for more than ${MAX_ALIASED} values.`,
    });
  }
  return null;
}

function takeMap(map: YAMLMap, taking: Taking): Json {
  const object: Record<string, Json> = {};
  for (const { key, value } of map.items as readonly Pair<Node | null, Node | null>[]) {
    const name = keyText(key);
    if (Object.hasOwn(object, name)) {
      taking.troubles.push({
        code: 'HW1102',
        span: key ? spanOf(key) : spanOf(map),
        what: `The key ${quote(name)} occurs twice in one mapping.`,
      });
    }
    // As an own key, whatever its name: `__proto__` is a field that no kind knows, nothing more.
    Object.defineProperty(object, name, {
      value: take(value, taking),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}

function keyText(key: Node | null): string {
  return isScalar(key) ? String(key.value) : isAlias(key) ? key.source : '';
}

/** The places of everything in a document that starts at this offset. */
export function placesIn(document: Document.Parsed, base: number): Places {
  const places = new Map<string, Place>();
  const move = ([start, end]: Span): Span => [base + start, base + end];
  const note = (node: Node | null, pointer: string, key: Span | undefined): void => {
    const value = node === null ? (key ?? [0, 0]) : spanOf(node);
    places.set(pointer, key === undefined ? { value: move(value) } : { key: move(key), value: move(value) });
    if (isMap(node)) {
      for (const pair of node.items as readonly Pair<Node | null, Node | null>[]) {
        note(pair.value, `${pointer}/${escapePointer(keyText(pair.key))}`, pair.key ? spanOf(pair.key) : undefined);
      }
    } else if (isSeq(node)) {
      node.items.forEach((item, index) => note(item as Node | null, `${pointer}/${index}`, undefined));
    }
  };
  if (document.contents !== null) note(document.contents, '', undefined);
  return places;
}

function spanOf(node: Node): Span {
  const [start, end] = node.range ?? [0, 0, 0];
  return [start, Math.max(end, start)];
}
