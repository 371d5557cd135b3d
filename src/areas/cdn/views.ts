// What the CDN does for a site: its hostnames there, the caching settings, the edge rules.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import { objectAt, rowsAt } from '../../model/kind/rows.ts';
import type { ShownValue } from '../../model/shown.ts';
import type { Place } from '../common/view.ts';
import { defineView, idAt, inWords, inside, listAt, plainAt, sitePath, sitesOf } from '../common/view.ts';
import { edgeRulesIn } from './kinds/edge-rule/index.ts';

/** A site without a CDN has nothing there (CDN-04, CCH-07, EDG-18). */
const NO_CDN = [[409, 'cdn_not_active']] as const;

interface AtCdn {
  readonly site: Place;
  readonly hostname: JsonObject;
  /** Of the site as a whole; nothing writes it (CDN-03). */
  readonly status: JsonObject;
}

const cdn = defineView<AtCdn>({
  items: async (reader, { parent }) =>
    inside(reader, await sitesOf(reader, parent), {
      path: (site) => sitePath(site, '/cdn'),
      what: 'hostnames at the CDN',
      absences: NO_CDN,
      items: (answer, site) => {
        const { hostnames, ...status } = objectAt(answer);
        // An empty list may read as null (CNV-02).
        return hostnames === null ? [] : rowsAt(answer, '/hostnames').map((hostname) => ({ site, hostname, status }));
      },
    }),
  id: ({ hostname }) => idAt(hostname, '/value'),
  names: ({ site }) => [site.label, site.id],
  object: ({ site, hostname, status }) => ({ site: site.id, ...hostname, cdn: status }),
  columns: {
    site: ({ site }) => site.label,
    hostname: ({ hostname }) => plainAt(hostname, '/value'),
    certificate: ({ hostname }) => plainAt(hostname, '/has_certificate'),
    'force TLS': ({ hostname }) => plainAt(hostname, '/force_ssl'),
    CDN: ({ status }) => (status.active === false ? 'off' : plainAt(status, '/cdn_type')),
  },
  wide: {
    system: ({ hostname }) => plainAt(hostname, '/is_system_hostname'),
    origin: ({ status }) => plainAt(status, '/origin_url'),
    'automatic certificates': ({ status }) => plainAt(status, '/auto_ssl'),
    caches: ({ status }) => plainAt(status, '/cache_enabled'),
    'origin shield': ({ status }) => plainAt(status, '/origin_shield_enabled'),
    optimizer: ({ status }) => plainAt(status, '/optimizer_enabled'),
    logging: ({ status }) => plainAt(status, '/enable_logging'),
  },
});

interface Caching {
  readonly site: Place;
  readonly settings: JsonObject;
}

const caching = defineView<Caching>({
  items: async (reader, { parent }) =>
    inside(reader, await sitesOf(reader, parent), {
      path: (site) => sitePath(site, '/cdn/caching'),
      what: 'caching',
      absences: NO_CDN,
      items: (answer, site) => [{ site, settings: objectAt(answer) }],
    }),
  id: ({ site }) => site.id,
  names: ({ site }) => [site.label],
  object: ({ site, settings }) => ({ site: site.id, ...settings }),
  columns: {
    site: ({ site }) => site.label,
    'smart cache': ({ settings }) => plainAt(settings, '/smart_cache'),
    expiration: ({ settings }) => plainAt(settings, '/cache_expiration'),
    'in browsers': ({ settings }) => plainAt(settings, '/browser_cache_expiration'),
    'differs by': ({ settings }) => variants(settings),
    'stale while': ({ settings }) => namesOfTrue(settings, 'stale_while_'),
  },
  wide: {
    'cookies off': ({ settings }) => plainAt(settings, '/disable_cookies'),
    'error responses': ({ settings }) => plainAt(settings, '/cache_error_responses'),
    slices: ({ settings }) => plainAt(settings, '/cache_slice'),
    'sorts queries': ({ settings }) => plainAt(settings, '/query_string_ordering'),
    cookies: ({ settings }) => listAt(settings, '/cookie_vary_parameters'),
    'query parameters': ({ settings }) => listAt(settings, '/query_string_vary_parameters'),
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
  readonly site: Place;
  readonly id: string;
  /** As a manifest has it. */
  readonly rule: JsonObject;
  readonly readOnly: boolean;
}

const edgeRules = defineView<EdgeRule>({
  isOrdered: true,
  items: async (reader, { parent }) =>
    inside(reader, await sitesOf(reader, parent), {
      path: (site) => sitePath(site, '/edge_rules'),
      what: 'edge rules',
      absences: NO_CDN,
      items: (answer, site) => edgeRulesIn(answer).map((found) => ({ site, ...found })),
    }),
  id: ({ id }) => id,
  names: ({ rule }) => [rule.name],
  object: ({ site, id, rule, readOnly }) => ({ site: site.id, id, readOnly, ...rule }),
  columns: {
    site: ({ site }) => site.label,
    name: ({ rule }) => plainAt(rule, '/name'),
    enabled: ({ rule }) => plainAt(rule, '/enabled'),
    does: ({ rule }) => [rule.action ?? {}, ...itemsOf(rule.extraActions)].map(oneLine).join(', '),
    match: ({ rule }) => plainAt(rule, '/match'),
    triggers: ({ rule }) => ({ is: 'list', items: itemsOf(rule.triggers).map(oneLine) }),
  },
  wide: {
    'of the platform': ({ readOnly }) => readOnly,
    id: ({ id }) => id,
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

export const cdnViews = { cdn, caching, 'edge-rules': edgeRules };
