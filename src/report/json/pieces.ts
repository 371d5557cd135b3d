// A large document as JSON text in pieces: printed whole, the plan of a large account would stand in memory several
// times over.
import { escapeJson } from '../view/escape.ts';

/** What is gathered before a piece goes out, in characters. */
const PIECE = 1 << 16;

/** How the items of a list are to be written. */
export type Items = Readonly<Record<string, (item: never) => object>>;

/**
 * The same text as `JSON.stringify(document, null, 2)`, escaped, in pieces. `items`: by the key of a list at the top,
 * what becomes of each of its items before it is printed.
 */
export function* piecesOf(document: object, items: Items = {}): Generator<string, void, undefined> {
  let gathered = '';
  for (const part of partsOf(document, items)) {
    gathered += part;
    if (gathered.length < PIECE) continue;
    yield escapeJson(gathered);
    gathered = '';
  }
  yield escapeJson(gathered);
}

function* partsOf(document: object, items: Items): Generator<string, void, undefined> {
  const entries = Object.entries(document).filter(([, value]) => value !== undefined);
  if (entries.length === 0) yield '{}';
  for (const [index, [key, value]] of entries.entries()) {
    yield `${index === 0 ? '{' : ','}\n  ${JSON.stringify(key)}: `;
    if (Array.isArray(value) && value.length > 0) yield* listOf(value, items[key]);
    else yield indented(value, '  ');
  }
  if (entries.length > 0) yield '\n}';
}

function* listOf(list: readonly unknown[], item: Items[string] = (same: object) => same): Generator<string, void> {
  for (const [index, one] of list.entries())
    yield `${index === 0 ? '[' : ','}\n    ${indented(item(one as never), '    ')}`;
  yield '\n  ]';
}

/** No line break stands in a text of JSON: each is one of the layout. */
function indented(value: unknown, by: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`);
}
