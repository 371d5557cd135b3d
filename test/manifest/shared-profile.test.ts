// Profiles of settings that all manifests share.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { canonicalJson } from '../../src/model/json.ts';
import { validateSite, validateSiteProfile } from '../../src/manifest/generated/validators.js';
import { mergeSpecs } from '../../src/manifest/read/merge.ts';
import { sharedShapeOf } from '../../src/manifest/read/profile-kinds.ts';
import type { TakenNames } from '../../src/manifest/write/name-manifests.ts';
import type { WithSharedProfile } from '../../src/manifest/write/shared-profile.ts';
import { shareProfile } from '../../src/manifest/write/shared-profile.ts';

const share = (specs: readonly JsonObject[], taken?: TakenNames) => shareProfile('Site', specs, taken);
const CACHING = { smartCache: true, cacheExpiration: 3600 };
const RULES = [
  { name: 'Force TLS', action: { type: 'ForceSSL' }, triggers: [{ type: 'Url', patterns: ['http://*'] }] },
];

/** Merges the profile into each spec, as reading the manifests does. */
function merged({ profile, specs }: WithSharedProfile): readonly JsonObject[] {
  return specs.map(({ profiles = [], ...own }) =>
    mergeSpecs((profiles as readonly string[]).length === 0 ? {} : (profile?.spec ?? {}), own, sharedShapeOf('Site')),
  );
}

describe('shareProfile', () => {
  it('moves what all sites share, field by field, and leaves the rest in each site', () => {
    const specs = [
      { name: 'A', domains: ['a.example'], phpVersion: '8.3', caching: CACHING, edgeRules: RULES },
      { name: 'B', phpVersion: '8.3', edgeRules: RULES, caching: { ...CACHING, cacheExpiration: 60 } },
    ];
    expect(share(specs)).toEqual({
      profile: {
        kind: 'SiteProfile',
        name: 'caching-edge-rules-php-version',
        file: 'profiles/caching-edge-rules-php-version.yaml',
        spec: { caching: { smartCache: true }, edgeRules: RULES, phpVersion: '8.3' },
      },
      specs: [
        {
          profiles: ['caching-edge-rules-php-version'],
          name: 'A',
          domains: ['a.example'],
          caching: { cacheExpiration: 3600 },
        },
        { profiles: ['caching-edge-rules-php-version'], name: 'B', caching: { cacheExpiration: 60 } },
      ],
      moved: [
        ['/phpVersion', '/caching/smartCache', '/edgeRules'],
        ['/phpVersion', '/edgeRules', '/caching/smartCache'],
      ],
    });
  });

  it('never moves what identifies a site: its name, hostnames and plan', () => {
    const spec = { name: 'Shop', plan: 'pro', domains: ['a.example', 'b.example'], primaryDomain: 'a.example' };
    expect(share([spec, spec])).toEqual({ specs: [spec, spec], moved: [[], []] });
  });

  it.each([
    ['a single site', [{ caching: CACHING }]],
    ['a value that one site lacks', [{ caching: CACHING }, { caching: CACHING }, { phpVersion: '8.3' }]],
    ['one value, which is shorter in each site', [{ phpVersion: '8.3' }, { phpVersion: '8.3' }]],
    ['lists that differ', [{ edgeRules: RULES }, { edgeRules: [] }]],
  ])('creates no profile for %s', (_what, specs) => {
    expect(share(specs)).toEqual({ specs, moved: specs.map(() => []) });
  });

  it('calls a profile with many sections `defaults`, and avoids names that exist', () => {
    const spec = { caching: CACHING, cacheLayers: { redis: true }, edgeRules: RULES, phpVersion: '8.3' };
    expect(share([spec, spec]).profile).toMatchObject({ name: 'defaults', file: 'profiles/defaults.yaml' });
    const manifests = [{ kind: 'SiteProfile', name: 'caching' }];
    expect(share([{ caching: CACHING }, { caching: CACHING }], { manifests, files: [] }).profile?.name).not.toBe(
      'caching',
    );
  });

  it('creates no profile for kinds that have none', () => {
    const spec = { package: 'mail_20', domains: [{ name: 'a.example' }, { name: 'b.example' }] };
    expect(shareProfile('Contact', [spec, spec])).toEqual({ specs: [spec, spec], moved: [[], []] });
  });
});

const optional = <T extends Json>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const spec = fc
  .record({
    name: optional('Shop', 'Blog'),
    domains: optional<Json>(['a.example'], []),
    phpVersion: optional('8.2', '8.3'),
    caching: optional<Json>(
      {},
      { smartCache: true },
      { smartCache: true, cookieVaryParameters: ['a', 'b'] },
      { smartCache: false, cacheExpiration: 60 },
      { smartCache: true, cacheExpiration: 60, browserCacheExpiration: 5, varyCookie: true },
      { smartCache: true, cacheExpiration: 61, browserCacheExpiration: 5, varyCookie: true },
      { smartCache: true, cacheExpiration: 62, browserCacheExpiration: 5, cookieVaryParameters: ['a'] },
    ),
    cacheLayers: optional<Json>({ redis: true }, { redis: true, cdn: true }, { redis: false, nginx: true }),
    edgeRules: optional<Json>([], RULES, [...RULES, { ...RULES[0], name: 'Other' }]),
    shield: fc.option(
      fc.record({
        plan: optional('basic', 'advanced'),
        waf: optional<Json>({ enabled: true, executionMode: 'log' }, { enabled: false }),
        ddos: optional<Json>({ sensitivity: 'low' }),
        accessLists: optional<Json>([], [{ name: 'x', action: 'block' }]),
      }),
      { nil: undefined },
    ),
  })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject)
  .filter(({ shield }) => shield === undefined || Object.keys(shield as JsonObject).length > 0);

describe('manifests with a shared profile', () => {
  it('merge to the same values as before, whatever they share', () => {
    fc.assert(
      fc.property(fc.array(spec, { maxLength: 12 }), (specs) => {
        const shared = share(specs);
        expect(merged(shared).map(canonicalJson)).toEqual(specs.map(canonicalJson));
        for (const field of ['name', 'plan', 'domains']) expect(shared.profile?.spec ?? {}).not.toHaveProperty(field);
      }),
    );
  });

  it('do not depend on the order of the objects', () => {
    fc.assert(
      fc.property(
        fc
          .array(spec, { maxLength: 10 })
          .chain((specs) => fc.tuple(fc.constant(specs), fc.shuffledSubarray(specs, { minLength: specs.length }))),
        ([specs, shuffled]) => {
          const [one, other] = [share(specs), share(shuffled)];
          expect(other.profile).toEqual(one.profile);
          expect(other.specs.map(canonicalJson).sort()).toEqual(one.specs.map(canonicalJson).sort());
        },
      ),
    );
  });

  it('are valid, and so is the profile', () => {
    const { profile, specs } = share([
      { name: 'A', caching: CACHING, edgeRules: RULES },
      { name: 'B', caching: CACHING, edgeRules: RULES },
    ]);
    const envelope = (kind: string, name: string, of: JsonObject = {}): unknown => ({
      apiVersion: 'hostwright/v1',
      kind,
      metadata: { name },
      spec: of,
    });
    expect(validateSiteProfile(envelope('SiteProfile', profile?.name ?? '', profile?.spec))).toBe(true);
    expect(specs.map((of, index) => validateSite(envelope('Site', `s${index}`, of)))).toEqual([true, true]);
  });
});
