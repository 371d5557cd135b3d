import { describe, expect, it } from 'vitest';
import type { RequestStep } from '../../../src/model/plan/step.ts';
import { judgeAnswer } from '../../../src/apply/answers.ts';
import { contextOf, planKind, readKind } from '../../support/planned.ts';
import { cacheLayer } from '../../../src/areas/site/kinds/cache-layer.ts';
import { phpVersion } from '../../../src/areas/site/kinds/php-version.ts';
import type { Answers, Kind } from '../../../src/model/kind/kind.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import { ShapeError } from '../../../src/model/kind/rows.ts';
import { containing } from '../../support/matchers.ts';

const plan = (kind: Kind, spec: JsonObject, answers: Answers) => planKind(kind, [spec], answers);

describe('PhpVersion', () => {
  const variants = [
    { id: 11, label: '8.2', is_default: false, active: true },
    { id: 12, label: '8.3', is_default: true, active: false },
  ];

  it('PHP-02, PHP-05: the active label is as wanted, whatever is the default of new sites', () => {
    expect(plan(phpVersion, { version: '8.2' }, { variants })).toMatchObject({ actions: [], unchanged: 1 });
  });

  it('PHP-05: is read from the list of variants, one request for a site', () => {
    expect(phpVersion.reads.variants?.path(contextOf(phpVersion))).toBe('/api/sites/site%2F1/variants');
    expect(phpVersion.section.expand({ phpVersion: '8.3' })).toEqual([
      { name: null, spec: { version: '8.3' }, pointer: '/phpVersion', pointers: { version: '/phpVersion' } },
    ]);
    expect(phpVersion.section.expand({})[0]?.spec).toEqual({ version: null });
  });

  it('PHP-02: the active label is as wanted, whatever is the default of new sites', () => {
    expect(plan(phpVersion, { version: '8.2' }, { variants })).toMatchObject({ actions: [], unchanged: 1 });
  });

  it('PHP-04: a label that is there twice, or that an object has by nature, is none', () => {
    const twice = [...variants, { id: 13, label: '8.3', active: false }];
    expect(plan(phpVersion, { version: '8.3' }, { variants: twice }).blocked[0]?.reason).toContain('more than once');
    expect(plan(phpVersion, { version: 'constructor' }, { variants }).blocked[0]?.reason).toContain('does not offer');
  });

  it('PHP-04: a version means the only label that has it; a label means itself', () => {
    const named = (version: string, ...labels: readonly string[]) =>
      phpVersion.capabilities.asNamedLive?.(
        { version },
        { spec: {}, computed: { variants: Object.fromEntries(labels.map((label, index) => [label, index])) } },
      );
    expect(named('8.3', 'PHP 8.2', 'PHP 8.3', 'none')).toEqual({ version: 'PHP 8.3' });
    expect(named('PHP 8.3', 'PHP 8.2', 'PHP 8.3')).toEqual({ version: 'PHP 8.3' });
    expect(named('8.3', '8.3', 'PHP 8.3')).toEqual({ version: '8.3' });
    expect(named('8.3', 'PHP 8.3.1', 'PHP 18.3')).toEqual({ version: '8.3' });
    expect(named('8.3', 'PHP 8.3', 'PHP 8.3 (beta)')).toEqual({ version: '8.3' });
    expect(phpVersion.capabilities.asNamedLive?.({}, { spec: {}, computed: { variants: {} } })).toEqual({
      version: '',
    });
    const two = ['PHP 8.3', 'PHP 8.3 (beta)'].map((label, id) => ({ id, label, active: id === 1 }));
    expect(plan(phpVersion, { version: '8.3' }, { variants: two })).toMatchObject({
      actions: [],
      blocked: [{ reason: containing('more than once'), remedy: containing('PHP 8.3, PHP 8.3 (beta)') }],
    });
  });

  it('PHP-01: without any variant it cannot be set', () => {
    expect(plan(phpVersion, { version: '8.3' }, { variants: [] })).toMatchObject({
      actions: [],
      blocked: [{ rule: 'PHP-01' }],
    });
  });

  it('takes no answer of another shape', () => {
    for (const rows of [
      [{ label: '8.2', active: true }],
      [{ id: 1, active: true }],
      [variants[0], { ...variants[1], active: true }],
    ])
      expect(() => readKind(phpVersion, { variants: rows as Json })).toThrow(ShapeError);
  });
});

describe('CacheLayer', () => {
  it('is one object for each layer that the manifest names, one request for a site', () => {
    expect(cacheLayer.section.expand({ cacheLayers: { cdn: true, redis: false } })).toEqual([
      {
        name: 'redis',
        spec: { layer: 'redis', enabled: false },
        pointer: '/cacheLayers/redis',
        pointers: { layer: '/cacheLayers/redis', enabled: '/cacheLayers/redis' },
      },
      {
        name: 'cdn',
        spec: { layer: 'cdn', enabled: true },
        pointer: '/cacheLayers/cdn',
        pointers: { layer: '/cacheLayers/cdn', enabled: '/cacheLayers/cdn' },
      },
    ]);
    expect(cacheLayer.reads.layers?.path(contextOf(cacheLayer))).toBe('/api/sites/site%2F1/cache');
    expect(cacheLayer.identity({})).toBe('');
  });

  it('CCH-09: a layer outside the plan is blocked, not tried again', () => {
    const [action] = plan(cacheLayer, { layer: 'redis', enabled: true }, { layers: {} }).actions;
    const answer = { status: 422, code: 'cache_type_unavailable', messages: [], extra: {}, body: {} };
    expect(judgeAnswer(action?.steps[0] as RequestStep, answer)).toMatchObject({
      result: 'blocked',
      reason: containing('does not include this layer'),
    });
  });

  it('GAP-22: off, null and not there are all off, so that nothing is switched off for nothing', () => {
    for (const layers of [{ redis: false }, { redis: null }, {}]) {
      expect(plan(cacheLayer, { layer: 'redis', enabled: false }, { layers })).toMatchObject({
        actions: [],
        unchanged: 1,
      });
      expect(plan(cacheLayer, { layer: 'redis', enabled: true }, { layers }).actions).toHaveLength(1);
    }
    expect(() => readKind(cacheLayer, { layers: { redis: 'on' } })).toThrow(ShapeError);
    expect(() => readKind(cacheLayer, { layers: [] })).toThrow(ShapeError);
  });
});
