// What an answer to a request means: by the step's own rows, by what the documents say, by defaults. Pure. It must not
// send, wait or record; and never branches on message text (CNV-19): endpoint, status and code decide together, and a
// code that is nearly another one is another one (CNV-22, CNV-23). A 2xx is success only where the table says so
// (RTY-05).
import type { DocumentedAnswer } from '../model/documented/answers.ts';
import { documentedAnswer } from '../model/documented/answers.ts';
import { valueAt } from '../model/json.ts';
import type { AnswerRow, RequestStep, WaitFor } from '../model/plan/step.ts';
import type { ApiError } from '../platform/api-error.ts';
import { kindOfStatus } from '../platform/api-error.ts';
import type { Answer } from '../platform/http.ts';
import type { Outputs } from './ledger/entries.ts';
import { captureOutputs } from './look-up.ts';

export type Verdict =
  /** Carried out; then go on, wait, or leave it to someone outside. */
  | {
      readonly verdict: 'taken';
      readonly status: number;
      readonly row: number | null;
      readonly outputs: Outputs;
      readonly then: 'done' | 'wait-for' | 'waiting' | 'pending-external';
      readonly waitFor?: WaitFor;
      readonly reason?: string;
    }
  /** It happened, or says so: what it made has to be found. */
  | { readonly verdict: 'look-up'; readonly status: number; readonly row: number | null; readonly text: string }
  | { readonly verdict: 'fail'; readonly reason: string; readonly scope?: true }
  /** Refused for a reason outside: nothing was done. */
  | { readonly verdict: 'blocked'; readonly reason: string }
  /** Refused for the moment: nothing was done, and it may be sent again. */
  | { readonly verdict: 'retry'; readonly reason: string; readonly retryAfterMs?: number }
  /** Nobody knows yet whether it was carried out. */
  | { readonly verdict: 'ambiguous'; readonly text: string; readonly retryAfterMs?: number }
  /** It never left. */
  | { readonly verdict: 'unsent'; readonly text: string }
  | { readonly verdict: 'unauthorised'; readonly reason: string };

/** What an answer means for a step. */
export function judgeAnswer(step: RequestStep, answer: Answer): Verdict {
  const text = describeAnswer(answer);
  const kind = answer.status >= 400 ? kindOfStatus(answer.status, answer.code) : undefined;
  if (kind === 'unauthorised') return { verdict: 'unauthorised', reason: text };
  // The scope check comes before every other gate (CNV-10), so no row of a kind can mean anything else by it.
  if (kind === 'insufficient-scope')
    return { verdict: 'fail', reason: `the token lacks a scope that this needs: ${text}`, scope: true };
  const index = step.answers.findIndex((row) => fits(row, answer));
  const row = step.answers[index];
  const { status, code } = answer;
  const documented = kind === undefined ? undefined : documentedAnswer(step.method, pathOf(step), status, code);
  // A code that the documents name says more than a row for every code.
  const isNamed = (documented?.code ?? null) !== null;
  if (row !== undefined && (row.code !== undefined || !isNamed)) return byRow(row, index, answer, text);
  return documented === undefined ? byDefault(step, answer, text) : byDocument(step, documented, answer, text);
}

/** The path of a step, with a placeholder for what is filled in. */
function pathOf({ path }: RequestStep): string {
  return path.map((part) => (typeof part === 'string' ? part : ':')).join('');
}

/** What it means that there was no answer. */
export function judgeFailure(error: ApiError): Verdict {
  // The client refused it before it left, and would refuse it again: a path that could mean another place.
  if (error.sent === 'no' && error.kind === 'invalid') return { verdict: 'fail', reason: error.message };
  return error.sent === 'no'
    ? { verdict: 'unsent', text: error.message }
    : { verdict: 'ambiguous', text: error.message };
}

/** True when an answer of this status says that the request was carried out. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Status, code, messages and extras in one line: what a person needs to see (CNV-21). */
function describeAnswer({ status, code, messages, extra, unusable }: Answer): string {
  const parts = [
    `the platform answered ${status}${code === null ? '' : ` ${code}`}`,
    messages.length === 0 ? '' : `: ${messages.join('; ')}`,
    Object.keys(extra).length === 0
      ? ''
      : ` (${Object.entries(extra)
          .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(', ')})`,
    unusable === undefined ? '' : ` with a body that cannot be read (${unusable})`,
  ];
  return parts.join('');
}

function byRow(row: AnswerRow, index: number, answer: Answer, text: string): Verdict {
  const reason = row.reason === undefined ? {} : { reason: row.reason };
  switch (row.then) {
    case 'fail':
    case 'blocked':
      return { verdict: row.then, reason: row.reason === undefined ? text : `${row.reason} (${text})` };
    case 'look-up':
      return { verdict: 'look-up', status: answer.status, row: index, text };
    case 'done':
    case 'waiting':
    case 'pending-external':
    case 'wait-for':
      return {
        verdict: 'taken',
        status: answer.status,
        row: index,
        outputs: captureOutputs(row.capture ?? {}, answer.body),
        then: row.then === 'wait-for' && row.waitFor === undefined ? 'done' : row.then,
        ...(row.waitFor !== undefined && { waitFor: row.waitFor }),
        ...reason,
      };
  }
}

function byDocument(step: RequestStep, { means, reason }: DocumentedAnswer, answer: Answer, text: string): Verdict {
  const { status, retryAfterMs } = answer;
  const reported = reason === undefined ? text : `${reason} (${text})`;
  const later = retryAfterMs === undefined ? {} : { retryAfterMs };
  switch (means) {
    case 'failed':
      return { verdict: 'fail', reason: reported };
    case 'blocked':
      return { verdict: 'blocked', reason: reported };
    case 'retry':
      // What must never be sent again unasked is left to the next plan, although nothing was done.
      if (!step.idempotent && step.recovery?.ifNotFound !== 'send-again')
        return { verdict: 'blocked', reason: reported };
      return { verdict: 'retry', reason: reported, ...later };
    case 'done':
      return { verdict: 'taken', status, row: null, outputs: {}, then: 'done' };
    case 'unclear':
      return { verdict: 'ambiguous', text, ...later };
  }
}

function byDefault(step: RequestStep, answer: Answer, text: string): Verdict {
  const { status, retryAfterMs } = answer;
  if (isSuccess(status)) {
    if (step.recovery !== undefined)
      return answer.unusable === 'html'
        ? { verdict: 'ambiguous', text }
        : { verdict: 'look-up', status, row: null, text };
    // A page in front of the platform says nothing about what happened behind it; and who could have bought something
    // must know what.
    if (answer.unusable === 'html' || !step.idempotent) return { verdict: 'ambiguous', text };
    return { verdict: 'taken', status, row: null, outputs: {}, then: 'done' }; // any 2xx is accepted, then read back (GAP-09)
  }
  // Any 429 counts as not carried out only where a second sending does no harm (GAP-02); after any 5xx it may have
  // happened (RTY-07).
  if (status === 408 || status === 429 || status >= 500)
    return { verdict: 'ambiguous', text, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return { verdict: 'fail', reason: text };
}

function fits(row: AnswerRow, answer: Answer): boolean {
  if (!fitsStatus(row.status, answer.status)) return false;
  if (row.code !== undefined && row.code !== answer.code) return false;
  if (row.has !== undefined && (valueAt(answer.body, row.has) ?? null) === null) return false;
  if (!isSuccess(answer.status)) return true;
  if (answer.unusable === 'html') return false;
  // Nothing of what was to be taken is there: this is not the answer that the row is about.
  return (
    row.capture === undefined ||
    Object.keys(row.capture).length === 0 ||
    Object.keys(captureOutputs(row.capture, answer.body)).length > 0
  );
}

function fitsStatus(wanted: AnswerRow['status'], status: number): boolean {
  return typeof wanted === 'number' ? wanted === status : Math.floor(status / 100) === Number(wanted[0]);
}
