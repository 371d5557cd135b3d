// The words and the facts of an ApiError for each way a request can come to nothing.
import { documentedAnswer } from '../areas/endpoints.ts';
import type { DocumentedAnswer } from '../areas/endpoints.ts';
import type { ApiErrorKind, Sent } from './api-error.ts';
import { ApiError, classifyThrown, kindOfStatus } from './api-error.ts';
import type { Answer } from './envelope.ts';
import type { Outage } from './outage/detector.ts';
import type { Redactor } from './redact.ts';
import type { Method } from '../model/plan/step.ts';
import { showTime } from '../model/clock.ts';

export interface CallName {
  readonly method: Method;
  readonly path: string;
}

/** What an answer to a read means as an error; undefined when it is a success with a body that can be read. */
export function errorOf(call: CallName, answer: Answer, attempts: number, redactor: Redactor): ApiError | undefined {
  const { status, code, messages, extra, unusable, body, retryAfterMs } = answer;
  const common = {
    status,
    code,
    messages,
    extra,
    attempts,
    sent: 'answered' as const,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  if (status >= 400) {
    const said = [code ?? '', ...messages].filter((text) => text !== '').join(': ');
    const documented = documentedAnswer(call.method, call.path, status, code, messages);
    const unread = unusable === undefined ? '' : ` with a body that is ${wordFor(unusable)}`;
    return failure(call, redactor, {
      ...common,
      kind: kindOfStatus(status, code),
      ...(documented !== undefined && { documented }),
      text: `answered ${status}${said === '' ? unread : ` (${said})`}`,
      ...((status === 429 || status >= 500) && {
        sharedReason: `the platform answered ${status}${said === '' ? unread : ` (${said})`}`,
      }),
    });
  }
  if (body !== undefined) return undefined;
  const kind = unusable === 'broken-off' ? 'network' : 'unusable-answer';
  return failure(call, redactor, {
    ...common,
    kind,
    text: `answered ${status} with a body that is ${unusable === undefined ? 'empty' : wordFor(unusable)}`,
  });
}

function wordFor(unusable: NonNullable<Answer['unusable']>): string {
  const words = {
    html: 'HTML',
    truncated: 'cut short',
    'not-json': 'not JSON',
    'broken-off': 'broken off',
    'too-large': 'too large',
    'too-deep': 'nested too deeply',
    'too-large-number': 'holding a number that is too large',
  } as const;
  return words[unusable];
}

/** No answer arrived. */
export function unanswered(call: CallName, thrown: unknown, redactor: Redactor): ApiError {
  const { kind, sent, isPermanent } = classifyThrown(thrown);
  const what = kind === 'timeout' ? 'timed out' : sent === 'no' ? 'could not be sent' : 'lost its connection';
  const shared = kind === 'timeout' ? 'the platform does not respond' : 'the platform cannot be reached';
  return failure(call, redactor, {
    kind,
    sent,
    ...(isPermanent === true && { isPermanent }),
    text: `${what}: ${reasonOf(thrown)}`,
    sharedReason: `${shared}: ${reasonOf(thrown)}`,
    cause: new Error(redactor.text(reasonOf(thrown))),
  });
}

/** The path must not be sent anywhere. */
export function refusedPath(call: CallName, objection: string, redactor: Redactor): ApiError {
  return failure(call, redactor, { kind: 'invalid', sent: 'no', text: `is not sent: ${objection}` });
}

/** The run has to be over before this could be. */
export function outOfTime(call: CallName, redactor: Redactor): ApiError {
  return failure(call, redactor, {
    kind: 'timeout',
    sent: 'no',
    text: 'is not sent: the deadline of the run is too near',
  });
}

/** Returns the error of a request that is not sent because the platform fails other requests. */
export function heldByOutage(call: CallName, outage: Outage, redactor: Redactor): ApiError {
  const reason = `${describeOutage(outage)}, so other requests are not sent`;
  return failure(call, redactor, {
    kind: 'unavailable',
    sent: 'no',
    text: `is not sent: ${reason}`,
    sharedReason: reason,
  });
}

/** Returns an outage in words: `the last 12 requests failed since 2026-11-28T13:46:02Z: the platform answered 503`. */
export function describeOutage({ sinceMs, requests, reason }: Outage): string {
  return `${requests} different requests in a row have failed since ${showTime(sinceMs)}: ${reason}`;
}

/** Returns the error of a request that is not sent before the platform accepts requests again. */
export function heldByPause(call: CallName, untilMs: number, redactor: Redactor): ApiError {
  const reason = `the platform accepts no requests before ${showTime(untilMs)} (Retry-After)`;
  return failure(call, redactor, {
    kind: 'rate-limited',
    sent: 'no',
    text: `is not sent: ${reason}`,
    sharedReason: reason,
    resumesAtMs: untilMs,
  });
}

interface Failure {
  readonly kind: ApiErrorKind;
  readonly sent: Sent;
  readonly text: string;
  readonly status?: number;
  readonly code?: string | null;
  readonly messages?: readonly string[];
  readonly extra?: Answer['extra'];
  readonly attempts?: number;
  readonly retryAfterMs?: number;
  readonly documented?: DocumentedAnswer;
  readonly sharedReason?: string;
  readonly isPermanent?: true;
  readonly resumesAtMs?: number;
  readonly cause?: Error;
}

function failure(
  call: CallName,
  redactor: Redactor,
  { text, cause, retryAfterMs, sharedReason, ...given }: Failure,
): ApiError {
  return new ApiError({
    status: null,
    code: null,
    messages: [],
    extra: {},
    attempts: 1,
    ...given,
    message: redactor.text(`${call.method} ${call.path} ${text}`),
    ...(sharedReason !== undefined && { sharedReason: redactor.text(sharedReason) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(cause !== undefined && { cause }),
  });
}

/** A redirect is no answer of the platform: following it would carry the credential elsewhere. */
export function redirected(call: CallName, status: number, redactor: Redactor): ApiError {
  return failure(call, redactor, {
    kind: 'redirect',
    sent: 'maybe',
    status,
    text: `answered with a redirect (${status}), which is never followed`,
  });
}

/** The same error after this many attempts. */
export function withAttempts(error: ApiError, attempts: number): ApiError {
  return error.attempts === attempts ? error : changed(error, { attempts });
}

/** The same error of a read that would have been repeated, if not too many had been before it. */
export function withoutRetry(error: ApiError): ApiError {
  return changed(error, {
    message: `${error.message}; it is not read again, because too many reads of this run have failed`,
  });
}

/** Returns the same error with the time from which on the platform accepts the request again. */
export function withResumption(error: ApiError, resumesAtMs: number): ApiError {
  const until = `; the platform accepts it again from ${showTime(resumesAtMs)} on (Retry-After)`;
  return changed(error, {
    resumesAtMs,
    message: `${error.message}${until}`,
    ...(error.sharedReason !== undefined && { sharedReason: `${error.sharedReason}${until}` }),
  });
}

function changed(
  error: ApiError,
  change: {
    readonly attempts?: number;
    readonly message?: string;
    readonly sharedReason?: string;
    readonly resumesAtMs?: number;
  },
): ApiError {
  const { kind, message, status, code, messages, extra, sent, attempts, retryAfterMs, documented, cause } = error;
  const { sharedReason, isPermanent, resumesAtMs } = error;
  return new ApiError({
    kind,
    message,
    status,
    code,
    messages,
    extra,
    sent,
    attempts,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(documented !== undefined && { documented }),
    ...(sharedReason !== undefined && { sharedReason }),
    ...(isPermanent === true && { isPermanent }),
    ...(resumesAtMs !== undefined && { resumesAtMs }),
    ...(cause instanceof Error && { cause }),
    ...change,
  });
}

/** The texts of an error and what caused it, without its other properties: those can hold headers. */
function reasonOf(thrown: unknown): string {
  const texts: string[] = [];
  let current = thrown;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const { code } = current as { code?: unknown };
    const nested: unknown = current instanceof AggregateError ? current.errors[0] : undefined;
    const text = current.message !== '' ? current.message : typeof code === 'string' ? code : '';
    if (text !== '') texts.push(text);
    current = current.cause ?? nested;
  }
  return texts.length === 0 ? 'no reason was given' : texts.join(': ');
}
