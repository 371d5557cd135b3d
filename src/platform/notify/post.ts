// How a notification leaves by HTTP: to the one address that was named, signed as Standard Webhooks say where there is a
// secret, again where that may help and until a deadline.
import { Webhook } from 'standardwebhooks';
import { ApiError } from '../api-error.ts';
import { parseBaseUrl } from '../request-url.ts';
import type { PlainClient } from '../plain-client.ts';
import { answerOrError, failureOf } from '../plain-client.ts';
import type { AttemptOptions } from '../retry.ts';
import { attemptAgain } from '../retry.ts';

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

export interface NotifyRuntime extends AttemptOptions {
  readonly client: Pick<PlainClient, 'send'>;
}

/** Said of what was not sent again. */
export const INTERRUPTED = ', and the run was interrupted before it was sent again';

const LEAST_KEY_BYTES = 24;

/** Why a notification cannot be sent there, in words without the address; undefined when it can. */
export function addressProblem(address: string): string | undefined {
  try {
    // Of a query nothing is said: it is often what makes such an address one's own.
    const url = new URL(address);
    url.search = '';
    parseBaseUrl(url.href);
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
  { client, ...runtime }: NotifyRuntime,
): Promise<string | undefined> {
  const at = new Date(atMs);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1000)),
    ...(secret !== undefined && { 'webhook-signature': new Webhook(secret).sign(id, at, body) }),
  };
  const { result, isStopped } = await attemptAgain(async () => {
    const got = await answerOrError(client.send({ address, body, headers }));
    if (got instanceof ApiError) return { result: reasonOf(got), error: got };
    const isTaken = got.status >= 200 && got.status < 300;
    return isTaken ? { result: undefined } : { result: `it answered ${got.status}`, error: failureOf(got) };
  }, runtime);
  return isStopped ? `${result ?? ''}${INTERRUPTED}` : result;
}

function reasonOf({ kind }: ApiError): string {
  if (kind === 'redirect') return 'it answered with a redirect, which is never followed';
  return kind === 'timeout' ? 'it did not answer in time' : 'it could not be reached';
}
