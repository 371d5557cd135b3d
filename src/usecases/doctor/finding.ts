// How one finding is made, so that every part of the look makes them alike.
import type { Finding, FindingArea, Verdict } from '../../model/doctor.ts';

/** Says what was found in one check, by verdict; without `remedy` there is nothing to do. */
type Check = Readonly<Record<Verdict, (says: string, remedy?: string) => Finding>>;

/** One check of an area. */
export function checkOf(area: FindingArea, check: string): Check {
  const found =
    (verdict: Verdict) =>
    (says: string, remedy?: string): Finding =>
      remedy === undefined ? { area, check, verdict, says } : { area, check, verdict, says, remedy };
  return { ok: found('ok'), warning: found('warning'), problem: found('problem'), unknown: found('unknown') };
}
