// The use case `site purge`: the whole zone of the CDN, or one cache layer.
import type { PurgeLayer } from '../../areas/index.ts';
import { cdnActs } from '../../areas/index.ts';
import type { Confirm } from '../act/run-act.ts';
import { runAct } from '../act/run-act.ts';
import type { Session } from '../session.ts';
import type { SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';

export type { PurgeLayer } from '../../areas/index.ts';

/** Purges the CDN's zone, or a layer, and waits for it. */
export function purgeSite(
  session: Session,
  wanted: string,
  layer: PurgeLayer | undefined,
  confirm: Confirm,
): Promise<SiteResult<never>> {
  return withSite(session, wanted, (site) => {
    const what = layer === undefined ? 'CDN cache' : layer === 'all' ? 'caches of every layer' : `${layer} cache`;
    return runAct<never>(
      site,
      cdnActs.purgeCache(site.id, layer),
      {
        question: `Empty the ${what} of ${site.label}? Until it fills again every request goes to the origin.`,
        done: () => ({ outcome: 'done', message: `The ${what} of ${site.label} is empty.` }),
        look: 'Purging once more does no harm but for the load on the origin: run it again if in doubt.',
      },
      confirm,
    );
  });
}
