// Decides how one finding is made, so that every part of the look makes them alike. Must not judge anything.
import type { Finding, FindingArea, Verdict } from '../../model/doctor.ts';

/** Makes findings of one area; without `todo` there is nothing to do. */
export function findingIn(
  area: FindingArea,
): (check: string, verdict: Verdict, says: string, todo?: string) => Finding {
  return (check, verdict, says, todo) => ({ area, check, verdict, says, ...(todo !== undefined && { todo }) });
}
