// Shield: the firewall in front of a site.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import { SHIELD_AMBIGUITIES } from './ambiguities.ts';
import { shieldControls } from './control.ts';
import { ACCESS_LIST_TYPES } from './access-lists.ts';
import { loadShield } from './load.ts';
import { MANAGED_GROUPS } from './managed-rules.ts';
import type { Row } from './shapes.ts';
import { shieldGuard } from './guard.ts';
import type { ShieldDemand } from './guard.ts';
import { shieldItemEndpoints } from './routes/items.ts';
import { shieldEndpoints } from './routes/zone.ts';
import { shield as scenario } from './scenario.ts';
import { shieldSnapshot } from './snapshot.ts';
import type { Shield } from './state.ts';

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
declare module '../core/http/endpoint.ts' {
  interface SiteEndpoint {
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
