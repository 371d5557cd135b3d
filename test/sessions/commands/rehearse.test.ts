// A plan that is carried out once on a copy of the account before anybody sees it.
import { afterEach, describe, expect, it } from 'vitest';
import type { Rehearsal } from '../../../src/model/plan/rehearsal.ts';
import { openCopy } from '../../../src/sandbox/copy.ts';
import type { RehearsedPlan } from '../../../src/usecases/rehearse/plan.ts';
import { planRehearsed } from '../../../src/usecases/rehearse/plan.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
});

const shop = (spec: string): HarnessOptions => ({
  files: {
    'sites/shop.yaml': `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec:\n  ${spec}\n`,
  },
});

async function rehearsed(options: HarnessOptions): Promise<RehearsedPlan & { readonly rehearsal: Rehearsal }> {
  harness = await startHarness(options);
  const result = await planRehearsed(
    harness.session(),
    { paths: [], targets: [] },
    {
      always: true,
      openCopy: (answers, about) => {
        const { send: transport, ...copy } = openCopy(answers, about);
        return Promise.resolve({ transport, ...copy });
      },
    },
  );
  if (result.rehearsal === undefined) throw new Error(`no rehearsal: ${JSON.stringify(result.diagnostics)}`);
  return { ...result, rehearsal: result.rehearsal };
}

describe('a rehearsal', () => {
  it('carries a plan out on a copy, plans again, and sends the account nothing', async () => {
    const { rehearsal, diagnostics } = await rehearsed(shop('caching: { cacheExpiration: 600 }'));
    expect(rehearsal).toEqual({ result: 'passed', actions: 1, rounds: 1, refused: [], notRehearsed: [], left: [] });
    expect(diagnostics).toEqual([]);
    expect(harness?.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(harness?.sandbox.state.sites.get('site-shop')?.cdn.caching.cache_expiration).not.toBe(600);
  });
});
