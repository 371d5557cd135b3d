// The error answers of panel accounts and of domain registration, and what they mean.
import { ACCOUNT, AREA_OFF, CHARGE, NEEDS_USER, NO_OAUTH, TRIAL } from './guards.ts';
import type { EndpointRows, Rows } from './rows.ts';
import { blocked, done, failed, retry, unclear } from './rows.ts';

const PANEL: Rows = [
  ...ACCOUNT,
  ...blocked(403, 'panel_not_enabled', 'PNL-09', 'panel accounts are not enabled for this workspace'),
  // Not configured, or the mirror cannot be read for the moment: the same code says both.
  ...retry(
    503,
    'panel_unavailable',
    'PNL-12',
    'the hosting servers cannot be asked now, and nothing was done or charged',
  ),
];
const PANEL_WRITE: Rows = [...PANEL, ...NEEDS_USER, ...NO_OAUTH, ...failed(403, 'not_authorized', 'PNL-09')];
const PANEL_LOCKED = blocked(403, 'pending_deletion', 'PNL-09', 'the account is about to be deleted');
const NOT_MINE = failed(404, 'account_not_found', 'PNL-09');
const PANEL_PURCHASE: Rows = [
  ...TRIAL,
  ...CHARGE,
  ...failed(400, ['unknown_package', 'product_unavailable'], 'PNL-16'),
  ...PANEL_WRITE,
];

const NO_REGISTRAR = blocked(503, 'registrar_unavailable', 'REG-34', 'no registrar is set up for this TLD');
const AREA: Rows = [...ACCOUNT, ...AREA_OFF, ...NO_REGISTRAR];
const REGISTRY_READ: Rows = [...AREA, ...retry(502, null, 'REG-34')];
const REGISTRY_WRITE: Rows = [...AREA, ...failed(403, null, 'REG-02'), ...unclear(502, null, 'REG-34')];
const BUSY = blocked(
  409,
  'registration_busy',
  'REG-11',
  'the registrar is still working on an earlier change of this registration',
);
const GUARDED: Rows = [...BUSY, ...REGISTRY_WRITE];
// Neither among the guarded nor the unguarded: taken as guarded (HST-05).
const HOST_WRITE: Rows = [...BUSY, ...REGISTRY_WRITE];
const INVALID_PARAM = failed(422, 'invalid_param', 'REG-12');

const ACCOUNTS = '/api/panel_accounts';
const CONTACTS = '/api/domain_contacts';
const REGISTRATIONS = '/api/domain_registrations';
/** The endpoints of the third document. */
export const PANEL_AND_REGISTRATION: EndpointRows = {
  [`GET ${ACCOUNTS}`]: PANEL,
  [`GET ${ACCOUNTS}/:username`]: [...NOT_MINE, ...PANEL],
  [`POST ${ACCOUNTS}`]: [
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
  [`PATCH ${ACCOUNTS}/:username`]: [
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
  [`DELETE ${ACCOUNTS}/:username`]: [...done(404, 'account_not_found', 'PNL-07'), ...PANEL_WRITE],
  [`GET ${ACCOUNTS}/:username/domains`]: [...NOT_MINE, ...PANEL],
  [`POST ${ACCOUNTS}/:username/domains`]: [...PANEL_LOCKED, ...TRIAL, ...NOT_MINE, ...PANEL_WRITE],
  [`DELETE ${ACCOUNTS}/:username/domains/:domain`]: [...PANEL_LOCKED, ...TRIAL, ...NOT_MINE, ...PANEL_WRITE],
  [`PATCH ${ACCOUNTS}/:username/password`]: [...PANEL_LOCKED, ...TRIAL, ...NOT_MINE, ...PANEL_WRITE],
  [`POST ${ACCOUNTS}/:username/purge`]: [...TRIAL, ...NOT_MINE, ...PANEL_WRITE],
  [`POST ${ACCOUNTS}/:username/session`]: [...TRIAL, ...NOT_MINE, ...PANEL_WRITE],

  [`GET ${CONTACTS}`]: REGISTRY_READ,
  [`GET ${CONTACTS}/:id`]: REGISTRY_READ,
  [`POST ${CONTACTS}`]: [...failed(404, 'tld_not_found', 'DCT-03'), ...REGISTRY_WRITE],
  [`PATCH ${CONTACTS}/:id`]: [...failed(422, 'tld_required_for_orphan', 'DCT-04'), ...REGISTRY_WRITE],
  [`DELETE ${CONTACTS}/:id`]: [...failed(422, 'contact_in_use', 'DCT-06'), ...REGISTRY_WRITE],
  [`POST ${CONTACTS}/:id/resend_verification`]: REGISTRY_WRITE,

  [`GET ${REGISTRATIONS}`]: REGISTRY_READ,
  [`GET ${REGISTRATIONS}/:id`]: REGISTRY_READ,
  [`GET ${REGISTRATIONS}/:id/processes/:process`]: REGISTRY_READ,
  [`POST ${REGISTRATIONS}/check`]: [
    ...AREA,
    ...failed(422, ['missing_domain', 'invalid_domain', 'unknown_tld'], 'REG-32'),
    ...retry(502, 'request_failed', 'REG-32'),
  ],
  [`POST ${REGISTRATIONS}/suggestions`]: [
    ...ACCOUNT,
    ...AREA_OFF,
    ...failed(422, 'missing_domain', 'REG-33'),
    ...blocked(503, 'missing_api_key', 'REG-33'),
    ...retry(502, 'registrar_unavailable', 'REG-33'),
  ],
  [`PATCH ${REGISTRATIONS}/:id`]: [
    ...failed(400, 'no_op', 'REG-12'),
    ...INVALID_PARAM,
    ...failed(
      422,
      'cancellation_window_passed',
      'GAP-53',
      'it is too late to switch renewal off for this term, and no run can change that: ' +
        'take `autoRenew: false` out of the manifest, or have it cancelled in the dashboard',
    ),
    ...GUARDED,
  ],
  [`PATCH ${REGISTRATIONS}/:id/nameservers`]: [...failed(422, 'nameservers_required', 'REG-14'), ...GUARDED],
  [`PATCH ${REGISTRATIONS}/:id/lock`]: [
    ...INVALID_PARAM,
    ...failed(422, ['lock_unsupported', 'server_transfer_prohibited'], 'REG-15'),
    ...GUARDED,
  ],
  [`PATCH ${REGISTRATIONS}/:id/privacy`]: [
    ...INVALID_PARAM,
    ...failed(422, 'privacy_unsupported', 'REG-16'),
    // The answer names the price and the page of the portal.
    ...blocked(
      402,
      'payment_required',
      'GAP-64',
      'it has to be paid for first, by a person, at the portal; the next plan sees that it is done',
    ),
    ...GUARDED,
  ],
  [`PATCH ${REGISTRATIONS}/:id/dnssec`]: [...failed(422, ['invalid_mode', 'dnssec_no_keys'], 'REG-17'), ...GUARDED],
  [`PATCH ${REGISTRATIONS}/:id/holder`]: [
    ...blocked(402, 'payment_required', 'REG-20', 'a change of holder has a price after all: plan again to see it'),
    ...failed(404, 'source_contact_not_found', 'REG-22'),
    ...blocked(
      409,
      'reverification_required',
      'REG-21',
      'the holder has to confirm this: if that is meant, write `confirmReverification` with the new email address',
    ),
    ...GUARDED,
  ],
  [`POST ${REGISTRATIONS}/:id/registrant_change`]: [
    ...NEEDS_USER,
    ...TRIAL,
    ...failed(403, 'forbidden', 'REG-24'),
    ...CHARGE,
    ...failed(422, ['source_contact_not_found', 'contact_invalid', 'cart_pay_failed'], 'REG-24'),
    ...blocked(
      422,
      'no_registrant_change_price',
      'REG-24',
      'the platform does not charge for a change of holder here any more: plan again',
    ),
    ...GUARDED,
  ],
  [`PATCH ${REGISTRATIONS}/:id/contacts`]: [...failed(422, 'owner_contact_missing', 'REG-26'), ...GUARDED],
  [`GET ${REGISTRATIONS}/:id/epp_code`]: [
    ...AREA,
    ...failed(422, ['server_transfer_prohibited', 'authcode_unavailable'], 'REG-27'),
    ...retry(502, 'authcode_unavailable', 'REG-27'),
  ],
  [`POST ${REGISTRATIONS}/:id/force_sync`]: REGISTRY_WRITE,
  [`POST ${REGISTRATIONS}/:id/transfer_out`]: [
    ...failed(422, ['no_pending_transfer_out', 'invalid_decision'], 'REG-29'),
    ...REGISTRY_WRITE,
  ],
  [`POST ${REGISTRATIONS}/:id/push_transfer`]: [...failed(422, null, 'REG-30'), ...GUARDED],
  [`POST ${REGISTRATIONS}/:id/resend_contact_verification`]: [
    ...failed(422, 'verification_not_applicable', 'REG-31'),
    ...REGISTRY_WRITE,
  ],
  [`GET ${REGISTRATIONS}/:id/hosts`]: REGISTRY_READ,
  [`POST ${REGISTRATIONS}/:id/hosts`]: HOST_WRITE,
  [`PATCH ${REGISTRATIONS}/:id/hosts/:host`]: HOST_WRITE,
};
