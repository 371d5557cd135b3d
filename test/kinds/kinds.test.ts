import { describe, expect, it } from 'vitest';
import { caching } from '../../src/areas/cdn/kinds/caching.ts';
import { registry } from '../../src/areas/index.ts';
import { siteDomain } from '../../src/areas/site/kinds/domain/index.ts';
import { site } from '../../src/areas/site/kinds/site/index.ts';
import type { Json } from '../../src/model/json.ts';
import type { Answers, Member } from '../../src/model/kind/kind.ts';
import { ShapeError } from '../../src/model/kind/rows.ts';
import { wantRoot, wantRoots } from '../support/desired.ts';
import { contextOf } from '../support/planned.ts';

const parent: Member = {
  identity: 'Shop',
  id: 'site/1',
  spec: {},
  computed: { primaryDomain: 'a.nl', isPlan: false },
  keys: [],
};

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
  const read = (answers: Answers) => site.decode(answers, contextOf(site));

  it('asks for domains only when hostnames are declared', () => {
    const domains = (...keys: Member['keys']) => {
      const declared = wantRoots(site, [wantRoot(site, 'shop', {}, { keys })]);
      return site.reads.domains?.path({ ...contextOf(site), parent: null, declared });
    };
    expect([domains([], ['Shop']), domains(['a.nl']), domains()]).toEqual([null, '/api/domains', null]);
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
    expect(read({ sites: rows, domains })).toEqual([
      {
        id: 's1',
        spec: { name: 'Shop' },
        computed: { primaryDomain: 'a.nl', isPlan: false },
        keys: [['b.nl', 'a.nl'], ['Shop']],
      },
      { id: 's2', spec: { name: '' }, computed: { primaryDomain: null, isPlan: false }, keys: [[], []] },
    ]);
    expect(read({ sites: rows })[0]?.keys).toEqual([['a.nl'], ['Shop']]);
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
    const read = (of: Json, under: Member | null = parent) =>
      siteDomain.decode({ here, cdn: of }, contextOf(siteDomain, [], { parent: under }));
    const decoded = read(cdn);
    expect(decoded.map(({ spec, computed }) => [spec.hostname, spec.primary, computed])).toEqual([
      ['a.nl', true, { system: false, hasZone: false }],
      ['sys.example', false, { system: true, hasZone: false }],
    ]);
    expect(read(null, null)[0]).toMatchObject({ spec: { primary: false }, computed: { system: null } });
    expect(() => read({ hostnames: null })).toThrow(ShapeError);
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
});

describe('Caching', () => {
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
      contextOf(caching),
    );
    expect(decoded?.spec).toEqual({
      cacheExpiration: -1,
      cookieVaryParameters: [],
      queryStringVaryParameters: ['b', 'a'],
    });
  });

  it('takes no answer of another shape', () => {
    const decode = (settings: Json) => () => caching.decode({ settings }, contextOf(caching));
    expect(decode([])).toThrow(ShapeError);
    expect(decode({ smart_cache: 'yes' })).toThrow('smartCache');
    expect(decode({ cookie_vary_parameters: 'a' })).toThrow('cookieVaryParameters');
  });
});
