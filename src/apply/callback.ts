// What is added to an order while it is sent, so that the platform says when the task of the order has ended. It is no
// part of the plan: whoever is told changes nothing of what is done, so no review gets stale when the address changes.
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import { isJsonObject } from '../model/json.ts';
import type { Json } from '../model/json.ts';
import type { Action } from '../model/plan/plan.ts';
import type { RequestStep, Step } from '../model/plan/step.ts';

/** Where the platform calls back, and the secret that it shows there. */
export interface Callback {
  readonly url: string;
  /** The value of a header; `missing` names the variable that should hold one. Absent: none is sent. */
  readonly authorization?: string | { readonly missing: string };
  /** Whether a request takes one (CBK-01). */
  readonly isTakenBy: (step: Step) => boolean;
}

/** The body of a request, with the callback where the request takes one. */
export function withCallback(step: RequestStep, body: Json, callback: Callback | undefined): Json {
  if (callback === undefined || !callback.isTakenBy(step) || !isJsonObject(body)) return body;
  const { url, authorization } = callback;
  return { ...body, callback: { url, ...(typeof authorization === 'string' && { authorization }) } };
}

/** One for each order that must not be sent: without its secret whoever is called would refuse every call. */
export function callbackProblems(
  actions: readonly Pick<Action, 'address' | 'steps'>[],
  callback: Callback | undefined,
): readonly Diagnostic[] {
  const { authorization, isTakenBy } = callback ?? {};
  if (typeof authorization !== 'object' || isTakenBy === undefined) return [];
  return actions
    .filter(({ steps }) => steps.some(isTakenBy))
    .map(({ address }) =>
      diagnose(
        'HW7110',
        `The environment variable ${authorization.missing}, which \`callback.authorization\` of the workspace file names, is missing, empty, or holds what no header can. Nothing was sent.`,
        { address },
      ),
    );
}
