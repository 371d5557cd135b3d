// What the addresses are that notifications go to, and how a text gets there.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { sendMail } from '../../platform/notify/mail.ts';
import { addressProblem, secretProblem, sendNotification } from '../../platform/notify/post.ts';
import { createPlainClient } from '../../platform/plain-client.ts';
import type { Session } from '../session.ts';

/** Those of `--notify`, which are told of each run. */
export interface Notify {
  readonly addresses: readonly string[];
  /** `whsec_` and a key in base64. */
  readonly secret: string | undefined;
}

/** One text for one address. */
export interface Parcel {
  readonly address: string;
  /** Absent: it is not signed. */
  readonly secret?: string;
  readonly body: string;
  /** It is a mail: the address is that of the server, and the first line of the body is the subject. */
  readonly mail?: { readonly from: string; readonly to: readonly string[] };
}

/** Said of what went wrong beside a run. */
export const STANDS = ' The result and the exit code of this run stand.';
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
    ...(wrong === undefined ? [] : [diagnose('HW6520', `--notify: ${wrong}`)]),
    ...(unsigned === undefined ? [] : [diagnose('HW6521', `HOSTWRIGHT_NOTIFY_SECRET: ${unsigned}`)]),
  ];
}

/** Sends one text to every address; a warning for each that it did not reach. */
export async function sendNotifications(
  session: Session,
  { addresses, secret = '' }: Notify,
  body: string,
): Promise<readonly Diagnostic[]> {
  const ends = await sendParcels(
    session,
    addresses.map((address) => ({ address, secret, body })),
  );
  return ends.flatMap((end) => end ?? []);
}

/** Sends each, some at once; for each a warning where it did not arrive, or undefined. */
export async function sendParcels(
  session: Pick<Session, 'clock' | 'stop' | 'proxies' | 'runtime'>,
  parcels: readonly Parcel[],
): Promise<readonly (Diagnostic | undefined)[]> {
  const {
    clock,
    stop,
    proxies,
    runtime: { random, uuid },
  } = session;
  const client = createPlainClient({
    clock,
    timeoutMs: ONE_ATTEMPT_MS,
    ...(proxies !== undefined && { proxies }),
  });
  const atMs = clock.now();
  try {
    return await Promise.all(
      parcels.map(async (parcel) => {
        const { address, body, mail } = parcel;
        const runtime = { client, clock, random, stop, deadlineAtMs: atMs + WITHIN_MS };
        const id = `msg_${uuid()}`;
        const [subject = '', ...text] = body.split('\n');
        const reason =
          mail === undefined
            ? await sendNotification({ ...parcel, id, atMs }, runtime)
            : await sendMail({ ...mail, server: address, subject, text: text.join('\n').trimStart(), id }, runtime);
        return reason === undefined ? undefined : unreported(new URL(address).host, reason);
      }),
    );
  } finally {
    await client.close();
  }
}

/** By its host alone: the rest of such an address is often a secret. */
function unreported(host: string, reason: string): Diagnostic {
  return diagnose('HW6522', `${host}: ${reason}.${STANDS}`);
}
