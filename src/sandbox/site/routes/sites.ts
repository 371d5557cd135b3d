// What the site endpoints do: list, view, rename, restart, delete.
import { reachableSites } from '../../core/http/access.ts';
import { announceSite } from '../../billing/events.ts';
import { any } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { done, isRecord, ok } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, Row } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/table.ts';
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
  const changes = call.body['site'] as Row;
  const name = typeof changes['name'] === 'string' ? changes['name'] : site.name;
  const { plan } = changes;
  const unsized = plan === undefined ? undefined : refuseResize(call, site, plan);
  if (unsized !== undefined) return unsized;
  // SIT-05: a PATCH of `site.name` renames the site.
  site.name = name;
  site.updatedAt = world.clock.now();
  return typeof plan === 'string' ? resize(call, site, plan) : done(world, () => ({ site: siteView(world, site) }));
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

const wantsPlan = ({ body: { site } }: Call): boolean => isRecord(site) && site['plan'] !== undefined;

const BODY: Properties = {
  // SIT-13: the primary domain changes by promotion only, not by a PATCH of the site.
  site: {
    type: 'object',
    required: true,
    properties: { name: { type: 'string', pattern: /\S/, nullable: true }, plan: any },
  },
};

/** GAP-04: the view is documented at the restart path only, which looks like a slip. */
export const sitesEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/sites', scope: 'sites:read', handle: listSites },
  ...siteEndpoints({}, '', {
    GET: (call, site) => (call.world.ambiguities['GAP-04'] === 'documented' ? { status: 404 } : view(call, site)),
    // SIT-04: GET on the restart path answers the view and restarts nothing.
    'GET /restart': (call, site) => (call.world.ambiguities['GAP-04'] === 'plain' ? { status: 404 } : view(call, site)),
    PATCH: { user: wantsPlan, body: BODY, handle: updateSite },
    POST: restart,
    DELETE: removeSite,
  }),
];
