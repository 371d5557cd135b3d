// The CDN of a site: caching, edge rules, access logs.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import type { Site } from '../core/state.ts';
import { CDN_AMBIGUITIES } from './ambiguities.ts';
import { cdnControls, cdnEvents } from './control.ts';
import { cdnEndpoints } from './routes/cdn.ts';
import { edgeRuleEndpoints } from './routes/edge-rules.ts';
import { loadCdn } from './load.ts';
import { logEndpoints } from './routes/logs.ts';
import { small } from './scenario.ts';
import type { EdgeRule } from './state.ts';

declare module '../core/state.ts' {
  interface Site {
    edgeRules: EdgeRule[];
  }
}
declare module '../core/ambiguities.ts' {
  interface Ambiguities extends Readings<typeof CDN_AMBIGUITIES> {}
}

export const cdn: Area = {
  endpoints: [...cdnEndpoints, ...edgeRuleEndpoints, ...logEndpoints],
  ambiguities: CDN_AMBIGUITIES,
  siteState: () => ({ edgeRules: [] }),
  parts: { small },
  load: loadCdn,
  controls: cdnControls,
  outside: cdnEvents,
  siteSnapshot: (site) => ({ edgeRules: Object.fromEntries(edgeRulesByDescription(site)) }),
};

/** Without their Guids, which the platform makes. A description that comes twice shows its rules as a list. */
function edgeRulesByDescription(site: Site): [string, unknown][] {
  const grouped = new Map<string, unknown[]>();
  for (const { Guid: _made, Description, ...content } of site.edgeRules) {
    grouped.set(Description ?? '', [...(grouped.get(Description ?? '') ?? []), content]);
  }
  return [...grouped]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([description, rules]) => [description, rules.length === 1 ? rules[0] : rules]);
}
