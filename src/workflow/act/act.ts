// How everything is done that a person asks for by a command and that is no desired state: it is asked about, written to
// the ledger where it could do its work twice, sent once, followed to its end, and looked for where its answer is lost.
// Nobody has to look twice for whether something left: what is not known is said to be so.
import type { Ledger } from '../../apply/ledger/ledger.ts';
import { LedgerWriteError } from '../../apply/ledger/ledger.ts';
import { openLedger } from '../../apply/ledger/stored-ledger.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { OpenAct } from '../../model/plan/ledger-view.ts';
import type { Answer, WriteRequest } from '../../platform/http.ts';
import { ledgerOptions, viewLedger } from '../ledger.ts';
import type { Ending, Opened } from '../site/open-site.ts';
import type { Confirm, Sent } from './send.ts';
import { notConfirmed, sendOnce, unknownEnd } from './send.ts';

export interface Act<Value> {
  /** What a person is asked: what happens, and what cannot be taken back. */
  readonly question: string;
  readonly request: WriteRequest;
  /** Absent: sending it again does no more than sending it once. */
  readonly once?: OnceOnly;
  /** A refusal in words, where the platform's own do not say what to do; undefined: they do. */
  readonly refused?: (answer: Answer) => Awaitable<Ending<Value> | undefined>;
  /**
   * Waits until it is done. `answer` undefined: it was lost, for the reason that is given, and undefined is the result
   * where nothing that can be read tells what became of it.
   */
  readonly follow: (answer: Answer | undefined, reason: string) => Promise<Ending<Value> | undefined>;
  /** Where to look for what became of it when nothing tells; whole sentences. */
  readonly look: string;
}

type Awaitable<Value> = Value | Promise<Value>;

/** For what could do its work twice, or costs. */
export interface OnceOnly {
  /** What is done to what, the same words for the same work: `restore of content of site-shop from 17`. */
  readonly name: string;
  /** A person knows that nobody can tell what became of the last one. */
  readonly again: boolean;
}

/** Asks, sends once, and follows what was asked for. Throws ApiError where a read fails. */
export async function carryOut<Value>(opened: Opened, act: Act<Value>, confirm: Confirm): Promise<Ending<Value>> {
  const { once } = act;
  if (once === undefined) {
    if (!(await confirm(act.question))) return notConfirmed();
    return followSent(act, await sendOnce(opened, act.request));
  }
  const unsettled = await unsettledBefore(opened, once, act.look);
  if (unsettled !== undefined) return unsettled;
  if (!(await confirm(act.question))) return notConfirmed();
  return withLedger(opened, (ledger, runId) => sendWritten(opened, act, once, ledger, runId));
}

/** One of several to which a person has agreed with one question. Throws ApiError where a read fails. */
export function carryOutAgreed<Value>(opened: Opened, act: Omit<Act<Value>, 'question'>): Promise<Ending<Value>> {
  return carryOut(opened, { ...act, question: '' }, () => Promise.resolve(true));
}

/** Nobody knows what became of the last one, and a person has not said that this is known. */
export async function unsettledBefore(
  { session, workspace }: Opened,
  { name, again }: OnceOnly,
  look: string,
): Promise<Ending<never> | undefined> {
  const { view, diagnostics } = await viewLedger(session, workspace);
  if (hasErrors(diagnostics)) return { outcome: 'error', diagnostics };
  const earlier = view.openActs?.find(({ act }) => act === name);
  return earlier === undefined || again ? undefined : unknownBefore(earlier, look);
}

/**
 * The entry is on stable storage before the request leaves. While an answer that was lost is looked for, nobody else
 * sends; what was accepted is followed without the lock.
 */
async function sendWritten<Value>(
  opened: Opened,
  act: Act<Value>,
  { name }: OnceOnly,
  ledger: Ledger,
  runId: string,
): Promise<() => Promise<Ending<Value>>> {
  const { method, path } = act.request;
  await ledger.append({ type: 'act', act: name, runId, request: `${method} ${path}` });
  let sent: Sent;
  try {
    sent = await sendOnce(opened, act.request);
  } catch (error) {
    // Nothing left, so there is nothing to find out.
    await ledger.append({ type: 'acted', act: name });
    throw error;
  }
  if (sent.is !== 'lost') {
    await ledger.append({ type: 'acted', act: name });
    return () => followSent(act, sent);
  }
  const found = await act.follow(undefined, sent.reason);
  if (found !== undefined) await ledger.append({ type: 'acted', act: name });
  return () => Promise.resolve(found ?? unknownEnd(sent.reason, act.look));
}

async function followSent<Value>(act: Act<Value>, sent: Sent): Promise<Ending<Value>> {
  if (sent.is === 'refused') return (await act.refused?.(sent.answer)) ?? sent.ending;
  const [answer, reason] = sent.is === 'lost' ? [undefined, sent.reason] : [sent.answer, 'The answer does not tell'];
  return (await act.follow(answer, reason)) ?? unknownEnd(reason, act.look);
}

/** Holds the ledger while `use` runs, and lets go of it before what `use` leaves to be followed. */
async function withLedger<Value>(
  { session, workspace }: Opened,
  use: (ledger: Ledger, runId: string) => Promise<() => Promise<Ending<Value>>>,
): Promise<Ending<Value>> {
  const runId = session.runtime.uuid();
  const { ledger, diagnostics } = await openLedger(ledgerOptions(session, workspace, runId));
  if (ledger === undefined) return { outcome: 'error', diagnostics };
  let follow;
  let notices: readonly Diagnostic[] = [];
  try {
    follow = await use(ledger, runId);
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    follow = () => Promise.resolve<Ending<Value>>({ outcome: 'error', diagnostics: [notWritten(error)] });
  } finally {
    notices = await ledger.close();
  }
  const ending = await follow();
  return { ...ending, diagnostics: [...diagnostics, ...notices, ...(ending.diagnostics ?? [])] };
}

function notWritten({ message }: LedgerWriteError): Diagnostic {
  return {
    code: 'HW4580',
    severity: 'error',
    summary: 'The ledger cannot be written',
    detail: `${message}. What could do its work twice is written down before it is sent. Make the ledger writable, then look whether anything was sent: \`hostwright ledger list\`.`,
  };
}

function unknownBefore({ sentAtMs, request }: OpenAct, look: string): Ending<never> {
  return {
    outcome: 'error',
    diagnostics: [
      {
        code: 'HW4581',
        severity: 'error',
        summary: 'Nobody knows what became of the last one',
        detail: `The same was sent at ${new Date(sentAtMs).toISOString()} (${request}), and its answer was lost. Nothing was sent now. ${look} To send it once more, add --again.`,
      },
    ],
  };
}
