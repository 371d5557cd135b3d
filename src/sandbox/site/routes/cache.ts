// Decides how the cache layers of a site are shown, switched and purged, each change by a task.
// Must not touch the caching settings of the CDN: those are cdn.ts.
import { mayUse } from '../../core/http/access.ts';
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { rule } from '../../rules/rules.ts';
import { LAYERS } from '../state.ts';
import type { Layer } from '../state.ts';
import { planLayers } from '../../core/state.ts';
import type { Site } from '../../core/state.ts';
import { startTask } from '../../core/tasks.ts';
import type { World } from '../../core/world.ts';

const purgeTakesModify = rule('CNV-15', 'purging a cache layer is a DELETE that takes can_modify only');
const answersTask = rule('TSK-09', 'a change of a cache layer answers the id of its task');
const threeFlags = rule('CCH-01', "the layers read as three flags, the CDN's under `cdn`");
const enables = rule('CCH-02', 'PATCH answers 202 PENDING, and the layer is on once the task is OK');
const disables = rule('CCH-03', 'DELETE answers 202, and the layer is off once the task is OK');
const purgeKeepsLayer = rule('CCH-04', 'the purge empties a layer and leaves it on');
const allFansOut = rule('CCH-05', '`all` means every layer of the plan');
const unknownType = rule('CCH-06', 'an unknown layer is a 422 with `error` and the list `allowed`');
const unavailable = rule('CCH-06/unavailable', 'a layer outside the plan is a 422 with `error` and `cache_type`');

const ALLOWED: readonly string[] = [...LAYERS, 'all'];

function showLayers({ world }: Call, site: Site): Answer {
  const inPlan = planLayers(world.state, site);
  const shown = LAYERS.flatMap((layer): [string, unknown][] => {
    const key = layer === 'cdn' && !world.rules.on(threeFlags) ? 'bunny' : layer;
    // GAP-22: what a layer outside the plan reads as is not documented.
    if (inPlan.includes(layer) || world.readings['GAP-22'] === 'as-left') return [[key, site.layers[layer].on]];
    if (world.readings['GAP-22'] === 'absent') return [];
    return [[key, world.readings['GAP-22'] === 'null' ? null : false]];
  });
  return ok(Object.fromEntries(shown));
}

type Work = 'enable' | 'disable' | 'purge';

function change(work: Work): (call: Call, site: Site) => Answer {
  return (call, site) => {
    const { world } = call;
    const type = call.params['type'] ?? '';
    const layers = layersOf(world, site, type);
    if ('status' in layers) return layers;
    if (
      work !== 'purge' &&
      world.readings['GAP-22.repeat'] === 'refuse' &&
      layers.every((layer) => site.layers[layer].on === (work === 'enable'))
    ) {
      return refuse(world, 422, null, `The ${type} cache is ${work}d already`);
    }
    const batches =
      type === 'all' && world.readings['GAP-22.all'] === 'task-per-layer' ? layers.map((layer) => [layer]) : [layers];
    const tasks = batches.map((batch) =>
      startTask(world, call.credential, site, `site.cache.${type}_${work}`, {
        ok: () => carryOut(world, site, batch, work),
      }),
    );
    const answer = { status: 'PENDING', cache_type: type };
    return ok(world.rules.on(answersTask) ? { task_id: tasks[0]?.id ?? null, ...answer } : answer, 202);
  };
}

function layersOf(world: World, site: Site, type: string): Answer | readonly Layer[] {
  const inPlan = planLayers(world.state, site);
  if (type === 'all') return world.rules.on(allFansOut) ? inPlan : inPlan.slice(0, 1);
  const layer = LAYERS.find((one) => one === type);
  if (layer === undefined) {
    return world.rules.on(unknownType)
      ? cacheError(world, 'unknown_cache_type', { allowed: ALLOWED })
      : refuse(world, 422, 'unknown_cache_type', 'Unknown cache type');
  }
  if (inPlan.includes(layer) || !world.rules.on(unavailable)) return [layer];
  return cacheError(world, 'cache_type_unavailable', { cache_type: layer });
}

/** GAP-22: a `code` is not documented here. */
function cacheError(world: World, error: string, extra: Record<string, unknown>): Answer {
  return {
    status: 422,
    body: { error, ...extra, ...(world.readings['GAP-22.code'] === 'with-code' ? { code: error } : {}) },
  };
}

function carryOut(world: World, site: Site, layers: readonly Layer[], work: Work): void {
  // The plan may have changed in the meantime.
  for (const layer of layers.filter((one) => planLayers(world.state, site).includes(one))) {
    const stored = site.layers[layer];
    if (work === 'purge') stored.purges += 1;
    if (work === 'enable' && world.rules.on(enables)) stored.on = true;
    if (work === 'disable' && world.rules.on(disables)) stored.on = false;
    if (work === 'purge' && !world.rules.on(purgeKeepsLayer)) stored.on = false;
  }
}

function purge(call: Call, site: Site): Answer {
  const { world, credential } = call;
  if (!world.rules.on(purgeTakesModify) && !mayUse(world, credential, site, 'can_destroy'))
    return refuse(world, 403, null, 'Not Authorized');
  return change('purge')(call, site);
}

const PATH = '/api/sites/:site/cache';

/** CCH-07: all of it needs the CDN, redis and nginx too. */
export const cacheEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: PATH, scope: 'sites:read', site: 'read', cdn: 'active', handle: showLayers },
  {
    method: 'PATCH',
    path: `${PATH}/:type`,
    scope: 'sites:write',
    site: 'can_modify',
    cdn: 'active',
    handle: change('enable'),
  },
  {
    method: 'DELETE',
    path: `${PATH}/:type`,
    scope: 'sites:write',
    site: 'can_destroy',
    cdn: 'active',
    handle: change('disable'),
  },
  {
    method: 'DELETE',
    path: `${PATH}/:type/purge`,
    scope: 'sites:write',
    site: 'can_modify',
    cdn: 'active',
    handle: purge,
  },
];
