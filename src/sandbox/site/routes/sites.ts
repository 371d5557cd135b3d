// Decides what the site endpoints do: list, view, rename, restart, delete.
// Must not know what a resize is: resize.ts does.
import { reachableAccounts, reachableSites } from '../../core/http/access.ts';
import { announceSite } from '../../billing/events.ts';
import { done, isRecord, ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { siteListItem, siteView } from '../../core/present.ts';
import { rule } from '../../rules/rules.ts';
import type { Site } from '../../core/state.ts';
import { startTask } from '../../core/tasks.ts';
import { inListOrder } from '../../core/world.ts';
import { pageIfRead } from '../../core/http/paging.ts';
import { refuseResize, resize } from './resize.ts';

const headerNarrows = rule('SIT-01', 'the account header narrows the site list to that account');
const listWidens = rule('CNV-08', 'without the account header the site list shows all that the user reaches');
const viewAtRestart = rule('SIT-04', 'GET on the restart path answers the view and restarts nothing');
const renames = rule('SIT-05', 'a PATCH of `site.name` renames the site');
const restartsCmsOnly = rule('SIT-06', 'POST on a site restarts its CMS container only');
const deleteIsSoft = rule('SIT-07', 'DELETE soft-deletes a site and locks it');
const primaryByPromotion = rule('SIT-13', 'the primary domain changes by promotion only, not by a PATCH of the site');

function listSites(call: Call): Answer {
  const { world, credential } = call;
  const narrowTo = accountFilter(call);
  const rows = reachableSites(world, credential)
    .filter((site) => narrowTo === null || site.accountId === narrowTo)
    .filter((site) => !site.pendingDelete || world.readings['GAP-08'] === 'listed');
  return ok({ sites: pageIfRead(call, inListOrder(world, rows)).map((site) => siteListItem(world, site)) });
}

function accountFilter({ world, credential, accountId }: Call): string | null {
  if (accountId !== null) return world.rules.on(headerNarrows) ? accountId : null;
  return world.rules.on(listWidens) ? null : (reachableAccounts(world, credential)[0] ?? null);
}

function view(call: Call, site: Site): Answer {
  return ok({ site: siteView(call.world, site) });
}

function updateSite(call: Call, site: Site): Answer {
  const { world } = call;
  const changes = isRecord(call.body) ? call.body['site'] : undefined;
  if (!isRecord(changes)) return refuse(world, 422, null, 'site is missing');
  const documented = world.rules.on(primaryByPromotion) ? ['name', 'plan'] : ['name', 'plan', 'primary_domain'];
  const refusal = unknownKeys(world, changes, documented);
  if (refusal !== undefined) return refusal;
  if ('primary_domain' in changes) {
    site.primaryDomainId = site.domains.find((domain) => domain.hostname === changes['primary_domain'])?.id ?? null;
  }
  const name = changes['name'] ?? site.name;
  if (typeof name !== 'string' || name.trim() === '') return refuse(world, 422, null, 'name must be a text');
  const { plan } = changes;
  const unsized = plan === undefined ? undefined : refuseResize(call, site, plan);
  if (unsized !== undefined) return unsized;
  if (world.rules.on(renames)) site.name = name;
  site.updatedAt = world.clock.now();
  return typeof plan === 'string' ? resize(call, site, plan) : done(world, { site: siteView(world, site) });
}

function restart(call: Call, site: Site): Answer {
  const { world } = call;
  site.restarts.cms += 1;
  if (!world.rules.on(restartsCmsOnly)) site.restarts.database += 1;
  startTask(world, call.credential, site, 'site.restart');
  return done(world, {});
}

function removeSite(call: Call, site: Site): Answer {
  const { world } = call;
  if (world.rules.on(deleteIsSoft)) site.pendingDelete = true;
  else world.state.sites.delete(site.id);
  site.updatedAt = world.clock.now();
  announceSite(world, site, 'deleted');
  return done(world, {});
}

const wantsPlan = ({ body }: Call): boolean =>
  isRecord(body) && isRecord(body['site']) && body['site']['plan'] !== undefined;

/** GAP-04: the view is documented at the restart path only, which looks like a slip; a switch says where it answers. */
export const siteEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/sites', scope: 'sites:read', handle: listSites },
  {
    method: 'GET',
    path: '/api/sites/:site',
    scope: 'sites:read',
    site: 'read',
    handle: (call, site) => (call.world.readings['GAP-04'] === 'documented' ? { status: 404 } : view(call, site)),
  },
  {
    method: 'GET',
    path: '/api/sites/:site/restart',
    scope: 'sites:read',
    site: 'read',
    handle: (call, site) =>
      call.world.readings['GAP-04'] === 'plain' || !call.world.rules.on(viewAtRestart)
        ? { status: 404 }
        : view(call, site),
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
