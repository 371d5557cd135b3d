// How a mail leaves: by SMTP, encrypted, with the library that is loaded only then; again where that may help and until a
// deadline.
import { isLoopback } from '../../model/hostname.ts';
import type { AttemptOptions } from '../retry.ts';
import { attemptAgain } from '../retry.ts';
import { INTERRUPTED } from './post.ts';

export interface Mail {
  /** `smtps://user:password@host:465`, or `smtp://` for STARTTLS. */
  readonly server: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** The same for every sending of it. */
  readonly id: string;
}

const ONE_STEP_MS = 10_000;
const NOT_SENT = { kind: 'network', status: null, sent: 'no', retryAfterMs: undefined } as const;

/** Why no mail can be sent by this server, in words without the address; undefined when it can. */
export function serverProblem(server: string): string | undefined {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  return url !== undefined &&
    ['smtp:', 'smtps:'].includes(url.protocol) &&
    url.hostname !== '' &&
    ['', '/'].includes(url.pathname) &&
    url.search + url.hash === '' &&
    !/%(?![0-9a-f]{2})/i.test(server)
    ? undefined
    : 'It has to be smtps://USER:PASSWORD@HOST:465, or smtp://USER:PASSWORD@HOST:587 where encryption begins later; signs other than letters and digits in percent encoding.';
}

/** Sends it; what stood in the way at last, in words without the address, or undefined when it was taken for everybody. */
export async function sendMail(mail: Mail, runtime: AttemptOptions): Promise<string | undefined> {
  const { createTransport } = await import('nodemailer');
  const { hostname, port, protocol, username, password } = new URL(mail.server);
  const secure = protocol === 'smtps:';
  const stepMs = Math.max(1, Math.min(ONE_STEP_MS, runtime.deadlineAtMs - runtime.clock.now()));
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // What is not encrypted does not leave this machine.
    requireTLS: !secure && !isLoopback(hostname),
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { from, to, subject, text, id } = mail;
  // As addresses and not as text, which the library would take apart into several.
  const addressOf = (address: string) => ({ name: '', address });
  const message = { from: addressOf(from), to: to.map(addressOf), subject, text, messageId: `<${id}@hostwright>` };
  const { result, isStopped } = await attemptAgain(async () => {
    const got = await transport
      .sendMail({ ...message, headers: { 'Auto-Submitted': 'auto-generated' } })
      .catch((error: unknown) => error as Error & { readonly code?: string; readonly responseCode?: number });
    if (!(got instanceof Error))
      return {
        result: got.rejected.length === 0 ? undefined : `it refused ${got.rejected.length} of ${to.length} addresses`,
      };
    const isFinal = (got.responseCode ?? 0) >= 500 || got.code === 'EAUTH' || got.code === 'ETLS';
    return { result: reasonOf(got), ...(!isFinal && { error: NOT_SENT }) };
  }, runtime);
  return isStopped ? `${result ?? ''}${INTERRUPTED}` : result;
}

/** Never the text of the server, which may say more than is to be shown. */
function reasonOf({ code, responseCode }: { readonly code?: string; readonly responseCode?: number }): string {
  if (code === 'EAUTH') return 'it refused the user or the password';
  if (code === 'ETLS') return 'it offers no encryption, or its certificate is not trusted';
  return responseCode === undefined ? 'it could not be reached' : `it answered ${responseCode}`;
}
