// The tasks of a site, as far as commands need to know them.
import { ANY_LIST } from '../../model/json.ts';
import { rowsAt } from '../../model/kind/rows.ts';
import type { OpenSite } from './open-site.ts';

/** The number of the newest task of a site: what is newer began later (TSK-01). */
export async function newestTask({ client, path }: OpenSite): Promise<number> {
  const ids = rowsAt(await client.read(`${path}/tasks`), ANY_LIST).map(({ id }) => Number(id));
  return Math.max(0, ...ids.filter(Number.isFinite));
}
