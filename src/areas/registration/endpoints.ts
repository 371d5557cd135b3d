// The endpoints of domain registration: registrations, contacts, hosts.
import type { Endpoints, Rows } from '../endpoint.ts';
import { blocked, failed, needs, retry, unclear } from '../endpoint.ts';
import { NO_ACCOUNT, NO_REGISTRATION, NEEDS_USER, TRIAL, CHARGE } from '../guards.ts';

const READ = needs('domains:read');
// Changes need edit permission in the account, whatever the credential (REG-02).
const WRITE = needs('domains:write', 'can_modify');
const CHARGE_FOR_CHANGE = { ...WRITE, userCredential: true, closedToOauth: true } as const;

const NO_REGISTRAR = blocked(503, 'registrar_unavailable', 'REG-34', 'no registrar is set up for this TLD');
const AREA: Rows = [...NO_ACCOUNT, ...NO_REGISTRATION, ...NO_REGISTRAR];
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
const CONTACTS = '/api/domain_contacts';
const REGISTRATIONS = '/api/domain_registrations';

export const registrationEndpoints: Endpoints = {
  [`GET ${CONTACTS}`]: [READ, REGISTRY_READ],
  [`GET ${CONTACTS}/:id`]: [READ, REGISTRY_READ],
  [`POST ${CONTACTS}`]: [WRITE, [...failed(404, 'tld_not_found', 'DCT-03'), ...REGISTRY_WRITE]],
  [`PATCH ${CONTACTS}/:id`]: [WRITE, [...failed(422, 'tld_required_for_orphan', 'DCT-04'), ...REGISTRY_WRITE]],
  [`DELETE ${CONTACTS}/:id`]: [WRITE, [...failed(422, 'contact_in_use', 'DCT-06'), ...REGISTRY_WRITE]],
  [`POST ${CONTACTS}/:id/resend_verification`]: [WRITE, REGISTRY_WRITE],
  [`GET ${REGISTRATIONS}`]: [READ, REGISTRY_READ],
  [`GET ${REGISTRATIONS}/:id`]: [READ, REGISTRY_READ],
  [`GET ${REGISTRATIONS}/:id/processes/:process`]: [READ, REGISTRY_READ],
  [`POST ${REGISTRATIONS}/check`]: [
    READ,
    [
      ...failed(422, 'missing_domain', 'REG-32'),
      ...failed(
        422,
        'invalid_domain',
        'REG-32',
        'the platform does not take this for the name of a domain',
        'Correct metadata.name.',
      ),
      ...failed(
        422,
        'unknown_tld',
        'REG-32',
        'the platform sells no names with this ending',
        'Register it elsewhere, or remove its manifest.',
      ),
      ...blocked(
        503,
        'registrar_unavailable',
        'REG-34',
        'no registrar is set up for this ending',
        'Ask the platform; until then remove its manifest.',
      ),
      ...retry(
        502,
        'request_failed',
        'ORD-38',
        'whether the name can be had could not be found out, which says nothing about the name',
        'Run plan again in a while; nothing is bought before it is known.',
      ),
      ...AREA,
    ],
  ],
  [`POST ${REGISTRATIONS}/suggestions`]: [
    READ,
    [
      ...NO_ACCOUNT,
      ...NO_REGISTRATION,
      ...failed(422, 'missing_domain', 'REG-33'),
      ...blocked(503, 'missing_api_key', 'REG-33'),
      ...retry(502, 'registrar_unavailable', 'REG-33'),
    ],
  ],
  [`PATCH ${REGISTRATIONS}/:id`]: [
    WRITE,
    [
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
  ],
  [`PATCH ${REGISTRATIONS}/:id/nameservers`]: [WRITE, [...failed(422, 'nameservers_required', 'REG-14'), ...GUARDED]],
  [`PATCH ${REGISTRATIONS}/:id/lock`]: [
    WRITE,
    [...INVALID_PARAM, ...failed(422, ['lock_unsupported', 'server_transfer_prohibited'], 'REG-15'), ...GUARDED],
  ],
  [`PATCH ${REGISTRATIONS}/:id/privacy`]: [
    WRITE,
    [
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
  ],
  [`PATCH ${REGISTRATIONS}/:id/dnssec`]: [
    WRITE,
    [...failed(422, ['invalid_mode', 'dnssec_no_keys'], 'REG-17'), ...GUARDED],
  ],
  [`PATCH ${REGISTRATIONS}/:id/holder`]: [
    WRITE,
    [
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
  ],
  [`POST ${REGISTRATIONS}/:id/registrant_change`]: [
    CHARGE_FOR_CHANGE,
    [
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
  ],
  [`PATCH ${REGISTRATIONS}/:id/contacts`]: [WRITE, [...failed(422, 'owner_contact_missing', 'REG-26'), ...GUARDED]],
  // A GET that takes the write scope (CNV-12).
  [`GET ${REGISTRATIONS}/:id/epp_code`]: [
    WRITE,
    [
      ...AREA,
      ...failed(422, ['server_transfer_prohibited', 'authcode_unavailable'], 'REG-27'),
      ...retry(502, 'authcode_unavailable', 'REG-27'),
    ],
  ],
  [`POST ${REGISTRATIONS}/:id/force_sync`]: [WRITE, REGISTRY_WRITE],
  [`POST ${REGISTRATIONS}/:id/transfer_out`]: [
    WRITE,
    [...failed(422, ['no_pending_transfer_out', 'invalid_decision'], 'REG-29'), ...REGISTRY_WRITE],
  ],
  [`POST ${REGISTRATIONS}/:id/push_transfer`]: [WRITE, [...failed(422, null, 'REG-30'), ...GUARDED]],
  [`POST ${REGISTRATIONS}/:id/resend_contact_verification`]: [
    WRITE,
    [...failed(422, 'verification_not_applicable', 'REG-31'), ...REGISTRY_WRITE],
  ],
  [`GET ${REGISTRATIONS}/:id/hosts`]: [READ, REGISTRY_READ],
  [`POST ${REGISTRATIONS}/:id/hosts`]: [WRITE, HOST_WRITE],
  [`PATCH ${REGISTRATIONS}/:id/hosts/:host`]: [WRITE, HOST_WRITE],
};
