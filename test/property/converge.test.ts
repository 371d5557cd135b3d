// Random wanted sites over random live ones: what can be done converges, every ordering rule holds in every plan, nothing is made twice,
// and the plan does not depend on how the manifests are cut into files. A failing seed is printed; pin it with `seed` below.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDomain, addSite } from '../../src/sandbox/state.ts';
import type { State } from '../../src/sandbox/state.ts';
import { buildScenario } from '../../src/sandbox/scenarios/index.ts';
import { startHarness } from '../support/harness.ts';

const RUNS = Number(process.env.HOSTWRIGHT_PROPERTY_RUNS ?? 60);
const hostnames = ['a', 'b', 'c', 'd'].map((label) => `${label}.example.com`);
const names = ['one', 'two', 'three'] as const;

const caching = fc.record(
  { smartCache: fc.boolean(), cacheExpiration: fc.integer({ min: -1, max: 5 }), varyMobile: fc.boolean(), cookieVaryParameters: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')) },
  { requiredKeys: [] },
);

// Each site has hostnames of its own, so that what is random is the change and not a conflict.
const liveSite = fc.record({ domains: fc.uniqueArray(fc.constantFrom(...hostnames)), caching, primary: fc.nat() });
const wantedSite = fc.record(
  { domains: fc.uniqueArray(fc.constantFrom(...hostnames), { minLength: 1 }), primary: fc.option(fc.nat(), { nil: undefined }), caching: fc.option(caching, { nil: undefined }), remove: fc.boolean() },
);

function build(live: readonly { readonly domains: readonly string[]; readonly caching: object; readonly primary: number }[]): () => State {
  return () => {
    const { state } = buildScenario('empty');
    live.forEach((wanted, index) => {
      const site = addSite(state, { id: `site-${index}`, accountId: 'acc-acme', name: names[index] as string });
      for (const domain of wanted.domains) addDomain(state, site, { hostname: `${names[index]}-${domain}` });
      const primary = site.domains[wanted.domains.length === 0 ? 0 : wanted.primary % wanted.domains.length];
      if (primary !== undefined) site.primaryDomainId = primary.id;
    });
    return state;
  };
}

function manifestOf(index: number, { domains, primary, caching: settings, remove }: { readonly domains: readonly string[]; readonly primary: number | undefined; readonly caching: object | undefined; readonly remove: boolean }): string {
  const own = domains.map((domain) => `${names[index]}-${domain}`);
  const spec = {
    domains: own,
    // Without a named primary the old one may not be removed; that case has its own test.
    primaryDomain: own[(primary ?? 0) % own.length],
    ...(settings !== undefined && { caching: settings }),
    ...(remove && { unlisted: { domains: 'remove' } }),
  };
  return JSON.stringify({ apiVersion: 'hostwright/v1', kind: 'Site', metadata: { name: names[index], id: `site-${index}` }, spec });
}

describe('random wanted sites over random live sites', () => {
  it('converge', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(liveSite, wantedSite), { minLength: 1, maxLength: 3 }), fc.constantFrom('off', 'reads:2'), async (sites, lateLists) => {
        const manifests = sites.map(([, wanted], index) => manifestOf(index, wanted));
        const harness = await startHarness({ scenario: build(sites.map(([live]) => live)), readings: { lateLists }, files: Object.fromEntries(manifests.map((text, index) => [`sites/${index}.json`, text])) });
        try {
          const plan = await harness.planned();
          const position = new Map(plan.actions.map(({ address }, index) => [address, index]));
          for (const [index, action] of plan.actions.entries()) for (const need of action.needs) expect(position.get(need.address)).toBeLessThan(index);
          const { outcome } = await harness.apply({ allowDeletes: 99 });
          expect(outcome.exitCode, JSON.stringify(outcome, null, 1)).toBe(0);
          expect((await harness.planned()).actions).toEqual([]);
          expect([...harness.sandbox.creations.values()].every((times) => times === 1)).toBe(true);
        } finally {
          await harness.close();
        }
      }),
      { numRuns: RUNS },
    );
  }, 120_000 + RUNS * 200);

  it('plan the same whatever files they stand in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(liveSite, wantedSite), { minLength: 2, maxLength: 3 }), async (sites) => {
        const manifests = sites.map(([, wanted], index) => manifestOf(index, wanted));
        const scenario = build(sites.map(([live]) => live));
        const digestOf = async (files: Readonly<Record<string, string>>): Promise<string> => {
          const harness = await startHarness({ scenario, files });
          try {
            return (await harness.planned()).digest;
          } finally {
            await harness.close();
          }
        };
        const apart = await digestOf(Object.fromEntries(manifests.map((text, index) => [`sites/${index}.json`, text])));
        expect(await digestOf({ 'sites/all.yaml': [...manifests].reverse().join('\n---\n') })).toBe(apart);
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
  }, 120_000);
});
