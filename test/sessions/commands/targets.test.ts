// `--target` of plan, drift, apply and graph takes an address or a glob. One that names nothing is an error that says
// the nearest name.
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { driftWorkspace } from '../../../src/usecases/drift.ts';
import type { Harness } from '../../support/harness.ts';
import { siteManifest } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing } from '../../support/matchers.ts';

const rule = {
  name: 'a [new] rule',
  action: { type: 'ForceSSL' },
  triggers: [{ type: 'Url', patterns: ['http://*'] }],
};

async function begin(): Promise<Harness> {
  return openHarness({
    files: {
      'sites/shop.json': siteManifest('shop', { name: 'Shop', caching: { cacheExpiration: 5 } }),
      'sites/blog.json': siteManifest('blog', { name: 'Blog', edgeRules: [rule] }),
      'sites/docs.json': siteManifest('docs', { caching: { cacheExpiration: 6 } }),
    },
  });
}

describe('--target', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['an address', ['Site/shop/Caching'], ['Site/shop/Caching']],
    ['a glob over sites', ['Site/*/Caching'], ['Site/docs/Caching', 'Site/shop/Caching']],
    ['a glob over everything in a site', ['Site/bl**'], ['Site/blog', 'Site/blog/EdgeRule/a%20[new]%20rule']],
    ['a list', ['Site/blog/EdgeRule'], ['Site/blog/EdgeRule/a%20[new]%20rule']],
    [
      'a name with letters that globs use',
      ['Site/blog/EdgeRule/a%20[new]%20rule'],
      ['Site/blog/EdgeRule/a%20[new]%20rule'],
    ],
    ['several that overlap', ['Site/shop/Caching', 'Site/sho?/Caching'], ['Site/shop/Caching']],
  ])('names %s', async (_what, targets, expected) => {
    const one = await begin();
    expect((await one.planned({ targets })).actions.map(({ address }) => address).sort()).toEqual(expected);
  });

  it('that is as declared is no error, and a live member that no manifest names is known', async () => {
    const one = await begin();
    expect((await one.apply({ allowDeletes: 9 })).outcome.exitCode).toBe(0);
    expect(await one.planned({ targets: ['Site/shop/Caching'] })).toMatchObject({
      actions: [],
      covers: { targets: ['Site/shop/Caching'] },
    });
    await one.write('sites/blog.json', siteManifest('blog', { edgeRules: [] }));
    const plan = await one.planned({ targets: ['Site/blog/EdgeRule/a%20[new]%20rule'] });
    expect(plan.actions.map(({ verb }) => verb)).toEqual(['delete']);
  });

  it('that names something in a list that cannot be read is left as it is', async () => {
    const one = await begin();
    one.sandbox.setFaults([{ kind: 'not-a-list', match: { path: '/api/sites/site-blog/edge_rules' } }]);
    const { plan, diagnostics } = await one.plan({ targets: ['Site/blog/EdgeRule/old'] });
    expect([diagnostics.filter(({ severity }) => severity === 'error'), plan?.covers]).toEqual([
      [],
      { targets: ['Site/blog/EdgeRule/old'], read: ['Site/blog'] },
    ]);
  });

  it('that matches nothing is an error with the nearest name, and nothing is run', async () => {
    const one = await begin();
    const error = (detail: string) => [{ code: 'HW6155', severity: 'error', detail: containing(detail) }];
    const errors = (all: readonly Diagnostic[]) => all.filter(({ severity }) => severity === 'error');
    for (const [target, words] of [
      ['Site/shpo/Caching', 'Did you mean `Site/shop/Caching`?'],
      ['Site/*/Cache', 'names nothing'],
      ['Site/shop/Shield', 'names nothing'],
    ] as const) {
      const targets = ['Site/docs', target];
      expect(errors((await one.plan({ targets })).diagnostics)).toMatchObject(error(words));
      expect(
        errors((await driftWorkspace(one.session(), { paths: [], targets, ignore: [] })).diagnostics),
      ).toMatchObject(error(words));
      const { outcome } = await one.apply({ targets });
      expect([outcome.exitCode, errors(outcome.diagnostics)]).toMatchObject([1, error(words)]);
    }
    expect(one.writes()).toEqual([]);
  });

  it('is kept to by a run: what is done holds, and the rest is left', async () => {
    const one = await begin();
    const { outcome } = await one.apply({ targets: ['Site/*/Caching'] });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0, remaining: [] });
    expect(outcome.actions.map(({ address }) => address).sort()).toEqual(['Site/docs/Caching', 'Site/shop/Caching']);
  });
});
