// The use case `site purge`: empties the whole zone of the CDN, which is done when it answers (CDN-10), or one cache
// layer, which is a task (CCH-04).
import { isJsonObject } from '../../model/json.ts';
import type { Session } from '../session.ts';
import type { Confirm } from '../act/send.ts';
import { notConfirmed, blocker, sendOnce, unknownEnd } from '../act/send.ts';
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
    if (!(await confirm(`Empty the ${what} of ${site.label}? Until it fills again every request goes to the origin.`)))
      return notConfirmed();
    const sent = await sendOnce(
      site,
      layer === undefined
        ? { method: 'POST', path: `${site.path}/cdn/caching/purge` }
        : { method: 'DELETE', path: `${site.path}/cache/${layer}/purge` },
    );
    if (sent.is === 'refused') return sent.ending;
    if (sent.is === 'lost')
      return unknownEnd(
        sent.reason,
        'Purging once more does no harm but for the load on the origin: run it again if in doubt.',
      );
    const { body } = sent.answer;
    const task = isJsonObject(body) ? body.task_id : undefined;
    if (typeof task !== 'number' && typeof task !== 'string')
      return { outcome: 'done', message: `The ${what} of ${site.label} is empty.` };
    const { end, tasks } = await followTask(site, task, PURGED_WITHIN_MS);
    if (end === 'ok') return { outcome: 'done', message: `The ${what} of ${site.label} is empty.` };
    if (end === 'failed')
      return {
        outcome: 'error',
        diagnostics: [blocker(`The purge was accepted and did not succeed: ${tellTasks(tasks)}.`)],
      };
    return { outcome: 'waiting', message: `The purge was accepted and goes on: ${tellTasks(tasks)}.` };
  });
}
