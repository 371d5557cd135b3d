import { it } from 'vitest';
import { renderPlan, renderOutcome } from '/work/p5-a/src/report/human.ts';
import { startHarness } from '/work/p5-a/test/support/harness.ts';
it('x', async () => {
  const h = await startHarness({ example: 'a-new-domain', scenario: 'registrar', ledger: true });
  try {
    const p = await h.plan();
    console.log(JSON.stringify(p.diagnostics,null,1), p.requests);
    if (p.plan) console.log(renderPlan(p.plan, { color: false, verbose: true, width: 120 }).text);
    const { outcome } = await h.apply();
    console.log(renderOutcome(outcome, {color:false}).text, JSON.stringify(outcome.diagnostics,null,1));
    const q = await h.planned();
    console.log(renderPlan(q, { color: false, verbose: true, width: 120 }).text);
    console.log(h.sandbox.requests.map(r=>r.method+' '+r.path).join('\n'));
  } finally { await h.close(); }
});
