// Why a command ends before it has sent all its requests: the platform fails every request, or asks for a pause that is
// longer than the command waits.
import { showTime } from '../../model/clock.ts';
import { capital } from '../../model/common/sentence.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { ApiError } from '../api-error.ts';
import { describeOutage } from '../failures.ts';
import type { Client } from '../http.ts';

/** The part of a client that knows it. Clients that send nothing lack it. */
export type StoppedClient = Partial<Pick<Client, 'outage' | 'finalOutage' | 'refusedUntil'>>;

/** Returns why the client stops sending requests. `left`: what that left undone, as a sentence. */
export function whyStopped(client: StoppedClient, left: string): Diagnostic | undefined {
  const refusedUntilMs = client.refusedUntil?.();
  if (refusedUntilMs !== undefined) return platformPaused(refusedUntilMs, left);
  const outage = client.outage?.();
  return outage === undefined ? undefined : platformFails(describeOutage(outage), left);
}

/** Returns the same of a request that the client did not send, or must not send again before a time. */
export function whyNotSent({ kind, status, sharedReason, resumesAtMs }: ApiError): Diagnostic | undefined {
  if (resumesAtMs !== undefined) return platformPaused(resumesAtMs, NOTHING_MORE);
  return kind === 'unavailable' && status === null ? platformFails(sharedReason ?? '', NOTHING_MORE) : undefined;
}

const NOTHING_MORE = 'Nothing more was sent.';

function platformFails(outage: string, left: string): Diagnostic {
  return diagnose('HW3051', `${capital(outage)}. ${left}`);
}

function platformPaused(untilMs: number, left: string): Diagnostic {
  const time = showTime(untilMs);
  return diagnose('HW3052', `It accepts no requests before ${time} (Retry-After). ${left}`, { retryAt: time });
}
