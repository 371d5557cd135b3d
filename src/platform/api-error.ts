// What kind of failure an answer, or the lack of one, is: once, from status and `code`, never from message text
// (CNV-19).
import type { DocumentedAnswer } from '../areas/endpoints.ts';
import type { JsonObject } from '../model/json.ts';

export type ApiErrorKind =
  | 'unauthorised' // 401: the credential itself is refused
  | 'insufficient-scope' // 403 in the OAuth envelope (CNV-10)
  | 'forbidden' // a role, a kind of credential or an unpaid invoice stands in the way
  | 'not-found'
  | 'conflict'
  | 'invalid'
  | 'rate-limited'
  | 'upstream' // 500, 502, 504: something behind the platform
  | 'unavailable' // 503
  | 'network' // the connection broke
  | 'timeout'
  | 'redirect' // never followed: the credential would go elsewhere
  | 'unusable-answer'; // a success whose body cannot be read

/** Whether the platform can have seen the request. */
export type Sent = 'no' | 'maybe' | 'answered';

export interface ApiErrorDetails {
  readonly kind: ApiErrorKind;
  readonly message: string;
  /** null when there was no answer. */
  readonly status: number | null;
  readonly code: string | null;
  readonly messages: readonly string[];
  /** What rides on the error beside messages and code: remediation, violations and the like (CNV-21). */
  readonly extra: JsonObject;
  readonly sent: Sent;
  readonly attempts: number;
  readonly retryAfterMs?: number;
  /** What the platform's documents say of such an answer; absent where they say nothing. */
  readonly documented?: DocumentedAnswer;
  /** The reason without the request, where other requests meet the same: the platform fails, or cannot be reached. */
  readonly sharedReason?: string;
  /** True for a network error that another attempt cannot resolve, such as an unknown certificate. */
  readonly isPermanent?: true;
  /** When the platform accepts requests again, in epoch milliseconds, if the client does not wait until then. */
  readonly resumesAtMs?: number;
  readonly cause?: Error;
}

/** A request that came to nothing. Thrown by `platform`, caught in `observe` and `apply`. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  readonly status: number | null;
  readonly code: string | null;
  readonly messages: readonly string[];
  readonly extra: JsonObject;
  readonly sent: Sent;
  readonly attempts: number;
  readonly retryAfterMs: number | undefined;
  readonly documented: DocumentedAnswer | undefined;
  readonly sharedReason: string | undefined;
  readonly isPermanent: true | undefined;
  readonly resumesAtMs: number | undefined;

  constructor(details: ApiErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ApiError';
    this.kind = details.kind;
    this.status = details.status;
    this.code = details.code;
    this.messages = details.messages;
    this.extra = details.extra;
    this.sent = details.sent;
    this.attempts = details.attempts;
    this.retryAfterMs = details.retryAfterMs;
    this.documented = details.documented;
    this.sharedReason = details.sharedReason;
    this.isPermanent = details.isPermanent;
    this.resumesAtMs = details.resumesAtMs;
  }
}

/** The kind of an answer that is not a success. */
export function kindOfStatus(status: number, code: string | null): ApiErrorKind {
  if (status >= 300 && status < 400) return 'redirect';
  // A system key is a good credential of the wrong sort (CNV-13): the run need not stop for it.
  if (status === 401) return code === 'user_required' ? 'forbidden' : 'unauthorised';
  if (status === 403) return code === 'insufficient_scope' ? 'insufficient-scope' : 'forbidden';
  if (status === 402) return 'forbidden'; // an unpaid invoice or a price on one change: which of them, the code says (CNV-24)
  if (status === 404 || status === 410) return 'not-found';
  if (status === 408) return 'timeout';
  if (status === 409 || status === 412 || status === 423) return 'conflict';
  if (status === 429) return 'rate-limited';
  if (status === 503) return 'unavailable';
  return status >= 500 ? 'upstream' : 'invalid';
}

/**
 * Classifies an error that was thrown instead of a response: whether it is a timeout, whether anything can have reached the
 * platform, and whether another attempt is pointless.
 */
export function classifyThrown(thrown: unknown): {
  readonly kind: 'network' | 'timeout';
  readonly sent: 'no' | 'maybe';
  readonly isPermanent?: true;
} {
  const chain = causesOf(thrown);
  const timedOut = chain.some(({ name, code }) => name === 'TimeoutError' || /TIMEOUT|TIMEDOUT/.test(code));
  return {
    kind: timedOut ? 'timeout' : 'network',
    sent: chain.some(isBeforeSending) ? 'no' : 'maybe',
    ...(chain.some(({ code }) => TLS_FAILURE.test(code)) && { isPermanent: true }),
  };
}

/** Codes of Node.js and OpenSSL for a TLS handshake that fails. Nothing is sent before it succeeds. */
const TLS_FAILURE = /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_SSL_)/;

interface Cause {
  readonly name: string;
  readonly code: string;
  readonly syscall: string;
}

/**
 * The error and what caused it: fetch wraps the real one, and a connection tried over several addresses wraps several.
 */
function causesOf(thrown: unknown): readonly Cause[] {
  const found: Cause[] = [];
  let current: unknown = thrown;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const { code, syscall } = current as { code?: unknown; syscall?: unknown };
    found.push({
      name: current.name,
      code: typeof code === 'string' ? code : '',
      syscall: typeof syscall === 'string' ? syscall : '',
    });
    const nested: unknown = current instanceof AggregateError ? current.errors[0] : undefined;
    current = current.cause ?? nested;
  }
  return found;
}

/** Only what fails while the name is looked up, the connection made or the certificate checked is surely unsent. */
function isBeforeSending({ code, syscall }: Cause): boolean {
  if (syscall === 'connect' || syscall.startsWith('getaddrinfo')) return true;
  if (
    code === 'ECONNREFUSED' ||
    code === 'ENOTFOUND' ||
    code === 'EAI_AGAIN' ||
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    code === 'ERR_PROXY_CONNECT'
  )
    return true;
  return TLS_FAILURE.test(code);
}
