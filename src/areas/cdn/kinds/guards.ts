// What comes before everything that rests on a site's CDN (O-18).
import type { OrderRule } from '../../../model/kind/kind.ts';

/**
 * In place of the 409 some answers say `active: false`, which means the same (CDN-04). Attaching a first domain may
 * activate the CDN, so domains come first.
 */
export function domainsBefore(kind: string): OrderRule {
  return {
    rule: 'O-18',
    reason: 'domains are routed through the CDN, so attach them first',
    within: 'root',
    before: (action) => action.kind === 'SiteDomain' && action.verb === 'create',
    after: (action) => action.kind === kind,
  };
}
