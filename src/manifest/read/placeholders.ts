// Placeholders that a template engine or a shell should have replaced. Manifests have no variables, so they would be
// written to the account as they are.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quote } from '../../model/format.ts';
import type { Json } from '../../model/json.ts';
import { escapePointer, isJsonObject } from '../../model/json.ts';
import type { ParsedDocument } from './parse.ts';
import { problemAt } from './parse.ts';

/**
 * `${NAME}`, `$(name)`, `%NAME%`, `{{ name }}` and `{{.name}}`. Not `{{path}}` and `%{Url.Path}`: those are variables of
 * the CDN.
 */
const PLACEHOLDER = /\$\{[^{}]*\}|\$\([^()]*\)|%[A-Z][A-Z0-9_]+%|\{\{(?:\s[^{}]*|\s*[.$][^{}]*|[^{}]*\s)\}\}/;

/** Returns the first placeholder in a text, or undefined. */
export function placeholderIn(text: string): string | undefined {
  return PLACEHOLDER.exec(text)?.[0];
}

/** Returns a warning (HW1231) for every text of a document that contains a placeholder. */
export function placeholderProblems(document: ParsedDocument, address?: string): readonly Diagnostic[] {
  if (!PLACEHOLDER.test(document.source.text)) return [];
  return textsIn(document.value, '').flatMap(([pointer, text]) => {
    const found = placeholderIn(text);
    if (found === undefined) return [];
    const what = `${quote(text)} contains ${quote(found)}, which nothing replaces.`;
    return [problemAt(document, pointer, 'HW1231', what, address)];
  });
}

function textsIn(value: Json, pointer: string): readonly (readonly [pointer: string, text: string])[] {
  if (typeof value === 'string') return [[pointer, value]];
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => textsIn(item, `${pointer}/${index}`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, `${pointer}/${escapePointer(key)}`));
}
