// The endpoints of panel accounts. Every write is closed to OAuth and asks for a user (PNL-08, PNL-09).
import type { Endpoints, Rows } from '../endpoint.ts';
import { USER, blocked, done, failed, needs, retry } from '../endpoint.ts';
import { NO_ACCOUNT, NO_OAUTH, NEEDS_USER, TRIAL, CHARGE } from '../guards.ts';

const READ = needs('panel:read');
const NOT_ENABLED: Rows = [
  ...NO_ACCOUNT,
  ...blocked(
    403,
    'panel_not_enabled',
    'PNL-09',
    'panel accounts are not enabled for this workspace',
    'Have them enabled by the platform, or remove the manifests of panel accounts.',
    { off: true },
  ),
];
// Not configured, or the mirror cannot be read for the moment: the same code says both.
const PANEL: Rows = [
  ...NOT_ENABLED,
  ...retry(
    503,
    'panel_unavailable',
    'PNL-12',
    'the hosting servers cannot be asked for their accounts',
    'Run plan again later; nothing is made, changed or removed until then.',
  ),
];
const PANEL_WRITE: Rows = [
  ...NOT_ENABLED,
  ...retry(
    503,
    'panel_unavailable',
    'PNL-12',
    'the hosting servers cannot be asked now, and nothing was done or charged',
  ),
  ...NEEDS_USER,
  ...NO_OAUTH,
  ...failed(403, 'not_authorized', 'PNL-09'),
];
const PANEL_LOCKED = blocked(403, 'pending_deletion', 'PNL-09', 'the account is about to be deleted');
const NOT_MINE = failed(404, 'account_not_found', 'PNL-09');
const PANEL_PURCHASE: Rows = [
  ...TRIAL,
  ...CHARGE,
  ...failed(400, ['unknown_package', 'product_unavailable'], 'PNL-16'),
  ...PANEL_WRITE,
];
const ACCOUNTS = '/api/panel_accounts';

export const panelEndpoints: Endpoints = {
  [`GET ${ACCOUNTS}`]: [READ, PANEL],
  [`GET ${ACCOUNTS}/:username`]: [READ, [...NOT_MINE, ...PANEL]],
  [`POST ${ACCOUNTS}`]: [
    USER,
    [
      ...failed(400, 'invalid_term', 'PNL-16'),
      ...failed(422, ['no_price_for_plan', 'cart_add_failed', 'cart_pay_failed'], 'PNL-16'),
      ...blocked(
        422,
        'domain_in_use',
        'PNL-16',
        'the domain is on another hosting account already, and nothing was charged',
      ),
      ...blocked(
        422,
        'domain_not_registered',
        'O-66',
        'the domain has to be registered in this workspace first, and nothing was charged',
      ),
      ...blocked(422, 'domain_not_owned', 'O-66', 'the domain is registered by somebody else, and nothing was charged'),
      ...PANEL_PURCHASE,
    ],
  ],
  [`PATCH ${ACCOUNTS}/:username`]: [
    USER,
    [
      ...done(422, 'same_package', 'PNL-17'),
      ...blocked(
        409,
        'resize_in_flight',
        'PNL-15',
        'another change of its package is in flight; this one was not begun, and nothing was charged',
      ),
      ...blocked(
        422,
        'usage_exceeds_package',
        'O-68',
        'more is used than the package holds: lower the disk space, mailboxes or add-on domains by hand; ' +
          'nothing was charged',
      ),
      ...blocked(402, 'service_suspended', 'PNL-09', 'the account is suspended over an unpaid invoice'),
      ...blocked(403, 'account_suspended', 'PNL-09', 'the account is suspended by the staff of the platform'),
      ...PANEL_LOCKED,
      ...NOT_MINE,
      ...PANEL_PURCHASE,
    ],
  ],
  [`DELETE ${ACCOUNTS}/:username`]: [USER, [...done(404, 'account_not_found', 'PNL-07'), ...PANEL_WRITE]],
  [`GET ${ACCOUNTS}/:username/domains`]: [READ, [...NOT_MINE, ...PANEL]],
  [`POST ${ACCOUNTS}/:username/domains`]: [USER, [...PANEL_LOCKED, ...TRIAL, ...NOT_MINE, ...PANEL_WRITE]],
  [`DELETE ${ACCOUNTS}/:username/domains/:domain`]: [USER, [...PANEL_LOCKED, ...TRIAL, ...NOT_MINE, ...PANEL_WRITE]],
  [`PATCH ${ACCOUNTS}/:username/password`]: [USER, [...PANEL_LOCKED, ...TRIAL, ...NOT_MINE, ...PANEL_WRITE]],
  [`POST ${ACCOUNTS}/:username/purge`]: [USER, [...TRIAL, ...NOT_MINE, ...PANEL_WRITE]],
  [`POST ${ACCOUNTS}/:username/session`]: [USER, [...TRIAL, ...NOT_MINE, ...PANEL_WRITE]],
};
