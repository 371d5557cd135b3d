// How the cache layers of a site are shown, switched and purged, each change by a task.
import { answerAtOnce, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/site-endpoints.ts';
import { LAYERS, planLayers } from '../../core/state.ts';
import type { Layer, Site } from '../../core/state.ts';
import { startTask } from '../../core/tasks.ts';
import type { World } from '../../core/world.ts';

const ALLOWED: readonly string[] = [...LAYERS, 'all'];

function showLayers({ state, ambiguities }: Call, site: Site): Answer {
  const inPlan = planLayers(state, site);
  // CCH-01: the layers read as three flags, the CDN's under `cdn`.
  const shown = LAYERS.flatMap((layer): [string, unknown][] => {
    // GAP-22: what a layer outside the plan reads as is not documented.
    if (inPlan.includes(layer) || ambiguities['GAP-22'] === 'as-left') return [[layer, site.layers[layer].on]];
    if (ambiguities['GAP-22'] === 'absent') return [];
    return [[layer, ambiguities['GAP-22'] === 'null' ? null : false]];
  });
  return ok(Object.fromEntries(shown));
}

type Work = 'enable' | 'disable' | 'purge';

function change(work: Work): (call: Call, site: Site) => Answer {
  return (call, site) => {
    const type = call.params['type'] ?? '';
    const layers = layersOf(call, site, type);
    if (
      work !== 'purge' &&
      call.ambiguities['GAP-22.repeat'] === 'refuse' &&
      layers.every((layer) => site.layers[layer].on === (work === 'enable'))
    ) {
      refuse(422, null, `The ${type} cache is ${work}d already`);
    }
    const batches =
      type === 'all' && call.ambiguities['GAP-22.all'] === 'task-per-layer' ? layers.map((layer) => [layer]) : [layers];
    const tasks = batches.map((batch) =>
      startTask(call, site, `site.cache.${type}_${work}`, {
        ok: () => carryOut(call, site, batch, work),
      }),
    );
    const answer = { status: 'PENDING', cache_type: type };
    // TSK-09: a change of a cache layer answers the id of its task.
    return ok({ task_id: tasks[0]?.id ?? null, ...answer }, 202);
  };
}

function layersOf(world: World, site: Site, type: string): readonly Layer[] {
  const inPlan = planLayers(world.state, site);
  // CCH-05: `all` means every layer of the plan.
  if (type === 'all') return inPlan;
  // CCH-06: an unknown layer is a 422 with `error` and the list `allowed`.
  const layer = LAYERS.find((one) => one === type) ?? refuseLayer(world, 'unknown_cache_type', { allowed: ALLOWED });
  // CCH-06/unavailable: a layer outside the plan is a 422 with `error` and `cache_type`.
  return inPlan.includes(layer) ? [layer] : refuseLayer(world, 'cache_type_unavailable', { cache_type: layer });
}

/** GAP-22: a `code` is not documented here. */
function refuseLayer({ ambiguities }: World, error: string, extra: Record<string, unknown>): never {
  const code = ambiguities['GAP-22.code'] === 'with-code' ? { code: error } : {};
  return answerAtOnce({ status: 422, body: { error, ...extra, ...code } });
}

function carryOut(world: World, site: Site, layers: readonly Layer[], work: Work): void {
  // The plan may have changed in the meantime.
  for (const layer of layers.filter((one) => planLayers(world.state, site).includes(one))) {
    const stored = site.layers[layer];
    // CCH-04: the purge empties a layer and leaves it on.
    if (work === 'purge') stored.purges += 1;
    // CCH-02: PATCH answers 202 PENDING, and the layer is on once the task is OK.
    if (work === 'enable') stored.on = true;
    // CCH-03: DELETE answers 202, and the layer is off once the task is OK.
    if (work === 'disable') stored.on = false;
  }
}

/** CCH-07: all of it needs the CDN, redis and nginx too. */
export const cacheEndpoints = siteEndpoints({ cdn: 'active' }, '/cache', {
  GET: showLayers,
  'PATCH /:type': change('enable'),
  'DELETE /:type': change('disable'),
  // CNV-15: purging a cache layer is a DELETE that takes can_modify only.
  'DELETE /:type/purge': { site: 'can_modify', handle: change('purge') },
});
