// What an error answer means on every path under a site.
import type { FailureRow } from '../../model/kind/kind.ts';

/** In the order of GAP-65; nothing relies on that order, the rows exclude each other. */
export const siteGuards: readonly FailureRow[] = [
  {
    status: 404,
    state: 'unknown',
    reason: 'the platform answers 404 for a site that its own list shows',
    remedy: 'Run plan again; if it stays, check that the site still exists in the dashboard.',
    rule: 'SIT-17',
  },
  {
    // Only this status tells: `subscription.status` can still read active (SIT-09).
    status: 402,
    code: 'service_suspended',
    state: 'blocked',
    ofRoot: true,
    reason: 'the site is suspended over an unpaid invoice',
    remedy: 'Pay the invoice, then run plan again.',
    rule: 'SIT-08',
  },
  {
    status: 403,
    code: 'pending_delete',
    state: 'blocked',
    ofRoot: true,
    reason: 'the site is being deleted and is locked',
    remedy: 'Ask the platform to restore the site, or remove its manifest.',
    rule: 'SIT-08',
  },
  {
    // The code of this answer is not documented (GAP-03); the message is.
    status: 403,
    message: 'Not Authorized',
    state: 'blocked',
    reason: 'this credential has no role on the site',
    remedy: 'Give the user behind the token the edit role on the site.',
    rule: 'CNV-16',
  },
];
