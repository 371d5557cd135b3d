// The reader's words for what an edge rule does and for what it is tried on: `redirect: { to, status }` stands for the
// action `Redirect` with two parameters, `country: { none: [BE] }` for a trigger with its patterns. Only what is known
// of a type is here; what words cannot say exactly stays `type` with `parameter1` to `parameter3`, and both forms are
// the same document. The API names seven actions and all triggers (EDG-02, EDG-04); what parameters mean is public
// knowledge of the CDN behind it.
import type { Json, JsonObject } from '../../../../model/json.ts';
import { isJsonObject } from '../../../../model/json.ts';

/** An action as the platform has it: its type by name, or by number where it has no name. */
export interface RawAction {
  readonly type: string | number;
  readonly parameter1?: string;
  readonly parameter2?: string;
  readonly parameter3?: string;
}

/** A trigger as the platform has it. */
export interface RawTrigger {
  readonly type: string | number;
  readonly match?: string | number;
  readonly patterns: readonly string[];
  readonly parameter1?: string;
}

/** Texts that a word stands for, and how each is written: as it is, or as a number. */
interface Values {
  readonly as: 'text' | 'number';
  readonly fits: (text: string) => boolean;
}

interface Parameter extends Values {
  readonly key: string;
  /** An action without it means nothing. */
  readonly required: boolean;
}

export interface ActionWord {
  readonly type: string;
  /** The number of the type (EDG-02). */
  readonly number: number;
  /** `parameter1` first. */
  readonly parameters: readonly Parameter[];
}

export interface TriggerWord extends Values {
  readonly type: string;
  /** list: patterns alone. named: those of the header or cookie of a name. percent: one number. */
  readonly holds: 'list' | 'named' | 'percent';
}

/** What no manifest is: two forms in one, or none. Whoever reads manifests has refused it before. */
export class NoWordError extends Error {}

/** The pattern is made when it is needed: with classes of characters that takes long. */
const matching =
  (pattern: () => RegExp, most = 4_096) =>
  (text: string): boolean =>
    text.length <= most && pattern().test(text);

const isWhole =
  (least: number, most: number) =>
  (text: string): boolean =>
    /^(0|[1-9]\d{0,9})$/.test(text) && Number(text) >= least && Number(text) <= most;

/** An address, in which the CDN's variables (`{{path}}`, `%{Url.Path}`) may stand. */
const ADDRESS = () =>
  /^(?=https?:\/\/[^\s/?#]|\{\{|%\{)([^\s\p{Cc}\p{Zl}\p{Zp}{}]|\{\{[^{}\p{Cc}\p{Zl}\p{Zp}]*\}\}|%\{[^{}\p{Cc}\p{Zl}\p{Zp}]*\})+$/u;
const TOKEN = () => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const LINE = () => /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;
const PATTERN = () => /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u;
const EXTENSION = () => /^[^.\p{Cc}\p{Zl}\p{Zp}][^\p{Cc}\p{Zl}\p{Zp}]*$/u;

const address = (key: string): Parameter => ({ key, required: true, as: 'text', fits: matching(ADDRESS) });
const seconds: Parameter = { key: 'seconds', required: true, as: 'number', fits: isWhole(0, 2_147_483_647) };
const header: readonly Parameter[] = [
  { key: 'name', required: true, as: 'text', fits: matching(TOKEN, 256) },
  { key: 'value', required: true, as: 'text', fits: matching(LINE) },
];
const redirectStatus: Parameter = {
  key: 'status',
  required: false,
  as: 'number',
  fits: (text) => ['301', '302', '307', '308'].includes(text),
};

const action = (type: string, number: number, ...parameters: readonly Parameter[]): ActionWord => ({
  type,
  number,
  parameters,
});

/** By the word that a manifest has for it. */
export const ACTION_WORDS: Readonly<Record<string, ActionWord>> = {
  forceSsl: action('ForceSSL', 0),
  redirect: action('Redirect', 1, address('to'), redirectStatus),
  originUrl: action('OriginUrl', 2, address('url')),
  cacheTime: action('OverrideCacheTime', 3, seconds),
  block: action('BlockRequest', 4),
  setResponseHeader: action('SetResponseHeader', 5, ...header),
  setRequestHeader: action('SetRequestHeader', 6, ...header),
  forceDownload: action('ForceDownload', 7),
  disableTokenAuthentication: action('DisableTokenAuthentication', 8),
  enableTokenAuthentication: action('EnableTokenAuthentication', 9),
  ignoreQueryString: action('IgnoreQueryString', 11),
  disableOptimizer: action('DisableOptimizer', 12),
  forceCompression: action('ForceCompression', 13),
  setStatusCode: action('SetStatusCode', 14, {
    key: 'status',
    required: true,
    as: 'number',
    fits: isWhole(100, 599),
  }),
  bypassPermaCache: action('BypassPermaCache', 15),
  browserCacheTime: action('OverrideBrowserCacheTime', 16, seconds),
  disableWaf: action('DisableWAF', 23),
  disableShieldChallenge: action('DisableShieldChallenge', 27),
  disableShield: action('DisableShield', 28),
  disableShieldBotDetection: action('DisableShieldBotDetection', 29),
  disableShieldAccessLists: action('DisableShieldAccessLists', 31),
  disableShieldRateLimiting: action('DisableShieldRateLimiting', 32),
  disableRequestCoalescing: action('DisableRequestCoalescing', 34),
};

const trigger = (
  type: string,
  holds: TriggerWord['holds'] = 'list',
  fits: Values['fits'] = matching(PATTERN, 2_048),
  as: Values['as'] = 'text',
): TriggerWord => ({ type, holds, fits, as });

/** By the word that a manifest has for it. */
export const TRIGGER_WORDS: Readonly<Record<string, TriggerWord>> = {
  url: trigger('Url'),
  header: trigger('RequestHeader', 'named'),
  responseHeader: trigger('ResponseHeader', 'named'),
  extension: trigger('UrlExtension', 'list', matching(EXTENSION, 2_048)),
  country: trigger(
    'CountryCode',
    'list',
    matching(() => /^[A-Z]{2}$/),
  ),
  remoteIp: trigger('RemoteIP'),
  queryString: trigger('UrlQueryString'),
  random: trigger('RandomChance', 'percent', isWhole(1, 100), 'number'),
  statusCode: trigger('StatusCode', 'list', isWhole(100, 599), 'number'),
  method: trigger(
    'RequestMethod',
    'list',
    matching(() => /^[A-Z]{1,32}$/),
  ),
  cookie: trigger('CookieValue', 'named'),
};

/** The form of a list of patterns that says how many have to match; `patterns` beside a name: any of them. */
const MATCHES = ['all', 'none'] as const;

/**
 * An action in either form as the platform has it: a parameter that no word says is absent.
 *
 * @throws {NoWordError} for what is in neither form.
 */
export function readAction(written: RawAction | JsonObject): RawAction {
  if (Object.hasOwn(written, 'type')) {
    onlyKeys(written, ['type', 'parameter1', 'parameter2', 'parameter3']);
    return written as unknown as RawAction;
  }
  const { word, value } = onlyWord(written, ACTION_WORDS);
  const given = objectOf(value);
  onlyKeys(
    given,
    word.parameters.map(({ key }) => key),
  );
  const parameters = word.parameters.flatMap(({ key }, index) =>
    given[key] === undefined ? [] : [[`parameter${index + 1}`, textOf(given[key] ?? null)]],
  );
  return { type: word.type, ...(Object.fromEntries(parameters) as Omit<RawAction, 'type'>) };
}

/** An action in the reader's words where they say all of it, else as it is without what is empty. */
export function writeAction(raw: RawAction): JsonObject {
  return inWords(raw) ?? withoutEmptyTexts(raw);
}

function inWords({ type, parameter1 = '', parameter2 = '', parameter3 = '' }: RawAction): JsonObject | undefined {
  const found = Object.entries(ACTION_WORDS).find(([, word]) => word.type === type);
  if (found === undefined) return undefined;
  const [key, { parameters }] = found;
  const values = [parameter1, parameter2, parameter3];
  const isSaid = values.every((text, index) => {
    const parameter = parameters[index];
    return parameter === undefined ? text === '' : (text === '' && !parameter.required) || parameter.fits(text);
  });
  if (!isSaid) return undefined;
  const said = parameters.flatMap((parameter, index) =>
    values[index] === '' && !parameter.required ? [] : [[parameter.key, inForm(parameter, values[index] as string)]],
  );
  return { [key]: Object.fromEntries(said) as JsonObject };
}

/**
 * A trigger in either form as the platform has it.
 *
 * @throws {NoWordError} for what is in neither form.
 */
export function readTrigger(written: RawTrigger | JsonObject): RawTrigger {
  if (Object.hasOwn(written, 'type')) {
    onlyKeys(written, ['type', 'match', 'patterns', 'parameter1']);
    return written as unknown as RawTrigger;
  }
  const { word, value } = onlyWord(written, TRIGGER_WORDS);
  if (word.holds === 'percent') {
    const given = objectOf(value);
    onlyKeys(given, ['percent']);
    return { type: word.type, match: 'any', patterns: [textOf(given.percent ?? null)] };
  }
  if (Array.isArray(value)) return { type: word.type, match: 'any', patterns: textsOf(value) };
  const { name, ...given } = objectOf(value);
  const keys = word.holds === 'named' ? ['patterns', ...MATCHES] : MATCHES;
  onlyKeys(given, keys);
  const [match, ...others] = Object.keys(given);
  if (match === undefined || others.length > 0) throw new NoWordError('says not how many have to match');
  return {
    type: word.type,
    match: match === 'patterns' ? 'any' : match,
    patterns: textsOf(given[match]),
    ...(typeof name === 'string' && { parameter1: name }),
  };
}

/** A trigger in the reader's words where they say all of it, else as it is. */
export function writeTrigger(raw: RawTrigger): JsonObject {
  const { type, match = 'any', patterns, parameter1 = '' } = raw;
  const found = Object.entries(TRIGGER_WORDS).find(([, word]) => word.type === type);
  const [key, word] = found ?? [];
  const isMatch = match === 'any' || MATCHES.some((one) => one === match);
  if (key === undefined || word === undefined || !isMatch || patterns.length === 0 || !patterns.every(word.fits))
    return withoutEmptyTexts(raw);
  const values = patterns.map((text) => inForm(word, text));
  if (word.holds === 'named')
    return matching(TOKEN, 256)(parameter1)
      ? { [key]: { name: parameter1, [match === 'any' ? 'patterns' : match]: values } }
      : withoutEmptyTexts(raw);
  if (parameter1 !== '') return withoutEmptyTexts(raw);
  if (word.holds === 'list') return { [key]: match === 'any' ? values : { [match]: values } };
  return match === 'any' && values.length === 1 ? { [key]: { percent: values[0] as Json } } : withoutEmptyTexts(raw);
}

function inForm({ as }: Values, text: string): Json {
  return as === 'number' ? Number(text) : text;
}

function onlyWord<Word>(
  written: object,
  words: Readonly<Record<string, Word>>,
): { readonly word: Word; readonly value: Json } {
  const [[key, value] = [], ...others] = Object.entries(written) as readonly (readonly [string, Json])[];
  if (key === undefined || value === undefined || others.length > 0 || !Object.hasOwn(words, key))
    throw new NoWordError(`${Object.keys(written).join(', ')} is no form`);
  return { word: words[key] as Word, value };
}

function onlyKeys(written: object, known: readonly string[]): void {
  const other = Object.keys(written).find((key) => !known.includes(key));
  if (other !== undefined) throw new NoWordError(`${other} is not of this form`);
}

function objectOf(value: Json): JsonObject {
  if (!isJsonObject(value)) throw new NoWordError('expected a mapping');
  return value;
}

function textsOf(value: Json | undefined): readonly string[] {
  if (!Array.isArray(value)) throw new NoWordError('expected a list');
  return (value as readonly Json[]).map(textOf);
}

function textOf(value: Json): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new NoWordError('expected a text or a number');
  return String(value);
}

function withoutEmptyTexts(raw: RawAction | RawTrigger): JsonObject {
  const entries = Object.entries(raw as unknown as JsonObject);
  return Object.fromEntries(entries.filter(([, value]) => value !== '' && value !== undefined));
}
