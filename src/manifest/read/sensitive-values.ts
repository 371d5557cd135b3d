// Which values of a manifest are about a person or are a secret, by the marks of the kinds, and diagnostics without them.
// A malformed value is still what somebody wrote: it is quoted in no diagnostic, because reports are shared.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { namesSecret, quote } from '../../model/format.ts';
import { UNREDACTED } from '../../model/diagnostic.ts';
import type { Json } from '../../model/json.ts';
import { escapePointer, isJsonObject } from '../../model/json.ts';
import type { Registry } from '../../model/kind/kind.ts';
import type { ParsedDocument } from './parse.ts';

export type Sensitivity = 'personal' | 'secret';

/** Fields in which a secret is named; what is written there by mistake is often the secret itself. */
const SOURCES: ReadonlySet<string> = new Set(['env', 'file', 'entry']);
/** A kind of plain data, all of it about a person. */
const CONTACT = 'Contact';

/** Returns what the value at a pointer into a manifest of a root kind is. undefined: it may be quoted. */
export function sensitivityOf(kind: string, pointer: string, registry: Registry): Sensitivity | undefined {
  const [top, ...names] = pointer.split('/').slice(1);
  if (top !== 'spec') return undefined;
  if (names.some(namesSecret) || SOURCES.has(names.at(-1) ?? '')) return 'secret';
  if (kind === CONTACT) return 'personal';
  const marked = personalFields(kind, registry);
  return names.some((name) => marked.has(name)) ? 'personal' : undefined;
}

/** The names of the fields that a root kind, and what is in its manifest, mark as personal. */
function personalFields(kind: string, registry: Registry): ReadonlySet<string> {
  const names = new Set<string>();
  for (const definition of registry.values()) {
    let root = definition;
    for (let above = root.parent; above !== null; above = root.parent) {
      const found = registry.get(above);
      if (found === undefined) break;
      root = found;
    }
    if (root.kind !== kind) continue;
    for (const [name, field] of Object.entries(definition.fields)) if (field.personal !== undefined) names.add(name);
  }
  return names;
}

/**
 * Returns a text in which every text of a value reads `(personal)` or `(secret)`, and so does the key of the value where it
 * may be a secret itself.
 */
export function withoutValue(text: string, value: Json | undefined, pointer: string, sort: Sensitivity): string {
  const hidden = `(${sort})`;
  const own = isHiddenKey(pointer, value, sort) ? [lastOf(pointer)] : [];
  // The longest first: a shorter one may be a part of it.
  const texts = [...textsIn(value), ...own].filter((one) => one !== '').sort((a, b) => b.length - a.length);
  return texts.reduce((left, one) => {
    const quoted = left.replaceAll(quote(one), hidden).replaceAll(JSON.stringify(one), hidden);
    return one.length < 3 ? quoted : quoted.replaceAll(one, hidden);
  }, text);
}

/** Returns a diagnostic without the lines of the manifest, which contain the value, and without a key that is one. */
export function withoutLines(
  { frame: _frame, ...problem }: Diagnostic,
  value: Json | undefined,
  sort: Sensitivity,
): Diagnostic {
  const { pointer } = problem;
  if (pointer === undefined || !isHiddenKey(pointer, value, sort)) return problem;
  return { ...problem, pointer: pointer.slice(0, pointer.lastIndexOf('/')) };
}

/** What a field is called. */
const FIELD_NAME = /^[a-z][A-Za-z]{0,30}$/;

/**
 * Returns true for a key that may be the value itself: it is not called as fields are, or has no value where a secret is
 * expected, as in `password: { hunter2 }`. The name of an unknown field is neither personal nor a secret.
 */
function isHiddenKey(pointer: string, value: Json | undefined, sort: Sensitivity): boolean {
  const name = lastOf(pointer);
  if (!isFieldName(name)) return true;
  const isWritten = value !== null && value !== undefined;
  return sort === 'secret' && !isWritten && !namesSecret(name) && !SOURCES.has(name);
}

/** Returns true for the name of a field, or the index of an item. */
function isFieldName(name: string): boolean {
  return FIELD_NAME.test(name) || /^\d+$/.test(name);
}

function lastOf(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

/**
 * Returns the diagnostics with frames that show no personal value and no secret, whichever value the frame is about. The
 * terminal of the user shows the personal ones.
 */
export function withoutSensitiveLines(
  diagnostics: readonly Diagnostic[],
  documents: readonly ParsedDocument[],
  registry: Registry,
): readonly Diagnostic[] {
  const files = new Set(diagnostics.flatMap(({ source, frame }) => (frame === undefined ? [] : (source?.file ?? []))));
  if (files.size === 0) return diagnostics;
  const lines = sensitiveLines(
    documents.filter(({ source }) => files.has(source.name)),
    registry,
  );
  if (lines.size === 0) return diagnostics;
  return diagnostics.map((diagnostic) => {
    const { source, frame, detail } = diagnostic;
    const own = source === undefined ? undefined : lines.get(source.file);
    if (frame === undefined || own === undefined) return diagnostic;
    const shared = maskLines(frame, own, () => true);
    if (shared === frame) return diagnostic;
    const forOwner = maskLines(frame, own, (sort) => sort === 'secret');
    return { ...diagnostic, frame: shared, [UNREDACTED]: diagnostic[UNREDACTED] ?? { detail, frame: forOwner } };
  });
}

type SensitiveLines = ReadonlyMap<number, { readonly sort: Sensitivity; readonly isKey: boolean }>;

/** By file, the lines that have a sensitive value, or a key that may be a secret. */
function sensitiveLines(documents: readonly ParsedDocument[], registry: Registry): ReadonlyMap<string, SensitiveLines> {
  const files = new Map<string, Map<number, { sort: Sensitivity; isKey: boolean }>>();
  for (const document of documents) {
    const kind = isJsonObject(document.value) && typeof document.value.kind === 'string' ? document.value.kind : '';
    for (const [pointer, value] of leavesOf(document.value)) {
      const sort = sensitivityOf(kind, pointer, registry);
      if (sort === undefined || isName(pointer, value, sort)) continue;
      const place = document.place(pointer);
      const first = place.source.range(place.value).line;
      const height = place.source.text.slice(...place.value).split('\n').length;
      const own = files.get(place.source.name) ?? new Map<number, { sort: Sensitivity; isKey: boolean }>();
      const isKey = isHiddenKey(pointer, value, sort);
      for (let line = first; line < first + height; line += 1) own.set(line, { sort, isKey });
      files.set(place.source.name, own);
    }
  }
  return files;
}

/** The name of an object or of the place of a secret, as it has to be written. */
function isName(pointer: string, value: Json, sort: Sensitivity): boolean {
  if (typeof value === 'boolean' || value === null) return !isHiddenKey(pointer, value, sort);
  if (typeof value !== 'string') return false;
  switch (lastOf(pointer)) {
    case 'ref':
      return /^[A-Z]\w*\/[\w.-]+$/.test(value);
    case 'env':
    case 'entry':
      return /^[A-Za-z_][\w-]*$/.test(value);
    case 'file':
      return isPathLike(value);
    default:
      return false;
  }
}

/** Returns true for a text that can only be a path: one without a slash may be a secret in the place of its path. */
export function isPathLike(text: string): boolean {
  return text.includes('/') && /^[\w.@{}/-]+$/.test(text);
}

function maskLines(frame: string, lines: SensitiveLines, isMasked: (sort: Sensitivity) => boolean): string {
  return frame
    .split('\n')
    .map((text) => {
      const [, head = '', number = '', key = '', rest = ''] =
        /^(>? *(\d+) \| )([ {"'-]*[\w.-]*["']? ?:|[ -]*)(.*)$/s.exec(text) ?? [];
      const line = lines.get(Number(number));
      if (number === '' || line === undefined || !isMasked(line.sort) || rest === '') return text;
      const indent = /^ */.exec(key)?.[0] ?? '';
      return `${head}${line.isKey ? indent : key}${line.isKey || key.trim() === '' ? '' : ' '}(${line.sort})`;
    })
    .join('\n');
}

function leavesOf(value: Json, pointer = ''): readonly (readonly [string, Json])[] {
  if (typeof value !== 'object' || value === null) return [[pointer, value]];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, `${pointer}/${escapePointer(key)}`));
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [...(isFieldName(key) ? [] : [key]), ...textsIn(one)]);
}
