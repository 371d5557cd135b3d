// The CDN caching settings of a site: one document, read whole, written key by key. The CDN itself cannot be activated
// or configured over the API (CDN-03, CDN-05).
import type { Json, JsonObject } from '../../../model/json.ts';
import type { Traced } from '../../../model/plan/trace.ts';
import type { FieldRule } from '../../../model/kind/kind.ts';
import { defineChild, unordered, updatable } from '../../../model/kind/kind.ts';
import { objectAt, ShapeError } from '../../../model/kind/rows.ts';
import type { Template } from '../../../model/plan/step.ts';
import { path, ref } from '../../../model/plan/step.ts';
import type { Caching } from '../../../model/generated/site.ts';
import { domainsBefore } from './guards.ts';
import { snakeCase } from '../../common/wire-names.ts';
import { objectSection } from '../../common/sections.ts';
import { readBack, change } from '../../common/steps.ts';

export type CachingSpec = Required<Caching>;

const fields = {
  smartCache: updatable(),
  cacheExpiration: updatable(),
  browserCacheExpiration: updatable(),
  queryStringOrdering: updatable(),
  cacheErrorResponses: updatable(),
  varyAvif: updatable(),
  varyWebp: updatable(),
  varyMobile: updatable(),
  varyHostname: updatable(),
  varyCountryCode: updatable(),
  varyCountryStateCode: updatable(),
  varyCookie: updatable(),
  disableCookies: updatable(),
  cacheSlice: updatable(),
  staleWhileOffline: updatable(),
  staleWhileUpdating: updatable(),
  cookieVaryParameters: unordered(), // sending the key writes the whole array; order is not promised (CDN-09)
  queryStringVaryParameters: unordered(),
} as const;

const settings = Object.entries(fields).map(([field, { shape }]) => ({ field, key: snakeCase(field), shape }));

export const caching = defineChild<CachingSpec>({
  kind: 'Caching',
  parent: 'Site',
  list: 'singleton',
  section: { ...objectSection('caching'), trace: traceCaching },
  fields,
  reads: { settings: { path: ({ parent }) => `/api/sites/${encodeURIComponent(parent.id)}/cdn/caching` } },
  decode: (answers) => {
    const wire = objectAt(answers.settings);
    const spec: Record<string, Json> = {};
    for (const { field, key, shape } of settings) {
      const value = decodeSetting(wire[key], field, shape);
      // A null setting is unknown, not off (CNV-02): it is left out, so a declared value is written.
      if (value !== null) spec[field] = value;
    }
    return [{ id: 'caching', spec }];
  },
  create: {
    reason: 'a site has its caching settings or none',
    remedy: 'Activate the CDN in the dashboard.',
    rule: 'CDN-05',
  },
  update: {
    settings: {
      writes: Object.keys(fields) as (keyof typeof fields)[],
      steps: ({ parent, desired, changed }) => [
        change({
          name: 'settings',
          method: 'PATCH',
          path: path`/api/sites/${ref(parent)}/cdn/caching`,
          // Only the keys that differ: the others may be somebody else's (CDN-08).
          body: Object.fromEntries(changed.map((field) => [snakeCase(field), desired[field] as Template])),
          reason: 'write the settings that differ',
          rule: 'CDN-08',
        }),
        readBack('the upstream may drop values or merge lists without saying so', 'GAP-21'),
      ],
    },
  },
  order: [domainsBefore('Caching')],
  capabilities: { cached: true },
});

function decodeSetting(value: Json | undefined, field: string, shape: FieldRule['shape']): Json {
  if (shape === 'value') {
    if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number')
      return value ?? null;
    throw new ShapeError(`expected a setting at ${field}`);
  }
  if (value === null || value === undefined) return []; // an empty list reads back as null (CNV-02)
  if (!Array.isArray(value)) throw new ShapeError(`expected a list at ${field}`);
  return value as Json;
}

/** The times that hold where no edge rule sets another, and what tells one cached answer from another. */
function traceCaching({ caching: settings }: JsonObject): readonly Traced[] {
  const { cacheExpiration, browserCacheExpiration } = settings as CachingSpec & JsonObject;
  const sets = {
    ...(cacheExpiration !== undefined && { cacheTime: cacheExpiration }),
    ...(browserCacheExpiration !== undefined && { browserCacheTime: browserCacheExpiration }),
  };
  return [{ pointer: '/caching', name: null, held: true, does: [settings as JsonObject], sets }];
}
