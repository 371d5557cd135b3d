// Decides whether a request gets as far as its endpoint: credential, scope, account header, user, per-site guards, CDN,
// Shield, in that order. Must not know what any endpoint does.
import { findSite, mayUse, reachableAccounts } from './access.ts';
import type { Scope } from './credentials.ts';
import { refuse } from './endpoint.ts';
import type { Answer, Call, Endpoint, ScopeDemand, SiteEndpoint } from './endpoint.ts';
import { rule } from '../../rules/rules.ts';
import { shieldGate } from '../../shield/gate.ts';
import type { Site } from '../state.ts';
import type { World } from '../world.ts';

const sessionsBypassScopes = rule('CNV-06', 'session and API-key credentials are not asked for scopes');
const accountHeader = rule('CNV-07', 'account-scoped endpoints refuse a request without X-Auth-Account');
const writeScope = rule('CNV-09', 'a write takes the write scope');
const scopeEnvelope = rule('CNV-10', 'a missing scope answers the OAuth error body');
const scopeFirst = rule('CNV-10/first', 'the scope is checked before every other gate');
const closedToOAuth = rule('CNV-11', 'some endpoints are closed to OAuth whatever the scopes');
const userRequired = rule('CNV-13', 'a system key is refused where a user is needed');
const notAuthorized = rule('CNV-16', 'a missing role says Not Authorized');
const emptyNotFound = rule('CNV-20', 'an unknown site answers 404 with an empty body');
const suspendedLocked = rule('SIT-08', 'a suspended site refuses every request under its path, reads too');
const pendingDeleteLocked = rule(
  'SIT-08/pending-delete',
  'a soft-deleted site refuses every request under its path, reads too',
);
const needsPullZone = rule('CDN-01', 'CDN endpoints need an active pull zone');
const inactiveShowsTwice = rule('CDN-04', 'a pull zone that is off still answers its status, with active false');
const upstreamFailure = rule('CDN-11', 'a failing CDN upstream answers 502');

/** undefined as the answer: the request may go on. */
type Gate = (call: Call, endpoint: Endpoint) => Answer | undefined;

export function passGates(call: Call, endpoint: Endpoint): Answer | Site | undefined {
  const late = call.world.rules.on(scopeFirst) ? undefined : scopeGate;
  const early: Gate = late === undefined ? scopeGate : () => undefined;
  for (const gate of [backEndGate, early, accountGate, userGate]) {
    const answer = gate(call, endpoint);
    if (answer !== undefined) return answer;
  }
  const site = endpoint.site === undefined ? undefined : siteGate(call, endpoint);
  if (site !== undefined && 'status' in site) return site;
  return late?.(call, endpoint) ?? site;
}

/** The task report takes the infrastructure's key and that key opens nothing else. */
const backEndGate: Gate = (call, endpoint) => {
  const isBackEnd = call.credential.kind === 'back-end';
  if (call.credential.kind === 'oauth' || isBackEnd === (endpoint.backEnd ?? false)) return undefined;
  return refuse(call.world, 401, null, 'Unauthorized');
};

const scopeGate: Gate = (call, endpoint) => {
  const { world, credential } = call;
  if (credential.kind !== 'oauth') {
    const exempt =
      credential.kind === 'back-end' || credential.kind === 'system' || world.rules.on(sessionsBypassScopes);
    return exempt ? undefined : insufficientScope(world);
  }
  const demand = demandedScope(world, endpoint);
  if (demand === 'none') return undefined;
  if (demand === 'never') {
    return world.rules.on(closedToOAuth) ? forbidden(world, 'This endpoint is not available via OAuth') : undefined;
  }
  return credential.scopes.includes(demand) ? undefined : insufficientScope(world);
};

function demandedScope(world: World, endpoint: Endpoint): ScopeDemand {
  const demand = typeof endpoint.scope === 'function' ? endpoint.scope(world) : endpoint.scope;
  if (world.rules.on(writeScope) || !demand.endsWith(':write')) return demand;
  return demand.replace(':write', ':read') as Scope;
}

function insufficientScope(world: World): Answer {
  if (!world.rules.on(scopeEnvelope)) return refuse(world, 403, 'insufficient_scope', 'Insufficient scope');
  return {
    status: 403,
    body: { error: 'insufficient_scope', error_description: 'The token lacks the scope that this request needs' },
  };
}

/** GAP-03: whether this 403 has a code is not documented. */
function forbidden(world: World, message: string): Answer {
  return refuse(world, 403, world.readings['GAP-03'] === 'with-code' ? 'not_authorized' : null, message);
}

const accountGate: Gate = (call, endpoint) => {
  const { world } = call;
  const demanded = typeof endpoint.account === 'function' ? endpoint.account(world) : (endpoint.account ?? false);
  if (!demanded) return undefined;
  if (call.accountId === null) {
    return world.rules.on(accountHeader)
      ? refuse(world, 400, 'missing_account', 'X-Auth-Account is missing')
      : undefined;
  }
  // What a foreign account answers is not documented; to refuse is the reading that shows a wrong header soonest.
  const reachable =
    call.credential.kind === 'back-end' || reachableAccounts(world, call.credential).includes(call.accountId);
  return reachable ? undefined : forbidden(world, 'Not Authorized');
};

const userGate: Gate = (call, endpoint) => {
  if (call.credential.userId !== null || !(endpoint.user?.(call) ?? false) || !call.world.rules.on(userRequired))
    return undefined;
  return refuse(call.world, 401, 'user_required', 'This request needs a user');
};

/** GAP-65: the documents list the guards without declaring an order; unknown comes first in any case. */
function siteGate(call: Call, endpoint: SiteEndpoint): Answer | Site {
  const { world } = call;
  const site = findSite(world, call.credential, call.params['site'] ?? '');
  if (site === undefined)
    return world.rules.on(emptyNotFound) ? { status: 404 } : refuse(world, 404, 'not_found', 'Not Found');
  const guards = [
    site.suspended && world.rules.on(suspendedLocked)
      ? refuse(world, 402, 'service_suspended', 'The site is suspended: an invoice is unpaid')
      : undefined,
    site.pendingDelete && world.rules.on(pendingDeleteLocked)
      ? refuse(world, 403, 'pending_delete', 'The site is about to be deleted')
      : undefined,
    mayUse(world, call.credential, site, endpoint.site)
      ? undefined
      : forbidden(world, world.rules.on(notAuthorized) ? 'Not Authorized' : 'Forbidden'),
  ];
  if (world.readings['GAP-65'] === 'reversed') guards.reverse();
  return (
    guards.find((answer) => answer !== undefined) ??
    cdnGate(world, site, endpoint) ??
    shieldGate(world, site, endpoint.shield) ??
    site
  );
}

function cdnGate(world: World, site: Site, endpoint: SiteEndpoint): Answer | undefined {
  if (endpoint.cdn === undefined) return undefined;
  const { zone, upstreamDown } = site.cdn;
  const missing =
    zone === 'none' || (zone === 'inactive' && (endpoint.cdn === 'active' || !world.rules.on(inactiveShowsTwice)));
  if (missing && world.rules.on(needsPullZone))
    return refuse(world, 409, 'cdn_not_active', 'The CDN of this site is not active');
  // Which code rides on an upstream failure is not fixed: none does here.
  return upstreamDown && world.rules.on(upstreamFailure)
    ? refuse(world, 502, null, 'The CDN upstream failed')
    : undefined;
}
