// The seam between the client and whatever moves bytes, so that tests can exchange it. One call is one sending.
import type { Method } from '../model/plan/step.ts';

export interface TransportRequest {
  /** Scheme, host and port; the only place a request may go. */
  readonly origin: string;
  /** With a leading slash, percent-encoded, query included. */
  readonly path: string;
  readonly method: Method;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How long to wait for the head of the answer, and for each next part of its body. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface TransportAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The head arrived, the body did not to its end. */
  readonly broken?: Broken;
}

export type Broken = 'broken-off' | 'too-large';

/** Rejects only when no head of an answer arrived. */
export interface Transport {
  (request: TransportRequest): Promise<TransportAnswer>;
  readonly close?: () => Promise<void>;
}

/** Reads a body up to a limit; what breaks on the way is told beside what had arrived. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ readonly body: string; readonly broken?: Broken }> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > maxBytes) return { body: '', broken: 'too-large' };
      parts.push(chunk);
    }
  } catch {
    return { body: decodeBody(parts), broken: 'broken-off' };
  }
  return { body: decodeBody(parts) };
}

/** The text of a body whose parts are these. */
export function decodeBody(parts: readonly Uint8Array[]): string {
  const [only] = parts;
  if (only === undefined) return '';
  const whole = parts.length === 1 && only instanceof Buffer ? only : Buffer.concat(parts);
  return whole.toString('utf8');
}
