// What the CDN does for a site: its hostnames there, the caching settings, the edge rules.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import { objectAt, rowsAt } from '../../model/kind/rows.ts';
import type { ShownValue } from '../../model/shown.ts';
import { defineSiteView, idAt, inWords, listAt, plainAt } from '../common/view.ts';
import { edgeRulesIn } from './kinds/edge-rule/index.ts';

/** A site without a CDN has nothing there (CDN-04, CCH-07, EDG-18). */
const NO_CDN = [[409, 'cdn_not_active']] as const;

interface AtCdn {
  readonly hostname: JsonObject;
  /** Of the site as a whole; nothing writes it (CDN-03). */
  readonly status: JsonObject;
}

const cdn = defineSiteView<AtCdn>({
  called: [
    ['cdn', 'cdn'],
    'each hostname at the CDN: whether it has its certificate; wide: origin, logging',
    { takes: ['site'] },
  ],
  below: '/cdn',
  what: 'hostnames at the CDN',
  absences: NO_CDN,
  parts: (answer) => {
    const { hostnames, ...status } = objectAt(answer);
    // An empty list may read as null (CNV-02).
    return hostnames === null ? [] : rowsAt(answer, '/hostnames').map((hostname) => ({ hostname, status }));
  },
  id: ({ part: { hostname } }) => idAt(hostname, '/value'),
  names: ({ site }) => [site.label, site.id],
  object: ({ hostname, status }) => ({ ...hostname, cdn: status }),
  columns: {
    hostname: '/value',
    certificate: '/has_certificate',
    'force TLS': '/force_ssl',
    CDN: ({ part: { status } }) => (status.active === false ? 'off' : plainAt(status, '/cdn_type')),
  },
  wide: {
    system: '/is_system_hostname',
    origin: '/cdn/origin_url',
    'automatic certificates': '/cdn/auto_ssl',
    caches: '/cdn/cache_enabled',
    'origin shield': '/cdn/origin_shield_enabled',
    optimizer: '/cdn/optimizer_enabled',
    logging: '/cdn/enable_logging',
  },
});

const caching = defineSiteView<JsonObject>({
  called: [
    ['caching', 'caching'],
    'how the CDN caches each site: expiration, what answers differ by',
    { takes: ['site'] },
  ],
  below: '/cdn/caching',
  what: 'caching',
  absences: NO_CDN,
  parts: (answer) => [objectAt(answer)],
  id: ({ site }) => site.id,
  names: ({ site }) => [site.label],
  columns: {
    'smart cache': '/smart_cache',
    expiration: '/cache_expiration',
    'in browsers': '/browser_cache_expiration',
    'differs by': ({ part }) => variants(part),
    'stale while': ({ part }) => namesOfTrue(part, 'stale_while_'),
  },
  wide: {
    'cookies off': '/disable_cookies',
    'error responses': '/cache_error_responses',
    slices: '/cache_slice',
    'sorts queries': '/query_string_ordering',
    cookies: ({ part }) => listAt(part, '/cookie_vary_parameters'),
    'query parameters': ({ part }) => listAt(part, '/query_string_vary_parameters'),
  },
});

/** What a cached answer is kept apart by. */
function variants(settings: JsonObject): ShownValue {
  return namesOfTrue(settings, 'vary_');
}

function namesOfTrue(settings: JsonObject, prefix: string): ShownValue {
  const on = Object.keys(settings).filter((key) => key.startsWith(prefix) && settings[key] === true);
  return { is: 'list', items: on.map((key) => key.slice(prefix.length).replaceAll('_', ' ')) };
}

interface EdgeRule {
  readonly id: string;
  /** As a manifest has it. */
  readonly rule: JsonObject;
  readonly readOnly: boolean;
}

const edgeRules = defineSiteView<EdgeRule>({
  called: [
    ['edge-rules', 'edge-rule', 'er'],
    'edge rules in their order: what each does, and for which requests',
    { takes: ['site'] },
  ],
  isOrdered: true,
  below: '/edge_rules',
  what: 'edge rules',
  absences: NO_CDN,
  parts: edgeRulesIn,
  id: ({ part: { id } }) => id,
  names: ({ part: { rule } }) => [rule.name],
  object: ({ id, rule, readOnly }) => ({ id, readOnly, ...rule }),
  columns: {
    name: '/name',
    enabled: '/enabled',
    does: ({ part: { rule } }) => [rule.action ?? {}, ...itemsOf(rule.extraActions)].map(oneLine).join(', '),
    match: '/match',
    triggers: ({ part: { rule } }) => ({ is: 'list', items: itemsOf(rule.triggers).map(oneLine) }),
  },
  wide: {
    'of the platform': '/readOnly',
    id: ({ part: { id } }) => id,
  },
});

function itemsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** `redirect to=https://example.com`, `country BE, NL`: an action or a trigger of a rule, its word first. */
function oneLine(value: Json): string {
  const [[word, of] = [], ...others] = isJsonObject(value) ? Object.entries(value) : [];
  if (word === undefined || of === undefined || others.length > 0) return inWords(value);
  const rest = Array.isArray(of) ? (of as readonly Json[]).map(inWords).join(', ') : inWords(of);
  return rest === '' ? word : `${word} ${rest}`;
}

export const cdnViews = [cdn, caching, edgeRules];
