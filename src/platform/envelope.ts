// What an HTTP answer says: code, messages and extras out of the platform's several error envelopes (CNV-10, CNV-19,
// CNV-20). Never assumes a body.
import type { Json, JsonObject } from '../model/json.ts';
import { hasInfinity, isJsonObject, isTooDeep } from '../model/json.ts';
import type { Redactor } from './redact.ts';
import { parseRetryAfter } from './retry.ts';
import type { Broken, TransportAnswer } from './transport.ts';

/** Why the body of an answer tells nothing. */
export type Unusable = 'html' | 'truncated' | 'not-json' | 'too-deep' | 'too-large-number' | Broken;

export interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly messages: readonly string[];
  /** Keys of an error body beside its code and messages: remediation, violations, allowed ... */
  readonly extra: JsonObject;
  /** undefined when there is none, or none that can be read. */
  readonly body: Json | undefined;
  readonly unusable?: Unusable;
  readonly retryAfterMs?: number;
}

const NO_EXTRA: JsonObject = {};

/** What every number beyond all others looks like, and few others: only then is it worth looking for one. */
const LARGE_NUMBER = /\d[eE]\+?\d{3}|\d{309}/;

/** The answer in an HTTP response. Message texts and extras are redacted; the body is data and is not. */
export function readEnvelope(response: TransportAnswer, redactor: Redactor, nowMs: number): Answer {
  const { body, unusable } = parseBody(response);
  const isError = response.status >= 400;
  const retryAfterMs =
    isError || unusable !== undefined ? parseRetryAfter(response.headers['retry-after'], nowMs) : undefined;
  return {
    status: response.status,
    // An upstream's refusal may be passed on with a status of success: its words are kept, whoever asked decides.
    ...(isError
      ? readError(response.status, body, redactor)
      : {
          code: null,
          messages: isJsonObject(body) ? textsIn(body.errors).map((text) => redactor.text(text)) : [],
          extra: NO_EXTRA,
        }),
    body,
    ...(unusable !== undefined && { unusable }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function parseBody(response: TransportAnswer): { readonly body: Json | undefined; readonly unusable?: Unusable } {
  if (response.broken !== undefined) return { body: undefined, unusable: response.broken };
  const { body: text } = response;
  if (text.trim() === '') return { body: undefined };
  try {
    const body = JSON.parse(text) as Json;
    if (isTooDeep(body)) return { body: undefined, unusable: 'too-deep' };
    return LARGE_NUMBER.test(text) && hasInfinity(body) ? { body: undefined, unusable: 'too-large-number' } : { body };
  } catch {
    const start = text.trimStart();
    if (start.startsWith('<')) return { body: undefined, unusable: 'html' };
    return { body: undefined, unusable: /^[[{"]/.test(start) ? 'truncated' : 'not-json' };
  }
}

function readError(
  status: number,
  body: Json | undefined,
  redactor: Redactor,
): Pick<Answer, 'code' | 'messages' | 'extra'> {
  if (!isJsonObject(body))
    return { code: null, messages: typeof body === 'string' ? [redactor.text(body)] : [], extra: NO_EXTRA };
  const { errors, code: own, error, error_description: description, message, ...extra } = body;
  const code = typeof own === 'string' ? own : codeUnderError(status, error);
  const texts = [...textsIn(errors), ...textsIn(error), ...textsIn(description), ...textsIn(message)];
  // A code is shown before the messages; it is not one of them.
  const messages = texts.filter((text) => text !== code);
  return {
    code,
    messages: messages.map((text) => redactor.text(text)),
    extra: redactor.json(extra),
  };
}

/**
 * OAuth and the cache layers have their code under `error`; elsewhere that key holds text for people (CNV-10, CNV-20,
 * GAP-22).
 */
function codeUnderError(status: number, error: Json | undefined): string | null {
  if (typeof error !== 'string') return null;
  const isCode =
    status === 401 || status === 403
      ? /^[a-z][a-z0-9_]*$/.test(error)
      : status === 422 && /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(error);
  return isCode ? error : null;
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsIn(item));
  // Some frameworks answer messages by field.
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([field, item]) => textsIn(item).map((text) => `${field} ${text}`));
  return [];
}
