// The use case `site restart`: the CMS container of a site, not its database or caches (SIT-06).
import { siteActs } from '../../areas/index.ts';
import type { Confirm } from '../act/run-act.ts';
import { runAct } from '../act/run-act.ts';
import type { Session } from '../session.ts';
import type { SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';
import { newestTask } from './tasks.ts';

/** Restarts a site and waits for the work that shows. */
export function restartSite(
  session: Session,
  wanted: string,
  confirm: Confirm,
  { again = false }: { readonly again?: boolean } = {},
): Promise<SiteResult<never>> {
  return withSite(session, wanted, async (site) =>
    runAct<never>(
      site,
      siteActs.restartSite(site.id, await newestTask(site)),
      {
        question: `Restart the CMS of ${site.label}? Visitors notice; database and caches stay up.`,
        done: ({ outputs: { tasks = 'accepted, and the platform shows no task for it' } }) => ({
          outcome: 'done',
          message: `${site.label} restarts: ${tasks}.`,
        }),
        look: `Look at the tasks of the site: \`hostwright site tasks ${wanted}\`. A restart that is there was carried out.`,
        again: { option: '--again', given: again },
      },
      confirm,
    ),
  );
}
