import { describe, expect, it } from 'vitest';
import { createAction, updateAction } from '../../src/planner/action.ts';
import { caching } from '../../src/areas/cdn/kinds/caching.ts';
import { registry } from '../../src/areas/index.ts';
import { siteDomain } from '../../src/areas/site/kinds/domain/index.ts';
import { site } from '../../src/areas/site/kinds/site/index.ts';
import type { DesiredCollection } from '../../src/model/desired.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Kind, Member, ReadContext, ReadSpec } from '../../src/model/kind/kind.ts';
import { ShapeError } from '../../src/model/kind/rows.ts';
import { normaliseSpec } from '../../src/model/kind/normalise.ts';
import type { RequestStep } from '../../src/model/plan/step.ts';
import { member, wantMembers, wantRoot, wantRoots } from '../support/desired.ts';
import { containing } from '../support/matchers.ts';

const parent: Member = {
  identity: 'Shop',
  id: 'site/1',
  spec: {},
  computed: { primaryDomain: 'a.nl', isPlan: false },
  keys: [],
};

function context(declared: DesiredCollection, extra: Partial<ReadContext> = {}): ReadContext {
  return { account: 'acc-1', parent, declared, owned: new Set(), answers: {}, ...extra };
}

function paths(kind: Kind, at: ReadContext): Record<string, ReturnType<ReadSpec['path']>> {
  return Object.fromEntries(Object.entries(kind.reads).map(([name, read]) => [name, read.path(at)]));
}

const on = (spec: JsonObject, computed: JsonObject = {}) => ({ spec, computed });
const objectContext = (address: string, parentAddress: string) => ({
  address,
  parent: parentAddress,
  protect: false,
  members: [],
  sourceOf: () => undefined,
});

describe('every kind', () => {
  it('has each updatable field written by exactly one update', () => {
    for (const kind of registry.values()) {
      for (const [field, { rule }] of Object.entries(kind.fields)) {
        const writers = Object.values(kind.update).filter(({ writes }) => writes.includes(field));
        // A secret may be sent at creation only.
        if (rule === 'writeOnly') expect(writers.length, `${kind.kind}.${field}`).toBeLessThan(2);
        else
          expect(writers, `${kind.kind}.${field}`).toHaveLength(
            rule === 'updatable' || rule === 'rotation-token' ? 1 : 0,
          );
      }
    }
  });

  it('says why it cannot be created, or creates every field that has no update', () => {
    for (const kind of registry.values()) {
      if (kind.capabilities.hook !== undefined)
        expect([kind.create, kind.remove, kind.update], kind.kind).toEqual([undefined, undefined, {}]);
      else if (kind.create === undefined) expect(kind.cannotCreate?.remedy, kind.kind).toBeTruthy();
      else
        for (const [field, { rule }] of Object.entries(kind.fields))
          if (rule !== 'updatable') expect(kind.create.writes, `${kind.kind}.${field}`).toContain(field);
    }
  });

  it('explains every field that cannot be changed', () => {
    for (const kind of registry.values())
      for (const field of Object.values(kind.fields)) if ('why' in field) expect(field.why).toBeTruthy();
  });

  it('stands after its parent in the list', () => {
    const names = [...registry.keys()];
    for (const kind of registry.values())
      if (kind.parent !== null) expect(names.indexOf(kind.parent)).toBeLessThan(names.indexOf(kind.kind));
  });
});

describe('Site', () => {
  it('asks for domains only when hostnames are declared', () => {
    expect(paths(site, context(wantRoots(site, [wantRoot(site, 'shop', {}, { keys: [[], ['Shop']] })])))).toEqual({
      sites: '/api/sites',
      domains: null,
      about: null,
    });
    expect(paths(site, context(wantRoots(site, [wantRoot(site, 'shop', {}, { keys: [['a.nl']] })])))).toEqual({
      sites: '/api/sites',
      domains: '/api/domains',
      about: null,
    });
    expect(paths(site, context(wantRoots(site, [wantRoot(site, 'shop')]))).domains).toBeNull();
  });

  it('CNV-08: keeps to the rows of the account', () => {
    expect(site.reads.sites?.where?.equals(context(wantRoots(site, [])))).toBe('acc-1');
    expect(site.reads.domains?.where?.equals(context(wantRoots(site, [])))).toBe('acc-1');
  });

  it('has its hostnames and its name as keys', () => {
    const rows = [
      { id: 's1', name: 'Shop', primary_domain: 'A.nl.' },
      { id: 's2', name: null, primary_domain: null },
    ];
    const domains = [
      { hostname: 'B.NL', site_id: 's1' },
      { hostname: 'a.nl', site_id: 's1' },
      { hostname: 'zone.nl', site_id: null },
    ];
    expect(site.decode({ sites: rows, domains }, context(wantRoots(site, [])))).toEqual([
      {
        id: 's1',
        spec: { name: 'Shop' },
        computed: { primaryDomain: 'a.nl', isPlan: false },
        keys: [['b.nl', 'a.nl'], ['Shop']],
      },
      { id: 's2', spec: { name: '' }, computed: { primaryDomain: null, isPlan: false }, keys: [[], []] },
    ]);
    expect(site.decode({ sites: rows }, context(wantRoots(site, [])))[0]?.keys).toEqual([['a.nl'], ['Shop']]);
  });

  it('takes its own field from the manifest, or none', () => {
    expect(site.section.expand({ name: 'Shop', domains: [] })[0]?.spec).toEqual({ name: 'Shop' });
    expect(site.section.expand({ domains: [] })[0]?.spec).toEqual({});
  });
});

describe('SiteDomain', () => {
  const expand = (spec: Record<string, Json>) => siteDomain.section.expand(spec);

  it('DOM-14: only the declared primary carries `primary`, wherever it is written', () => {
    expect(expand({ domains: ['A.nl', { hostname: 'b.nl', attach: 'dns' }], primaryDomain: 'a.NL.' })).toEqual([
      {
        name: 'a.nl',
        spec: { hostname: 'a.nl', primary: true },
        pointer: '/domains/0',
        pointers: { primary: '/primaryDomain' },
      },
      { name: 'b.nl', spec: { hostname: 'b.nl', attach: 'dns' }, pointer: '/domains/1' },
    ]);
    expect(expand({ domains: ['b.nl'], primaryDomain: 'a.nl' })[1]).toEqual({
      name: 'a.nl',
      spec: { hostname: 'a.nl', primary: true },
      pointer: '/primaryDomain',
    });
    expect(expand({ primaryDomain: 'a.nl' })).toHaveLength(1);
    expect(expand({ domains: [] })).toEqual([]);
  });

  it('DOM-01: reads one list for every site, and the CDN only before a removal', () => {
    const here = [
      { id: 'd1', hostname: 'a.nl' },
      { id: 'd2', hostname: 'old.nl' },
    ];
    const declared = wantMembers(siteDomain, 'Site/shop', [{ hostname: 'a.nl' }]);
    expect(paths(siteDomain, context(declared, { answers: { here } }))).toEqual({
      here: '/api/domains',
      everywhere: '/api/domains',
      cdn: null,
    });
    expect(paths(siteDomain, context(declared, { answers: { here }, owned: new Set(['old.nl']) })).cdn).toBe(
      '/api/sites/site%2F1/cdn',
    );
    expect(paths(siteDomain, context({ ...declared, unlisted: 'remove' }, { answers: { here } })).cdn).toBe(
      '/api/sites/site%2F1/cdn',
    );
    expect(
      paths(siteDomain, context({ ...declared, unlisted: 'remove', partial: true }, { answers: { here } })).cdn,
    ).toBeNull();
    const absent = {
      ...declared,
      members: declared.members.map((desired) => ({
        ...desired,
        lifecycle: { state: 'absent', protect: false } as const,
      })),
    };
    expect(
      paths(siteDomain, context(absent, { answers: { here: [here[0] as Json] }, owned: new Set(['a.nl']) })).cdn,
    ).toBe('/api/sites/site%2F1/cdn');
    expect(siteDomain.reads.here?.where?.equals(context(declared))).toBe('site/1');
    expect(siteDomain.reads.here?.where?.equals(context(declared, { parent: null }))).toEqual([]);
    expect(siteDomain.reads.everywhere?.where?.equals(context(declared))).toEqual(['a.nl']);
    expect(
      paths(siteDomain, context({ ...declared, unlisted: 'remove' }, { answers: { here }, parent: null })).cdn,
    ).toBeNull();
  });

  it('GAP-18: a DNS zone where `attach: cname` is declared is told as a hint, and nothing else is', () => {
    const reported = (attach: 'cname' | 'dns' | undefined, hasZone: boolean) =>
      siteDomain
        .notices?.({ spec: {}, computed: { hasZone } }, attach === undefined ? {} : { attach }, {})
        .map(({ code }) => code);
    expect([
      reported('cname', true),
      reported('cname', false),
      reported('dns', true),
      reported(undefined, true),
    ]).toEqual([['HW2062'], [], [], []]);
  });

  it('decodes rows; primary comes from the site (DOM-14), system hostnames from the CDN', () => {
    const cdn = {
      hostnames: [
        { value: 'SYS.example', is_system_hostname: true },
        { value: 'a.nl', is_system_hostname: false },
      ],
    };
    const here = [
      { id: 'd1', hostname: 'A.nl' },
      { id: 'd2', hostname: 'sys.example' },
    ];
    const decoded = siteDomain.decode({ here, cdn }, context(wantMembers(siteDomain, 'Site/shop', [])));
    expect(decoded.map(({ spec, computed }) => [spec.hostname, spec.primary, computed])).toEqual([
      ['a.nl', true, { system: false, hasZone: false }],
      ['sys.example', false, { system: true, hasZone: false }],
    ]);
    expect(
      siteDomain.decode({ here, cdn: null }, context(wantMembers(siteDomain, 'Site/shop', []), { parent: null }))[0],
    ).toMatchObject({ spec: { primary: false }, computed: { system: null } });
    expect(() =>
      siteDomain.decode({ here, cdn: { hostnames: null } }, context(wantMembers(siteDomain, 'Site/shop', []))),
    ).toThrow(ShapeError);
  });

  it('O-14, GAP-19: a hostname on a site of another account, or on several, is a blocker; one of no site is not', () => {
    const everywhere = [
      { id: 'd1', hostname: 'A.nl', site_id: 'other', account_id: 'acc-2' },
      { id: 'd2', hostname: 'b.nl', site_id: null, account_id: 'acc-1' },
      { id: 'd3', hostname: 'c.nl', site_id: 'site/1', account_id: 'acc-1' },
      { id: 'd4', hostname: 'd.nl', site_id: 'third', account_id: 'acc-1' },
      { id: 'd5', hostname: 'e.nl', site_id: 'third', account_id: 'acc-1' },
      { id: 'd6', hostname: 'e.nl', site_id: 'fourth', account_id: 'acc-1' },
    ];
    const here = context(wantMembers(siteDomain, 'Site/shop', []));
    const blockers = siteDomain.blockers?.({ everywhere }, here) ?? {};
    expect(Object.keys(blockers)).toEqual(['a.nl', 'e.nl']);
    expect(blockers['a.nl']).toMatchObject({
      rule: 'O-14',
      reason: 'the hostname is attached to another site (id other)',
    });
    expect(blockers['e.nl']).toMatchObject({ reason: 'the hostname is attached to another site (id third, fourth)' });
    expect(siteDomain.capabilities.move?.elsewhere({ everywhere }, here)).toEqual({
      'd.nl': { parentId: 'third', id: 'd4' },
    });
    expect(
      Object.keys(siteDomain.capabilities.move?.elsewhere({ everywhere }, { ...here, parent: null }) ?? {}),
    ).toEqual(['c.nl', 'd.nl']);
  });

  it('O-14: says who has a hostname, and how to consent to its move', () => {
    const refuse = siteDomain.capabilities.move?.refuse;
    expect(refuse?.({ parentId: 's1', holder: 'Site/old', consent: undefined })).toMatchObject({
      reason: 'the hostname is attached to Site/old (id s1)',
      remedy: containing('`moveFrom: Site/old`'),
      rule: 'O-14',
    });
    expect(refuse?.({ parentId: 's1', holder: undefined, consent: undefined })).toMatchObject({
      reason: 'the hostname is attached to another site (id s1)',
      remedy: containing('metadata.id: s1'),
    });
    expect(refuse?.({ parentId: 's1', holder: 'Site/old', consent: 'Site/other' })).toMatchObject({
      reason: 'moveFrom says Site/other, but the hostname is attached to Site/old (id s1)',
    });
  });

  const attach = (desired: Record<string, Json>) =>
    createAction(siteDomain, desired, objectContext('Site/shop/SiteDomain/a.nl', 'Site/shop'));

  it('DOM-08: does not promote what became primary by being first', () => {
    const steps = attach({ hostname: 'a.nl', primary: true }).steps;
    expect(steps.map(({ name }) => name)).toEqual(['attach', 'listed', 'promote', 'primary']);
    expect((steps[2] as RequestStep).skipIf?.rule).toBe('DOM-08');
    const update = updateAction(
      siteDomain,
      { hostname: 'a.nl', primary: true },
      on({ hostname: 'a.nl', attach: 'cname', primary: false }),
      objectContext('Site/shop/SiteDomain/a.nl', 'Site/shop'),
    );
    expect(update?.steps[0]).not.toHaveProperty('skipIf');
    expect(update?.steps[0]).toMatchObject({ method: 'PATCH', rule: 'DOM-09' });
    expect(update?.steps[0]).not.toHaveProperty('body');
  });

  it('DOM-09: says that the previous primary becomes an alias', () => {
    const members = [
      member(siteDomain, 'd1', { hostname: 'old.nl', primary: true }),
      member(siteDomain, 'd2', { hostname: 'a.nl', primary: false }),
    ];
    const update = updateAction(
      siteDomain,
      { hostname: 'a.nl', primary: true },
      on({ hostname: 'a.nl', primary: false }),
      { ...objectContext('Site/shop/SiteDomain/a.nl', 'Site/shop'), members },
    );
    expect(update?.effects).toEqual([{ address: 'Site/shop/SiteDomain/old.nl', path: '/primary', value: false }]);
    expect(attach({ hostname: 'b.nl' }).effects).toEqual([]);
  });

  it('never detaches a system hostname, an unknown one, or the primary without a successor (DOM-11, GAP-19)', () => {
    const refuse = (spec: Record<string, Json>, system: boolean | null, wanted: readonly Record<string, Json>[] = []) =>
      siteDomain.remove?.refuse?.({ spec: spec, computed: { system } }, wanted)?.rule;
    expect(refuse({ primary: false }, true)).toBe('GAP-19');
    expect(refuse({ primary: false }, null)).toBe('GAP-19');
    expect(refuse({ primary: true }, false)).toBe('DOM-11');
    expect(refuse({ primary: true }, false, [{ primary: true }])).toBeUndefined();
    expect(refuse({ primary: false }, false)).toBeUndefined();
  });

  it('normalises hostnames and is adopted by its hostname', () => {
    expect(normaliseSpec(siteDomain, { hostname: 'A.NL.' })).toEqual({ hostname: 'a.nl' });
    expect(normaliseSpec(siteDomain, { primary: true })).toEqual({ primary: true });
    expect(siteDomain.manifest?.item?.({ spec: { hostname: 'a.nl' }, computed: {} })).toBe('a.nl');
  });
});

describe('Caching', () => {
  it('reads one document per site', () => {
    expect(paths(caching, context(wantMembers(caching, 'Site/shop', [{}])))).toEqual({
      settings: '/api/sites/site%2F1/cdn/caching',
    });
    expect(caching.identity({})).toBe('Caching');
    expect(caching.section.expand({ caching: { smartCache: true } })).toEqual([
      { name: null, spec: { smartCache: true }, pointer: '/caching' },
    ]);
  });

  it('CNV-02: a null setting is unknown, a null list is empty', () => {
    const [decoded] = caching.decode(
      {
        settings: {
          smart_cache: null,
          cache_expiration: -1,
          cookie_vary_parameters: null,
          query_string_vary_parameters: ['b', 'a'],
          extra: {},
        },
      },
      context(wantMembers(caching, 'Site/shop', [{}])),
    );
    expect(decoded?.spec).toEqual({
      cacheExpiration: -1,
      cookieVaryParameters: [],
      queryStringVaryParameters: ['b', 'a'],
    });
  });

  it('takes no answer of another shape', () => {
    const decode = (settings: Json) => () =>
      caching.decode({ settings }, context(wantMembers(caching, 'Site/shop', [{}])));
    expect(decode([])).toThrow(ShapeError);
    expect(decode({ smart_cache: 'yes' })).toThrow('smartCache');
    expect(decode({ cookie_vary_parameters: 'a' })).toThrow('cookieVaryParameters');
  });
});
