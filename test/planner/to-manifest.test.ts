// What is live is said in the lines of a manifest, and what those lines mean is what is live: for every field of every
// kind.
import { describe, expect, it } from 'vitest';
import { itemToManifest, rootToManifest } from '../../src/planner/to-manifest.ts';
import { registry } from '../../src/areas/index.ts';
import { placeData } from '../../src/manifest/write/place-data.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { valueAt } from '../../src/model/json.ts';
import type { Collection, Kind, Member, Registry } from '../../src/model/kind/kind.ts';
import { normaliseSpec } from '../../src/model/kind/normalise.ts';
import type { Sample } from '../support/samples.ts';
import { sampleOf } from '../support/samples.ts';
import { box, rule } from '../support/toy-kinds.ts';

/**
 * Fields that are read and cannot be declared by themselves, and why; what is said instead is tested with their kind.
 */
const NOT_SAID: Readonly<Record<string, string>> = {
  'EdgeRule/orderIndex': 'the list says the order',
  'Mailbox/deletion': 'a wanted one is not going',
  'RegistrationDnssec/enabled': 'the keys that go with it are not told (REG-18)',
};

const kindOf = (name: string): Kind => registry.get(name) as Kind;
const written = [...registry.values()].filter(({ capabilities: { hook } }) => hook === undefined);

function memberOf(kind: Kind, { live, computed = {} }: Sample, id = 'id-1'): Member {
  const normalised = normaliseSpec(kind, live);
  return { id, identity: kind.identity(normalised), spec: normalised, computed, keys: [] };
}

function read(...members: readonly Member[]): Collection {
  return { state: 'read', members, blockers: {} };
}

describe('registry law: every readable field that can be declared', () => {
  it('is in the samples', () => {
    const readable = written.flatMap(({ kind, fields }) =>
      Object.entries(fields).flatMap(([field, { rule: how }]) =>
        how === 'updatable' || how === 'immutable' ? [`${kind}/${field}`] : [],
      ),
    );
    const sampled = written.flatMap((kind) => Object.keys(sampleOf(kind).live).map((field) => `${kind.kind}/${field}`));
    expect(sampled.sort()).toEqual(readable.sort());
  });

  it.each(written.map((kind) => [kind.kind, kind] as const))('of %s survives', (name, kind) => {
    const live = memberOf(kind, sampleOf(kind));
    const rootKind = registry.get(kind.parent ?? kind.kind) as Kind;
    const root = kind.parent === null ? live : memberOf(rootKind, sampleOf(rootKind));
    const parts = rootToManifest(
      registry,
      rootKind,
      root,
      new Map(kind.parent === null ? [] : [[kind.kind, read(live)]]),
    );
    const { spec, data } = parts;
    // Plain data stands in place of its name, as it does before anything is expanded.
    const placed = placeData({ roots: [parts] });
    expect(placed.manifests).toHaveLength(new Set(data.map((one) => JSON.stringify(one.spec))).size);
    const whole = data.reduce<JsonObject>((so, one) => withValue(so, one.pointer.split('/').slice(1), one.spec), spec);
    const isDeclared =
      kind.parent === null || kind.section.fields.some((field) => valueAt(whole, `/${field}`) !== undefined);
    const fields = Object.entries(live.spec).filter(([field]) => NOT_SAID[`${name}/${field}`] === undefined);
    if (!isDeclared) expect(fields).toEqual([]);
    else {
      const item = kind.section
        .expand(whole, live.identity)
        .find(({ spec: one }) => kind.identity(normaliseSpec(kind, one)) === live.identity);
      const meant = normaliseSpec(kind, item?.spec ?? {});
      for (const [field, value] of fields)
        expect([field, representable(meant[field])]).toEqual([field, representable(value)]);
    }
  });
});

/** What is empty is as if it were not there. */
function representable(value: Json | undefined): Json {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== ''));
}

function withValue(spec: JsonObject, [token = '', ...rest]: readonly string[], value: Json): JsonObject {
  return { ...spec, [token]: rest.length === 0 ? value : withValue((spec[token] ?? {}) as JsonObject, rest, value) };
}

describe('what is written of a list', () => {
  const BOX: Registry = new Map([
    [box.kind, box],
    [rule.kind, rule],
  ]);
  const root: Member = { id: '1', identity: 'b', spec: { name: 'b' }, computed: {}, keys: [] };
  const item = (name: string, spec: JsonObject = {}): Member => ({
    id: name,
    identity: name,
    spec: { name, size: 1, tags: [], ...spec },
    computed: {},
    keys: [],
  });
  const toManifest = (kind: Partial<Kind>, collection: Collection) =>
    rootToManifest(
      new Map([
        [box.kind, box],
        [rule.kind, { ...rule, ...kind }],
      ]),
      box,
      root,
      new Map([[rule.kind, collection]]),
    );

  it('is nothing where nobody asked', () => {
    expect(rootToManifest(BOX, box, root, new Map())).toEqual({
      spec: { name: 'b' },
      comments: [],
      leftOut: [],
      data: [],
    });
  });

  it('stands by identity, without what is empty', () => {
    const { spec } = toManifest({}, read(item('c'), item('a', { colour: 'red' })));
    expect(Object.values(spec).find(Array.isArray)).toEqual([
      { name: 'a', size: 1, colour: 'red' },
      { name: 'c', size: 1 },
    ]);
  });

  it('is left out whole where two have one identity, and where it could not be read', () => {
    const what = rule.section.fields[0];
    expect(toManifest({}, read(item('a'), item('a'))).leftOut).toEqual([
      { what, reason: 'two of them are called a, so they cannot be told apart' },
    ]);
    expect(toManifest({}, { state: 'unknown', reason: 'it failed', remedy: '' }).leftOut).toEqual([
      { what, reason: 'it failed', unknown: true },
    ]);
    expect(toManifest({}, { state: 'blocked', reason: 'it is locked', remedy: '', rule: 'TOY-01' }).leftOut).toEqual([
      { what, reason: 'it is locked (TOY-01)' },
    ]);
    expect(toManifest({}, read()).leftOut).toEqual([{ what }]);
  });

  it("is without the platform's own, without what is going or stands still, and without what is only there", () => {
    const kind: Partial<Kind> = {
      status: ({ spec: { name } }) => {
        if (name === 'still')
          return { is: 'frozen', blocker: { reason: 'it stands still', remedy: '', rule: 'TOY-02' } };
        if (name === 'own') return { is: 'platform-managed' };
        if (name === 'going') return { is: 'deleting' };
        return (name as string).startsWith('there') ? { is: 'implicit' } : undefined;
      },
      manifest: {
        item: ({ spec }) =>
          spec.name === 'there-as-text'
            ? 'there'
            : spec.name === 'there'
              ? { name: 'there' }
              : { name: spec.name as string, size: 1 },
      },
    };
    const { spec, leftOut } = toManifest(
      kind,
      read(
        item('own'),
        item('going'),
        item('there'),
        item('there-as-text'),
        item('there-with-more'),
        item('still'),
        item('x'),
      ),
    );
    const what = rule.section.fields[0];
    expect(Object.values(spec).find(Array.isArray)).toEqual([
      { name: 'there-with-more', size: 1 },
      { name: 'x', size: 1 },
    ]);
    expect(leftOut).toEqual([
      { what, reason: 'going: it is on its way out', members: ['going'] },
      { what, reason: 'still: it stands still (TOY-02)', members: ['still'] },
    ]);
    expect(toManifest({ ...kind, list: 'singleton' }, read(item('going'))).leftOut).toEqual([
      { what, reason: 'it is on its way out', members: ['going'] },
    ]);
  });

  it('says that there may be more, and what is doubtful', () => {
    const one = { ...item('a'), doubt: 'the lists disagree' };
    const cut = toManifest(
      { manifest: { comments: () => [{ pointer: '/name', text: 'A name.' }] } },
      {
        state: 'read',
        members: [one],
        blockers: {},
        incomplete: { reason: 'it may be cut off', remedy: '', rule: 'TOY-03' },
      },
    );
    const place = `/${rule.section.fields[0] ?? ''}`;
    expect(cut.comments).toEqual([
      { pointer: `${place}/0`, text: 'Not all of it is known: the lists disagree.' },
      { pointer: `${place}/0/name`, text: 'A name.' },
      { pointer: place, text: 'There may be more: it may be cut off.' },
    ]);
    expect(
      toManifest(
        {},
        {
          state: 'read',
          members: [],
          blockers: {},
          incomplete: { reason: 'it may be cut off', remedy: '', rule: 'TOY-03' },
        },
      ).comments,
    ).toEqual([]);
    expect(itemToManifest(rule, item('a')).comments).toEqual([]);
  });

  it('is not said of what rests on something that is off, or cannot be read either', () => {
    const other: Kind = {
      ...rule,
      kind: 'Lid',
      list: 'singleton',
      identity: () => 'Lid',
      section: { fields: ['lid'], expand: () => [] },
    };
    const kinds: Registry = new Map([
      [box.kind, box],
      [other.kind, other],
      [rule.kind, { ...rule, capabilities: { dependsOn: { kind: 'Lid', field: 'open' } } }],
    ]);
    const lid = (open: boolean): Collection => read({ ...item('Lid'), spec: { name: 'lid', open } });
    const said = (on: Collection | undefined, collection: Collection) =>
      rootToManifest(
        kinds,
        box,
        root,
        new Map([...(on === undefined ? [] : [['Lid', on] as const]), [rule.kind, collection]]),
      ).leftOut.filter(({ what }) => what === rule.section.fields[0]);
    const failed: Collection = { state: 'unknown', reason: 'it failed', remedy: '' };
    expect([said(lid(false), read()), said(failed, failed)]).toEqual([[], []]);
    expect([said(lid(true), read()).length, said(failed, read()).length, said(undefined, read()).length]).toEqual([
      1, 1, 1,
    ]);
  });

  it('in which order is meaning is left out where two share a place, with what it would be', () => {
    const edgeRule = kindOf('EdgeRule');
    const site = memberOf(kindOf('Site'), sampleOf(kindOf('Site')));
    const at = (name: string, orderIndex: number | undefined): Member =>
      memberOf(
        edgeRule,
        {
          live: {
            ...sampleOf(kindOf('EdgeRule')).live,
            name,
            ...(orderIndex === undefined ? { orderIndex: null } : { orderIndex }),
          },
        },
        name,
      );
    const parts = (...members: readonly Member[]) =>
      rootToManifest(registry, kindOf('Site'), site, new Map([['EdgeRule', read(...members)]]));
    const names = (spec: JsonObject | undefined): Json =>
      (valueAt(spec, '/edgeRules') as readonly JsonObject[]).map(({ name }) => name as Json);
    expect(names(parts(at('z', 1), at('a', 2)).spec)).toEqual(['z', 'a']);
    expect(names(parts(at('only', undefined)).spec)).toEqual(['only']);
    for (const places of [
      [3, 3],
      [3, undefined],
    ]) {
      const { spec, leftOut } = parts(at('b', places[0]), at('a', places[1]), at('c', 9));
      expect(spec.edgeRules).toBeUndefined();
      expect(leftOut).toHaveLength(1);
      expect(names(leftOut[0]?.spec)).toContain('b');
    }
    expect(parts(at('b', 3), at('a', 3)).leftOut[0]?.reason).toBe(
      'a, b have the same position, or none, so their order is not known. Uncomment the list to manage them: apply then numbers them',
    );
  });
});

describe('what single kinds say', () => {
  const inSite = (name: string, ...specs: readonly Sample[]) =>
    rootToManifest(
      registry,
      kindOf('Site'),
      memberOf(kindOf('Site'), sampleOf(kindOf('Site'))),
      new Map([[name, read(...specs.map((sample, index) => memberOf(kindOf(name), sample, String(index))))]]),
    );

  it('is nothing of what is off, or not there', () => {
    const off = [
      inSite('Shield', { live: { enabled: false } }),
      inSite('PhpVersion'),
      inSite('PhpVersion', { live: {} }),
      inSite('SiteMail', { live: { fromLocalPart: '', fromName: '' } }),
      inSite('SiteDomain'),
      inSite('CacheLayer', ...['redis', 'nginx', 'cdn'].map((layer) => ({ live: { layer, enabled: false } }))),
      inSite('ShieldAccessList'),
    ];
    expect(off.map(({ spec }) => Object.keys(spec))).toEqual(off.map(() => ['name', 'plan']));
    expect(off.map(({ leftOut }) => leftOut)).toEqual(
      ['shield', 'phpVersion', 'phpVersion', 'mail', 'domains', 'cacheLayers', 'shield/accessLists'].map((what) => [
        { what },
      ]),
    );
  });

  it('is hostnames without a primary one where the site has none of them', () => {
    expect(inSite('SiteDomain', { live: { hostname: 'a.example.com', primary: false } }).spec).toEqual({
      name: 'Shop',
      plan: 'pro',
      domains: ['a.example.com'],
    });
  });

  it('is what no write can say as a notice, and what nobody understands (SHD-13, GAP-28)', () => {
    const { comments } = inSite('ShieldCustomRule', {
      ...sampleOf(kindOf('ShieldCustomRule')),
      computed: { beyond: ['negation'], unclear: ['severity'] },
    });
    expect(comments.map(({ pointer, text }) => [pointer, text])).toEqual([
      ['/shield/customRules/0', 'Not written, because nobody knows what is live there: severity.'],
      ['/shield/customRules/0', 'The live one also has what no call of the API can write: negation.'],
    ]);
  });

  it('calls a site after its name, its primary hostname, then the others', () => {
    const called = kindOf('Site').manifest?.file?.called;
    const live = {
      id: '1',
      identity: '',
      spec: { name: 'Shop' },
      computed: { primaryDomain: 'b.nl' },
      keys: [['c.nl', 'b.nl']],
    };
    expect([called?.(live), called?.({ ...live, computed: {}, keys: [] })]).toEqual([
      ['Shop', 'b.nl', 'b.nl', 'c.nl'],
      ['Shop'],
    ]);
  });
});
