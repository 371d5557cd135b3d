// Rows as programs read them: the values of every column, and what the platform answered.
import { Document, visit } from 'yaml';
import type { Api } from '../../model/generated/output/api.ts';
import type { Get, Item, Value } from '../../model/generated/output/get.ts';
import type { Json } from '../../model/json.ts';
import type { Shown, ShownRow, ShownValue } from '../../model/shown.ts';
import { API_FORMAT, GET_FORMAT } from '../../model/shown.ts';
import { escapeJson } from '../view/escape.ts';
import type { Ended } from './index.ts';
import { documentOf, renderJson } from './index.ts';

/** The whole answer. */
export function renderRowsJson(shown: Shown | undefined, ended: Ended): string {
  return renderJson(rowsDocument(shown, ended));
}

export function renderRowsYaml(shown: Shown | undefined, ended: Ended): string {
  return asYaml(rowsDocument(shown, ended));
}

/** The answer of a path, as the platform gave it. */
export function renderAnswer(path: string, answer: Json | undefined, ended: Ended, format: 'json' | 'yaml'): string {
  const written = documentOf<Api>(API_FORMAT, ended, { path, answer });
  return format === 'json' ? renderJson(written) : asYaml(written);
}

/** One row a line, for who watches. */
export function renderRowLine(row: ShownRow): string {
  return escapeJson(JSON.stringify(itemOf(row)));
}

/** One row a document. */
export function renderRowYaml(row: ShownRow): string {
  return `---\n${asYaml(itemOf(row))}`;
}

function rowsDocument(shown: Shown | undefined, ended: Ended): object {
  const { kind, rows, notRead } = shown ?? {};
  return documentOf<Get>(GET_FORMAT, ended, { kind, items: rows?.map(itemOf), notRead });
}

function itemOf({ id, values, object }: ShownRow): Item {
  const unknown = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'object' && value?.is === 'unknown' ? [{ name, reason: value.reason }] : [],
  );
  return {
    id,
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainOf(value)])),
    ...(unknown.length > 0 && { unknown }),
    object,
  };
}

function plainOf(value: ShownValue): Value {
  if (value === null || typeof value !== 'object') return value;
  switch (value.is) {
    case 'unknown':
      return null;
    case 'time':
    case 'day':
      return value.at;
    case 'money':
      return { amountCents: value.cents, currency: value.currency ?? null, term: value.per ?? null };
    case 'megabytes':
      return value.megabytes;
    case 'list':
      return value.items;
  }
}

/** A text that a terminal could act on stands between double quotes, with the same escapes as in JSON. */
function asYaml(written: object): string {
  const document = new Document(JSON.parse(JSON.stringify(written)), { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'string' && escapeJson(scalar.value) !== scalar.value) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeJson(document.toString({ lineWidth: 0, blockQuote: false }).trimEnd());
}
