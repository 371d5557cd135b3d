// What a JSON value is, how two of them are compared, and how one is written so that equal values give equal bytes.
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * The RFC 8785 text of a JSON value: sorted keys, no white space. Equal values give equal text. What is undefined is
 * not there. Throws for a number that JSON has no text for.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`JSON has no text for ${value}`);
  if (typeof value !== 'object' || value === null) return String(value ?? null);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value as readonly (Json | undefined)[])
      text += `${text === '' ? '' : ','}${canonicalJson(item ?? null)}`;
    return `[${text}]`;
  }
  const object = value as JsonObject;
  for (const key of Object.keys(object).sort()) {
    const item = object[key];
    if (item !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(item)}`;
  }
  return `{${text}}`;
}

/** The same text in pieces, for an object with long lists in it. */
export function* canonicalPieces(object: JsonObject): Generator<string, void, undefined> {
  let before = '{';
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    before = ',';
    if (!Array.isArray(value)) yield canonicalJson(value);
    else {
      yield '[';
      for (const [index, item] of (value as readonly Json[]).entries())
        yield `${index === 0 ? '' : ','}${canonicalJson(item)}`;
      yield ']';
    }
  }
  yield before === '{' ? '{}' : '}';
}

/** True when both are the same JSON value, whatever the order of their keys. What is undefined is not there. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item: Json, index) => sameJson(item, right[index] as Json));
  }
  const [one, other] = [left as JsonObject, right as JsonObject];
  let more = 0;
  for (const key of Object.keys(one)) {
    if (one[key] === undefined) continue;
    if (!Object.hasOwn(other, key) || !sameJson(one[key], other[key])) return false;
    more += 1;
  }
  for (const key of Object.keys(other)) if (other[key] !== undefined) more -= 1;
  return more === 0;
}

/**
 * No document of ours or of the platform comes near it; deeper ones are made to exhaust the stack of whoever walks
 * through them.
 */
const DEEPEST = 200;

/** True when lists and objects are nested more deeply than anything that is meant. */
export function isTooDeep(value: Json, left = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  // Every value of every answer is passed here: nothing is made of them.
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) if (typeof item === 'object' && isTooDeep(item, left - 1)) return true;
    return false;
  }
  const object = value as JsonObject;
  for (const key in object) {
    const item = object[key] as Json;
    if (typeof item === 'object' && isTooDeep(item, left - 1)) return true;
  }
  return false;
}

/** True when a number in it is larger than any that JSON can be written with again. */
export function hasInfinity(value: Json): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some((item: Json) => hasInfinity(item));
}

/** Narrows to a JSON object (not null, not an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a text; undefined where it is no JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The object that a text is; undefined where it is none. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

/**
 * The value at an RFC 6901 pointer, or undefined where there is none.
 * Only own keys are followed, so a key such as `__proto__` in an answer reaches nothing.
 */
export function valueAt(document: Json | undefined, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  const tokens = tokensIn(pointer);
  for (let at = 0; at < tokens.length && value !== undefined; at += 1) value = ownValue(value, tokens[at] as string);
  return value;
}

const MOST_TOKENS_KEPT = 1000;
const tokensKept = new Map<string, readonly string[]>();

/** The same few pointers are followed in every row of every list: what is cut out of a text anew is a slow key. */
function tokensIn(pointer: string): readonly string[] {
  const kept = tokensKept.get(pointer);
  if (kept !== undefined) return kept;
  const tokens = pointer.split('/').slice(1).map(unescapePointer);
  if (tokensKept.size < MOST_TOKENS_KEPT) tokensKept.set(pointer, tokens);
  return tokens;
}

/**
 * The value with another one at a JSON pointer, or with none. A mapping that is missing on the way there comes with it.
 */
export function withValueAt(value: Json | undefined, pointer: string, wanted: Json | undefined): Json {
  return changed(value, pointer.split('/').slice(1).map(unescapePointer), wanted) as Json;
}

function changed(
  value: Json | undefined,
  [token, ...rest]: readonly string[],
  wanted: Json | undefined,
): Json | undefined {
  if (token === undefined) return wanted;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const index = token === '-' ? items.length : Number(token);
    const below = changed(items[index], rest, wanted);
    return below === undefined ? items.toSpliced(index, 1) : items.toSpliced(index, 1, below);
  }
  const before: JsonObject = isJsonObject(value) ? value : {};
  const below = changed(ownValue(before, token), rest, wanted);
  const others = new Map(Object.entries(before));
  if (below === undefined) others.delete(token);
  else others.set(token, below);
  return Object.fromEntries(others);
}

/** The value without what stands at a pointer; objects that are empty then go with it. */
export function withoutValueAt(value: Json, pointer: string): Json {
  const left = withValueAt(value, pointer, undefined);
  const around = pointer.slice(0, pointer.lastIndexOf('/'));
  const place = valueAt(left, around);
  const isItem = Array.isArray(valueAt(left, around.slice(0, Math.max(0, around.lastIndexOf('/')))));
  const isBare = around !== '' && !isItem && isJsonObject(place) && Object.keys(place).length === 0;
  return isBare ? withoutValueAt(left, around) : left;
}

/**
 * In place of a pointer to a list: the answer itself, or the only list in it, where the documents do not say how it is
 * wrapped.
 */
export const ANY_LIST = '*';

/** The list that an answer is, or the only one at its top level; undefined when there is none, or more than one. */
export function listIn(answer: Json | undefined): readonly Json[] | undefined {
  if (Array.isArray(answer)) return answer as readonly Json[];
  const lists = isJsonObject(answer)
    ? Object.values(answer).filter((value): value is readonly Json[] => Array.isArray(value))
    : [];
  return lists.length === 1 ? lists[0] : undefined;
}

/**
 * A pointer, or several of which the first that leads to something counts, where the documents do not say how an answer
 * is wrapped.
 */
export type Places = string | readonly string[];

/** The list at a place of an answer; {@link ANY_LIST} may be one of the places. */
export function listAt(answer: Json | undefined, places: Places): readonly Json[] | undefined {
  for (const pointer of typeof places === 'string' ? [places] : places) {
    const value = pointer === ANY_LIST ? listIn(answer) : valueAt(answer, pointer);
    if (Array.isArray(value)) return value as readonly Json[];
  }
  return undefined;
}

/**
 * True when everything in the wanted value is in the other: objects may hold more, at every depth; anything else is
 * equal.
 */
export function covers(value: Json | undefined, wanted: Json | undefined): boolean {
  if (!isJsonObject(wanted) || !isJsonObject(value)) return sameJson(value, wanted);
  return Object.entries(wanted).every(([key, item]) => covers(ownValue(value, key), item));
}

/** What is over, laid on what is under, key by key at every depth: what only one has stays. Anything but objects is replaced. */
export function deepMerge(under: JsonObject, over: JsonObject): JsonObject {
  const merged = Object.entries(over).map(([key, value]) => {
    const below = under[key];
    return [key, isJsonObject(value) && isJsonObject(below) ? deepMerge(below, value) : value] as const;
  });
  return { ...under, ...Object.fromEntries(merged) };
}

function ownValue(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, Json>>)[key] : undefined;
}

/** `a/b~c` as one token of a JSON pointer. */
export function escapePointer(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The inverse of {@link escapePointer}. */
export function unescapePointer(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}
