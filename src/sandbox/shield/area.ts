// Shield: the firewall in front of a site.
import type { Row } from '../core/http/endpoint.ts';
import { byName } from '../core/snapshot.ts';
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import { SHIELD_AMBIGUITIES } from './ambiguities.ts';
import { shieldControls } from './control.ts';
import { ACCESS_LIST_TYPES } from './access-lists.ts';
import { loadShield } from './load.ts';
import { MANAGED_GROUPS } from './zone.ts';
import { shieldEndpoints, shieldGuard } from './routes/zone.ts';
import type { ShieldDemand } from './routes/zone.ts';
import { shieldItemEndpoints } from './routes/items.ts';
import { shield as scenario } from './scenario.ts';
import type { Shield, ShieldItem, ShieldZone } from './state.ts';

declare module '../core/state.ts' {
  interface Site {
    shield: Shield;
  }
  interface State {
    /** The names of the types of access lists, by their number. */
    accessListTypes: string[];
    managedRules: readonly Row[];
  }
  interface Plan {
    /** Whether it comes with Shield. Absent: true. */
    readonly shield?: boolean;
  }
}
declare module '../core/ambiguities.ts' {
  interface Ambiguities extends Readings<typeof SHIELD_AMBIGUITIES> {}
}
declare module '../core/http/site-endpoints.ts' {
  interface SiteDemands {
    /** Needs the site's Shield: `plan` a plan that has it, `zone` one that was provisioned, `active` one that runs. */
    readonly shield?: ShieldDemand;
  }
}

export const shield: Area = {
  endpoints: [...shieldEndpoints, ...shieldItemEndpoints],
  ambiguities: SHIELD_AMBIGUITIES,
  state: () => ({ accessListTypes: [...ACCESS_LIST_TYPES], managedRules: MANAGED_GROUPS }),
  load: loadShield,
  siteState: () => ({ shield: { zone: null, upstreamDown: false } }),
  siteGuard: shieldGuard,
  scenarios: { shield: {} },
  parts: { shield: scenario },
  controls: shieldControls,
  siteSnapshot: ({ shield: { zone } }) => ({ shield: shieldSnapshot(zone) }),
};

/** Items by name, without their ids, and without events. */
function shieldSnapshot(zone: ShieldZone | null): unknown {
  if (zone === null) return null;
  const { active, tier, waf, learning, ddos, whitelabel, bots } = zone;
  const named = (items: readonly ShieldItem[]): unknown =>
    byName(items.map(({ id: _id, number: _number, hidden: _hidden, name, ...content }) => [name, content]));
  return {
    active,
    plan: tier,
    learning: learning.on,
    ddos,
    whitelabel,
    bots,
    waf: { ...waf, disabledRules: [...waf.disabledRules].sort(), logOnlyRules: [...waf.logOnlyRules].sort() },
    customRules: named(zone.customRules),
    rateLimits: named(zone.rateLimits),
    accessLists: named(zone.accessLists),
  };
}
