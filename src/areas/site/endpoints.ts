// The endpoints of sites: the site itself, its tasks, metrics, backups, PHP, hostnames, cache layers, and the mail that
// it sends.
import type { Endpoints, Rows } from '../endpoint.ts';
import {
  ANYONE,
  DESTROY_SITE,
  MODIFY_SITE,
  READ_SITE,
  blocked,
  done,
  failed,
  needs,
  retry,
  unclear,
} from '../endpoint.ts';
import { SITE, IN_CDN, IN_CDN_WRITE, IN_SITE, IN_SITE_REMOVE, IN_SITE_WRITE, NEEDS_USER } from '../guards.ts';

const READ_DOMAINS = needs('domains:read');
// The scope is not documented (GAP-19).
const MODIFY_DOMAINS = needs(null, 'can_modify');
const DETACH = needs(null, 'can_destroy');
const NO_SHIELD_METRICS = blocked(
  409,
  'shield_not_active',
  'MET-04',
  'Shield is not active on the site, or has counted nothing yet',
);
const LAYER: Rows = [
  ...failed(422, 'unknown_cache_type', 'CCH-06'),
  ...blocked(
    422,
    'cache_type_unavailable',
    'CCH-09',
    'the plan of the site does not include this layer: change the plan, or remove the layer from cacheLayers',
  ),
  ...IN_CDN_WRITE,
];
const NO_MAIL = blocked(
  503,
  'mailprovider_unavailable',
  'TML-02',
  'the platform has no transactional mail at present',
  'Run plan again later, or remove `mail` from the manifest.',
);
const MAIL_STATE: Rows = [
  ...NO_MAIL,
  ...blocked(422, 'mail_not_provisioned', 'TML-03', 'the site has no mail account'),
];
const MAIL_ACTIVE: Rows = [
  ...blocked(422, 'mail_not_active', 'TML-04', 'the mail of the site is not active'),
  ...MAIL_STATE,
];

export const siteEndpoints: Endpoints = {
  'GET /api/sites': [READ_SITE, []],
  // Not documented, and answered all the same: the documents name the view's path with a word of another call (GAP-04).
  [`GET ${SITE}`]: [READ_SITE, IN_SITE],
  [`GET ${SITE}/restart`]: [READ_SITE, IN_SITE],
  [`PATCH ${SITE}`]: [MODIFY_SITE, [...NEEDS_USER, ...IN_SITE_WRITE]],
  [`POST ${SITE}`]: [MODIFY_SITE, IN_SITE_WRITE],
  // What was asked for is under way, or over (SIT-07).
  [`DELETE ${SITE}`]: [DESTROY_SITE, [...done(403, 'pending_delete', 'SIT-07'), ...IN_SITE_REMOVE]],
  [`GET ${SITE}/sso`]: [READ_SITE, IN_SITE],
  [`POST ${SITE}/sso`]: [MODIFY_SITE, IN_SITE_WRITE],
  [`GET ${SITE}/tasks`]: [READ_SITE, IN_SITE],
  [`GET ${SITE}/tasks/:filter/filter`]: [READ_SITE, IN_SITE],
  'GET /api/tasks/:id': [READ_SITE, []],
  [`GET ${SITE}/metrics/resources`]: [READ_SITE, IN_SITE],
  [`POST ${SITE}/metrics/resources`]: [READ_SITE, IN_SITE],
  [`POST ${SITE}/metrics/cdn`]: [READ_SITE, IN_SITE],
  [`GET ${SITE}/metrics/shield`]: [READ_SITE, [...NO_SHIELD_METRICS, ...IN_SITE]],
  [`GET ${SITE}/metrics/shield/overview`]: [READ_SITE, [...NO_SHIELD_METRICS, ...IN_SITE]],
  [`GET ${SITE}/backups`]: [READ_SITE, IN_SITE],
  [`PATCH ${SITE}/backups/:volume`]: [MODIFY_SITE, IN_SITE_WRITE],
  [`DELETE ${SITE}/backups/:volume`]: [DESTROY_SITE, IN_SITE_WRITE],
  [`PATCH ${SITE}/restores/:volume`]: [MODIFY_SITE, IN_SITE_WRITE],
  [`GET ${SITE}/variants`]: [READ_SITE, IN_SITE],
  [`PATCH ${SITE}/variants/php`]: [MODIFY_SITE, IN_SITE_WRITE],
  'GET /api/domains': [READ_DOMAINS, []],
  'GET /api/domains/:id': [READ_DOMAINS, []],
  'POST /api/domains/query': [READ_DOMAINS, []],
  [`GET ${SITE}/domains`]: [ANYONE, IN_SITE],
  [`POST ${SITE}/domains`]: [MODIFY_DOMAINS, IN_SITE_WRITE],
  [`PATCH ${SITE}/domains/:domain`]: [MODIFY_DOMAINS, IN_SITE_WRITE],
  // Singular for this verb only (DOM-10).
  [`DELETE ${SITE}/domain/:domain`]: [DETACH, IN_SITE_REMOVE],
  [`GET ${SITE}/cache`]: [READ_SITE, IN_CDN],
  [`PATCH ${SITE}/cache/:type`]: [MODIFY_SITE, LAYER],
  [`DELETE ${SITE}/cache/:type`]: [DESTROY_SITE, LAYER],
  [`DELETE ${SITE}/cache/:type/purge`]: [MODIFY_SITE, LAYER],
  [`GET ${SITE}/mail`]: [READ_SITE, [...NO_MAIL, ...IN_SITE]],
  [`PATCH ${SITE}/mail/settings`]: [
    MODIFY_SITE,
    [...failed(422, 'invalid_sender_identity', 'TML-12'), ...MAIL_STATE, ...IN_SITE_WRITE],
  ],
  [`DELETE ${SITE}/mail/suspension`]: [
    MODIFY_SITE,
    [
      ...blocked(403, 'unsuspend_not_allowed', 'TML-21'),
      ...unclear(422, 'unsuspend_failed', 'TML-22'),
      ...MAIL_STATE,
      ...IN_SITE_WRITE,
    ],
  ],
  // One check in five minutes: the next one is not for this run.
  [`POST ${SITE}/mail/dns_check`]: [
    MODIFY_SITE,
    [...blocked(429, 'rate_limited', 'TML-24'), ...MAIL_STATE, ...IN_SITE_WRITE],
  ],
  [`GET ${SITE}/mail/logs`]: [READ_SITE, [...retry(502, 'log_search_failed', 'MET-07'), ...MAIL_ACTIVE, ...IN_SITE]],
  [`GET ${SITE}/mail/metrics`]: [READ_SITE, [...failed(400, 'invalid_days', 'MET-08'), ...MAIL_ACTIVE, ...IN_SITE]],
};
