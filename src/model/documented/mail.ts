// The error answers of a site's mail and of mailspaces, and what they mean.
import { CHARGE, CHARGE_NOT_STARTED, SITE, SITES } from './guards.ts';
import type { EndpointRows, Rows } from './rows.ts';
import { blocked, done, failed, retry, unclear } from './rows.ts';

const NO_MAIL = blocked(503, 'mailprovider_unavailable', 'TML-02', 'the platform has no transactional mail at present');
const SITE_MAIL: Rows = [
  ...NO_MAIL,
  ...blocked(422, 'mail_not_provisioned', 'TML-03', 'the site has no mail account'),
  ...SITE,
];
const SITE_MAIL_ACTIVE: Rows = [
  ...blocked(422, 'mail_not_active', 'TML-04', 'the mail of the site is not active'),
  ...SITE_MAIL,
];

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
const SPACE_KNOWN: Rows = [
  ...failed(404, null, 'MSP-12'),
  ...blocked(403, 'mailspace_suspended', 'MSP-16', 'the mailspace is suspended'),
];
const SPACE_EDITABLE: Rows = [
  ...failed(403, 'not_authorized', 'MSP-13'),
  ...blocked(403, 'pending_delete', 'MSP-15', 'the mailspace is about to be deleted and takes no change'),
];
const SPACE_STATE: Rows = [
  ...SPACE_KNOWN,
  ...blocked(409, 'not_provisioned', 'MSP-12', 'the mailspace is not set up yet'),
];
const SPACE_WRITABLE: Rows = [...SPACE_STATE, ...SPACE_EDITABLE];
// A write that answers 503 was not attempted, or may have been done; only codes of its own say the latter (MBX-29).
const NOT_ATTEMPTED = retry(
  503,
  'mailhost_unavailable',
  'MBX-29',
  'the mail server could not be asked, and nothing was done',
);
// The primary domain is verified before the mailspace is set up (MDM-28).
const SPACE_VERIFICATION: Rows = [...NO_MAILHOST, ...SPACE_KNOWN];
const SPACE_VERIFICATION_WRITE: Rows = [...SPACE_VERIFICATION, ...SPACE_EDITABLE];
const IN_SPACE: Rows = [...NO_MAILHOST, ...SPACE_STATE];
const IN_SPACE_WRITE: Rows = [...NOT_ATTEMPTED, ...SPACE_WRITABLE];
const unavailable = (what: string): Rows => [...retry(503, `${what}_unavailable`, 'MSP-23'), ...IN_SPACE];
const PLAN_STATE = blocked(422, ['pending_delete', 'not_provisioned'], 'MSP-14');

const SITE_MAIL_PATH = `${SITES}/mail`;
const SPACE = '/api/mailspace/:mailspace';
/** The endpoints of the second document. */
export const MAIL: EndpointRows = {
  [`GET ${SITE_MAIL_PATH}`]: [...NO_MAIL, ...SITE],
  [`PATCH ${SITE_MAIL_PATH}/settings`]: [...failed(422, 'invalid_sender_identity', 'TML-12'), ...SITE_MAIL],
  [`DELETE ${SITE_MAIL_PATH}/suspension`]: [
    ...blocked(403, 'unsuspend_not_allowed', 'TML-21'),
    ...unclear(422, 'unsuspend_failed', 'TML-22'),
    ...SITE_MAIL,
  ],
  // One check in five minutes: the next one is not for this run.
  [`POST ${SITE_MAIL_PATH}/dns_check`]: [...blocked(429, 'rate_limited', 'TML-24'), ...SITE_MAIL],
  [`GET ${SITE_MAIL_PATH}/logs`]: [...retry(502, 'log_search_failed', 'MET-07'), ...SITE_MAIL_ACTIVE],
  [`GET ${SITE_MAIL_PATH}/metrics`]: [...failed(400, 'invalid_days', 'MET-08'), ...SITE_MAIL_ACTIVE],

  'GET /api/mailspace': NO_MAILHOST,
  'POST /api/mailspace': [
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
  [`GET ${SPACE}`]: [...NO_MAILHOST, ...failed(404, null, 'MSP-12')],
  [`PATCH ${SPACE}`]: [...PLAN_STATE, ...NO_MAILHOST, ...failed(404, null, 'MSP-12')],
  [`DELETE ${SPACE}`]: [...PLAN_STATE, ...NO_MAILHOST, ...failed(404, null, 'MSP-12')],
  [`GET ${SPACE}/domain_verification`]: SPACE_VERIFICATION,
  [`POST ${SPACE}/domain_verification`]: SPACE_VERIFICATION_WRITE,

  [`GET ${SPACE}/domains`]: unavailable('domains'),
  [`GET ${SPACE}/domains/dns`]: [...failed(404, 'unknown_domain', 'MDM-19'), ...IN_SPACE],
  [`POST ${SPACE}/domains/dns_check`]: [...failed(404, 'unknown_domain', 'MDM-20'), ...IN_SPACE_WRITE],
  [`GET ${SPACE}/domains/:name`]: [...LOOKUP_FAILED, ...failed(404, 'unknown_domain', 'MDM-17'), ...SPACE_STATE],
  [`POST ${SPACE}/domains`]: [
    ...failed(400, 'invalid_domain', 'MDM-06'),
    // In our own list it is done; else another mailspace has it.
    ...unclear(409, 'domain_exists', 'MDM-16'),
    ...done(409, 'domain_pending_verification', 'MDM-16'),
    ...failed(422, 'domain_create_failed', 'MDM-27'),
    ...IN_SPACE_WRITE,
  ],
  [`PATCH ${SPACE}/domains/:name`]: [
    ...LOOKUP_FAILED,
    ...failed(404, 'unknown_domain', 'MDM-17'),
    ...blocked(409, 'domain_pending_verification', 'MDM-15', 'the domain is not verified yet'),
    ...failed(422, 'domain_update_failed', 'MDM-27'),
    ...SPACE_WRITABLE,
  ],
  [`DELETE ${SPACE}/domains/:name`]: [
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

  [`GET ${SPACE}/aliases`]: unavailable('aliases'),
  [`POST ${SPACE}/aliases`]: [
    ...failed(400, ['address_blank', 'target_blank'], 'ALS-05'),
    ...failed(422, 'invalid_alias', 'ALS-05'),
    ...unclear(503, 'aliases_unavailable', 'ALS-09'),
    ...IN_SPACE_WRITE,
  ],
  [`DELETE ${SPACE}/aliases/:address`]: [
    ...done(404, 'unknown_alias', 'ALS-08'),
    ...failed(422, 'alias_remove_failed', 'ALS-09'),
    ...unclear(503, 'aliases_unavailable', 'ALS-09'),
    ...IN_SPACE_WRITE,
  ],

  [`GET ${SPACE}/groups`]: [...retry(503, 'group_members_unavailable', 'GRP-03'), ...unavailable('groups')],
  [`GET ${SPACE}/groups/:principal`]: [
    ...retry(503, 'group_members_unavailable', 'GRP-03'),
    ...failed(404, 'unknown_group', 'GRP-08'),
    ...IN_SPACE,
  ],
  [`POST ${SPACE}/groups`]: [...failed(422, 'group_create_failed', 'GRP-06'), ...IN_SPACE_WRITE],
  [`PATCH ${SPACE}/groups/:principal`]: [
    ...done(503, 'group_members_unavailable', 'GRP-09'),
    ...failed(404, 'unknown_group', 'GRP-08'),
    ...failed(422, 'group_update_failed', 'GRP-06'),
    ...IN_SPACE_WRITE,
  ],
  // It may also mean that the group could not be read.
  [`DELETE ${SPACE}/groups/:principal`]: [...unclear(404, 'unknown_group', 'GRP-08'), ...IN_SPACE_WRITE],
  [`GET ${SPACE}/mailing_lists`]: unavailable('mailing_lists'),
  [`POST ${SPACE}/mailing_lists`]: [...failed(422, 'mailing_list_create_failed', 'GRP-06'), ...IN_SPACE_WRITE],
  [`GET ${SPACE}/archived_items`]: unavailable('archived_items'),
  [`GET ${SPACE}/purged_mailboxes`]: unavailable('purged_mailboxes'),

  [`GET ${SPACE}/mailboxes`]: unavailable('mailboxes'),
  [`GET ${SPACE}/mailboxes/check`]: [...failed(400, 'invalid_address', 'MBX-08'), ...IN_SPACE],
  [`GET ${SPACE}/mailboxes/:guid`]: [...failed(404, 'unknown_mailbox', 'MBX-03'), ...IN_SPACE],
  [`POST ${SPACE}/mailboxes`]: [
    ...failed(400, ['username_blank', 'password_blank'], 'MBX-10'),
    // The mailbox may have been made before what failed.
    ...unclear(422, 'create_failed', 'MBX-12'),
    ...IN_SPACE_WRITE,
  ],
  [`PATCH ${SPACE}/mailboxes/:guid`]: [
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
  [`DELETE ${SPACE}/mailboxes/:guid`]: [
    ...done(404, 'unknown_mailbox', 'MBX-03'),
    ...unclear(503, ['delete_unconfirmed', 'delete_unavailable'], 'MBX-29'),
    ...IN_SPACE_WRITE,
  ],
};
