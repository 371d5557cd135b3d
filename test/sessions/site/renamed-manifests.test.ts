// A manifest under another name, with and without `renamedFrom`: what the ledger records of a live object belongs to
// that object, whatever its manifest is called. Exit code 0 means that the next plan is empty.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { addDomain } from '../../../src/sandbox/core/state.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { manifest } from '../../support/manifests.ts';
import { runsOf, seedOf } from '../../support/property-runs.ts';

const HOSTNAMES = ['shop.example.com', 'www.shop.example.com', 'old.shop.example.com'];

function siteCalled(name: string, domains: readonly string[], renamedFrom?: string): string {
  const spec = { primaryDomain: HOSTNAMES[0], domains };
  return manifest('Site', name, spec, renamedFrom === undefined ? {} : { renamedFrom });
}

/** A site with all hostnames, which an earlier apply recorded as ours under the name `shop`. */
async function begin(): Promise<Harness> {
  const one = await openHarness({ files: { 'sites/site.yaml': siteCalled('shop', HOSTNAMES) } });
  addDomain(one.sandbox.state, one.site('shop'), { hostname: HOSTNAMES[2] as string });
  expect((await one.apply()).outcome.outcome).toBe('done');
  return one;
}

const hostnamesOf = (one: Harness): readonly string[] => one.site('shop').domains.map(({ hostname }) => hostname);

describe('a renamed manifest', () => {
  it('without `renamedFrom` shows at once the delete of a hostname that is ours', async () => {
    const one = await begin();
    await one.write('sites/site.yaml', siteCalled('boutique', HOSTNAMES.slice(0, 2)));
    const { actions, unmanaged } = await one.planned();
    expect(actions.map(({ verb, address }) => `${verb} ${address}`)).toEqual([
      'delete Site/boutique/SiteDomain/old.shop.example.com',
    ]);
    expect(unmanaged).toEqual([]);
    expect((await one.apply({ allowDeletes: 0 })).outcome.outcome).toBe('refused');
    expect((await one.apply({ allowDeletes: 1 })).outcome.outcome).toBe('done');
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('has an empty plan after exit code 0, whatever is renamed, kept and left over', async () => {
    const step = fc.record(
      {
        name: fc.constantFrom('shop', 'boutique', 'store'),
        line: fc.constantFrom('without', 'former', 'left over'),
        dropped: fc.subarray(HOSTNAMES.slice(1)),
      },
      { noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
        const one = await begin();
        let former = 'shop';
        let owned: readonly string[] = HOSTNAMES;
        for (const { name, line, dropped } of steps) {
          const named = line === 'former' ? former : 'older';
          const wanted = owned.filter((hostname) => !dropped.includes(hostname));
          await one.write(
            'sites/site.yaml',
            siteCalled(name, wanted, line === 'without' || named === name ? undefined : named),
          );
          const { actions } = await one.planned();
          expect(actions.map(({ verb, address }) => `${verb} ${address}`).toSorted()).toEqual(
            owned
              .filter((hostname) => dropped.includes(hostname))
              .map((hostname) => `delete Site/${name}/SiteDomain/${hostname}`)
              .toSorted(),
          );
          const { outcome } = await one.apply({ allowDeletes: 9 });
          expect(outcome.exitCode, JSON.stringify(outcome)).toBe(0);
          expect(isEmptyPlan(await one.planned())).toBe(true);
          [former, owned] = [name, wanted];
        }
        expect(hostnamesOf(one).toSorted()).toEqual([...owned].toSorted());
      }),
      { numRuns: runsOf(40), ...seedOf() },
    );
  });
});
