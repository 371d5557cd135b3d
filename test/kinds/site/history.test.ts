// What the tasks of a site tell of a change, in each form that the documents leave open; nothing is made of what is not
// as they say.
import { describe, expect, it } from 'vitest';
import { siteActivity } from '../../../src/areas/site/kinds/activity.ts';
import { registry } from '../../../src/areas/index.ts';
import type { Json } from '../../../src/model/json.ts';

const activity = siteActivity((layer) => [layer, 'all']);
const task = {
  id: 7,
  name: 'site.cache.redis_enable',
  status: 'OK',
  created_at: '2026-01-15T10:00:00Z',
  performed_by: { id: 'u', name: 'Ada Vries', email: 'ada@acme.example' },
};
const decode = (...rows: readonly Json[]) => activity.decode(rows);

describe('the tasks of a site', () => {
  it('TSK-01 GAP-14: are read bare or wrapped, with times as text or in seconds', () => {
    const entry = { id: '7', name: task.name, status: 'OK', atMs: Date.parse(task.created_at), by: 'Ada Vries' };
    expect(decode(task)).toEqual([entry]);
    expect(activity.decode({ tasks: [{ ...task, id: '7', created_at: entry.atMs / 1000 }] })).toEqual([entry]);
    expect(activity.path('a/b')).toBe('/api/sites/a%2Fb/tasks');
  });

  it('name whoever they name, and nobody else', () => {
    const by = (performer: Json) => decode({ ...task, performed_by: performer })[0]?.by;
    expect([by({ name: ' ', email: 'ada@acme.example' }), by({ name: '' }), by(null), by('System')]).toEqual([
      'ada@acme.example',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('TSK-02: are no evidence when they came to nothing, nor when they are not as documented', () => {
    const spoilt: readonly Json[] = [
      { ...task, status: 'FAILED' },
      { ...task, status: 'CANCELLED' },
      { ...task, id: null },
      { ...task, name: 5 },
      { ...task, status: null },
      { ...task, created_at: null },
      { ...task, created_at: 'soon' },
      { ...task, created_at: 1e300 },
    ];
    expect(decode(...spoilt)).toEqual([]);
    expect(() => activity.decode({})).toThrow('expected a list');
  });

  it.each([
    ['site.cache.redis_enable', 'redis', true],
    ['site.cache.nginx_enable', 'redis', false],
    ['site.cache.all_disable', 'redis', true],
    ['site.cache.redis_purge', 'redis', false],
    ['site.cache.cdn_purge', 'cdn', false],
    ['site.backup.create', 'redis', false],
  ])('TSK-11: %s may be about the layer %s: %s', (name, layer, fits) => {
    expect(activity.fits({ id: '1', name, status: 'OK', atMs: 0 }, layer, 'enabled')).toBe(fits);
  });

  it('TSK-09: tell of what is documented as a task: the PHP version and the cache layers', () => {
    expect(
      [...registry.values()]
        .filter((kind) => kind.capabilities.activity !== undefined)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['CacheLayer', 'PhpVersion']);
    expect(
      registry
        .get('PhpVersion')
        ?.capabilities.activity?.fits(
          { id: '1', name: 'site.variant.php', status: 'OK', atMs: 0 },
          'PhpVersion',
          'version',
        ),
    ).toBe(true);
  });
});
