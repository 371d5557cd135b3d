// Error answers that endpoints of several areas have in common.
import type { Rows } from './endpoint.ts';
import { blocked, failed, retry, unclear } from './endpoint.ts';

/** Everything below one site. */
export const SITE = '/api/sites/:site';

export const NO_ACCOUNT = failed(400, 'missing_account', 'CNV-07');
export const NO_OAUTH = failed(403, null, 'CNV-11');
export const NEEDS_USER = failed(401, 'user_required', 'CNV-13');
export const CHARGE = failed(400, 'no_default_payment_method', 'ORD-25');
export const CHARGE_NOT_STARTED = failed(422, 'cart_pay_failed', 'ORD-29');
export const TRIAL = failed(403, 'trial_account', 'CNV-17');
/** A flag of the account: the whole area answers alike. */
export const NO_REGISTRATION = blocked(
  503,
  'feature_disabled',
  'REG-01',
  'domain registration is not switched on for this account',
  'Ask the platform to switch it on; until then remove the manifests of registrations.',
);

/** In the order of GAP-65; nothing relies on that order, the rows exclude each other. */
const SITE_STATE: Rows = [
  // Only this status tells: `subscription.status` can still read active (SIT-09).
  ...blocked(
    402,
    'service_suspended',
    'SIT-08',
    'the site is suspended over an unpaid invoice',
    'Pay the invoice, then run plan again.',
    { ofRoot: true },
  ),
  ...blocked(
    403,
    'pending_delete',
    'SIT-08',
    'the site is being deleted and is locked',
    'Ask the platform to restore the site, or remove its manifest.',
    { ofRoot: true },
  ),
];
export const IN_SITE: Rows = [
  ...failed(
    404,
    null,
    'SIT-17',
    'the platform answers 404 for a site that its own list shows',
    'Run plan again; if it stays, check that the site still exists in the dashboard.',
    { state: 'unknown' },
  ),
  ...SITE_STATE,
  // The code of this answer is not documented (GAP-03); the message is.
  ...failed(
    403,
    null,
    'CNV-16',
    'this credential has no role on the site',
    'Give the user behind the token the edit role on the site.',
    { message: 'Not Authorized' },
  ),
];
export const IN_SITE_WRITE: Rows = [...failed(404, null, 'SIT-08'), ...SITE_STATE, ...failed(403, null, 'CNV-16')];
/** A 404 may also be about what is to be removed: the list tells. */
export const IN_SITE_REMOVE: Rows = [...unclear(404, null, 'SIT-17'), ...IN_SITE_WRITE];

/** No call of the API activates the CDN, and without it nothing here can be read or written (O-19). */
export const NO_CDN = blocked(
  409,
  'cdn_not_active',
  'GAP-20',
  'the CDN of the site is not active, and no call of the API activates it',
  'Activate the CDN in the dashboard (attaching a first domain may do it), then plan again.',
);
export const IN_CDN: Rows = [...retry(502, null, 'EDG-18'), ...NO_CDN, ...IN_SITE];
/** After a 502 a write may have been done all the same (RTY-07). */
export const IN_CDN_WRITE: Rows = [...unclear(502, null, 'EDG-18'), ...NO_CDN, ...IN_SITE_WRITE];
