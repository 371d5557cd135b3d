// The use case behind `--notify`: tells other programs how a run ended.
import type { Diagnostic } from '../model/diagnostic.ts';
import { addressProblem, secretProblem, sendNotification } from '../platform/notify.ts';
import { createPlainClient } from '../platform/plain-client.ts';
import type { Session } from './session.ts';

export interface Notify {
  readonly addresses: readonly string[];
  /** `whsec_` and a key in base64. */
  readonly secret: string | undefined;
}

const WITHIN_MS = 60_000;
const ONE_ATTEMPT_MS = 10_000;

/** What stands in the way of any notification, before anything is read. */
export function checkNotify({ addresses, secret }: Notify): readonly Diagnostic[] {
  if (addresses.length === 0) return [];
  const [wrong] = addresses.flatMap((address) => addressProblem(address) ?? []);
  const unsigned =
    secret === undefined || secret === ''
      ? 'It is not set, and a notification is always signed.'
      : secretProblem(secret);
  return [
    ...(wrong === undefined
      ? []
      : [error('HW6520', 'No notification can be sent to this address', `--notify: ${wrong}`)]),
    ...(unsigned === undefined
      ? []
      : [error('HW6521', 'A notification cannot be signed', `HOSTWRIGHT_NOTIFY_SECRET: ${unsigned}`)]),
  ];
}

/** Sends one text to every address; a warning for each that it did not reach. */
export async function sendNotifications(
  session: Session,
  { addresses, secret = '' }: Notify,
  body: string,
): Promise<readonly Diagnostic[]> {
  const {
    clock,
    stop,
    proxies,
    runtime: { random, uuid },
  } = session;
  const client = createPlainClient({
    clock,
    timeoutMs: ONE_ATTEMPT_MS,
    random,
    ...(proxies !== undefined && { proxies }),
  });
  const atMs = clock.now();
  try {
    const ends = await Promise.all(
      addresses.map(async (address) => ({
        address,
        reason: await sendNotification(
          { address, id: `msg_${uuid()}`, atMs, body, secret },
          { client, clock, random, stop, deadlineAtMs: atMs + WITHIN_MS },
        ),
      })),
    );
    return ends.flatMap(({ address, reason }) => (reason === undefined ? [] : [unreported(address, reason)]));
  } finally {
    await client.close();
  }
}

/** By its host alone: the rest of such an address is often a secret. */
function unreported(address: string, reason: string): Diagnostic {
  return {
    code: 'HW6522',
    severity: 'warning',
    summary: 'A notification was not taken',
    detail: `${new URL(address).host}: ${reason}. The result and the exit code of this run stand.`,
  };
}

function error(code: Diagnostic['code'], summary: string, detail: string): Diagnostic {
  return { code, severity: 'error', summary, detail };
}
