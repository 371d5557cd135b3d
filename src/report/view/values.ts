// How one value, one change and one templated path are written for a reader. Plain text, no colour, no layout.
import { wordsOf } from '../../areas/words.ts';
import type { Address } from '../../model/address.ts';
import { compareText, kindOf } from '../../model/address.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { canonicalJson, unescapePointer } from '../../model/json.ts';
import type { Action, Change, Verb } from '../../model/plan/plan.ts';
import type { PathTemplate, Reference, Template } from '../../model/plan/step.ts';
import { isLiteral, isReference, isSecretReference } from '../../model/plan/step.ts';
import { clipSafe, escapeText, quoteText, urlPart } from './escape.ts';
import { showHostname } from './names.ts';
import { HIDDEN } from '../../model/kind/words.ts';
import { andMore, cut } from '../../model/common/count.ts';
import type { ItemLine } from './unified.ts';
import { unifiedLines } from './unified.ts';

export type Bindings = Readonly<Record<Address, string>>;

/** A change as a reader sees it: on one line, or as items below the name of the field. */
export interface ShownChange {
  readonly field: string;
  readonly inline?: string;
  /** What was, and what will be, where `inline` is both with an arrow between them. */
  readonly sides?: readonly [was: string, value: string];
  readonly items?: readonly ItemLine[];
  /** The items are values that a list loses and gets. */
  readonly isList?: true;
  /** The items are one value that comes or goes as a whole: their marks say nothing that the verb does not. */
  readonly isWhole?: true;
}

/** How much of a change is shown. */
export interface Room {
  /** Longest single value. */
  readonly value: number;
  /** Longest `was -> value` on one line. */
  readonly line: number;
  /** Most items of a list that are added; removed ones get twice as many, because they hurt more. */
  readonly items: number;
}

const NOT_SET = '(not set)';
const CONTEXT = 20;
/** Unchanged lines that are shown around each change of a text. */
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

/** True for the number by which the engine keeps a list in order: manifests never write it, and only the order counts. */
export function isPosition({ path }: Pick<Change, 'path'>): boolean {
  return path === '/orderIndex';
}

/** The name of the field that changes. */
export function fieldOf(change: Pick<Change, 'path'>): string {
  return isPosition(change) ? 'position' : showPointer(change.path);
}

/** A short value without quotes where it reads as itself; undefined for what has an inside. */
export function showPlain(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  if (typeof value !== 'string') return String(value);
  const hostname = showHostname(value);
  if (hostname !== undefined) return hostname;
  return /^[\p{L}\p{M}\p{N}_.@*+:/?&=#%~-]+$/u.test(value) ? escapeText(value, PLAIN) : quoteText(value, PLAIN);
}

/** Longer than any address that somebody would have to see whole. */
const PLAIN = 2000;

/** A value on one line, with as few marks as it takes. */
export function flow(value: Json): string {
  const plain = showPlain(value);
  if (plain !== undefined) return plain;
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(flow).join(', ')}]`;
  if (!isPlainDocument(value)) return write(value, PLAIN, {});
  return `{${Object.entries(value)
    .map(([key, item]) => `${escapeText(key, 200)}: ${flow(item)}`)
    .join(', ')}}`;
}

/** The changes of an action as they read in a manifest. Those of a kind that has no words of its own are as they are. */
export function changesInWords(action: Pick<Action, 'address' | 'changes' | 'steps'>): readonly Change[] {
  return wordsOf(kindOf(action.address)).changes?.(action) ?? action.changes;
}

/** A change in one line: `version: 8.2 -> 8.3`, or the items that come and go. */
export function changeLine(change: Change, verb: Verb): string {
  return `${fieldOf(change)}: ${changeSides(change, verb)}`;
}

/** What a change says of its field: `8.2 -> 8.3`. */
export function changeSides(change: Change, verb: Verb): string {
  if (change.was === HIDDEN && change.value === HIDDEN) return HIDDEN;
  const [was, value] = [showPlain(change.was), showPlain(change.value)];
  if (change.secret === undefined && verb === 'update' && was !== undefined && value !== undefined)
    return `${was} -> ${value}`;
  if (isDocument(change.was) || isDocument(change.value))
    return [change.was, change.value].flatMap((side) => (side === undefined ? [] : flow(side))).join(' -> ');
  const { inline, items = [] } = showChange(change, verb, { value: PLAIN, line: PLAIN, items: 100 });
  return inline ?? items.flatMap(({ mark, text }) => (mark === ' ' ? [] : [`${mark} ${text.trim()}`])).join(', ');
}

/** All changes on one line. */
export function changesLine(action: Pick<Action, 'address' | 'changes' | 'steps' | 'verb'>, position?: string): string {
  return changesInWords(action)
    .flatMap((change) => {
      if (!isPosition(change)) return [changeLine(change, action.verb)];
      return position === undefined || position === '' ? [] : [position];
    })
    .join(', ');
}

/** All changes of an action; its place among its neighbours in words instead of by the number that is sent. */
export function changesOf(
  action: Pick<Action, 'address' | 'changes' | 'steps' | 'verb'>,
  position: string | undefined,
  room: Room,
): readonly ShownChange[] {
  return changesInWords(action).flatMap((change) => {
    // A list that nothing is in says nothing of an object that comes or goes.
    if (action.verb !== 'update' && isEmptyList(change.value ?? change.was)) return [];
    if (!isPosition(change)) return [showChange(change, action.verb, room)];
    return position === undefined || position === '' ? [] : [{ field: fieldOf(change), inline: position }];
  });
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** What changes, in the form that is easiest to compare by eye. */
function showChange(change: Change, verb: Verb, room: Room): ShownChange {
  const field = fieldOf(change);
  const { was, value, secret } = change;
  if (secret !== undefined)
    return { field, inline: `secret from ${showPlace({ ...secret })}${showRotationTokens(change, room)}` };
  const long = verb === 'update' ? showLong(was, value, room) : undefined;
  if (long !== undefined) return { field, items: long };
  const whole = verb === 'create' ? value : verb === 'delete' ? was : undefined;
  if (isDocument(whole)) {
    const mark = verb === 'create' ? '+' : '-';
    const lines = documentLines(whole, room, 'as it is').map((text): ItemLine => ({ mark, text }));
    return { field, items: cutLines(lines, room) as readonly ItemLine[], isWhole: true };
  }
  if (Array.isArray(value) && (was === undefined || Array.isArray(was)))
    return showList(field, (was ?? []) as readonly Json[], value as readonly Json[], verb, room);
  const [before, after] =
    typeof was === 'string' && typeof value === 'string'
      ? showPair(was, value, room.value)
      : [showSide(was, room), showSide(value, room)];
  const inline =
    verb === 'create' ? after : verb === 'delete' ? before : `${before ?? NOT_SET} -> ${after ?? '(removed)'}`;
  const isNested = isDocument(was) || isDocument(value);
  if (verb !== 'update' || inline === undefined || (!isNested && field.length + inline.length <= room.line))
    return {
      field,
      inline: inline ?? NOT_SET,
      ...(verb === 'update' && { sides: [before ?? NOT_SET, after ?? '(removed)'] as const }),
    };
  const side = (mark: '-' | '+', one: Json | undefined, text: string): readonly ItemLine[] =>
    isDocument(one) ? documentLines(one, room).map((line) => ({ mark, text: line })) : [{ mark, text }];
  return {
    field,
    items: [...side('-', was, before ?? NOT_SET), ...side('+', value, after ?? '(removed)')],
  };
}

/** Changes as the lines of a diff: what goes with `-`, what comes with `+`, where it stands with `!`. */
export function diffLines(changes: readonly ShownChange[], verb: Verb): readonly string[] {
  const mark = { create: '+', update: '!', delete: '-' }[verb];
  return changes.flatMap(({ field, inline, items = [] }) =>
    inline === undefined
      ? [`${mark} ${field}:`, ...items.map((item) => `${item.mark}   ${item.text}`)]
      : [`${mark} ${field}: ${inline}`],
  );
}

/**
 * Texts of several lines, and documents that do not fit on one, line by line; undefined for what reads better whole.
 */
function showLong(was: Json | undefined, value: Json | undefined, room: Room): readonly ItemLine[] | undefined {
  if (typeof was === 'string' && typeof value === 'string' && /\n/.test(`${was}${value}`))
    return cutLines(unifiedLines(textLines(was, room), textLines(value, room), CONTEXT_LINES), room);
  if (!isDocument(was) || !isDocument(value) || Array.isArray(was) !== Array.isArray(value)) return undefined;
  return cutLines(unifiedLines(documentLines(was, room), documentLines(value, room), CONTEXT_LINES), room);
}

/** A document, or a list of them: what has an inside that can differ in one place. */
function isDocument(value: Json | undefined): value is JsonObject | readonly JsonObject[] {
  const one = Array.isArray(value) ? (value as readonly Json[])[0] : value;
  return one !== undefined && !Array.isArray(one) && isPlainDocument(one) && Object.keys(one).length > 0;
}

function textLines(text: string, room: Room): readonly string[] {
  return text.split('\n').map((line) => escapeText(line, room.value));
}

/**
 * A value with an inside, as lines of YAML. Two sides are compared with their keys in one order: a platform that
 * answers in another one has changed nothing.
 */
function documentLines(
  value: Json,
  room: Room,
  order: 'sorted' | 'as it is' = 'sorted',
  indent = '',
): readonly string[] {
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item) => {
      const [first = '', ...rest] = documentLines(item, room, order, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  if (!isPlainDocument(value)) return [`${indent}${write(value, room.value, {})}`];
  const entries = Object.entries(value);
  if (order === 'sorted') entries.sort(([left], [right]) => compareText(left, right));
  if (entries.length === 0) return [`${indent}{}`];
  return entries.flatMap(([key, item]) => {
    const name = /^[\w$.-]+$/.test(key) ? escapeText(key, room.value) : quoteText(key, room.value);
    return isDocument(item)
      ? [`${indent}${name}:`, ...documentLines(item, room, order, `${indent}  `)]
      : [`${indent}${name}: ${write(item, room.value, {})}`];
  });
}

function isPlainDocument(value: Json): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !isReference(value) && !isSecretReference(value) && !isLiteral(value)
  );
}

function cutLines(lines: readonly ItemLine[] | undefined, room: Room): readonly ItemLine[] | undefined {
  return (
    lines &&
    cut(
      lines,
      room.items * 2,
      (line) => line,
      (left) => ({ mark: ' ', text: `…${andMore(left)} lines` }),
    )
  );
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
  const before = split(was, value);
  const after = split(value, was);
  const items = [...itemLines('-', before.only, room.items * 2, room), ...itemLines('+', after.only, room.items, room)];
  if (before.kept.join('\n') !== after.kept.join('\n')) {
    items.push({
      mark: ' ',
      text: `order: ${clipSafe(value.map((item) => showValue(item, room.value)).join(', '), room.value * 2)}`,
    });
  } else if (after.kept.length > 0) items.push({ mark: ' ', text: `${after.kept.length} unchanged` });
  return { field, items, ...([...was, ...value].every((item) => !isDocument(item)) && { isList: true }) };
}

function itemLines(mark: '+' | '-', items: readonly Json[], most: number, room: Room): readonly ItemLine[] {
  const show = (item: Json): readonly string[] =>
    isDocument(item) ? documentLines([item] as Json, room, 'as it is') : [showValue(item, room.value)];
  return cut(items, most, show, (left) => [`…${andMore(left)}`])
    .flat()
    .map((text) => ({ mark, text }));
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
  return id === undefined ? showReference(reference) : urlPart(id);
}

function idOf({ $ref, output }: Reference, bindings: Bindings = {}): string | undefined {
  return output === 'id' && Object.hasOwn(bindings, $ref) ? bindings[$ref] : undefined;
}
