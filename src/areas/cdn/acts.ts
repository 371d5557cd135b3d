// What commands do to the caches of a site: `site purge`.
import { addressOf } from '../../model/address.ts';
import type { Act } from '../../model/plan/act.ts';
import { path, ref } from '../../model/plan/step.ts';
import { change } from '../common/steps.ts';
import { purgeStep } from './kinds/purge.ts';

export type PurgeLayer = 'redis' | 'nginx' | 'cdn' | 'all';

const PURGED_WITHIN_MS = 600_000;

/** Empties the whole zone of the CDN, or one cache layer, which is another call and a task (CDN-10, CCH-04). */
export function purgeCache(site: string, layer: PurgeLayer | undefined): Act {
  const address = addressOf(addressOf(null, 'Site', site), 'PurgeCache', layer ?? null);
  if (layer === undefined) return { address, verb: 'update', reason: 'a person asks for it', steps: [purgeStep(site)] };
  const purged = {
    how: 'task',
    task: ref(address, 'task'),
    deadlineMs: PURGED_WITHIN_MS,
    reason: 'the cache is empty',
  } as const;
  return {
    address,
    verb: 'update',
    reason: 'a person asks for it',
    steps: [
      change({
        name: 'purge',
        method: 'DELETE',
        path: path`/api/sites/${site}/cache/${layer}/purge`,
        answers: [
          { status: '2xx', has: '/task_id', then: 'wait-for', capture: { task: '/task_id' }, waitFor: purged },
          {
            status: '2xx',
            then: 'pending-external',
            reason: 'the purge was accepted, and its answer names no task that could be followed',
          },
        ],
        reason: `purge the layer ${layer}`,
      }),
    ],
  };
}
