// What every account of test/bench/plan-cases.ts is planned as, in one line each: the plan's digest (names and values),
// the hash of the whole document (words and places too), and the number of requests. Whoever makes planning faster
// leaves this file alone; `npm run same-plans` says where two builds differ.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { renderPlanJson } from '../../src/report/json/index.ts';
import { PLAN_CASES } from '../bench/plan-cases.ts';
import { startHarness } from '../support/harness.ts';

const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

it('every account is planned as it was, byte for byte, with as many requests', async () => {
  const lines: string[] = [];
  for (const { name, targets = [], ...options } of PLAN_CASES) {
    const harness = await startHarness(options);
    try {
      const { plan, diagnostics, requests } = await harness.plan({ targets });
      const document =
        plan === undefined
          ? JSON.stringify(diagnostics)
          : renderPlanJson(plan, { outcome: 'differences', diagnostics: [...diagnostics] });
      const digest = plan?.digest.slice(0, 12) ?? 'no plan';
      lines.push(`${digest.padEnd(12)} ${short(document)} ${String(requests).padStart(4)}  ${name}`);
    } finally {
      await harness.close();
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('digests.txt');
});
