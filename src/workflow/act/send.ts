// How the request of a person is sent: once, and never again blindly. A lost answer is said to be one.
import { documentedAnswer } from '../../areas/endpoints.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Answer, WriteRequest } from '../../platform/http.ts';
import type { Ending, Opened } from '../site/open-site.ts';
import { blocker, sentence } from './problem.ts';

/** Asks a person, or knows the answer: `--yes`. */
export type Confirm = (question: string) => Promise<boolean>;

export type Sent =
  | { readonly is: 'accepted'; readonly answer: Answer }
  | { readonly is: 'refused'; readonly answer: Answer; readonly ending: Ending<never> }
  /** Whether the platform did it cannot be told from the answer. */
  | { readonly is: 'lost'; readonly reason: string };

/** Sends a request that acts, once, and writes down that it left. Throws ApiError only where nothing left. */
export async function sendOnce(opened: Opened, request: WriteRequest): Promise<Sent> {
  const sent = await trySend(opened, request);
  if (sent.is !== 'refused') opened.sent.push(`${request.method} ${request.path}`);
  return sent;
}

/** One sending, whatever it is for. */
export async function trySend({ client }: Pick<Opened, 'client'>, request: WriteRequest): Promise<Sent> {
  const name = `${request.method} ${request.path}`;
  let answer: Answer;
  try {
    // Without the stop signal: what is on its way is waited for, so that its end is known.
    answer = await client.send(request);
  } catch (error) {
    if (error instanceof ApiError && error.sent !== 'no') return { is: 'lost', reason: error.message };
    throw error;
  }
  if (answer.status < 300) return { is: 'accepted', answer };
  const said = [answer.code, ...answer.messages].filter((text) => text !== null).join(': ');
  const reported = `${name} answered ${answer.status}${said === '' ? '' : ` (${said})`}`;
  // What is behind the platform may have done it before it failed (RTY-07).
  if (answer.status === 408 || (answer.status >= 500 && answer.code === null)) return { is: 'lost', reason: reported };
  const reason = documentedAnswer(request.method, request.path, answer.status, answer.code)?.reason;
  const detail = `${reason === undefined ? '' : `${sentence(reason)}: `}${reported}.`;
  return {
    is: 'refused',
    answer,
    ending: { outcome: answer.status === 429 ? 'waiting' : 'error', diagnostics: [blocker(detail)] },
  };
}

/** What is asked for does not go with what is there. */
export function cannot(detail: string): Ending<never> {
  return {
    outcome: 'error',
    diagnostics: [{ code: 'HW4587', severity: 'error', summary: 'It cannot be done', detail }],
  };
}

/** The request left, and nobody can say what became of it; `look` says where to find out. */
export function unknownEnd(reason: string, look: string): Ending<never> {
  return {
    outcome: 'error',
    diagnostics: [
      {
        code: 'HW4502',
        severity: 'error',
        summary: 'The outcome of the request is unknown',
        detail: `${reason}. The request was not sent again. ${look}`,
      },
    ],
  };
}

export function notConfirmed(): Ending<never> {
  return {
    outcome: 'refused',
    diagnostics: [
      { code: 'HW6103', severity: 'error', summary: 'The command was not confirmed', detail: 'Nothing was sent.' },
    ],
  };
}

/** What somebody else has to do, or time: nothing was sent. */
export function notNow(detail: string): Ending<never> {
  return {
    outcome: 'waiting',
    diagnostics: [
      { code: 'HW4503', severity: 'warning', summary: 'The platform does not allow the command now', detail },
    ],
  };
}

/** Pauses that grow; rejects when the command is stopped. */
export function pause({ session: { clock, stop } }: Pick<Opened, 'session'>, polls: number): Promise<void> {
  return clock.sleep(Math.min(10_000, 500 * 2 ** polls), stop);
}
