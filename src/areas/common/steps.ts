// The steps that most kinds send: a change that may be repeated, its read-back, a wait for a list, a removal.
import { diagnose } from '../../model/diagnostic.ts';
import type { Notice } from '../../model/kind/notice.ts';
import type { LookUp, PathTemplate, RequestStep, Step, WaitFor } from '../../model/plan/step.ts';

const DONE: RequestStep['answers'] = [{ status: '2xx', then: 'done' }];

/** A request that may be repeated; unless it says otherwise it is done when it is answered. */
export function change({
  name,
  method,
  path,
  body,
  recheck,
  answers = DONE,
  reason,
  rule,
}: Pick<RequestStep, 'name' | 'method' | 'path' | 'body' | 'recheck' | 'reason' | 'rule'> &
  Partial<Pick<RequestStep, 'answers'>>): Step {
  return {
    do: 'request',
    name,
    method,
    path,
    ...(body !== undefined && { body }),
    idempotent: true,
    ...(recheck !== undefined && { recheck }),
    answers,
    reason,
    ...(rule !== undefined && { rule }),
  };
}

/** A request that could do its work twice, so it is sent once; unless it says otherwise it is done when it is answered. */
export function sendOnce({
  answers = DONE,
  ...step
}: Omit<RequestStep, 'do' | 'idempotent' | 'answers'> & Partial<Pick<RequestStep, 'answers'>>): Step {
  return { do: 'request', ...step, idempotent: false, answers };
}

export function readBack(reason: string, rule: string): Step {
  return { do: 'verify', name: 'read back', reason, rule };
}

const LISTED_WITHIN_MS = 120_000;

/**
 * How long a create whose response was lost is looked for before it becomes a question: as long as a confirmed create
 * is waited for. A second request could create a second object (RTY-03, RTY-04).
 */
export const LOST_CREATE_MS = LISTED_WITHIN_MS;

/** Until a look-up finds something, or finds nothing any more. */
export function until(
  found: boolean,
  lookUp: LookUp,
  reason: string,
  deadlineMs = LISTED_WITHIN_MS,
): Extract<WaitFor, { readonly how: 'until' }> {
  return { how: 'until', found, lookUp, deadlineMs, reason };
}

/** A wait that comes after other steps. */
export function waitStep(name: string, waitFor: WaitFor): Step {
  return { do: 'wait-for', name, waitFor };
}

/**
 * Removes what has an id, and waits until the list tells that it is gone; that it was gone before comes to the same.
 * `unknown`: the code with which the platform says so, where it has one.
 */
export function removal(of: {
  readonly name?: string;
  readonly path: PathTemplate;
  readonly gone: WaitFor;
  readonly unknown?: string;
  readonly reason: string;
  readonly rule: string;
}): readonly Step[] {
  const { name = 'remove', path, gone, unknown, reason, rule } = of;
  const answers: RequestStep['answers'] = [
    { status: '2xx', then: 'wait-for', waitFor: gone },
    { status: 404, ...(unknown !== undefined && { code: unknown }), then: 'wait-for', waitFor: gone },
  ];
  return [change({ name, method: 'DELETE', path, recheck: true, answers, reason, rule })];
}

/** What a removal does beyond the object itself. */
export function removalNotice(detail: string): Notice {
  return diagnose('HW2006', detail);
}
