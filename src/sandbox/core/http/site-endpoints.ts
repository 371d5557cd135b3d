// The endpoints below /api/sites/:site, and whether a request gets as far as the site: known, per-site guards, CDN, areas.
import type { Site } from '../state.ts';
import { findSite, mayUse } from './access.ts';
import { answerAtOnce, endpointsAt, refuse, scopeOf } from './endpoint.ts';
import type { Call, Endpoint, Method, Routed, Table } from './endpoint.ts';
import { forbid } from './guards.ts';

export type SiteDemand = 'read' | 'can_modify' | 'can_destroy';

/** What an endpoint below a site demands of it. */
export interface SiteDemands {
  /** The role that it takes on the site. */
  readonly site: SiteDemand;
  /** Needs the site's CDN: `zone` any pull zone, `active` one that runs. */
  readonly cdn?: 'zone' | 'active';
}

export interface SiteEndpoint<Subject> extends Endpoint<Subject>, SiteDemands {}

type Given = Partial<Omit<SiteEndpoint<unknown>, keyof Routed | 'admit'>>;

/**
 * Endpoints that are about something of a site. CNV-14: a read takes the role read, a write can_modify, a delete
 * can_destroy.
 */
export function endpointsOnSite<Subject>(
  demands: Given,
  path: string,
  find: (site: Site, call: Call) => Subject,
  table: Table<SiteEndpoint<Subject>>,
): readonly Endpoint[] {
  const role = (method: Method): SiteDemand =>
    method === 'GET' ? 'read' : method === 'DELETE' ? 'can_destroy' : 'can_modify';
  return endpointsAt<SiteEndpoint<Subject>>(
    `/api/sites/:site${path}`,
    (method) => ({
      scope: scopeOf('sites', method),
      site: role(method),
      admit: (call, endpoint) => find(admitToSite(call, endpoint), call),
      ...demands,
    }),
    table,
  );
}

/** Endpoints that are about the site itself. */
export function siteEndpoints(demands: Given, path: string, table: Table<SiteEndpoint<Site>>): readonly Endpoint[] {
  return endpointsOnSite(demands, path, (site) => site, table);
}

/** GAP-65: the documents list the guards without declaring an order; unknown comes first in any case. */
function admitToSite(call: Call, demands: SiteDemands): Site {
  // CNV-20: an unknown site answers 404 with an empty body.
  const site = findSite(call, call.params['site'] ?? '') ?? answerAtOnce({ status: 404 });
  const guards = [
    () => {
      // SIT-08: a suspended site refuses every request under its path, reads too.
      if (site.suspended) refuse(402, 'service_suspended', 'The site is suspended: an invoice is unpaid');
    },
    () => {
      // SIT-08/pending-delete: a soft-deleted site refuses every request under its path, reads too.
      if (site.pendingDelete) refuse(403, 'pending_delete', 'The site is about to be deleted');
    },
    () => {
      // CNV-16: a missing role says Not Authorized.
      if (!mayUse(call, site, demands.site)) forbid(call, 'Not Authorized');
    },
  ];
  for (const guard of call.ambiguities['GAP-65'] === 'reversed' ? guards.reverse() : guards) guard();
  refuseCdn(site, demands);
  for (const area of call.state.areas) area.siteGuard?.(call, site, demands);
  return site;
}

function refuseCdn(site: Site, { cdn }: SiteDemands): void {
  if (cdn === undefined) return;
  const { zone, upstreamDown } = site.cdn;
  // CDN-04: a pull zone that is off still answers its status, with active false.
  // CDN-01: CDN endpoints need an active pull zone.
  if (zone === 'none' || (zone === 'inactive' && cdn === 'active'))
    refuse(409, 'cdn_not_active', 'The CDN of this site is not active');
  // Which code rides on an upstream failure is not fixed: none does here.
  // CDN-11: a failing CDN upstream answers 502.
  if (upstreamDown) refuse(502, null, 'The CDN upstream failed');
}
