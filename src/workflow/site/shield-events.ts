// The use case `shield events`: what Shield logged, challenged and blocked on one day, page by page as it comes. What
// an event holds is not documented (GAP-29): it is passed through.
import type { Json } from '../../model/json.ts';
import { objectAt, rowsAt } from '../../model/kind/rows.ts';
import type { Session } from '../session.ts';
import { handOn } from './logs.ts';
import type { LogEnd, TakeEntries } from './logs.ts';
import type { OpenSite, SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';

export interface EventOptions {
  /** `YYYY-MM-DD`; without it today, as the platform counts days. */
  readonly date?: string;
  /** Events at most. */
  readonly limit: number;
}

/** Reads the events of one day. */
export function shieldEvents(
  session: Session,
  wanted: string,
  { date, limit }: EventOptions,
  take: TakeEntries,
): Promise<SiteResult<LogEnd>> {
  return withSite(session, wanted, (site) => handOn(site, eventPages(site, date), limit, take));
}

/** A page names the token of the next (SHD-24). One that comes twice would lead round in a circle. */
async function* eventPages({ client, path }: OpenSite, date: string | undefined): AsyncGenerator<readonly Json[]> {
  const seen = new Set<string>();
  for (let token: string | undefined; ;) {
    const query = new URLSearchParams({
      ...(date !== undefined && { date: monthFirst(date) }),
      ...(token !== undefined && { continue: token }),
    }).toString();
    const page = objectAt(await client.read(`${path}/shield/events${query === '' ? '' : `?${query}`}`));
    // An empty list may read as null (CNV-02); without one there is nothing to hand on.
    yield page.logs === null ? [] : rowsAt(page, '/logs');
    const next = page.continuationToken;
    if (page.hasMoreData !== true || typeof next !== 'string' || next === '' || seen.has(next)) return;
    seen.add(next);
    token = next;
  }
}

/** The platform writes days as MM-DD-YYYY (SHD-24). */
function monthFirst(date: string): string {
  const [year, month, day] = date.split('-');
  return `${month}-${day}-${year}`;
}
