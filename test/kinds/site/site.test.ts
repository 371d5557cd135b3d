// Buying, resizing and comparing sites, as pure data: what is asked, what is sent, what is refused and why.
import { describe, expect, it } from 'vitest';
import { refusedUpdates, updateAction } from '../../../src/planner/action.ts';
import { orderActions } from '../../../src/planner/order.ts';
import { cacheLayer } from '../../../src/areas/site/kinds/cache-layer.ts';
import { registry } from '../../../src/areas/index.ts';
import { phpVersion } from '../../../src/areas/site/kinds/php-version.ts';
import { site } from '../../../src/areas/site/kinds/site/index.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { ReadContext } from '../../../src/model/kind/kind.ts';
import { NOTHING_WANTED } from '../../../src/model/kind/kind.ts';
import { wantRoot, wantRoots } from '../../support/desired.ts';
import { containing } from '../../support/matchers.ts';

const order = { variant: 'extended', location: 'ams', term: 'annual' };
const at = (address: string) => ({
  address,
  parent: 'Site/shop',
  protect: false,
  members: [],
  sourceOf: () => undefined,
});
const context = (spec: JsonObject, answers: ReadContext['answers'] = {}): ReadContext => ({
  account: 'acc',
  parent: null,
  declared: wantRoots(site, [wantRoot(site, 'shop', spec)]),
  owned: new Set(),
  answers,
});
const row = (extra: JsonObject) => ({ id: 's1', name: 'Shop', primary_domain: null, ...extra });

describe('what is asked', () => {
  const about = (spec: JsonObject, ...rows: readonly JsonObject[]) =>
    site.reads.about?.path(context(spec, { sites: rows }));

  it('O-03: the list of plans only where a live package is none of the declared plans, or something may be bought or resized', () => {
    expect(about({}, row({ package: 'odd' }))).toBeNull();
    expect(about({ plan: 'pro' }, row({ package: 'pro' }))).toBeNull();
    expect(about({ plan: 'pro' })).toBe('/api/about');
    expect(about({ plan: 'pro', order }, row({ package: 'pro' }))).toBe('/api/about');
    expect(about({ plan: 'pro' }, row({ package: 'odd' }))).toBe('/api/about');
    expect(about({ plan: 'pro' }, row({}))).toBe('/api/about');
  });
});

describe('ORD-26, GAP-07: a plan or location that the platform does not list', () => {
  const reported = (spec: JsonObject, about?: ReadContext['answers'][string], ...rows: readonly JsonObject[]) =>
    (site.capabilities.doubts?.({ sites: rows, about }, context(spec)).shop ?? []).map(
      ({ field, code }) => `${field} ${code}`,
    );
  const listed = { plans: [{ short_name: 'pro', name: 'Pro' }], locations: { ams: 'Amsterdam' }, comment: 'x' };

  it('is told where names can be recognised, and nowhere else', () => {
    expect(reported({ plan: 'pro', order }, listed)).toEqual([]);
    expect(reported({ plan: 'gold', order: { ...order, location: 'fra' } }, listed)).toEqual([
      'plan HW2061',
      'order HW2061',
    ]);
    expect(reported({ plan: 'gold' }, { about: [{ plan_names: ['pro', 7] }] })).toEqual(['plan HW2061']);
    const objects = { plans: [{ id: 'pro', name: 'Pro' }], regions: [{ code: 'ams', name: 'Amsterdam', zone: 7 }] };
    expect(reported({ plan: 'pro', order }, objects)).toEqual([]);
    expect(reported({ plan: 'id', order: { ...order, location: 'code' } }, objects)).toEqual([
      'plan HW2061',
      'order HW2061',
    ]);
    expect(reported({ plan: 'gold' }, listed, row({ package: 'gold' }))).toEqual([]);
    for (const unclear of [undefined, null, {}, { plans: 3 }, ['pro']])
      expect(reported({ plan: 'gold', order }, unclear)).toEqual([]);
    expect(reported({}, listed)).toEqual([]);
  });
});

describe('GAP-05: the package of a site', () => {
  const isPlan = (spec: JsonObject, found: JsonObject, about?: ReadContext['answers'][string]) =>
    site.decode({ sites: [row(found)], about }, context(spec))[0]?.computed?.isPlan;

  it('counts as a plan when a manifest declares it, or the platform names it anywhere (GAP-07)', () => {
    expect(isPlan({ plan: 'pro' }, { package: 'pro' })).toBe(true);
    expect(isPlan({ plan: 'pro' }, { package: 'mini' }, { plans: [{ short_name: 'mini' }, 'max', 3, null] })).toBe(
      true,
    );
    expect(isPlan({ plan: 'pro' }, { package: 'max' }, ['mini', 'max'])).toBe(true);
    expect(isPlan({ plan: 'pro' }, { package: 'Legacy' }, { plans: [] })).toBe(false);
    expect(isPlan({ plan: 'pro' }, { package: 'Legacy' }, null)).toBe(false);
    expect(isPlan({ plan: 'pro' }, {})).toBe(false);
  });

  it('that is no plan is not compared, and says what the platform shows', () => {
    const refused = (spec: JsonObject, computed: JsonObject) =>
      refusedUpdates(site, { plan: 'pro' }, { spec, computed });
    expect(refused({ name: 'Shop', plan: 'mini' }, { isPlan: true })).toEqual([]);
    expect(refused({ name: 'Shop', plan: 'Legacy' }, { isPlan: false })).toMatchObject([
      { writes: ['plan'], blocker: { reason: containing('"Legacy"') } },
    ]);
    expect(refused({ name: 'Shop' }, { isPlan: false })).toMatchObject([{ blocker: { reason: containing('null') } }]);
  });
});

describe('ORD-22: an order', () => {
  it('is refused without what it needs', () => {
    expect(site.create?.refuse?.({}, null, NOTHING_WANTED)).toMatchObject({ rule: 'ORD-23' });
    expect(site.create?.refuse?.({ order }, null, NOTHING_WANTED)).toMatchObject({ rule: 'ORD-22' });
    expect(site.create?.refuse?.({ order, plan: 'pro' }, null, NOTHING_WANTED)).toBeNull();
  });
});

describe('a resize', () => {
  const live = { spec: { name: 'Shop', plan: 'mini' }, computed: { isPlan: true } };
  const resize = (desired: JsonObject, before: JsonObject = live.spec) =>
    updateAction(site, desired, { ...live, spec: before }, at('Site/shop'));

  it('O-07, O-09: comes before what only the new plan may have, and before another restart', () => {
    const layer = updateAction(
      cacheLayer,
      { layer: 'redis', enabled: true },
      { spec: { layer: 'redis', enabled: false }, computed: {} },
      at('Site/shop/CacheLayer/redis'),
    );
    const php = updateAction(
      phpVersion,
      { version: '8.3' },
      { spec: { version: '8.2' }, computed: { variants: { '8.3': 1 } } },
      at('Site/shop/PhpVersion'),
    );
    const actions = [resize({ plan: 'pro' }), layer, php].filter((action) => action !== undefined);
    const ordered = orderActions(actions, registry, new Map());
    expect(ordered[0]?.address).toBe('Site/shop');
    expect(
      ordered
        .slice(1)
        .map(({ needs }) => needs[0]?.rule)
        .sort(),
    ).toEqual(['O-07', 'O-09']);
    const renamed = updateAction(site, { name: 'New' }, live, at('Site/shop'));
    expect(
      orderActions(
        [renamed, php].filter((action) => action !== undefined),
        registry,
        new Map(),
      ).flatMap(({ needs }) => needs),
    ).toEqual([]);
  });
});
