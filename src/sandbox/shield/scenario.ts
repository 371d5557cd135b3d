// One site for each state that Shield can be in: out of the plan, without a pull zone, never provisioned, basic,
// advanced, learning, deactivated with leftovers, with its upstream down, and with rules that no write can express.
import { EPOCH_MS } from '../core/clock.ts';
import { accessList, configuredItem, shieldZone } from './state.ts';
import type { ConfiguredItem, ShieldZone } from './state.ts';
import { addDomain, addSite } from '../core/state.ts';
import type { State } from '../core/state.ts';

const HOUR_MS = 3_600_000;

export function shield(state: State): void {
  state.plans.push({ shortName: 'bare', name: 'Bare', layers: ['cdn'], shield: false });
  const zones: Readonly<Record<string, ShieldZone | null>> = {
    bare: null,
    none: null,
    'no-cdn': null,
    basic: basic(),
    premium: premium(),
    learning: learning(),
    resting: resting(),
    down: shieldZone(),
    intricate: intricate(),
  };
  for (const [name, zone] of Object.entries(zones)) {
    const site = addSite(state, {
      id: `site-${name}`,
      accountId: 'acc-acme',
      name,
      package: name === 'bare' ? 'bare' : 'pro',
    });
    addDomain(state, site, { id: `dom-${name}`, hostname: `${name}.example.com` });
    site.shield = { zone, upstreamDown: name === 'down' };
    if (name === 'no-cdn') site.cdn.zone = 'none';
  }
  // Rob may change the premium site, but not delete anything there.
  state.users.get('user-rob')?.siteRoles.set('site-premium', 'modify');
}

/** WAF on and only logging, two limits, one list, and a day and a half of events. */
function basic(): ShieldZone {
  return shieldZone({
    rateLimits: [limit('limit-login', 101, 'Login', 10), limit('limit-search', 102, 'Search', 1)],
    accessLists: [
      accessList({
        id: 'list-office',
        number: 103,
        name: 'Office',
        description: 'our own',
        content: '192.0.2.1\n192.0.2.2\n',
        checksum: 'stored-before',
      }),
    ],
    events: Array.from({ length: 40 }, (_one, index) => ({
      atMs: EPOCH_MS - (index * HOUR_MS) / 4,
      entry: { rule_id: '942100', action: 'log', ip: '192.0.2.9', country: 'NL', url: `/search?q=${index}` },
    })),
  });
}

/** WAF blocking, with something of everything. */
function premium(): ShieldZone {
  return shieldZone({
    tier: 'advanced',
    waf: { enabled: true, executionMode: 1, disabledRules: ['942100', '941100'], logOnlyRules: ['941160'] },
    whitelabel: true,
    bots: {
      execution_mode: 1,
      request_integrity_sensitivity: 1,
      ip_address_sensitivity: 2,
      browser_fingerprint_sensitivity: 3,
      browser_fingerprint_aggression: 2,
      browser_fingerprint_complex_enabled: true,
    },
    customRules: [
      customRule('rule-admin', 201, 'Admin area'),
      customRule('rule-legacy', 202, 'Legacy', {
        action_type: 5,
        variable_type: 'REQUEST_HEADERS',
        variable_subselector: 'x-old',
      }),
    ],
    rateLimits: [limit('limit-api', 203, 'Api', 300)],
    accessLists: [
      accessList({
        id: 'list-partners',
        number: 204,
        name: 'Partners',
        type: 1,
        content: '198.51.100.0/24',
        checksum: 'stored-before',
      }),
      accessList({ id: 'list-countries', number: 205, name: 'Countries', type: 3, content: 'NL\nDE' }),
    ],
  });
}

function learning(): ShieldZone {
  return shieldZone({ tier: 'advanced', learning: { on: true, untilMs: EPOCH_MS + 48 * HOUR_MS } });
}

/** Deactivated with all that it had. */
function resting(): ShieldZone {
  const zone = premium();
  zone.waf.enabled = false;
  return { ...zone, active: false, wafBefore: true };
}

/** Negation, transformations and chains: made elsewhere, and not in the shape of a write. A name that comes twice. */
function intricate(): ShieldZone {
  const chain = [{ variable_types: { REQUEST_METHOD: '' }, operator_type: 15, value: 'POST', is_negated: false }];
  return shieldZone({
    tier: 'business',
    customRules: [
      customRule('rule-negated', 301, 'Negated', { is_negated: true }),
      customRule('rule-transformed', 302, 'Transformed', { transformation_types: [8, 19] }),
      customRule('rule-chained', 303, 'Chained', { chained_rule_conditions: chain }),
      customRule('rule-plain', 304, 'Plain'),
      customRule('rule-twin-1', 305, 'Twin'),
      customRule('rule-twin-2', 306, 'Twin', { action_type: 2 }),
    ],
    rateLimits: [
      {
        ...limit('limit-chained', 307, 'Chained', 60),
        configuration: {
          ...limitOf(60),
          isNegated: true,
          chainedRuleConditions: [{ variableTypes: { REQUEST_METHOD: '' }, operatorType: 15, value: 'POST' }],
        },
      },
    ],
  });
}

function customRule(
  id: string,
  number: number,
  name: string,
  configuration: Record<string, unknown> = {},
): ConfiguredItem {
  return configuredItem({
    id,
    number,
    name,
    configuration: {
      action_type: 1,
      variable_type: 'REQUEST_URI',
      variable_subselector: '',
      operator_type: 2,
      severity_type: 1,
      value: '/admin',
      ...configuration,
    },
  });
}

function limit(id: string, number: number, name: string, timeframe: number): ConfiguredItem {
  return configuredItem({
    id,
    number,
    name,
    description: `at most 5 in ${timeframe} seconds`,
    configuration: limitOf(timeframe),
  });
}

function limitOf(timeframe: number): Record<string, unknown> {
  return {
    actionType: 1,
    variableTypes: { REQUEST_URI: '' },
    operatorType: 2,
    severityType: 0,
    value: '/login',
    requestCount: 5,
    timeframe,
  };
}
