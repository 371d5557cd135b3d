// How one finding is made, so that every part of the look makes them alike.
import type { Finding, FindingArea, Verdict } from '../../model/doctor.ts';

/** Makes findings of one area; without `remedy` there is nothing to do. */
export function findingIn(
  area: FindingArea,
): (check: string, verdict: Verdict, says: string, remedy?: string) => Finding {
  return (check, verdict, says, remedy) => ({ area, check, verdict, says, ...(remedy !== undefined && { remedy }) });
}
