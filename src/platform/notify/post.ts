// How a notification leaves by HTTP: signed as Standard Webhooks say where there is a secret, sent to the one place that was named, again where that
// may help and until a deadline.
import { Webhook } from 'standardwebhooks';
import type { Clock } from '../../model/clock.ts';
import { ApiError, kindOfStatus } from '../api-error.ts';
import { endpointOf } from '../endpoint.ts';
import type { PlainClient } from '../plain-client.ts';
import { nextAttemptIn } from '../retry.ts';

export interface NotificationRequest {
  readonly address: string;
  /** The same for every sending of it: whoever receives it twice can tell. */
  readonly id: string;
  readonly atMs: number;
  /** JSON text. */
  readonly body: string;
  /** Absent: it is not signed. */
  readonly secret?: string;
}

export interface NotifyRuntime {
  readonly client: Pick<PlainClient, 'send'>;
  readonly clock: Clock;
  readonly random: () => number;
  /** By when it is given up. */
  readonly deadlineAtMs: number;
  /** Aborted when whoever waits for it wants to wait no longer. */
  readonly stop: AbortSignal;
}

const LEAST_KEY_BYTES = 24;

/** Why a notification cannot be sent there, in words without the address; undefined when it can. */
export function addressProblem(address: string): string | undefined {
  try {
    // Of a query nothing is said: it is often what makes such an address one's own.
    const url = new URL(address);
    url.search = '';
    endpointOf(url.href);
    return undefined;
  } catch {
    return 'It has to be a URL that begins with https:// (http:// only on this machine), without user name, password or fragment.';
  }
}

/** Why nothing can be signed with it, in words without it; undefined when it can. */
export function secretProblem(secret: string): string | undefined {
  const text = secret.replace(/^whsec_/, '');
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0;
  return isBase64 && Buffer.from(text, 'base64').length >= LEAST_KEY_BYTES
    ? undefined
    : `It has to be \`whsec_\` and then at least ${LEAST_KEY_BYTES} random bytes in base64, as Standard Webhooks say: \`openssl rand -base64 32\` makes them.`;
}

/** Sends it; what stood in the way at last, in words without the address, or undefined when it arrived. */
export async function sendNotification(
  { address, id, atMs, body, secret }: NotificationRequest,
  { client, clock, random, deadlineAtMs, stop }: NotifyRuntime,
): Promise<string | undefined> {
  const at = new Date(atMs);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1000)),
    ...(secret !== undefined && { 'webhook-signature': new Webhook(secret).sign(id, at, body) }),
  };
  for (let attempts = 1; ; attempts += 1) {
    const got = await client.send({ method: 'POST', address, body, headers }).catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
    if (!(got instanceof ApiError) && got.status >= 200 && got.status < 300) return undefined;
    const error =
      got instanceof ApiError
        ? got
        : {
            kind: kindOfStatus(got.status, null),
            status: got.status,
            sent: 'answered' as const,
            retryAfterMs: got.retryAfterMs,
          };
    const inMs = nextAttemptIn({ error, unusableAnswers: 0, attempts, nowMs: clock.now(), deadlineAtMs, random });
    const reason = got instanceof ApiError ? reasonOf(got) : `it answered ${got.status}`;
    if (inMs === null) return reason;
    await clock.sleep(inMs, stop).catch(() => undefined);
    if (stop.aborted) return `${reason}, and the run was interrupted before it was sent again`;
  }
}

function reasonOf({ kind }: ApiError): string {
  if (kind === 'redirect') return 'it answered with a redirect, which is never followed';
  return kind === 'timeout' ? 'it did not answer in time' : 'it could not be reached';
}
