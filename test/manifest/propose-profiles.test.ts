import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { canonicalJson } from '../../src/model/json.ts';
import { registry } from '../../src/areas/index.ts';
import { validateSite, validateSiteProfile } from '../../src/manifest/generated/validators.js';
import { mergeSpecs } from '../../src/manifest/read/merge.ts';
import { sharedShapeOf } from '../../src/manifest/read/profile-kinds.ts';
import type { ProfileRequest, ProposedProfiles } from '../../src/manifest/write/propose-profiles.ts';
import { proposeProfiles } from '../../src/manifest/write/propose-profiles.ts';

const sections = [...registry.values()]
  .filter(({ parent }) => parent === 'Site')
  .flatMap(({ section }) => section.fields);
const propose = (specs: readonly JsonObject[], given: Partial<ProfileRequest> = {}) =>
  proposeProfiles({ kind: 'Site', specs, sections, ...given });
const CACHING = { smartCache: true, cacheExpiration: 3600 };
const RULES = [
  { name: 'Force TLS', action: { type: 'ForceSSL' }, triggers: [{ type: 'Url', patterns: ['http://*'] }] },
];

/** What the specs come to once the profiles are merged into them, by the code that does it when manifests are read. */
function merged({ profiles, specs }: ProposedProfiles): readonly JsonObject[] {
  const shape = sharedShapeOf('Site');
  return specs.map(({ profiles: names = [], ...own }) => {
    const chain = (names as readonly string[]).map(
      (name) => profiles.find((profile) => profile.name === name)?.spec ?? {},
    );
    return mergeSpecs(
      chain.reduce((earlier, later) => mergeSpecs(earlier, later, shape), {}),
      own,
      shape,
    );
  });
}

describe('profiles that are proposed', () => {
  it('hold what exactly the same sites share, and leave the rest where it is', () => {
    const specs = [
      { name: 'A', domains: ['a.example'], caching: CACHING, edgeRules: RULES },
      { name: 'B', phpVersion: '8.3', edgeRules: RULES, caching: CACHING },
      { name: 'C', caching: { smartCache: false } },
    ];
    expect(propose(specs)).toEqual({
      profiles: [
        {
          kind: 'SiteProfile',
          name: 'caching-edge-rules',
          file: 'profiles/caching-edge-rules.yaml',
          spec: { caching: CACHING, edgeRules: RULES },
        },
      ],
      specs: [
        { profiles: ['caching-edge-rules'], name: 'A', domains: ['a.example'] },
        { profiles: ['caching-edge-rules'], name: 'B', phpVersion: '8.3' },
        specs[2],
      ],
      moved: [['/caching', '/edgeRules'], ['/caching', '/edgeRules'], []].map(
        (pointers) => expect.arrayContaining(pointers) as unknown,
      ),
    });
  });

  it('take a single value only along with what is worth a profile, where all who use that have it', () => {
    const { profiles, specs } = propose([
      { phpVersion: '8.3', caching: CACHING },
      { phpVersion: '8.3', caching: CACHING },
      { phpVersion: '8.3' },
    ]);
    expect(profiles.map(({ name, spec }) => [name, spec])).toEqual([
      ['caching-php-version', { caching: CACHING, phpVersion: '8.3' }],
    ]);
    expect(specs[2]).toEqual({ phpVersion: '8.3' });
    expect(propose([{ phpVersion: '8.3' }, { phpVersion: '8.3' }]).profiles).toEqual([]);
  });

  it('hold parts of one field beside each other, and leave no empty field behind', () => {
    const shield = {
      waf: { enabled: true, executionMode: 'block' },
      ddos: { sensitivity: 'medium', executionMode: 'block' },
    };
    const { profiles, specs } = propose([
      { shield: { ...shield, plan: 'pro' } },
      { shield },
      { shield: { waf: shield.waf } },
      { shield: { waf: shield.waf } },
    ]);
    expect(profiles.map(({ name, spec }) => [name, spec])).toEqual([
      ['shield-waf', { shield: { waf: shield.waf } }],
      ['shield-ddos', { shield: { ddos: shield.ddos } }],
    ]);
    expect(specs).toEqual([
      { profiles: ['shield-waf', 'shield-ddos'], shield: { plan: 'pro' } },
      { profiles: ['shield-waf', 'shield-ddos'] },
      { profiles: ['shield-waf'] },
      { profiles: ['shield-waf'] },
    ]);
  });

  it('hold what nearly equal sites share: one field that differs in two hundred sites is one line in each', () => {
    const caching = (cacheExpiration: number) => ({
      smartCache: true,
      cacheExpiration,
      browserCacheExpiration: 3600,
      staleWhileUpdating: true,
      cookieVaryParameters: ['currency'],
    });
    const { profiles, specs, moved } = propose(
      Array.from({ length: 200 }, (_, index) => ({ domains: [`s${index}.example`], caching: caching(60 + index) })),
    );
    const { cacheExpiration: _own, ...typical } = caching(0);
    expect(profiles.map(({ name, spec }) => [name, spec])).toEqual([['caching', { caching: typical }]]);
    expect(specs[7]).toEqual({ profiles: ['caching'], domains: ['s7.example'], caching: { cacheExpiration: 67 } });
    expect(moved[7]).not.toContain('/caching/cacheExpiration');
    expect(moved[7]).toContain('/caching/smartCache');
  });

  it('are taken by those that say little else over them, and take out what they do not have', () => {
    const caching = { smartCache: true, cacheExpiration: 60, browserCacheExpiration: 60, varyCookie: true };
    const { varyCookie: _without, ...three } = caching;
    const { profiles, specs } = propose([{ caching }, { caching }, { caching: { ...three, cacheExpiration: 5 } }]);
    expect(profiles.map(({ spec }) => spec)).toEqual([{ caching }]);
    // Two values of three would be said anyway: no gain.
    expect(specs[2]).toEqual({ caching: { ...three, cacheExpiration: 5 } });
    expect(propose([{ caching }, { caching }, { caching: three }]).specs[2]).toEqual({
      profiles: ['caching'],
      caching: { varyCookie: null },
    });
  });

  it('never hold what belongs to one site: its name, its hostnames, its plan', () => {
    const spec = { name: 'Shop', plan: 'pro', domains: ['a.example', 'b.example'], primaryDomain: 'a.example' };
    expect(propose([spec, spec])).toEqual({ profiles: [], specs: [spec, spec], moved: [[], []] });
  });

  it('are for two sites at least', () => {
    const specs = [{ caching: CACHING }, { caching: CACHING }, { cacheLayers: { redis: true, nginx: true } }];
    expect(propose(specs).profiles.map(({ name }) => name)).toEqual(['caching']);
  });

  it('have names of their own: numbered where they hold the same sections, short where they hold many', () => {
    const of = (cacheExpiration: number) => ({ caching: { smartCache: true, cacheExpiration } });
    const many = { caching: CACHING, cacheLayers: { redis: true }, edgeRules: RULES };
    expect(
      propose([of(1), of(1), of(2), of(2), of(2), many, many]).profiles.map(({ name, file }) => [name, file]),
    ).toEqual([
      ['caching', 'profiles/caching.yaml'],
      ['shared', 'profiles/shared.yaml'],
      ['caching-2', 'profiles/caching-2.yaml'],
    ]);
    expect(
      propose([of(1), of(1)], {
        taken: { manifests: [{ kind: 'SiteProfile', name: 'caching' }], files: [] },
      }).profiles.map(({ name }) => name),
    ).toEqual(['caching-1']);
  });

  it('are none where manifests of the kind have none', () => {
    const spec = { package: 'mail_20', domains: [{ name: 'a.example' }, { name: 'b.example' }] };
    expect(propose([spec, spec], { kind: 'Mailspace', sections: ['domains'] })).toEqual({
      profiles: [],
      specs: [spec, spec],
      moved: [[], []],
    });
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

describe('manifests with the profiles that are proposed', () => {
  it('say what they said without them, whatever they share', () => {
    fc.assert(
      fc.property(fc.array(spec, { maxLength: 12 }), (specs) => {
        const proposed = propose(specs);
        expect(merged(proposed).map(canonicalJson)).toEqual(specs.map(canonicalJson));
        for (const { name, spec: shared } of proposed.profiles) {
          expect(
            proposed.specs.filter(({ profiles = [] }) => (profiles as readonly string[]).includes(name)).length,
          ).toBeGreaterThanOrEqual(2);
          expect(['name', 'plan', 'domains'].some((field) => Object.hasOwn(shared, field))).toBe(false);
        }
      }),
    );
  });

  it('are the same in whatever order the manifests come', () => {
    fc.assert(
      fc.property(
        fc
          .array(spec, { maxLength: 10 })
          .chain((specs) => fc.tuple(fc.constant(specs), fc.shuffledSubarray(specs, { minLength: specs.length }))),
        ([specs, shuffled]) => {
          const [one, other] = [propose(specs), propose(shuffled)];
          expect(other.profiles).toEqual(one.profiles);
          expect(other.specs.map(canonicalJson).sort()).toEqual(one.specs.map(canonicalJson).sort());
        },
      ),
    );
  });

  it('are valid, and so are the profiles', () => {
    const { profiles, specs } = propose([
      { name: 'A', caching: CACHING, edgeRules: RULES },
      { name: 'B', caching: CACHING, edgeRules: RULES },
    ]);
    const envelope = (kind: string, name: string, of: JsonObject): unknown => ({
      apiVersion: 'hostwright/v1',
      kind,
      metadata: { name },
      spec: of,
    });
    expect(profiles.map((profile) => validateSiteProfile(envelope(profile.kind, profile.name, profile.spec)))).toEqual([
      true,
    ]);
    expect(specs.map((of, index) => validateSite(envelope('Site', `s${index}`, of)))).toEqual([true, true]);
  });
});
