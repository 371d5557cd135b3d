// What is remembered of a request: enough for a test to say what was sent and what came back, and no credential.

export interface RecordedRequest {
  /** Counts the requests under /api from 1. */
  readonly n: number;
  /** When it came, by the sandbox's clock. */
  readonly atMs: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** What the client was told; null while running, or where the connection ended first. */
  status: number | null;
  /** The parsed JSON, the text where it is none, null without a body. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The kind of fault that struck. */
  fault: string | null;
}

export interface ReadBody {
  /** undefined: none was sent. */
  readonly value: unknown;
  readonly malformed: boolean;
}

export function parseBody(text: string): ReadBody {
  if (text === '') return { value: undefined, malformed: false };
  try {
    return { value: JSON.parse(text) as unknown, malformed: false };
  } catch {
    return { value: text, malformed: true };
  }
}

export function redactHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, name === 'authorization' ? '[redacted]' : value]),
  );
}
