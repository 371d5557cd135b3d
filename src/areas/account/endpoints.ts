// The endpoints of the account as a whole: what there is to buy, orders, carts, and what the platform reports.
import type { Endpoints } from '../endpoint.ts';
import { ANYONE, CLOSED, USER, blocked, failed, needs, retry } from '../endpoint.ts';
import { NO_ACCOUNT, NO_OAUTH, NEEDS_USER, TRIAL, CHARGE, CHARGE_NOT_STARTED, NO_REGISTRATION } from '../guards.ts';

const READ = needs('billing:read');

export const accountEndpoints: Endpoints = {
  'GET /api/about': [ANYONE, []],
  'GET /api/orders': [READ, NO_ACCOUNT],
  'GET /api/orders/:id': [READ, NO_ACCOUNT],
  'POST /api/orders': [
    USER,
    [
      ...NO_ACCOUNT,
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
  ],
  'POST /api/orders/domain': [
    USER,
    [
      ...NO_ACCOUNT,
      ...NO_OAUTH,
      ...NEEDS_USER,
      ...TRIAL,
      ...NO_REGISTRATION,
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
  ],
  'DELETE /api/orders/:id': [CLOSED, [...NO_ACCOUNT, ...NO_OAUTH]],
  'PATCH /api/orders/:id': [CLOSED, [...NO_ACCOUNT, ...failed(400, null, 'ORD-19')]],
  'GET /api/carts/:token': [READ, [...NO_ACCOUNT, ...failed(404, null, 'ORD-21')]],
  'GET /api/webhooks/task': [ANYONE, []],
  'POST /api/webhooks/task/:id': [CLOSED, [...NO_ACCOUNT, ...NO_OAUTH]],
};
