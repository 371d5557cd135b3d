// What an error answer to a read comes to, as the table of endpoints says it.
import type { Absences, Blocker, Unread } from '../model/kind/kind.ts';
import type { ApiError } from '../platform/api-error.ts';

/** Whether it is one of the refusals that mean that there is nothing to read. */
export function isAbsence(absences: Absences | undefined, error: ApiError): boolean {
  return (absences ?? []).some(([status, code]) => status === error.status && (code === null || code === error.code));
}

/** Why nothing was read, after this error; undefined where the documents say nothing that a person could act on. */
export function unreadAfter({ kind, documented }: ApiError): (Unread & Pick<Blocker, 'rule'>) | undefined {
  // The scope is asked for before everything else (CNV-10), so no row can mean it.
  if (kind === 'insufficient-scope' || documented === undefined) return undefined;
  const { means, reason, remedy, rule, state, until, ofRoot, off } = documented;
  if (reason === undefined || remedy === undefined) return undefined;
  if (until !== undefined) return { state: 'deferred', until, reason, remedy, rule };
  const isRefused = means === 'failed' || means === 'blocked';
  return {
    state: state ?? (isRefused ? 'blocked' : 'unknown'),
    reason,
    remedy,
    rule,
    ...(ofRoot === true && { root: { reason, remedy, rule } }),
    ...(off === true && { off }),
  };
}
