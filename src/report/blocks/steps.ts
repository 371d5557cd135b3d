// How the exact steps of an action are written out for a reader who wants to see every request. Plain text, already
// escaped.
import { ANY_LIST } from '../../model/json.ts';
import type { AnswerRow, Condition, LookUp, RequestStep, WaitFor, Step } from '../../model/plan/step.ts';
import type { Action } from '../../model/plan/plan.ts';
import { showDestination } from '../../model/secret-sink.ts';
import { present } from '../../model/common/lists.ts';
import { showDuration, showRequirement } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import type { Bindings } from '../view/values.ts';
import { showPath, showPointer, showValue } from '../view/values.ts';

/** Bodies are what is sent: cut only where no reader could follow any more. */
const BODY_LIMIT = 4000;
const CONDITION_LIMIT = 200;

/** What is done, what is sent, and the lines that explain it. */
export interface ShownStep {
  readonly head: string;
  readonly body?: string;
  readonly lines: readonly string[];
}

/** Every step of an action, what it requires, what it holds, and its digest. */
export function stepText({ steps, requires, locks, digest }: Action, bindings: Bindings): readonly string[] {
  const requirement = showRequirement(requires);
  const shown = steps.flatMap((step, index) => {
    const { head, body, lines } = showStep(step, bindings);
    return [`${index + 1}. ${head}`, ...present(body, ...lines).map((line) => `   ${line}`)];
  });
  return present(
    ...shown,
    requirement !== '' && `requires ${requirement}`,
    locks.length > 0 && `alone on ${named(locks, 300)}`,
    `digest ${escapeText(digest, 100)}`,
  );
}

export function showStep(step: Step, bindings: Bindings): ShownStep {
  const name = escapeText(step.name, 100);
  switch (step.do) {
    case 'request':
      return {
        head: `${step.method} ${showPath(step.path, bindings)}`,
        ...(step.body !== undefined && { body: showValue(step.body, BODY_LIMIT, bindings) }),
        lines: requestLines(step, bindings),
      };
    case 'look-up':
      if (step.unless !== undefined)
        return {
          head: `go on only if ${showLookUp(step.lookUp, bindings)}`,
          lines: [`${name}: ${escapeText(step.reason)}`, `else nothing is sent: ${escapeText(step.unless)}`],
        };
      return {
        head: `find by ${showLookUp(step.lookUp, bindings)}`,
        lines: [`${name}: ${escapeText(step.reason)}`, ...taken(step.lookUp.capture)],
      };
    case 'wait-for':
      return {
        head: showWaitFor(step.waitFor, bindings),
        lines: present(
          `${name}: ${escapeText(step.waitFor.reason)}`,
          step.open === true && 'after that it is left to the next plan',
        ),
      };
    case 'verify':
      return {
        head: step.only === undefined ? 'read back and compare' : `read back and compare ${named(step.only)}`,
        lines: [`${name}: ${withRule(escapeText(step.reason), step.rule)}`],
      };
  }
}

function requestLines(step: RequestStep, bindings: Bindings): readonly string[] {
  const { name, reason, rule, unlocks, oneTimeSecret, putBack, recheck, skipIf, idempotent, recovery, answers } = step;
  return present(
    `${escapeText(name, 100)}: ${withRule(escapeText(reason), rule)}`,
    unlocks && `no other action has ${named(unlocks)} until its answer is in the ledger`,
    oneTimeSecret &&
      withRule(
        `what is told only once goes to ${escapeText(showDestination(oneTimeSecret), 200)}: ${named(Object.keys(oneTimeSecret.secrets))}`,
        oneTimeSecret.rule,
      ),
    putBack && withRule(`if it fails, ${escapeText(putBack.what, 300)} is put back as it was`, putBack.rule),
    recheck === true && 'what it rests on is checked again right before',
    skipIf &&
      withRule(`not sent when ${showLookUp(skipIf.lookUp, bindings)}: ${escapeText(skipIf.reason)}`, skipIf.rule),
    !idempotent && showLost(recovery, bindings),
    ...answers.map((row) => answerLine(row, bindings)),
  );
}

function showLost(recovery: RequestStep['recovery'], bindings: Bindings): string {
  if (recovery === undefined)
    return 'sent once; after a lost response its outcome is unknown, and you are asked for it';
  const grace = recovery.graceMs > 0 ? ` within ${showDuration(recovery.graceMs)}` : '';
  const ifNotFound = {
    'send-again': `it is sent again, because the platform refuses a second one (${recovery.guarded})`,
    'plan-again': 'it fails, and the next plan reads the value',
    ask: 'its outcome is unknown, and you are asked for it',
    unknown: 'its outcome is unknown, and you are asked for it',
  }[recovery.ifNotFound];
  const once = recovery.ifNotFound === 'send-again' ? '' : 'sent once; ';
  return withRule(
    `${once}after a lost response it counts as done when ${showLookUp(recovery.lookUp, bindings)}; if not${grace}, ${ifNotFound}`,
    recovery.rule,
  );
}

function answerLine(row: AnswerRow, bindings: Bindings): string {
  const code = row.code === undefined ? '' : ` ${escapeText(row.code, 100)}`;
  const has = row.has === undefined ? '' : ` with ${showPointer(row.has)}`;
  const words = {
    done: 'done',
    'wait-for': 'wait',
    'look-up': row.status === '2xx' ? 'done, find its id' : 'look for what it made all the same',
    waiting: 'waiting for someone outside',
    fail: 'stop',
    blocked: 'blocked',
    'pending-external': 'done, the rest is up to someone outside',
  };
  const then = row.waitFor === undefined ? words[row.then] : showWaitFor(row.waitFor, bindings);
  const reason = row.reason ?? row.waitFor?.reason;
  const text = `on ${row.status}${code}${has}: ${then}${reason === undefined ? '' : `: ${escapeText(reason)}`}`;
  return withRule([text, ...taken(row.capture ?? {})].join('; '), row.rule);
}

function showWaitFor(waitFor: WaitFor, bindings: Bindings): string {
  const deadline = `wait up to ${showDuration(waitFor.deadlineMs)}`;
  if (waitFor.how === 'task') return `${deadline} for the task ${showValue(waitFor.task, CONDITION_LIMIT, bindings)}`;
  if (waitFor.how === 'tasks')
    return `${deadline} for tasks after ${waitFor.after} in GET ${showPath(waitFor.read, bindings)} to have ${waitFor.until}`;
  if (waitFor.how === 'cart')
    return [
      `${deadline} for the order of the cart ${showValue(waitFor.cart, CONDITION_LIMIT, bindings)} to be completed`,
      ...taken(waitFor.capture),
    ].join('; ');
  const failsWith = waitFor.failsWith === undefined ? '' : `, or a task after ${waitFor.failsWith.after} fails`;
  return `${deadline} until ${showLookUp(waitFor.lookUp, bindings, waitFor.found ? 'finds' : 'no longer finds')}${failsWith}`;
}

function showLookUp(
  { read, ask, rows, where, view, since, except, capped, gone = [] }: LookUp,
  bindings: Bindings,
  finds = 'finds',
): string {
  const place =
    rows === '' ? '' : rows === ANY_LIST || typeof rows !== 'string' ? ' in its list' : ` in ${showPointer(rows)}`;
  const conditions = where.map((condition) => showCondition(condition, bindings)).join(' and ');
  const rest = present(
    since !== undefined && `not older than the request by ${showPointer(since)}`,
    view && `each looked at with GET ${showPath(view.path, bindings)}/{${showPointer(view.id)}}`,
    except && `none that is the ${escapeText(except.output, 100)} of another object`,
    capped &&
      `where the list is full (${capped.most} rows) the question is whether ${showLookUp(capped.then, bindings)}`,
    ...gone.map(
      ({ status, code }) => `${status}${code === undefined ? '' : ` ${escapeText(code, 100)}`} says that there is none`,
    ),
  );
  const question =
    ask === undefined
      ? `GET ${showPath(read, bindings)}`
      : `POST ${showPath(read, bindings)} ${showValue(ask, BODY_LIMIT, bindings)} (a question)`;
  return [`${question} ${finds} ${conditions === '' ? 'anything' : conditions}${place}`, ...rest].join(', ');
}

function showCondition({ pointer, value, as, orAbsent, not }: Condition, bindings: Bindings): string {
  const is = as === 'beginning' ? 'begins with' : '=';
  return `${showPointer(pointer)} ${not === true ? 'is not' : is} ${showValue(value, CONDITION_LIMIT, bindings)}${as === 'hostname' ? ' (as a hostname)' : ''}${orAbsent === true ? ' or nothing yet' : ''}`;
}

function taken(capture: Readonly<Record<string, string>>): readonly string[] {
  const names = Object.keys(capture);
  return names.length === 0 ? [] : [`takes ${named(names)}`];
}

function named(names: readonly string[], most = 100): string {
  return names.map((name) => escapeText(name, most)).join(', ');
}

function withRule(text: string, rule: string | undefined): string {
  return rule === undefined ? text : `${text} (${escapeText(rule, 100)})`;
}
