// The words and the facts of an ApiError for each way a request can come to nothing.
import { documentedAnswer } from '../areas/endpoints.ts';
import type { DocumentedAnswer } from '../areas/endpoints.ts';
import type { ApiErrorKind, Sent } from './api-error.ts';
import { ApiError, classifyThrown, kindOfStatus } from './api-error.ts';
import type { Answer } from './envelope.ts';
import type { Redactor } from './redact.ts';
import type { Method } from '../model/plan/step.ts';

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
  const { kind, sent } = classifyThrown(thrown);
  const what = kind === 'timeout' ? 'timed out' : sent === 'no' ? 'could not be sent' : 'lost its connection';
  return failure(call, redactor, {
    kind,
    sent,
    text: `${what}: ${reasonOf(thrown)}`,
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
  readonly cause?: Error;
}

function failure(call: CallName, redactor: Redactor, { text, cause, retryAfterMs, ...given }: Failure): ApiError {
  return new ApiError({
    status: null,
    code: null,
    messages: [],
    extra: {},
    attempts: 1,
    ...given,
    message: redactor.text(`${call.method} ${call.path} ${text}`),
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

function changed(error: ApiError, change: { readonly attempts?: number; readonly message?: string }): ApiError {
  const { kind, message, status, code, messages, extra, sent, attempts, retryAfterMs, documented, cause } = error;
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
