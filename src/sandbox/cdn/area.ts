// The CDN of a site: caching, edge rules, access logs.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import { byName } from '../core/snapshot.ts';
import { cdnControls, cdnEvents } from './control.ts';
import { cdnEndpoints } from './routes/cdn.ts';
import { edgeRuleEndpoints } from './edge-rules.ts';
import { loadCdn } from './load.ts';
import { logEndpoints } from './routes/logs.ts';
import { small } from './scenario.ts';
import type { EdgeRule } from './edge-rules.ts';

const CDN_AMBIGUITIES = {
  /** Whether writing a caching array replaces it or adds to it. */
  'GAP-21': ['replace', 'merge'],
  /** Vary parameters with characters outside [A-Za-z0-9_-]: silently dropped, or kept. */
  'GAP-21.characters': ['drop', 'keep'],
  /** How the list of edge rules is wrapped. */
  'GAP-23': ['bare', 'wrapped', 'upstream'],
  /** What writing an edge rule answers. */
  'GAP-23.write': ['rule', 'wrapped', 'empty'],
  /**
   * How the replacement of an edge rule is wrapped; where it is `flat`, a wrapper is an unknown field and everything
   * else counts as omitted.
   */
  'GAP-24': ['wrapped', 'either', 'flat'],
  /** The OrderIndex of an edge rule that is written without one. */
  'GAP-25': ['zero', 'last'],
  /** Whether order indexes stay as written, ties too, or are counted anew after each write. */
  'GAP-25.order': ['kept', 'renumbered'],
  /** POST of an edge rule with a Guid that nobody knows. */
  'GAP-25.guid': ['refuse', 'create', 'create-anew'],
  /** How the entries of the access log are wrapped. */
  'GAP-61': ['wrapped', 'bare', 'upstream'],
  /** The log of the origin: a list of lines, or one text. */
  'GAP-61.origin': ['lines', 'text'],
} as const;

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
  // Without their Guids, which the platform makes.
  siteSnapshot: ({ edgeRules }) => ({
    edgeRules: byName(edgeRules.map(({ Guid: _made, Description, ...content }) => [Description ?? '', content])),
  }),
};
