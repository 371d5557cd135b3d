// Whether a request gets as far as Shield: the plan of the site, the zone, the upstream, in that order.
import { refuse } from '../core/http/endpoint.ts';
import type { Answer, SiteEndpoint } from '../core/http/endpoint.ts';
import type { Site, State } from '../core/state.ts';
import type { World } from '../core/world.ts';

export type ShieldDemand = 'plan' | 'zone' | 'active';

export function shieldGuard(world: World, site: Site, { shield: demand }: SiteEndpoint): Answer | undefined {
  if (demand === undefined) return undefined;
  // SHD-01: a plan without Shield refuses every Shield endpoint.
  if (!planHasShield(world.state, site))
    return refuse(403, 'shield_not_in_plan', 'The plan of this site has no Shield');
  // SHD-02: a Shield that was never provisioned answers 409 shield_not_active.
  if (isMissing(world, site, demand)) return shieldNotActive();
  // SHD-25: a failing Shield upstream answers 502.
  return site.shield.upstreamDown ? refuse(502, null, 'The Shield upstream failed') : undefined;
}

function planHasShield(state: State, site: Site): boolean {
  return state.plans.find(({ shortName }) => shortName === site.package)?.shield ?? true;
}

/** GAP-27: whether a deactivated zone still reads, and what becomes of everything below it, is not documented. */
function isMissing(world: World, site: Site, demand: ShieldDemand): boolean {
  const { zone } = site.shield;
  if (demand === 'plan') return false;
  if (zone === null || zone.active) return zone === null;
  return world.ambiguities[demand === 'zone' ? 'GAP-27' : 'GAP-27.below'] === 'refuse';
}

export function shieldNotActive(): Answer {
  return refuse(409, 'shield_not_active', 'Shield is not active on this site');
}
