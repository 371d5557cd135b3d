// The programs of examples/constructs: the YAML beside each is what `synth` makes of it, and the sandbox has no objection
// to what they declare.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import agency from '../../examples/constructs/agency/hosting.ts';
import mail from '../../examples/constructs/company-mail/hosting.ts';
import stages from '../../examples/constructs/staging-and-production/hosting.ts';
import { applyInSandbox, planInSandbox, Template } from '../../src/testing/index.ts';
import { synthWorkspace } from '../../src/workflow/synth.ts';
import { startHarness } from '../support/harness.ts';
import { programAccess } from '../support/programs.ts';

describe('the examples in TypeScript', () => {
  it.each(['agency', 'staging-and-production', 'company-mail'])('%s has the YAML that synth makes', async (name) => {
    const harness = await startHarness({ inProcess: true, example: join('constructs', name) });
    try {
      const { changes, files, diagnostics } = await synthWorkspace(harness.session({ programs: programAccess() }), {
        check: true,
      });
      expect([changes, diagnostics]).toEqual([[], []]);
      expect(files).toBeGreaterThan(0);
    } finally {
      await harness.close();
    }
  });

  it('an agency: clients get what they have in common, and nothing is left to do after an apply', async () => {
    const template = Template.fromApp(agency);
    template.count('Site', 3);
    template.has('Site', 'shop', { lifecycle: { protect: true }, caching: { cacheExpiration: 600, smartCache: true } });
    const { outcome, again } = await applyInSandbox(agency, { scenario: 'small', faults: ['429@4', 'reset-before@9'] });
    expect([outcome.outcome, again.actions]).toEqual(['done', []]);
  });

  it('a staging and a production account: only production is protected', async () => {
    Template.fromApp(stages, { account: 'acc-production' }).has('Site', 'shop', { lifecycle: { protect: true } });
    Template.fromApp(stages, { account: 'acc-staging' }).has('Site', 'shop', { lifecycle: undefined });
    for (const [account, isNew] of [
      ['acc-staging', true],
      // The sandbox's shop is in production.
      ['acc-production', false],
    ] as const) {
      const plan = await planInSandbox(stages, { account, scenario: 'small' });
      expect([plan.blocked, plan.unknown, plan.actions.length > 0]).toEqual([[], [], isNew]);
    }
  });

  it("a company's mailboxes: a new one is made with its first password", async () => {
    const { outcome, again } = await applyInSandbox(mail, { scenario: 'mail' });
    expect([outcome.outcome, again.actions]).toEqual(['done', []]);
  });
});
