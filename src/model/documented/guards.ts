// Error answers that endpoints of several areas have in common.
import type { Rows } from './rows.ts';
import { blocked, failed } from './rows.ts';

/** Everything below one site. */
export const SITES = '/api/sites/:id';

export const ACCOUNT = failed(400, 'missing_account', 'CNV-07');
export const NO_OAUTH = failed(403, null, 'CNV-11');
export const NEEDS_USER = failed(401, 'user_required', 'CNV-13');
export const SITE: Rows = [
  ...failed(404, null, 'SIT-08'),
  ...blocked(402, 'service_suspended', 'SIT-08', 'the site is suspended over an unpaid invoice'),
  ...blocked(403, 'pending_delete', 'SIT-08', 'the site is being deleted and is locked'),
  ...failed(403, null, 'CNV-16'),
];
export const CHARGE = failed(400, 'no_default_payment_method', 'ORD-25');
export const CHARGE_NOT_STARTED = failed(422, 'cart_pay_failed', 'ORD-29');
export const TRIAL = failed(403, 'trial_account', 'CNV-17');
// A flag of the account: the whole area answers alike (REG-01).
export const AREA_OFF = blocked(
  503,
  'feature_disabled',
  'REG-01',
  'domain registration is not switched on for this account',
);
