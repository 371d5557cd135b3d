// What the conditions of a rule are, and whether a request meets them: the one place that says what a trigger and its
// patterns take. What neither the documents nor the words make certain is not known.
import { domainToUnicode } from 'node:url';
import type { TracedRequest, Truth } from '../../model/plan/trace.ts';
import type { Conditions, Trigger } from './combinations.ts';
import { combinationOf } from './combinations.ts';
import { networkHolds } from './networks.ts';

export type { Conditions, Trigger } from './combinations.ts';

/** Patterns that no request escapes, by the type of the trigger. */
const EVERYTHING: Readonly<Record<string | number, readonly string[]>> = {
  Url: ['*', '/*', '*/*', '*://*', '*://*/*'],
  RandomChance: ['100'],
  REQUEST_URI: ['*', '/*', '*/*'],
};

/** Returns true if every request meets these conditions, by one of them alone or by several together. */
export function matchesEverything(conditions: Conditions): boolean {
  const { match = 'any', triggers = [] } = conditions;
  if (combinationOf(conditions)?.matches === 'everything') return true;
  if (match === 'any') return triggers.some(isEverything);
  return match === 'all' && triggers.length > 0 && triggers.every(isEverything);
}

function isEverything({ type, match = 'any', patterns }: Trigger): boolean {
  const isOne = (pattern: string): boolean => EVERYTHING[type]?.includes(pattern) === true;
  if (match === 'any') return patterns.some(isOne);
  return match === 'all' && patterns.length > 0 && patterns.every(isOne);
}

/** Whether a request meets the conditions (EDG-03). */
export function holds({ match = 'any', triggers = [] }: Conditions, request: TracedRequest): Truth {
  return combine(
    match,
    triggers.map((trigger) => triggerHolds(trigger, request)),
  );
}

/** Whether a request has what a trigger looks for. */
export function triggerHolds(trigger: Trigger, request: TracedRequest): Truth {
  if (isEverything(trigger)) return true;
  return combine(
    trigger.match ?? 'any',
    trigger.patterns.map((pattern) => patternHolds(trigger, pattern, request)),
  );
}

/** Any, all or none of them. */
export function combine(match: string | number, all: readonly Truth[]): Truth {
  if (all.length === 0 || !['any', 'all', 'none'].includes(String(match)))
    return { unknown: ['what the rule is tried on'] };
  const decides = match !== 'all';
  if (all.includes(decides)) return match !== 'none' && decides;
  const unknown = all.flatMap((one) => (typeof one === 'boolean' ? [] : one.unknown));
  return unknown.length > 0 ? { unknown: [...new Set(unknown)] } : match !== 'any';
}

/** The opposite; what is not known stays so. */
export function not(truth: Truth): Truth {
  return typeof truth === 'boolean' ? !truth : truth;
}

const notKnown = (...unknown: readonly string[]): Truth => ({ unknown });

type Text = (request: TracedRequest, name: string) => string | undefined;

const path: Text = ({ url }) => url.pathname;
const query: Text = ({ url }) => url.search.slice(1);
const header: Text = ({ headers }, name) => headers?.[name.toLowerCase()];
const cookie: Text = ({ cookies }, name) => cookies?.[name];

/** What the patterns of a type are held against, and what that is called. First those of edge rules, then of Shield. */
const TEXTS: Readonly<Record<string, readonly [what: string, text: Text]>> = {
  RequestHeader: ['the header', header],
  CookieValue: ['the cookie', cookie],
  UrlExtension: ['the extension', ({ url }) => /\.([^./]*)$/.exec(url.pathname)?.[1] ?? ''],
  CountryCode: ['the country', ({ country }) => country],
  UrlQueryString: ['the query string', query],
  RequestMethod: ['the method', ({ method }) => method],
  REQUEST_URI: ['the address', ({ url }) => `${url.pathname}${url.search}`],
  REQUEST_FILENAME: ['the path', path],
  QUERY_STRING: ['the query string', query],
  REQUEST_METHOD: ['the method', ({ method }) => method],
  REQUEST_HEADERS: ['the header', header],
  REQUEST_COOKIES: ['the cookie', cookie],
  GEO: ['the country', ({ country }, name) => (name.toUpperCase() === 'COUNTRY_CODE' ? country : undefined)],
};

/** What only the origin's answer tells, and what no option of a request does. */
const NEVER_KNOWN: Readonly<Record<string, string>> = {
  ResponseHeader: "the origin's answer",
  StatusCode: "the origin's answer",
  OriginRetryAttemptCount: "the origin's answer",
  OriginConnectionError: "the origin's answer",
  CountryStateCode: 'the state or province',
};

function patternHolds({ type, parameter1 = '' }: Trigger, pattern: string, request: TracedRequest): Truth {
  if (isLua(pattern)) return notKnown(`what \`${pattern.replace(/^pattern:/, '')}\` matches`);
  if (type === 'Url') return textFits(pattern, pattern.startsWith('/') ? request.url.pathname : addressOf(request.url));
  if (type === 'RandomChance') return pattern === '100' ? true : notKnown(`chance, ${pattern} of 100 requests`);
  if (type === 'RemoteIP' || type === 'REMOTE_ADDR') return addressFits(pattern, request.ip);
  const [what, text] = TEXTS[type] ?? [];
  const value = text?.(request, parameter1);
  if (value !== undefined) return textFits(pattern, value);
  const named = parameter1 === '' || what === 'the country' ? '' : ` \`${parameter1}\``;
  return notKnown(what === undefined ? (NEVER_KNOWN[type] ?? `what \`${type}\` is`) : `${what}${named}`);
}

/** An address as `Url` patterns see it: with its scheme, and without what stands after `?`. */
function addressOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** Whether capitals count, and whether `%C3%BC` is the same as what people read, is documented nowhere. */
function textFits(pattern: string, text: string): Truth {
  if (matchesPattern(pattern, text)) return true;
  const [small, smallText] = [pattern.toLowerCase(), text.toLowerCase()];
  if (matchesPattern(small, smallText)) return notKnown(`whether capitals count in \`${pattern}\``);
  return matchesPattern(asRead(small), asRead(smallText))
    ? notKnown(`whether \`${pattern}\` is held against the text as it is sent`)
    : false;
}

/** As people read an address: its characters in place of their codes. */
function asRead(text: string): string {
  const decoded = (codes: string): string => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  };
  return text.replace(/(?:%[0-9a-f]{2})+/g, decoded).replace(/\bxn--[a-z0-9-]+/g, (label) => domainToUnicode(label));
}

/** Whether a network may stand where the address of a visitor is looked at is documented nowhere. */
function addressFits(pattern: string, ip: string | undefined): Truth {
  if (ip === undefined) return notKnown('the address of the visitor');
  if (pattern.includes('*')) return textFits(pattern, ip);
  const isInside = networkHolds(pattern, ip);
  if (isInside === undefined) return textFits(pattern, ip);
  return isInside && pattern.includes('/') ? notKnown(`whether \`${pattern}\` is read as a network`) : isInside;
}

/** A Lua pattern, which nothing here reads. */
export function isLua(pattern: string): boolean {
  return pattern.startsWith('pattern:');
}

/** True when a pattern, in which `*` stands for any text, matches the whole of a text. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return text === pattern;
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop() as string;
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
