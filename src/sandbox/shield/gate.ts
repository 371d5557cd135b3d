// Decides whether a request gets as far as Shield: the plan of the site, the zone, the upstream, in that order.
// Must not know the Shield plans and what they allow (tiers.ts).
import { refuse } from '../core/http/endpoint.ts';
import type { Answer, ShieldDemand } from '../core/http/endpoint.ts';
import { rule } from '../rules/rules.ts';
import { planHasShield } from '../core/state.ts';
import type { Site } from '../core/state.ts';
import type { World } from '../core/world.ts';

const notInPlan = rule('SHD-01', 'a plan without Shield refuses every Shield endpoint');
const notProvisioned = rule('SHD-02', 'a Shield that was never provisioned answers 409 shield_not_active');
const upstreamFailure = rule('SHD-25', 'a failing Shield upstream answers 502');

export function shieldGate(world: World, site: Site, demand: ShieldDemand | undefined): Answer | undefined {
  if (demand === undefined) return undefined;
  if (!planHasShield(world.state, site) && world.rules.on(notInPlan))
    return refuse(world, 403, 'shield_not_in_plan', 'The plan of this site has no Shield');
  if (isMissing(world, site, demand))
    return world.rules.on(notProvisioned) ? shieldNotActive(world) : refuse(world, 404, null, 'Not Found');
  return site.shield.upstreamDown && world.rules.on(upstreamFailure)
    ? refuse(world, 502, null, 'The Shield upstream failed')
    : undefined;
}

/** GAP-27: whether a deactivated zone still reads, and what becomes of everything below it, is not documented. */
function isMissing(world: World, site: Site, demand: ShieldDemand): boolean {
  const { zone } = site.shield;
  if (demand === 'plan') return false;
  if (zone === null || zone.active) return zone === null;
  return world.readings[demand === 'zone' ? 'GAP-27' : 'GAP-27.below'] === 'refuse';
}

export function shieldNotActive(world: World): Answer {
  return refuse(world, 409, 'shield_not_active', 'Shield is not active on this site');
}
