// What everything that rests on a site's CDN has in common: what an inactive one means, and what comes before it (O-18,
// O-19).
import type { FailureRow, OrderRule } from '../../model/kind/kind.ts';
import { siteGuards } from '../site/guards.ts';

/**
 * No call of the API activates the CDN, and without it nothing here can be read or written (CDN-01, CCH-07, EDG-18).
 */
export const cdnGuards: readonly FailureRow[] = [
  {
    status: 409,
    code: 'cdn_not_active',
    state: 'blocked',
    reason: 'the CDN of the site is not active, and no call of the API activates it',
    remedy: 'Activate the CDN in the dashboard (attaching a first domain may do it), then plan again.',
    rule: 'GAP-20',
  },
  ...siteGuards,
];

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
