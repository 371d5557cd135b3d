// What the site endpoints do: list, view, rename, restart, delete.
import { reachableSites } from '../../core/http/access.ts';
import { announceSite } from '../../billing/events.ts';
import { done, isRecord, ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { siteListItem, siteView } from '../../core/present.ts';
import type { Site } from '../../core/state.ts';
import { startTask } from '../../core/tasks.ts';
import { inListOrder } from '../../core/world.ts';
import { pageIfRead } from '../../core/http/paging.ts';
import { refuseResize, resize } from './resize.ts';

function listSites(call: Call): Answer {
  const { world, credential, accountId } = call;
  const rows = reachableSites(world, credential)
    // SIT-01: the account header narrows the site list to that account. CNV-08: without it the list shows all that the
    // user reaches.
    .filter((site) => accountId === null || site.accountId === accountId)
    .filter((site) => !site.pendingDelete || world.ambiguities['GAP-08'] === 'listed');
  return ok({ sites: pageIfRead(call, inListOrder(world, rows)).map((site) => siteListItem(world, site)) });
}

function view(call: Call, site: Site): Answer {
  return ok({ site: siteView(call.world, site) });
}

function updateSite(call: Call, site: Site): Answer {
  const { world } = call;
  const changes = isRecord(call.body) ? call.body['site'] : undefined;
  if (!isRecord(changes)) return refuse(422, null, 'site is missing');
  // SIT-13: the primary domain changes by promotion only, not by a PATCH of the site.
  const refusal = unknownKeys(changes, ['name', 'plan']);
  if (refusal !== undefined) return refusal;
  const name = changes['name'] ?? site.name;
  if (typeof name !== 'string' || name.trim() === '') return refuse(422, null, 'name must be a text');
  const { plan } = changes;
  const unsized = plan === undefined ? undefined : refuseResize(call, site, plan);
  if (unsized !== undefined) return unsized;
  // SIT-05: a PATCH of `site.name` renames the site.
  site.name = name;
  site.updatedAt = world.clock.now();
  return typeof plan === 'string' ? resize(call, site, plan) : done(world, { site: siteView(world, site) });
}

function restart(call: Call, site: Site): Answer {
  const { world } = call;
  site.restarts.cms += 1;
  // SIT-06: POST on a site restarts its CMS container only.
  startTask(world, call.credential, site, 'site.restart');
  return done(world, {});
}

function removeSite(call: Call, site: Site): Answer {
  const { world } = call;
  // SIT-07: DELETE soft-deletes a site and locks it.
  site.pendingDelete = true;
  site.updatedAt = world.clock.now();
  announceSite(world, site, 'deleted');
  return done(world, {});
}

const wantsPlan = ({ body }: Call): boolean =>
  isRecord(body) && isRecord(body['site']) && body['site']['plan'] !== undefined;

/** GAP-04: the view is documented at the restart path only, which looks like a slip. */
export const siteEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/sites', scope: 'sites:read', handle: listSites },
  {
    method: 'GET',
    path: '/api/sites/:site',
    scope: 'sites:read',
    site: 'read',
    handle: (call, site) => (call.world.ambiguities['GAP-04'] === 'documented' ? { status: 404 } : view(call, site)),
  },
  {
    method: 'GET',
    path: '/api/sites/:site/restart',
    scope: 'sites:read',
    site: 'read',
    // SIT-04: GET on the restart path answers the view and restarts nothing.
    handle: (call, site) => (call.world.ambiguities['GAP-04'] === 'plain' ? { status: 404 } : view(call, site)),
  },
  {
    method: 'PATCH',
    path: '/api/sites/:site',
    scope: 'sites:write',
    site: 'can_modify',
    user: wantsPlan,
    handle: updateSite,
  },
  { method: 'POST', path: '/api/sites/:site', scope: 'sites:write', site: 'can_modify', handle: restart },
  { method: 'DELETE', path: '/api/sites/:site', scope: 'sites:write', site: 'can_destroy', handle: removeSite },
];
