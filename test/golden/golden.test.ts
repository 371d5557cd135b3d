// The examples' plans as a reviewer sees them, word for word. Read a changed file before you accept it: it is the product's face.
import { describe, expect, it } from 'vitest';
import { renderPlan } from '../../src/report/human.ts';
import { renderPlanJson } from '../../src/report/json.ts';
import { startHarness } from '../support/harness.ts';

describe.each([
  ['small-agency'], ['new-primary-domain'], ['caching-only'], ['hardened-shop'], ['a-site-from-nothing'], ['sender-identity'], ['moving-a-domain'], ['shielded-shop', 'shield'], ['mail-for-a-company', 'mail'], ['a-new-domain', 'registrar'], ['a-registrar-clean-up', 'registrar'],
])('the plan of %s', (example, scenario = 'small') => {
  it('reads as it did', async () => {
    const harness = await startHarness({ example, scenario });
    try {
      const plan = await harness.planned();
      const text = (verbose: boolean): string => renderPlan(plan, { color: false, verbose, width: 120 }).text;
      await expect(`${text(false)}\n`).toMatchFileSnapshot(`${example}.txt`);
      await expect(`${text(true)}\n`).toMatchFileSnapshot(`${example}.verbose.txt`);
      await expect(`${renderPlanJson(plan, { outcome: 'differences', diagnostics: [] })}\n`).toMatchFileSnapshot(`${example}.json`);
    } finally {
      await harness.close();
    }
  });
});
