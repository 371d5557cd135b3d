// Fifty sites on two profiles: planned, applied, planned to nothing; what came from a profile says so.
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { expandedYaml, expandWorkspace } from '../../../src/usecases/expanded.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';

const EXAMPLE = 'fifty-sites-two-profiles';
const PROFILES = 'profiles/profiles.yaml';

const start = (): Promise<Harness> => openHarness({ example: EXAMPLE, scenario: 'sites:50' });

const settings = { smart_cache: true, browser_cache_expiration: 3600, stale_while_updating: true };
const brochure = { ...settings, cache_expiration: 86_400, query_string_vary_parameters: ['page'] };
const shop = {
  ...settings,
  cache_expiration: 600,
  vary_cookie: true,
  cookie_vary_parameters: ['currency'],
  query_string_vary_parameters: ['page', 'sort'],
};

describe(`example ${EXAMPLE}`, () => {
  it('applies, plans to nothing, and leaves what the profiles and the sites say', async () => {
    const { apply, planned, plan, site } = await start();
    const { diagnostics } = await plan();
    expect(diagnostics).toEqual([]);
    const untouched = { ...site('s00050').cdn.caching };
    const { outcome } = await apply();
    expect(outcome).toMatchObject({ outcome: 'done', exitCode: 0 });
    expect(isEmptyPlan(await planned())).toBe(true);
    const caching = (number: number) => site(`s${String(number).padStart(5, '0')}`).cdn.caching;
    for (let number = 1; number <= 49; number += 1)
      if (![7, 13, 42].includes(number)) expect(caching(number)).toMatchObject(number <= 30 ? brochure : shop);
    expect(caching(7)).toMatchObject({ ...brochure, cache_expiration: 60 });
    expect(caching(42)).toMatchObject({ ...shop, cookie_vary_parameters: ['currency', 'language'] });
    expect(caching(50)).toEqual(untouched);
  });

  it('leaves alone what a site took out of a profile, and what is changed there', async () => {
    const { apply, planned, site } = await start();
    await apply();
    for (const name of ['s00013', 's00050']) {
      const { caching } = site(name).cdn;
      caching.smart_cache = caching.smart_cache !== true;
    }
    expect(isEmptyPlan(await planned())).toBe(true);
  });

  it('names the line of the profile in the plan', async () => {
    const { apply, planned, site } = await start();
    await apply();
    for (const name of ['s00001', 's00007', 's00031']) site(name).cdn.caching.cache_expiration = 1;
    site('s00042').cdn.caching.browser_cache_expiration = 1;
    const plan = await planned();
    expect(plan.actions.map(({ address, source }) => [address, source && `${source.file}:${source.line}`])).toEqual([
      ['Site/s00001/Caching', `${PROFILES}:8`],
      ['Site/s00007/Caching', 'sites/brochures.yaml:51'],
      ['Site/s00031/Caching', `${PROFILES}:18`],
      ['Site/s00042/Caching', `${PROFILES}:9`],
    ]);
  });

  it('plans the same actions when it is written without profiles', async () => {
    const { planned, session, write } = await start();
    const digests = (await planned()).actions.map(({ digest }) => digest);
    const { manifests, diagnostics } = await expandWorkspace(session({ token: undefined }), []);
    expect(diagnostics).toEqual([]);
    await write('expanded/all.yaml', expandedYaml(manifests));
    const again = await planned({ paths: ['expanded'] });
    expect(digests.length).toBeGreaterThanOrEqual(49);
    expect(again.actions.map(({ digest }) => digest)).toEqual(digests);
  });
});
