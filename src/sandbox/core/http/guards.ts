// Whether a request gets as far as its endpoint: credential, scope, account header, user, per-site guards, CDN, areas,
// in that order.
import { findSite, mayUse, reachableAccounts } from './access.ts';
import { refuse } from './endpoint.ts';
import type { Answer, Call, Endpoint, SiteEndpoint } from './endpoint.ts';
import type { Site } from '../state.ts';
import type { World } from '../world.ts';

/** undefined as the answer: the request may go on. */
type Guard = (call: Call, endpoint: Endpoint) => Answer | undefined;

export function passGuards(call: Call, endpoint: Endpoint): Answer | Site | undefined {
  // CNV-10/first: the scope is checked before every other guard.
  for (const guard of [backEndGuard, scopeGuard, accountGuard, userGuard]) {
    const answer = guard(call, endpoint);
    if (answer !== undefined) return answer;
  }
  return endpoint.site === undefined ? undefined : siteGuard(call, endpoint);
}

/** The task report takes the infrastructure's key and that key opens nothing else. */
const backEndGuard: Guard = (call, endpoint) => {
  const isBackEnd = call.credential.kind === 'back-end';
  if (call.credential.kind === 'oauth' || isBackEnd === (endpoint.backEnd ?? false)) return undefined;
  return refuse(401, null, 'Unauthorized');
};

const scopeGuard: Guard = (call, endpoint) => {
  const { credential } = call;
  // CNV-06: session and API-key credentials are not asked for scopes.
  if (credential.kind !== 'oauth') return undefined;
  // CNV-09: a write takes the write scope.
  const demand = typeof endpoint.scope === 'function' ? endpoint.scope(call) : endpoint.scope;
  if (demand === 'none') return undefined;
  if (demand === 'never') {
    // CNV-11: some endpoints are closed to OAuth whatever the scopes.
    return forbidden(call, 'This endpoint is not available via OAuth');
  }
  if (credential.scopes.includes(demand)) return undefined;
  // CNV-10: a missing scope answers the OAuth error body.
  return {
    status: 403,
    body: { error: 'insufficient_scope', error_description: 'The token lacks the scope that this request needs' },
  };
};

/** GAP-03: whether this 403 has a code is not documented. */
function forbidden(world: World, message: string): Answer {
  return refuse(403, world.ambiguities['GAP-03'] === 'with-code' ? 'not_authorized' : null, message);
}

const accountGuard: Guard = (call, endpoint) => {
  const demanded = typeof endpoint.account === 'function' ? endpoint.account(call) : (endpoint.account ?? false);
  if (!demanded) return undefined;
  if (call.accountId === null) {
    // CNV-07: account-scoped endpoints refuse a request without X-Auth-Account.
    return refuse(400, 'missing_account', 'X-Auth-Account is missing');
  }
  // What a foreign account answers is not documented; to refuse is the reading that shows a wrong header soonest.
  const reachable =
    call.credential.kind === 'back-end' || reachableAccounts(call, call.credential).includes(call.accountId);
  return reachable ? undefined : forbidden(call, 'Not Authorized');
};

const userGuard: Guard = (call, endpoint) => {
  // CNV-13: a system key is refused where a user is needed.
  if (call.credential.userId !== null || !(endpoint.user?.(call) ?? false)) return undefined;
  return refuse(401, 'user_required', 'This request needs a user');
};

/** GAP-65: the documents list the guards without declaring an order; unknown comes first in any case. */
function siteGuard(call: Call, endpoint: SiteEndpoint): Answer | Site {
  const site = findSite(call, call.credential, call.params['site'] ?? '');
  // CNV-20: an unknown site answers 404 with an empty body.
  if (site === undefined) return { status: 404 };
  const guards = [
    // SIT-08: a suspended site refuses every request under its path, reads too.
    site.suspended ? refuse(402, 'service_suspended', 'The site is suspended: an invoice is unpaid') : undefined,
    // SIT-08/pending-delete: a soft-deleted site refuses every request under its path, reads too.
    site.pendingDelete ? refuse(403, 'pending_delete', 'The site is about to be deleted') : undefined,
    // CNV-16: a missing role says Not Authorized.
    mayUse(call, call.credential, site, endpoint.site) ? undefined : forbidden(call, 'Not Authorized'),
  ];
  if (call.ambiguities['GAP-65'] === 'reversed') guards.reverse();
  return (
    guards.find((answer) => answer !== undefined) ?? cdnGuard(site, endpoint) ?? areaGuard(call, site, endpoint) ?? site
  );
}

function areaGuard(world: World, site: Site, endpoint: SiteEndpoint): Answer | undefined {
  for (const area of world.state.areas) {
    const answer = area.siteGuard?.(world, site, endpoint);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function cdnGuard(site: Site, endpoint: SiteEndpoint): Answer | undefined {
  if (endpoint.cdn === undefined) return undefined;
  const { zone, upstreamDown } = site.cdn;
  // CDN-04: a pull zone that is off still answers its status, with active false.
  const missing = zone === 'none' || (zone === 'inactive' && endpoint.cdn === 'active');
  // CDN-01: CDN endpoints need an active pull zone.
  if (missing) return refuse(409, 'cdn_not_active', 'The CDN of this site is not active');
  // Which code rides on an upstream failure is not fixed: none does here.
  // CDN-11: a failing CDN upstream answers 502.
  return upstreamDown ? refuse(502, null, 'The CDN upstream failed') : undefined;
}
