// The endpoints of the CDN of a site, of its edge rules and of its logs.
import type { Endpoints } from '../endpoint.ts';
import { DESTROY_SITE, MODIFY_SITE, READ_SITE, done, failed, unclear } from '../endpoint.ts';
import { SITE, IN_CDN, IN_CDN_WRITE } from '../guards.ts';

const LOG_RANGE = failed(422, ['invalid_period', 'invalid_range', 'range_exceeds_3_days'], 'MET-05');

export const cdnEndpoints: Endpoints = {
  [`GET ${SITE}/cdn`]: [READ_SITE, IN_CDN],
  [`GET ${SITE}/cdn/caching`]: [READ_SITE, IN_CDN],
  [`PATCH ${SITE}/cdn/caching`]: [MODIFY_SITE, IN_CDN_WRITE],
  // Without a CDN nothing is cached.
  [`POST ${SITE}/cdn/caching/purge`]: [MODIFY_SITE, [...done(409, 'cdn_not_active', 'CDN-01'), ...IN_CDN_WRITE]],
  [`GET ${SITE}/edge_rules`]: [READ_SITE, IN_CDN],
  [`POST ${SITE}/edge_rules`]: [MODIFY_SITE, IN_CDN_WRITE],
  [`PATCH ${SITE}/edge_rules/:guid`]: [MODIFY_SITE, IN_CDN_WRITE],
  [`PATCH ${SITE}/edge_rules/:guid/enabled`]: [MODIFY_SITE, IN_CDN_WRITE],
  [`DELETE ${SITE}/edge_rules/:guid`]: [DESTROY_SITE, [...unclear(404, null, 'SIT-17'), ...IN_CDN_WRITE]],
  [`GET ${SITE}/logs/cdn`]: [READ_SITE, [...LOG_RANGE, ...IN_CDN]],
  [`GET ${SITE}/logs/cdn/summary`]: [READ_SITE, [...LOG_RANGE, ...IN_CDN]],
  [`GET ${SITE}/logs/origin`]: [READ_SITE, IN_CDN],
};
