// The use case `site purge`: empties the whole zone of the CDN, which is done when it answers (CDN-10), or one cache
// layer, which is a task (CCH-04).
import { isJsonObject } from '../../model/json.ts';
import type { Session } from '../session.ts';
import { carryOut } from '../act/act.ts';
import type { Confirm } from '../act/send.ts';
import { blocker } from '../act/problem.ts';
import type { SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';
import { followTask, tellTasks } from './tasks.ts';

export const LAYERS = ['redis', 'nginx', 'cdn', 'all'] as const;
export type PurgeLayer = (typeof LAYERS)[number];

const PURGED_WITHIN_MS = 600_000;

/** Purges the CDN's zone, or a layer, and waits for it. */
export function purgeSite(
  session: Session,
  wanted: string,
  layer: PurgeLayer | undefined,
  confirm: Confirm,
): Promise<SiteResult<never>> {
  return withSite(session, wanted, async (site) => {
    const what = layer === undefined ? 'CDN cache' : layer === 'all' ? 'caches of every layer' : `${layer} cache`;
    const done = { outcome: 'done', message: `The ${what} of ${site.label} is empty.` } as const;
    return carryOut<never>(
      site,
      {
        question: `Empty the ${what} of ${site.label}? Until it fills again every request goes to the origin.`,
        request:
          layer === undefined
            ? { method: 'POST', path: `${site.path}/cdn/caching/purge` }
            : { method: 'DELETE', path: `${site.path}/cache/${layer}/purge` },
        follow: async (answer) => {
          if (answer === undefined) return undefined;
          const task = isJsonObject(answer.body) ? answer.body.task_id : undefined;
          if (typeof task !== 'number' && typeof task !== 'string') return done;
          const { end, tasks } = await followTask(site, task, PURGED_WITHIN_MS);
          if (end === 'ok') return done;
          if (end === 'failed')
            return {
              outcome: 'error',
              diagnostics: [blocker(`The purge was accepted and did not succeed: ${tellTasks(tasks)}.`)],
            };
          return { outcome: 'waiting', message: `The purge was accepted and goes on: ${tellTasks(tasks)}.` };
        },
        look: 'Purging once more does no harm but for the load on the origin: run it again if in doubt.',
      },
      confirm,
    );
  });
}
