// How one value, one change and one templated path are written for a reader. Plain text, no colour, no layout.
import type { Address } from '../../model/address.ts';
import { compareText } from '../../model/address.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { canonicalJson, unescapePointer } from '../../model/json.ts';
import type { Change, Verb } from '../../model/plan/plan.ts';
import type { PathTemplate, Reference, Template } from '../../model/plan/step.ts';
import { isLiteral, isReference, isSecretReference } from '../../model/plan/step.ts';
import { clipSafe, escapeText, quoteText } from './escape.ts';
import type { ItemLine } from '../text/unified.ts';
import { unifiedLines } from '../text/unified.ts';

export type Bindings = Readonly<Record<Address, string>>;

/** A change as a reader sees it: on one line, or as items below the name of the field. */
export interface ShownChange {
  readonly field: string;
  readonly inline?: string;
  readonly items?: readonly ItemLine[];
}

/** How much of a change is shown. */
export interface Room {
  /** Longest single value. */
  readonly value: number;
  /** Longest `was -> value` on one line. */
  readonly line: number;
  /** Most items of a list that are added; removed ones get twice as many, because they hurt more. */
  readonly items: number;
  /**
   * Unchanged lines or items shown around each change; without it three lines of a text, and of a list how many are
   * unchanged.
   */
  readonly context?: number;
}

const NOT_SET = '(not set)';
const CONTEXT = 20;
const CONTEXT_LINES = 3;

/** A value as JSON with spaces, or as YAML on one line without bindings; references and secrets by their place. */
export function showValue(value: Json | Template, limit: number, bindings?: Bindings): string {
  return clipSafe(write(value, limit, bindings), limit + 2);
}

/** A path with the ids that are known filled in, else `{Site/shop#id}`. */
export function showPath(template: PathTemplate, bindings: Bindings): string {
  return template.map((part) => (typeof part === 'string' ? escapeText(part) : fillIn(part, bindings))).join('');
}

/** `/caching/smartCache` as `caching.smartCache`. */
export function showPointer(pointer: string): string {
  if (pointer === '') return '(all)';
  return pointer
    .slice(1)
    .split('/')
    .map((token) => (/^[\w-]+$/.test(token) ? escapeText(token, 200) : quoteText(unescapePointer(token), 200)))
    .join('.');
}

/** What changes, in the form that is easiest to compare by eye. */
export function showChange(change: Change, verb: Verb, room: Room): ShownChange {
  const field = showPointer(change.path);
  const { was, value, secret } = change;
  if (secret !== undefined)
    return { field, inline: `secret from ${showPlace({ ...secret })}${showRotationTokens(change, room)}` };
  const long = verb === 'update' ? showLong(was, value, room) : undefined;
  if (long !== undefined) return { field, items: long };
  if (Array.isArray(value) && (was === undefined || Array.isArray(was)))
    return showList(field, (was ?? []) as readonly Json[], value as readonly Json[], verb, room);
  const [before, after] =
    typeof was === 'string' && typeof value === 'string'
      ? showPair(was, value, room.value)
      : [showSide(was, room), showSide(value, room)];
  const inline =
    verb === 'create' ? after : verb === 'delete' ? before : `${before ?? NOT_SET} -> ${after ?? '(removed)'}`;
  if (verb !== 'update' || inline === undefined || field.length + inline.length <= room.line)
    return { field, inline: inline ?? NOT_SET };
  return {
    field,
    items: [
      { mark: '-', text: before ?? NOT_SET },
      { mark: '+', text: after ?? '(removed)' },
    ],
  };
}

/** A change as the lines of a diff: what goes with `-`, what comes with `+`, where it stands with `!`. */
export function diffLines(change: Change, verb: Verb, room: Omit<Room, 'line'>): readonly string[] {
  // No line is long enough for both sides: a diff has them below each other.
  const { field, inline, items = [] } = showChange(change, verb, { ...room, line: -1 });
  const mark = { create: '+', update: '!', delete: '-' }[verb];
  return inline === undefined
    ? [`! ${field}`, ...items.map((item) => `${item.mark} ${item.text}`)]
    : [`${mark} ${field}: ${inline}`];
}

/**
 * Texts of several lines, and documents that do not fit on one, line by line; undefined for what reads better whole.
 */
function showLong(was: Json | undefined, value: Json | undefined, room: Room): readonly ItemLine[] | undefined {
  const context = room.context ?? CONTEXT_LINES;
  if (typeof was === 'string' && typeof value === 'string' && /\n/.test(`${was}${value}`))
    return cutLines(unifiedLines(textLines(was, room), textLines(value, room), context), room);
  if (
    !isDocument(was) ||
    !isDocument(value) ||
    write(was, room.value, undefined).length + write(value, room.value, undefined).length <= room.line
  )
    return undefined;
  return cutLines(unifiedLines(documentLines(was, room), documentLines(value, room), context), room);
}

/** A document, or a list of them: what has an inside that can differ in one place. */
function isDocument(value: Json | undefined): value is JsonObject | readonly JsonObject[] {
  const one = Array.isArray(value) ? (value as readonly Json[])[0] : value;
  return typeof one === 'object' && one !== null && !Array.isArray(one);
}

function textLines(text: string, room: Room): readonly string[] {
  return text.split('\n').map((line) => escapeText(line, room.value));
}

/** Keys in one order on both sides: a platform that answers in another one has changed nothing. */
function documentLines(value: Json, room: Room, indent = '', name = ''): readonly string[] {
  const inside = Array.isArray(value)
    ? (value as readonly Json[]).flatMap((item) => documentLines(item, room, `${indent}  `))
    : Object.entries(isPlainDocument(value) ? value : {})
        .sort(([left], [right]) => compareText(left, right))
        .flatMap(([key, item]) => documentLines(item, room, `${indent}  `, `${showKey(key, room.value)}: `));
  if (inside.length === 0) return [`${indent}${name}${write(value, room.value, undefined)}`];
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return [`${indent}${name}${open}`, ...inside, `${indent}${close}`];
}

function isPlainDocument(value: Json): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !isReference(value) && !isSecretReference(value) && !isLiteral(value)
  );
}

function cutLines(lines: readonly ItemLine[] | undefined, room: Room): readonly ItemLine[] | undefined {
  const most = room.items * 2;
  return lines === undefined || lines.length <= most
    ? lines
    : [...lines.slice(0, most), { mark: ' ', text: `… and ${lines.length - most} more lines` }];
}

/** The marks of a secret that is written again, or the one that it begins with. */
function showRotationTokens({ op, was, value }: Change, room: Room): string {
  if (op === 'replace') return `, rotate ${showSide(was, room) ?? NOT_SET} -> ${showSide(value, room) as string}`;
  return value === undefined ? '' : `, rotate ${showValue(value, room.value)}`;
}

function showSide(value: Json | undefined, room: Room): string | undefined {
  return value === undefined ? undefined : showValue(value, room.value);
}

/**
 * Two long texts that begin alike are shown from shortly before the place where they part, or they would look the same.
 */
function showPair(was: string, value: string, limit: number): readonly [string, string] {
  let same = 0;
  while (same < was.length && same < value.length && was[same] === value[same]) same += 1;
  const start = Math.max(was.length, value.length) <= limit || same <= CONTEXT ? 0 : same - CONTEXT;
  const show = (text: string): string =>
    start === 0 ? quoteText(text, limit) : `…${quoteText(text.slice(start), limit)} (from character ${start + 1})`;
  return [show(was), show(value)];
}

function showList(field: string, was: readonly Json[], value: readonly Json[], verb: Verb, room: Room): ShownChange {
  const inline = showValue(value, room.value);
  if (was.length === 0 && (value.length === 0 || verb === 'create') && field.length + inline.length <= room.line) {
    return { field, inline: verb === 'create' ? inline : `${NOT_SET} -> ${inline}` };
  }
  const around =
    room.context === undefined || verb !== 'update'
      ? undefined
      : unifiedLines(
          was.map((item) => showValue(item, room.value)),
          value.map((item) => showValue(item, room.value)),
          room.context,
        );
  if (around !== undefined) return { field, items: cutLines(around, room) as readonly ItemLine[] };
  const before = split(was, value);
  const after = split(value, was);
  const items = [...itemLines('-', before.only, room.items * 2, room), ...itemLines('+', after.only, room.items, room)];
  if (before.kept.join('\n') !== after.kept.join('\n')) {
    items.push({
      mark: ' ',
      text: `order: ${clipSafe(value.map((item) => showValue(item, room.value)).join(', '), room.value * 2)}`,
    });
  } else if (after.kept.length > 0) items.push({ mark: ' ', text: `${after.kept.length} unchanged` });
  return { field, items };
}

function itemLines(mark: '+' | '-', items: readonly Json[], most: number, room: Room): ItemLine[] {
  const lines: ItemLine[] = items.slice(0, most).map((item) => ({ mark, text: showValue(item, room.value) }));
  return items.length > most ? [...lines, { mark, text: `… and ${items.length - most} more` }] : lines;
}

/** The items that the other list does not have, repeats counted, and the canonical text of the others, in order. */
function split(
  items: readonly Json[],
  others: readonly Json[],
): { readonly only: readonly Json[]; readonly kept: readonly string[] } {
  const counts = new Map<string, number>();
  for (const text of others.map(canonicalJson)) counts.set(text, (counts.get(text) ?? 0) + 1);
  const only: Json[] = [];
  const kept: string[] = [];
  for (const item of items) {
    const text = canonicalJson(item);
    const left = counts.get(text) ?? 0;
    counts.set(text, left - 1);
    if (left > 0) kept.push(text);
    else only.push(item);
  }
  return { only, kept };
}

function write(value: Json | Template, limit: number, bindings: Bindings | undefined): string {
  if (typeof value === 'string') return quoteText(value, limit);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => write(item, limit, bindings)).join(', ')}]`;
  if (isReference(value)) {
    const id = idOf(value, bindings);
    return id === undefined ? showReference(value) : quoteText(id, limit);
  }
  if (isSecretReference(value)) return `<secret ${showPlace(value.$secret)}>`;
  if (isLiteral(value)) return write(value.$literal, limit, bindings);
  return `{${Object.entries(value as JsonObject)
    .map(
      ([key, item]) =>
        `${bindings === undefined ? showKey(key, limit) : quoteText(key, limit)}: ${write(item, limit, bindings)}`,
    )
    .join(', ')}}`;
}

/** As YAML has it: in quotes only where that is needed. */
function showKey(key: string, limit: number): string {
  return /^[A-Za-z][\w-]*$/.test(key) && key.length <= limit ? key : quoteText(key, limit);
}

/**
 * `env NAME` or `file PATH`. Live data may look like a secret's place without being one, so nothing is taken for
 * granted.
 */
function showPlace(place: Readonly<Record<string, unknown>>): string {
  return Object.entries(place)
    .map(
      ([kind, name]) => `${escapeText(kind, 100)} ${typeof name === 'string' ? escapeText(name, 200) : '(not a name)'}`,
    )
    .join(', ');
}

function showReference({ $ref, output }: Reference): string {
  return `{${escapeText($ref, 300)}#${escapeText(output, 100)}}`;
}

function fillIn(reference: Reference, bindings: Bindings): string {
  const id = idOf(reference, bindings);
  return id === undefined ? showReference(reference) : encodeURIComponent(id);
}

function idOf({ $ref, output }: Reference, bindings: Bindings = {}): string | undefined {
  return output === 'id' && Object.hasOwn(bindings, $ref) ? bindings[$ref] : undefined;
}
