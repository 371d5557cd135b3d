// The use case `site restart`: the CMS container of a site, not its database or caches (SIT-06). Sent once; the
// platform names no task for it (TSK-09), so the tasks that show up afterwards are followed and told.
import type { Session } from '../session.ts';
import { carryOut } from '../act/act.ts';
import type { Confirm } from '../act/send.ts';
import { blocker } from '../act/problem.ts';
import { unknownEnd } from '../act/send.ts';
import type { SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';
import { followNewTasks, taskIds, tellTasks } from './tasks.ts';

const RESTARTED_WITHIN_MS = 900_000;

/** Restarts a site and waits for the work that shows. */
export function restartSite(session: Session, wanted: string, confirm: Confirm): Promise<SiteResult<never>> {
  return withSite(session, wanted, async (site) => {
    const before = await taskIds(site);
    return carryOut<never>(
      site,
      {
        question: `Restart the CMS of ${site.label}? Visitors notice; database and caches stay up.`,
        request: { method: 'POST', path: site.path },
        follow: async (answer) => {
          const { end, tasks } = await followNewTasks(site, before, RESTARTED_WITHIN_MS);
          const reported = tellTasks(tasks);
          // A task that shows up may be somebody else's: it does not prove that a lost request was carried out.
          if (answer === undefined)
            return end === 'none'
              ? undefined
              : unknownEnd(
                  'The answer was lost',
                  `Since then there is: ${reported}. If that is the restart, it is done.`,
                );
          if (end === 'failed')
            return {
              outcome: 'error',
              diagnostics: [blocker(`The restart was accepted; since then there is: ${reported}.`)],
            };
          if (end === 'not-yet')
            return {
              outcome: 'waiting',
              message: `The restart of ${site.label} was accepted and goes on: ${reported}.`,
            };
          return {
            outcome: 'done',
            message: `${site.label} restarts: ${end === 'none' ? 'accepted, and the platform shows no task for it' : reported}.`,
          };
        },
        look: 'No task has shown up since.',
      },
      confirm,
    );
  });
}
