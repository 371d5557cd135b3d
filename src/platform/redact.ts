// How secrets are kept out of texts: every known value, in every spelling that a request or an error may give it,
// becomes `***`.
import type { Json } from '../model/json.ts';
import { isJsonObject } from '../model/json.ts';

export interface Redactor {
  /** Masks the known values in a text. */
  readonly text: (text: string) => string;
  /** Masks them in every text of a JSON value, keys included. */
  readonly json: <Value extends Json>(value: Value) => Value;
  /** From now on this value is known too. */
  readonly add: (secret: string) => void;
}

const MASK = '***';

/** A redactor that knows these values. Empty ones are no secrets. */
export function createRedactor(secrets: Iterable<string> = []): Redactor {
  const spellings = new Set<string>();
  let ordered: readonly string[] = [];
  const add = (secret: string): void => {
    if (secret === '') return;
    for (const spelling of spellingsOf(secret)) spellings.add(spelling);
    // The longest first: a part must not leave the rest of the whole standing.
    ordered = [...spellings].sort((left, right) => right.length - left.length);
  };
  for (const secret of secrets) add(secret);
  const text = (value: string): string =>
    ordered.reduce((masked, spelling) => masked.replaceAll(spelling, MASK), value);
  return { text, json: <Value extends Json>(value: Value) => redactJson(value, text) as Value, add };
}

/** As it is, in JSON, in a URL, in base64 (with and without padding). */
function spellingsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret, 'utf8').toString('base64');
  const spellings = [secret, JSON.stringify(secret).slice(1, -1), encodeUri(secret)];
  // A very short base64 text would mask ordinary words.
  return base64.length < 8 ? spellings : [...spellings, base64, base64.replace(/=+$/, '')];
}

function encodeUri(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    // A lone surrogate cannot be encoded, so it cannot stand in a URL either.
    return secret;
  }
}

function redactJson(value: Json, text: (text: string) => string): Json {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item: Json) => redactJson(item, text));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), redactJson(item, text)]));
  return value;
}
