// What an answer to a request means: by the step's own rows, by what the documents say, by defaults. Pure. Message text
// decides nothing (CNV-19): endpoint, status and code do together, and a code that is nearly another one is another one
// (CNV-22, CNV-23). A 2xx is success only where the table says so (RTY-05).
import type { DocumentedAnswer } from '../areas/endpoints.ts';
import { documentedAnswer, pathOf } from '../areas/endpoints.ts';
import { valueAt } from '../model/json.ts';
import { rowName } from '../model/ledger/begun.ts';
import type { AnswerRow, Outputs, RequestStep } from '../model/plan/step.ts';
import { captureOutputs } from '../model/plan/step.ts';
import type { ApiError } from '../platform/api-error.ts';
import { kindOfStatus } from '../platform/api-error.ts';
import type { Answer } from '../platform/http.ts';
import type { StepResult } from './results.ts';

/** What is to be done about an answer; a step's result where that is its end. */
export type AnswerVerdict =
  | Extract<StepResult, { readonly result: 'failed' | 'blocked' | 'unauthorised' }>
  /** Carried out; then go on, wait, find what it made, or leave it to someone outside. */
  | {
      readonly result: 'taken';
      readonly status: number;
      /** The name of the row that took it; null for the defaults. */
      readonly row: string | null;
      readonly outputs: Outputs;
      readonly then: 'done' | 'wait-for' | 'look-up' | 'waiting' | 'pending-external';
      readonly reason?: string;
      /** The answer in words. */
      readonly text: string;
    }
  /** Not carried out, and to be sent again. `last`: how the step ends when that was done often enough. */
  | { readonly result: 'again'; readonly text: string; readonly last: StepResult; readonly retryAfterMs?: number }
  /** It did not leave, because of what was read right before; `end`: how the step ends. */
  | { readonly result: 'not-sent'; readonly end: StepResult }
  /** Nobody knows yet whether it was carried out. */
  | { readonly result: 'unclear'; readonly text: string; readonly retryAfterMs?: number };

/** What an answer means for a step. */
export function judgeAnswer(step: RequestStep, answer: Answer): AnswerVerdict {
  const text = describeAnswer(answer);
  const kind = answer.status >= 400 ? kindOfStatus(answer.status, answer.code) : undefined;
  if (kind === 'unauthorised') return { result: 'unauthorised', reason: text, refused: true };
  // The scope check comes before every other gate (CNV-10), so no row of a kind can mean anything else by it.
  if (kind === 'insufficient-scope')
    return { result: 'failed', reason: `the token lacks a scope that this needs: ${text}`, cause: 'scope' };
  const row = step.answers.find((one) => fits(one, answer));
  const { status, code } = answer;
  const documented = kind === undefined ? undefined : documentedAnswer(step.method, pathOf(step.path), status, code);
  // A code that the documents name says more than a row for every code.
  const isNamed = (documented?.code ?? null) !== null;
  if (row !== undefined && (row.code !== undefined || !isNamed)) return byRow(row, answer, text);
  return documented === undefined ? byDefault(step, answer, text) : byDocument(step, documented, answer, text);
}

/** What it means that there was no answer. */
export function judgeFailure(error: ApiError): AnswerVerdict {
  // The client refused it before it left, and would refuse it again: a path that could mean another place.
  if (error.sent === 'no' && error.kind === 'invalid') return { result: 'failed', reason: error.message };
  const text = error.sharedReason ?? error.message;
  if (error.sent !== 'no') return { result: 'unclear', text };
  // The client holds it back, and would do so again: nothing of it was sent.
  if (error.status === null && (error.kind === 'unavailable' || error.kind === 'rate-limited'))
    return { result: 'not-sent', end: { result: 'stopped' } };
  return { result: 'again', text, last: { result: 'failed', reason: `it could not be sent: ${text}` } };
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

function byRow(row: AnswerRow, answer: Answer, text: string): AnswerVerdict {
  const { then, reason } = row;
  if (then === 'fail' || then === 'blocked')
    return { result: then === 'fail' ? 'failed' : then, reason: reason === undefined ? text : `${reason} (${text})` };
  return {
    result: 'taken',
    status: answer.status,
    row: rowName(row),
    outputs: then === 'look-up' ? {} : captureOutputs(row.capture ?? {}, answer.body),
    then: then === 'wait-for' && row.waitFor === undefined ? 'done' : then,
    ...(reason !== undefined && { reason }),
    text,
  };
}

function byDocument(
  step: RequestStep,
  { means, reason }: DocumentedAnswer,
  answer: Answer,
  text: string,
): AnswerVerdict {
  const { status, retryAfterMs } = answer;
  const reported = reason === undefined ? text : `${reason} (${text})`;
  const later = retryAfterMs === undefined ? {} : { retryAfterMs };
  switch (means) {
    case 'failed':
      return { result: 'failed', reason: reported };
    case 'blocked':
      return { result: 'blocked', reason: reported };
    case 'retry':
      // Nothing was done. A request that only the ledger can account for is left to the next plan all the same.
      if (!step.idempotent && (step.recovery?.ifNotFound ?? 'unknown') === 'unknown')
        return { result: 'blocked', reason: reported };
      return { result: 'again', text: reported, last: { result: 'blocked', reason: reported }, ...later };
    case 'done':
      return { result: 'taken', status, row: null, outputs: {}, then: 'done', text };
    case 'unclear':
      return { result: 'unclear', text, ...later };
  }
}

function byDefault(step: RequestStep, answer: Answer, text: string): AnswerVerdict {
  const { status, retryAfterMs } = answer;
  if (isSuccess(status)) {
    if (step.recovery !== undefined)
      return answer.unusable === 'html'
        ? { result: 'unclear', text }
        : { result: 'taken', status, row: null, outputs: {}, then: 'look-up', text };
    // A page in front of the platform says nothing about what happened behind it; and who could have bought something
    // must know what.
    if (answer.unusable === 'html' || !step.idempotent) return { result: 'unclear', text };
    return { result: 'taken', status, row: null, outputs: {}, then: 'done', text }; // any 2xx is accepted, then read back (GAP-09)
  }
  // Any 429 counts as not carried out only where a second sending does no harm (GAP-02); after any 5xx it may have
  // happened (RTY-07).
  if (status === 408 || status === 429 || status >= 500)
    return { result: 'unclear', text, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return { result: 'failed', reason: text };
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
