// The endpoints of mailspaces and of what is in them.
import type { Endpoints, Rows } from '../endpoint.ts';
import { blocked, done, failed, needs, retry, unclear } from '../endpoint.ts';
import { CHARGE, CHARGE_NOT_STARTED } from '../guards.ts';

const READ = needs('mailspace:read');
// Mailspaces know no site roles: edit permission in their workspace is what counts (MSP-13).
const WRITE = needs('mailspace:write');

// The first of the guards, before anything is attempted. Where a domain is looked up, that may have failed (MDM-17).
const NO_MAILHOST = blocked(
  503,
  'mailhost_unavailable',
  'MSP-12',
  'mail hosting is not set up on the platform, and nothing was done',
);
const LOOKUP_FAILED = retry(
  503,
  'mailhost_unavailable',
  'MDM-17',
  'the domain could not be looked up, and nothing was done',
);
const UNKNOWN_SPACE = failed(404, null, 'MSP-12');
const SUSPENDED = blocked(
  403,
  'mailspace_suspended',
  'MSP-16',
  'the mailspace is suspended, and not even reads are answered',
  'Pay what is due, or ask the platform, then run plan again.',
  { ofRoot: true },
);
const SPACE_EDITABLE: Rows = [
  ...failed(403, 'not_authorized', 'MSP-13'),
  ...blocked(403, 'pending_delete', 'MSP-15', 'the mailspace is about to be deleted and takes no change'),
];
const SPACE_STATE: Rows = [
  ...SUSPENDED,
  ...blocked(409, 'not_provisioned', 'MSP-12', 'the mailspace is not set up yet', 'Run again in a minute.', {
    state: 'waiting',
  }),
];
const SPACE_READ: Rows = [
  ...failed(
    404,
    null,
    'MSP-12',
    'the platform answers 404 for a mailspace that its own list shows',
    'Run plan again; if it stays, check the mailspace in the dashboard.',
    { state: 'unknown' },
  ),
  ...SPACE_STATE,
];
const SPACE_WRITABLE: Rows = [...UNKNOWN_SPACE, ...SPACE_STATE, ...SPACE_EDITABLE];
// A write that answers 503 was not attempted, or may have been done; only codes of its own say the latter (MBX-29).
const NOT_ATTEMPTED = retry(
  503,
  'mailhost_unavailable',
  'MBX-29',
  'the mail server could not be asked, and nothing was done',
);
// The primary domain is verified before the mailspace is set up (MDM-28).
const SPACE_VERIFICATION: Rows = [...NO_MAILHOST, ...UNKNOWN_SPACE, ...SUSPENDED];
const SPACE_VERIFICATION_WRITE: Rows = [...SPACE_VERIFICATION, ...SPACE_EDITABLE];
const IN_SPACE: Rows = [...NO_MAILHOST, ...SPACE_READ];
const IN_SPACE_WRITE: Rows = [...NOT_ATTEMPTED, ...SPACE_WRITABLE];
const unavailable = (what: string): Rows => [...retry(503, `${what}_unavailable`, 'MSP-23'), ...IN_SPACE];
const PLAN_STATE = blocked(422, ['pending_delete', 'not_provisioned'], 'MSP-14');
const SPACE = '/api/mailspace/:mailspace';

export const mailEndpoints: Endpoints = {
  'GET /api/mailspace': [READ, NO_MAILHOST],
  'POST /api/mailspace': [
    WRITE,
    [
      ...NO_MAILHOST,
      ...CHARGE,
      ...CHARGE_NOT_STARTED,
      ...failed(400, ['account_required', 'invalid_domain', 'unknown_product'], 'MSP-09'),
      ...failed(422, ['domain_not_registered', 'cart_item_rejected'], 'MSP-09'),
      ...blocked(
        422,
        'mailspace_exists',
        'MSP-10',
        'the domain has a mailspace already: in another account, or one that is about to be deleted',
      ),
    ],
  ],
  [`GET ${SPACE}`]: [READ, [...NO_MAILHOST, ...failed(404, null, 'MSP-12')]],
  [`PATCH ${SPACE}`]: [WRITE, [...PLAN_STATE, ...NO_MAILHOST, ...failed(404, null, 'MSP-12')]],
  [`DELETE ${SPACE}`]: [WRITE, [...PLAN_STATE, ...NO_MAILHOST, ...failed(404, null, 'MSP-12')]],
  [`GET ${SPACE}/domain_verification`]: [READ, SPACE_VERIFICATION],
  [`POST ${SPACE}/domain_verification`]: [WRITE, SPACE_VERIFICATION_WRITE],
  [`GET ${SPACE}/domains`]: [READ, unavailable('domains')],
  [`GET ${SPACE}/domains/dns`]: [READ, [...failed(404, 'unknown_domain', 'MDM-19'), ...IN_SPACE]],
  [`POST ${SPACE}/domains/dns_check`]: [WRITE, [...failed(404, 'unknown_domain', 'MDM-20'), ...IN_SPACE_WRITE]],
  [`GET ${SPACE}/domains/:name`]: [READ, [...LOOKUP_FAILED, ...failed(404, 'unknown_domain', 'MDM-17'), ...SPACE_READ]],
  [`POST ${SPACE}/domains`]: [
    WRITE,
    [
      ...failed(400, 'invalid_domain', 'MDM-06'),
      // In our own list it is done; else another mailspace has it.
      ...unclear(409, 'domain_exists', 'MDM-16'),
      ...done(409, 'domain_pending_verification', 'MDM-16'),
      ...failed(422, 'domain_create_failed', 'MDM-27'),
      ...IN_SPACE_WRITE,
    ],
  ],
  [`PATCH ${SPACE}/domains/:name`]: [
    WRITE,
    [
      ...LOOKUP_FAILED,
      ...failed(404, 'unknown_domain', 'MDM-17'),
      ...blocked(409, 'domain_pending_verification', 'MDM-15', 'the domain is not verified yet'),
      ...failed(422, 'domain_update_failed', 'MDM-27'),
      ...SPACE_WRITABLE,
    ],
  ],
  [`DELETE ${SPACE}/domains/:name`]: [
    WRITE,
    [
      ...LOOKUP_FAILED,
      ...done(404, 'unknown_domain', 'MDM-17'),
      ...failed(409, 'primary_domain', 'MDM-14'),
      ...blocked(409, 'domain_pending_verification', 'MDM-15', 'the domain is not verified yet'),
      // Mailboxes about to be deleted may still count (GAP-68).
      ...blocked(
        422,
        'domain_delete_failed',
        'MDM-13',
        'something is still on the domain, or it will be for as long as a mailbox waits for its deletion',
      ),
      ...SPACE_WRITABLE,
    ],
  ],
  [`GET ${SPACE}/aliases`]: [READ, unavailable('aliases')],
  [`POST ${SPACE}/aliases`]: [
    WRITE,
    [
      ...failed(400, ['address_blank', 'target_blank'], 'ALS-05'),
      ...failed(422, 'invalid_alias', 'ALS-05'),
      ...unclear(503, 'aliases_unavailable', 'ALS-09'),
      ...IN_SPACE_WRITE,
    ],
  ],
  [`DELETE ${SPACE}/aliases/:address`]: [
    WRITE,
    [
      ...done(404, 'unknown_alias', 'ALS-08'),
      ...failed(422, 'alias_remove_failed', 'ALS-09'),
      ...unclear(503, 'aliases_unavailable', 'ALS-09'),
      ...IN_SPACE_WRITE,
    ],
  ],
  [`GET ${SPACE}/groups`]: [READ, [...retry(503, 'group_members_unavailable', 'GRP-03'), ...unavailable('groups')]],
  [`GET ${SPACE}/groups/:principal`]: [
    READ,
    [...retry(503, 'group_members_unavailable', 'GRP-03'), ...failed(404, 'unknown_group', 'GRP-08'), ...IN_SPACE],
  ],
  [`POST ${SPACE}/groups`]: [WRITE, [...failed(422, 'group_create_failed', 'GRP-06'), ...IN_SPACE_WRITE]],
  [`PATCH ${SPACE}/groups/:principal`]: [
    WRITE,
    [
      ...done(503, 'group_members_unavailable', 'GRP-09'),
      ...failed(404, 'unknown_group', 'GRP-08'),
      ...failed(422, 'group_update_failed', 'GRP-06'),
      ...IN_SPACE_WRITE,
    ],
  ],
  // It may also mean that the group could not be read.
  [`DELETE ${SPACE}/groups/:principal`]: [WRITE, [...unclear(404, 'unknown_group', 'GRP-08'), ...IN_SPACE_WRITE]],
  [`GET ${SPACE}/mailing_lists`]: [READ, unavailable('mailing_lists')],
  [`POST ${SPACE}/mailing_lists`]: [WRITE, [...failed(422, 'mailing_list_create_failed', 'GRP-06'), ...IN_SPACE_WRITE]],
  [`GET ${SPACE}/archived_items`]: [READ, unavailable('archived_items')],
  [`GET ${SPACE}/purged_mailboxes`]: [READ, unavailable('purged_mailboxes')],
  [`GET ${SPACE}/mailboxes`]: [READ, unavailable('mailboxes')],
  [`GET ${SPACE}/mailboxes/check`]: [READ, [...failed(400, 'invalid_address', 'MBX-08'), ...IN_SPACE]],
  [`GET ${SPACE}/mailboxes/:guid`]: [READ, [...failed(404, 'unknown_mailbox', 'MBX-03'), ...IN_SPACE]],
  [`POST ${SPACE}/mailboxes`]: [
    WRITE,
    [
      ...failed(400, ['username_blank', 'password_blank'], 'MBX-10'),
      // The mailbox may have been made before what failed.
      ...unclear(422, 'create_failed', 'MBX-12'),
      ...IN_SPACE_WRITE,
    ],
  ],
  [`PATCH ${SPACE}/mailboxes/:guid`]: [
    WRITE,
    [
      ...failed(400, null, 'MBX-20'),
      ...failed(404, 'unknown_mailbox', 'MBX-03'),
      ...blocked(
        422,
        'update_failed',
        'MBX-18',
        'nothing was written: the package may have no room, or a group or list is foreign or cannot be checked',
      ),
      ...IN_SPACE_WRITE,
    ],
  ],
  [`DELETE ${SPACE}/mailboxes/:guid`]: [
    WRITE,
    [
      ...done(404, 'unknown_mailbox', 'MBX-03'),
      ...unclear(503, ['delete_unconfirmed', 'delete_unavailable'], 'MBX-29'),
      ...IN_SPACE_WRITE,
    ],
  ],
};
