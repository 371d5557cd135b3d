// The endpoints of Shield.
import type { Endpoints, Rows } from '../endpoint.ts';
import { DESTROY_SITE, MODIFY_SITE, READ_SITE, blocked, done, retry, unclear } from '../endpoint.ts';
import { SITE, IN_SITE, IN_SITE_WRITE, NO_CDN } from '../guards.ts';

/** A zone that answers as one that is not active means the same (GAP-27). */
export const NOT_ACTIVE = {
  until: { kind: 'Shield', field: 'enabled' },
  reason: 'Shield is not active on the site',
  remedy: 'Write `shield.enabled: true`, or remove this from `shield`.',
  rule: 'SHD-02',
} as const;

/** In the order in which the platform asks: the plan of the site first, then Shield itself. */
const NO_SHIELD: Rows = [
  ...blocked(
    403,
    'shield_not_in_plan',
    'SHD-01',
    'the plan of the site does not include Shield',
    'Choose a plan of the site that includes Shield, or write `shield: { enabled: false }`.',
    { until: { kind: 'Site', field: 'plan' } },
  ),
  ...blocked(409, 'shield_not_active', NOT_ACTIVE.rule, NOT_ACTIVE.reason, NOT_ACTIVE.remedy, {
    until: NOT_ACTIVE.until,
  }),
];
const PREMIUM = blocked(
  403,
  'shield_premium_required',
  'SHD-14',
  'it takes a premium Shield plan: write a higher `shield.plan`, or remove it',
);
const IN_SHIELD: Rows = [...retry(502, null, 'SHD-25'), ...NO_SHIELD, ...IN_SITE];
const IN_SHIELD_WRITE: Rows = [...unclear(502, null, 'SHD-25'), ...NO_SHIELD, ...IN_SITE_WRITE];
const IN_SHIELD_REMOVE: Rows = [...unclear(404, null, 'SIT-17'), ...IN_SHIELD_WRITE];
const RATE_LIMIT_TEXT = blocked(422, null, 'SHD-17');

export const shieldEndpoints: Endpoints = {
  [`GET ${SITE}/shield`]: [READ_SITE, IN_SHIELD],
  [`POST ${SITE}/shield`]: [
    MODIFY_SITE,
    [
      // Here it says that the site has no CDN.
      ...NO_CDN.map((row) => ({ ...row, code: 'shield_not_active', rule: 'SHD-03' })),
      ...IN_SHIELD_WRITE,
    ],
  ],
  [`PATCH ${SITE}/shield`]: [MODIFY_SITE, IN_SHIELD_WRITE],
  // Whichever it says, no Shield is on any more.
  [`DELETE ${SITE}/shield`]: [
    DESTROY_SITE,
    [...done(409, 'shield_not_active', 'SHD-02'), ...done(403, 'shield_not_in_plan', 'SHD-01'), ...IN_SHIELD_WRITE],
  ],
  [`GET ${SITE}/shield/waf`]: [READ_SITE, IN_SHIELD],
  [`PATCH ${SITE}/shield/waf`]: [MODIFY_SITE, IN_SHIELD_WRITE],
  [`GET ${SITE}/shield/waf/rules`]: [READ_SITE, IN_SHIELD],
  [`GET ${SITE}/shield/waf_custom_rules`]: [READ_SITE, IN_SHIELD],
  [`POST ${SITE}/shield/waf_custom_rules`]: [MODIFY_SITE, [...PREMIUM, ...IN_SHIELD_WRITE]],
  [`PATCH ${SITE}/shield/waf_custom_rules/:item`]: [MODIFY_SITE, IN_SHIELD_WRITE],
  [`DELETE ${SITE}/shield/waf_custom_rules/:item`]: [DESTROY_SITE, IN_SHIELD_REMOVE],
  [`GET ${SITE}/shield/bot_detection`]: [READ_SITE, IN_SHIELD],
  [`PATCH ${SITE}/shield/bot_detection`]: [MODIFY_SITE, [...PREMIUM, ...IN_SHIELD_WRITE]],
  [`GET ${SITE}/shield/rate_limits`]: [READ_SITE, IN_SHIELD],
  [`POST ${SITE}/shield/rate_limits`]: [MODIFY_SITE, [...RATE_LIMIT_TEXT, ...IN_SHIELD_WRITE]],
  // The 502 may be the upstream's own refusal; the next plan reads what is true.
  [`PATCH ${SITE}/shield/rate_limits/:item`]: [
    MODIFY_SITE,
    [...blocked(502, null, 'GAP-30', 'the upstream refused it or failed'), ...RATE_LIMIT_TEXT, ...IN_SHIELD_WRITE],
  ],
  [`DELETE ${SITE}/shield/rate_limits/:item`]: [DESTROY_SITE, IN_SHIELD_REMOVE],
  [`GET ${SITE}/shield/access_lists`]: [READ_SITE, IN_SHIELD],
  [`GET ${SITE}/shield/access_lists/enums`]: [READ_SITE, IN_SHIELD],
  [`GET ${SITE}/shield/access_lists/:item`]: [READ_SITE, IN_SHIELD],
  [`POST ${SITE}/shield/access_lists`]: [MODIFY_SITE, IN_SHIELD_WRITE],
  [`PATCH ${SITE}/shield/access_lists/:item`]: [MODIFY_SITE, IN_SHIELD_WRITE],
  [`DELETE ${SITE}/shield/access_lists/:item`]: [DESTROY_SITE, IN_SHIELD_REMOVE],
  [`GET ${SITE}/shield/events`]: [READ_SITE, IN_SHIELD],
};
