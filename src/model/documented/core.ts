// The error answers of sites, domains, orders, users, CDN and Shield, and what they mean.
import { ACCOUNT, AREA_OFF, CHARGE, CHARGE_NOT_STARTED, NEEDS_USER, NO_OAUTH, SITE, SITES, TRIAL } from './guards.ts';
import type { EndpointRows, Rows } from './rows.ts';
import { blocked, done, failed, retry, unclear } from './rows.ts';

/** A 404 may also be about what is to be removed: the list tells. */
const SITE_ITEM_DELETE: Rows = [...unclear(404, null, 'SIT-17'), ...SITE];

const NO_CDN = blocked(
  409,
  'cdn_not_active',
  'CDN-01',
  'the CDN of the site is not active, and no call of the API activates it',
);
const CDN: Rows = [...NO_CDN, ...SITE];
// After a 502 a write may have been done all the same (RTY-07).
const CDN_READ: Rows = [...retry(502, null, 'EDG-18'), ...CDN];
const CDN_WRITE: Rows = [...unclear(502, null, 'EDG-18'), ...CDN];
const LOG_RANGE = failed(422, ['invalid_period', 'invalid_range', 'range_exceeds_3_days'], 'MET-05');
const LAYER: Rows = [
  ...failed(422, 'unknown_cache_type', 'CCH-06'),
  ...blocked(
    422,
    'cache_type_unavailable',
    'CCH-09',
    'the plan of the site does not include this layer: change the plan, or remove the layer from cacheLayers',
  ),
  ...CDN_WRITE,
];

const NOT_IN_PLAN = blocked(
  403,
  'shield_not_in_plan',
  'SHD-01',
  'the plan of the site does not include Shield: choose one that does, or remove `shield`',
);
const NOT_ACTIVE = blocked(409, 'shield_not_active', 'SHD-02', 'Shield is not active on the site');
const PREMIUM = blocked(
  403,
  'shield_premium_required',
  'SHD-14',
  'it takes a premium Shield plan: write a higher `shield.plan`, or remove it',
);
const NO_SHIELD_METRICS = blocked(
  409,
  'shield_not_active',
  'MET-04',
  'Shield is not active on the site, or has counted nothing yet',
);
const SHIELD_READ: Rows = [...NOT_IN_PLAN, ...NOT_ACTIVE, ...retry(502, null, 'SHD-25'), ...SITE];
const SHIELD_WRITE: Rows = [...NOT_IN_PLAN, ...NOT_ACTIVE, ...unclear(502, null, 'SHD-25'), ...SITE];
const SHIELD_ITEM_DELETE: Rows = [...unclear(404, null, 'SIT-17'), ...SHIELD_WRITE];
const RATE_LIMIT_TEXT = blocked(422, null, 'SHD-17');

/** The endpoints of the first document. */
export const CORE: EndpointRows = {
  'GET /api/about': [],
  'GET /api/sites': [],
  [`GET ${SITES}/restart`]: SITE,
  [`PATCH ${SITES}`]: [...NEEDS_USER, ...SITE],
  [`POST ${SITES}`]: SITE,
  // What was asked for is under way, or over (SIT-07).
  [`DELETE ${SITES}`]: [...done(403, 'pending_delete', 'SIT-07'), ...SITE_ITEM_DELETE],
  [`GET ${SITES}/sso`]: SITE,
  [`POST ${SITES}/sso`]: SITE,
  [`GET ${SITES}/tasks`]: SITE,
  [`GET ${SITES}/tasks/:filter/filter`]: SITE,
  'GET /api/tasks/:id': [],
  [`GET ${SITES}/metrics/resources`]: SITE,
  [`POST ${SITES}/metrics/resources`]: SITE,
  [`POST ${SITES}/metrics/cdn`]: SITE,
  [`GET ${SITES}/metrics/shield`]: [...NO_SHIELD_METRICS, ...SITE],
  [`GET ${SITES}/metrics/shield/overview`]: [...NO_SHIELD_METRICS, ...SITE],
  [`GET ${SITES}/backups`]: SITE,
  [`PATCH ${SITES}/backups/:volume`]: SITE,
  [`DELETE ${SITES}/backups/:volume`]: SITE,
  [`PATCH ${SITES}/restores/:volume`]: SITE,
  [`GET ${SITES}/variants`]: SITE,
  [`PATCH ${SITES}/variants/php`]: SITE,
  'GET /api/domains': [],
  'GET /api/domains/:id': [],
  'POST /api/domains/query': [],
  [`GET ${SITES}/domains`]: SITE,
  [`POST ${SITES}/domains`]: SITE,
  [`PATCH ${SITES}/domains/:domain`]: SITE,
  // Singular for this verb only (DOM-10).
  [`DELETE ${SITES}/domain/:domain`]: SITE_ITEM_DELETE,

  'GET /api/orders': ACCOUNT,
  'GET /api/orders/:id': ACCOUNT,
  'POST /api/orders': [
    ...ACCOUNT,
    ...NO_OAUTH,
    ...NEEDS_USER,
    ...TRIAL,
    ...CHARGE,
    ...CHARGE_NOT_STARTED,
    ...failed(
      400,
      [
        'account_cannot_order',
        'unknown_variant',
        'unknown_location',
        'unknown_term',
        'unknown_product',
        'no_price_for_plan',
        'item_add_failed',
      ],
      'ORD-27',
    ),
    // Stock does not come back within a run.
    ...blocked(
      400,
      'over_capacity',
      'ORD-28',
      'the location has no stock; it may have some later, and nothing was charged',
    ),
  ],
  'POST /api/orders/domain': [
    ...ACCOUNT,
    ...NO_OAUTH,
    ...NEEDS_USER,
    ...TRIAL,
    ...AREA_OFF,
    ...CHARGE,
    ...CHARGE_NOT_STARTED,
    ...failed(
      400,
      [
        'account_cannot_order',
        'invalid_action',
        'invalid_domain',
        'unsupported_tld',
        'pricing_unavailable',
        'authcode_required',
        'incomplete_contact',
        'invalid_contact',
        'invalid_contact_source',
      ],
      'ORD-36',
    ),
    ...failed(422, ['domain_add_failed', 'domain_contact_invalid', 'domain_contact_needs_augmentation'], 'ORD-36'),
    ...blocked(
      422,
      'domain_unavailable',
      'ORD-37',
      'the registry says that the name cannot be registered; nothing was charged',
    ),
    ...retry(
      422,
      'domain_availability_unknown',
      'ORD-38',
      'whether the name can be had could not be found out, which says nothing about the name; nothing was charged',
    ),
  ],
  'DELETE /api/orders/:id': [...ACCOUNT, ...NO_OAUTH],
  'PATCH /api/orders/:id': [...ACCOUNT, ...failed(400, null, 'ORD-19')],
  'GET /api/carts/:token': [...ACCOUNT, ...failed(404, null, 'ORD-21')],

  'GET /api/users': [...ACCOUNT, ...NO_OAUTH],
  'GET /api/users/:id': [...ACCOUNT, ...NO_OAUTH],
  'POST /api/users': [
    ...ACCOUNT,
    ...blocked(403, null, 'USR-02', 'only an administrator of a reseller account makes users'),
    ...blocked(
      422,
      null,
      'USR-04',
      'the platform makes no such user: a field is not valid, the address may be taken, ' +
        'or this is the account of the platform itself',
    ),
  ],
  'PATCH /api/users/:id': failed(401, null, 'USR-05'),
  'DELETE /api/users/:id': failed(401, null, 'USR-05'),

  'GET /api/webhooks/task': [],
  'POST /api/webhooks/task/:id': [...ACCOUNT, ...NO_OAUTH],

  [`GET ${SITES}/cdn`]: CDN_READ,
  [`GET ${SITES}/cdn/caching`]: CDN_READ,
  [`PATCH ${SITES}/cdn/caching`]: CDN_WRITE,
  // Without a CDN nothing is cached.
  [`POST ${SITES}/cdn/caching/purge`]: [...done(409, 'cdn_not_active', 'CDN-01'), ...CDN_WRITE],
  [`GET ${SITES}/cache`]: CDN_READ,
  [`PATCH ${SITES}/cache/:type`]: LAYER,
  [`DELETE ${SITES}/cache/:type`]: LAYER,
  [`DELETE ${SITES}/cache/:type/purge`]: LAYER,
  [`GET ${SITES}/edge_rules`]: CDN_READ,
  [`POST ${SITES}/edge_rules`]: CDN_WRITE,
  [`PATCH ${SITES}/edge_rules/:guid`]: CDN_WRITE,
  [`PATCH ${SITES}/edge_rules/:guid/enabled`]: CDN_WRITE,
  [`DELETE ${SITES}/edge_rules/:guid`]: [...unclear(404, null, 'SIT-17'), ...CDN_WRITE],
  [`GET ${SITES}/logs/cdn`]: [...LOG_RANGE, ...CDN_READ],
  [`GET ${SITES}/logs/cdn/summary`]: [...LOG_RANGE, ...CDN_READ],
  [`GET ${SITES}/logs/origin`]: CDN_READ,

  [`GET ${SITES}/shield`]: SHIELD_READ,
  [`POST ${SITES}/shield`]: [
    ...blocked(
      409,
      'shield_not_active',
      'SHD-03',
      'the CDN of the site is not active, and no call of the API activates it',
    ),
    ...SHIELD_WRITE,
  ],
  [`PATCH ${SITES}/shield`]: SHIELD_WRITE,
  // Whichever it says, no Shield is on any more.
  [`DELETE ${SITES}/shield`]: [
    ...done(409, 'shield_not_active', 'SHD-02'),
    ...done(403, 'shield_not_in_plan', 'SHD-01'),
    ...SHIELD_WRITE,
  ],
  [`GET ${SITES}/shield/waf`]: SHIELD_READ,
  [`PATCH ${SITES}/shield/waf`]: SHIELD_WRITE,
  [`GET ${SITES}/shield/waf/rules`]: SHIELD_READ,
  [`GET ${SITES}/shield/waf_custom_rules`]: SHIELD_READ,
  [`POST ${SITES}/shield/waf_custom_rules`]: [...PREMIUM, ...SHIELD_WRITE],
  [`PATCH ${SITES}/shield/waf_custom_rules/:item`]: SHIELD_WRITE,
  [`DELETE ${SITES}/shield/waf_custom_rules/:item`]: SHIELD_ITEM_DELETE,
  [`GET ${SITES}/shield/bot_detection`]: SHIELD_READ,
  [`PATCH ${SITES}/shield/bot_detection`]: [...PREMIUM, ...SHIELD_WRITE],
  [`GET ${SITES}/shield/rate_limits`]: SHIELD_READ,
  [`POST ${SITES}/shield/rate_limits`]: [...RATE_LIMIT_TEXT, ...SHIELD_WRITE],
  // The 502 may be the upstream's own refusal; the next plan reads what is true.
  [`PATCH ${SITES}/shield/rate_limits/:item`]: [
    ...blocked(502, null, 'GAP-30', 'the upstream refused it or failed'),
    ...RATE_LIMIT_TEXT,
    ...SHIELD_WRITE,
  ],
  [`DELETE ${SITES}/shield/rate_limits/:item`]: SHIELD_ITEM_DELETE,
  [`GET ${SITES}/shield/access_lists`]: SHIELD_READ,
  [`GET ${SITES}/shield/access_lists/enums`]: SHIELD_READ,
  [`GET ${SITES}/shield/access_lists/:item`]: SHIELD_READ,
  [`POST ${SITES}/shield/access_lists`]: SHIELD_WRITE,
  [`PATCH ${SITES}/shield/access_lists/:item`]: SHIELD_WRITE,
  [`DELETE ${SITES}/shield/access_lists/:item`]: SHIELD_ITEM_DELETE,
  [`GET ${SITES}/shield/events`]: SHIELD_READ,
};
