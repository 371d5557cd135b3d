// Terraform plans each resource once more when it applies it. What the plan has told, the apply does not tell again.
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/terraform-core.ts';
import { openCore } from '../support/terraform-core.ts';
import { newLedger, noTerraform, openTerraform, terraformVersion } from '../support/processes/terraform.ts';
import { isWhole } from '../support/whole.ts';

const SITE = {
  display_name: 'New',
  plan: 'pro',
  order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
  edge_rules: [
    {
      name: 'closed',
      triggers: [{ type: 'url', patterns: ['*'] }],
      action: { type: 'redirect', to: 'https://a.example' },
    },
  ],
};

const times = (printed: string, text: string): number => printed.split(text).length - 1;

/** Those that do not tell a plan from an apply in a way that is known. */
const isUnknown = /^1\.(14|15)\.|^1\.11\.[0-3]$|-/.test(terraformVersion);
if (isUnknown) process.stderr.write(`a test is skipped: terraform ${terraformVersion} tells warnings twice\n`);

describe.skipIf(noTerraform !== undefined || isUnknown)('with the real Terraform', () => {
  it.runIf(isWhole)(
    'a purchase, a rule that takes everything and a removal are told in the plan and not in its apply',
    async () => {
      const text = (rest: object): string =>
        `provider "hostwright" {
  guards = { allow_charges = 2 }
  ledger = { file = "ledger" }
}
locals { it = jsondecode(${JSON.stringify(JSON.stringify({ ...SITE, ...rest }))}) }
resource "hostwright_site" "new" {
  name         = "new"
  display_name = local.it.display_name
  plan         = local.it.plan
  order        = local.it.order
  edge_rules   = local.it.edge_rules
  shield       = try(local.it.shield, null)
}
`;
      const folder = await openTerraform(
        { 'main.tf': text({}), ledger: await newLedger() },
        { hooks: { before: () => folder?.sandbox.clock.advance(3000) } },
      );
      const { run, write } = folder;
      const planned = await run(['plan', '-input=false', '-out=saved']);
      expect(times(planned.printed, 'HW7001 Site/new: charge'), planned.printed).toBe(1);
      expect(times(planned.printed, 'HW2702 Site/new'), planned.printed).toBe(1);
      const applied = await run(['apply', '-input=false', 'saved']);
      expect(applied.code, applied.printed).toBe(0);
      expect(applied.printed).not.toContain('Warning');
      // Planned and applied in one: it is told at the one time.
      await write({ 'main.tf': text({ edge_rules: [] }) });
      const both = await run(['apply', '-input=false', '-auto-approve'], { HOSTWRIGHT_ALLOW_DELETES: '1' });
      expect(both.code, both.printed).toBe(0);
      expect(times(both.printed, 'HW7001'), both.printed).toBe(1);
      expect(both.printed).not.toContain('similar warning');
    },
  );
});

describe('who plans', () => {
  const CLIENTS: Readonly<Record<string, Client & { readonly isToldTwice?: true }>> = {
    'Terraform 1.16, which hands over what its plan has kept': { version: '1.16.0', storePlannedPrivate: true },
    'Stacks of Terraform 1.16': {
      ...{ version: '1.16.0', storePlannedPrivate: true, deferralAllowed: 'always', isStacks: true },
    },
    'Terraform 1.11': { version: '1.11.4', deferralAllowed: 'in-apply' },
    // Nothing tells these two from one that plans: to tell it twice is better than never.
    'Stacks of Terraform 1.12': {
      ...{ version: '1.12.2', deferralAllowed: 'always', isStacks: true, isToldTwice: true },
    },
    'Terraform with experiments': {
      ...{ version: '1.12.0-alpha20250319', deferralAllowed: 'always', isToldTwice: true },
    },
    'OpenTofu 1.11.0': { version: '1.11.0', deferralAllowed: 'always', isToldTwice: true },
    'OpenTofu 1.12': { version: '1.12.0', isToldTwice: true },
  };

  it.each(Object.entries(CLIENTS))('%s: a purchase is told in every plan', async (_, { isToldTwice, ...client }) => {
    const core = await openCore({ client, ledger: true, provider: { guards: { allow_charges: 1 } } });
    const made = await core.plan('hostwright_site', 'new', { name: 'new', ...SITE });
    expect(made.said.join()).toContain('HW7001');
    const applied = await core.apply('hostwright_site', 'new', made);
    expect(applied.failed, applied.said.join()).toBe(false);
    expect(applied.said.join().includes('HW7001')).toBe(isToldTwice === true);
  });

  it('what an apply plans and its plan did not know is told then', async () => {
    const core = await openCore({
      client: { version: '1.16.0', storePlannedPrivate: true },
      provider: { guards: { allow_deletes: 1 } },
    });
    const { run, plan, apply, harness } = core;
    const site = { name: 'shop', adopt: true, domains: { 'shop.example.com': {} }, caching: { cache_expiration: 60 } };
    expect(await run('hostwright_site', 'it', site)).toMatchObject({ failed: false });
    const made = await plan('hostwright_site', 'it', { ...site, edge_rules: SITE.edge_rules });
    const told = made.said.filter((line) => line.includes('HW'));
    // The plan is handed over without what it has told.
    const applied = await apply('hostwright_site', 'it', { ...made, private: new Uint8Array() });
    expect(applied.said).toEqual(told);
    expect(told.length, harness.sandbox.url).toBeGreaterThan(0);
  });
});
