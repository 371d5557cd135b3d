// The purge of a site: the whole CDN zone, or one cache layer.
import { addressOf } from '../../model/address.ts';
import type { OperationOptions } from '../../model/plan/operation.ts';
import type { Act } from '../../model/plan/act.ts';
import { path, ref } from '../../model/plan/step.ts';
import { ASKED, onSite } from '../common/operation.ts';
import { change } from '../common/steps.ts';
import { purgeStep } from './kinds/purge.ts';

const PURGED_WITHIN_MS = 600_000;

const purge = onSite(
  {
    name: 'purge',
    does: 'Empty the CDN cache, or one cache layer. The platform cannot purge a single URL.',
    takes: ['layer'],
  },
  ({ id, label }, { layer }) => {
    const what = layer === undefined ? 'CDN cache' : layer === 'all' ? 'caches of every layer' : `${layer} cache`;
    return {
      act: purgeCache(id, layer),
      question: `Empty the ${what} of ${label}? Until it fills again every request goes to the origin.`,
      done: () => `The ${what} of ${label} is empty.`,
      look: 'Purging once more does no harm but for the load on the origin: run it again if in doubt.',
    };
  },
);

/** The purge of a layer is another call than that of the zone, and a task (CDN-10, CCH-04). */
function purgeCache(site: string, layer: OperationOptions['layer']): Act {
  const address = addressOf(addressOf(null, 'Site', site), 'PurgeCache', layer ?? null);
  const step =
    layer === undefined
      ? purgeStep(site)
      : change({
          name: 'purge',
          method: 'DELETE',
          path: path`/api/sites/${site}/cache/${layer}/purge`,
          answers: [
            {
              status: '2xx',
              has: '/task_id',
              then: 'wait-for',
              capture: { task: '/task_id' },
              waitFor: {
                how: 'task',
                task: ref(address, 'task'),
                deadlineMs: PURGED_WITHIN_MS,
                reason: 'the cache is empty',
              },
            },
            {
              status: '2xx',
              then: 'pending-external',
              reason: 'the purge was accepted, and its answer names no task that could be followed',
            },
          ],
          reason: `purge the layer ${layer}`,
        });
  return { address, verb: 'update', reason: ASKED, steps: [step] };
}

export const cdnOperations = [purge];
