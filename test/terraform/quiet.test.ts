// What a plan shows beside what it does: nothing. Values that nobody manages stay as they are live.
import { describe, expect, it } from 'vitest';
import { flat, newLedger, noTerraform, openTerraform } from '../support/processes/terraform.ts';
import { isWhole } from '../support/whole.ts';

const APPLY = ['apply', '-input=false', '-auto-approve'];
const PLAN = ['plan', '-input=false', '-detailed-exitcode'];

function shop(rest: string): string {
  return `resource "hostwright_site" "shop" {\n  name = "shop"\n${rest}\n}\noutput "php" {\n  value = hostwright_site.shop.php_version\n}\n`;
}

const IMPORT = 'import {\n  to = hostwright_site.shop\n  id = "site-shop"\n}\n';

describe.skipIf(noTerraform !== undefined)('with the real Terraform', () => {
  it('a site that is imported loses nothing of what its configuration leaves out, and tells it', async () => {
    const folder = await openTerraform({ 'main.tf': `${IMPORT}${shop('  caching = { cache_expiration = 7200 }')}` });
    const planned = await folder.run(PLAN);
    expect(planned.printed).not.toContain('-> null');
    expect(planned.printed).not.toMatch(/HW70(03|15)/);
    expect(planned.printed).toMatch(/~ cache_expiration += \d+ -> 7200/);
    expect(planned.printed).toMatch(/[+] php = "8\.2"/);
    // Nothing of it can end in a wait.
    expect(planned.printed).not.toMatch(/(status|waiting_for) += .*known after apply/);
    expect((await folder.run(APPLY)).code).toBe(0);
    expect((await folder.run(PLAN)).code).toBe(0);
    const refreshed = await folder.run(['plan', '-input=false', '-refresh-only']);
    expect(refreshed.printed).toContain('No changes.');
    const site = folder.sandbox.state.sites.get('site-shop');
    expect(site?.cdn.caching.cache_expiration).toBe(7200);
    // What nobody manages is told as it is, and is no change.
    if (site !== undefined) site.phpVersion = '8.3';
    const after = await folder.run(PLAN);
    expect(flat(after.printed)).toMatch(/~ php = "8\.2" -> "8\.3"/);
    expect(after.printed).not.toContain('will be updated in-place');
  });

  it.runIf(isWhole)(
    'in a list of rules, and of contacts, what is not written stays as it is live and is shown so, also where a rule moves',
    async () => {
      const rule = (name: string, index: number, rest: object): object => ({
        ...{ ActionParameter1: '', ActionParameter2: '', ActionParameter3: '', TriggerMatchingType: 0, Enabled: true },
        ...{ Description: name, OrderIndex: index, ExtraActions: [], Guid: `guid-${name}`, ...rest },
        Triggers: [{ Type: 0, PatternMatchingType: 0, Parameter1: '', PatternMatches: [`*/${name}/*`] }],
      });
      const to = 'https://a.example/';
      const redirect = { ActionType: 1, ActionParameter1: to, ActionParameter2: '301' };
      const written = (name: string, target: string): string =>
        `    { name = "${name}", action = { type = "redirect", to = "${target}" }, triggers = [{ type = "url", patterns = ["*/${name}/*"] }] },\n`;
      const late = written('late', 'https://b.example/');
      const text = (rules: string): string => `resource "hostwright_site" "docs" {
  name = "docs"
  edge_rules = [
${rules}  ]
}
resource "hostwright_domain_registration" "plain" {
  name       = "plain.com"
  auto_renew = true
}
`;
      const imports = `import {
  to = hostwright_site.docs
  id = "site-docs"
}
import {
  to = hostwright_domain_registration.plain
  id = "plain.com"
}
`;
      const folder = await openTerraform(
        { 'main.tf': text(written('old', to) + late), 'import.tf': imports },
        { scenario: 'registrar' },
      );
      const site = folder.sandbox.state.sites.get('site-docs') as NonNullable<
        ReturnType<typeof folder.sandbox.state.sites.get>
      >;
      site.edgeRules = [
        rule('old', 10, { ...redirect, Enabled: false, TriggerMatchingType: 1 }),
        rule('late', 20, { ActionType: 4 }),
      ] as typeof site.edgeRules;
      const planned = await folder.run(PLAN);
      expect(planned.printed).toContain('2 to import, 0 to add, 1 to change');
      expect(planned.printed).not.toContain('-> null');
      expect(planned.printed).toMatch(/[+] to += "https:\/\/b\.example\/"/);
      const applied = await folder.run(APPLY);
      expect(applied.code, applied.printed).toBe(0);
      await folder.write({ 'main.tf': text(late + written('old', 'https://c.example/')) });
      const changed = await folder.run(APPLY);
      expect(changed.code, changed.printed).toBe(0);
      expect([...site.edgeRules].sort((left, right) => left.OrderIndex - right.OrderIndex)).toMatchObject([
        { Description: 'late', ActionType: 1, Enabled: true },
        {
          Description: 'old',
          Enabled: false,
          TriggerMatchingType: 1,
          ActionParameter1: 'https://c.example/',
          ActionParameter2: '301',
        },
      ]);
      const again = await folder.run(PLAN);
      expect(again.code, again.printed).toBe(0);
    },
  );

  it.runIf(isWhole)('an update that was done elsewhere since its plan was saved is no bug', async () => {
    const ledger = await newLedger();
    const text = (seconds: number): string =>
      `provider "hostwright" {\n  ledger = { file = "ledger" }\n}\n${shop(`  adopt = true\n  domains = { "shop.example.com" = {} }\n  caching = { cache_expiration = ${seconds} }`)}`;
    const folder = await openTerraform({ 'main.tf': text(60), ledger });
    const first = await folder.run(APPLY);
    expect(first.code, first.printed).toBe(0);
    await folder.write({ 'main.tf': text(61) });
    expect((await folder.run([...PLAN, '-out=saved'])).code).toBe(2);
    const state = await folder.read('terraform.tfstate');
    expect((await folder.run(APPLY)).code).toBe(0);
    // As another machine has it.
    await folder.write({ 'terraform.tfstate': state });
    const before = folder.sandbox.snapshot();
    const applied = await folder.run(['apply', '-input=false', 'saved']);
    expect(applied.code, applied.printed).toBe(0);
    expect(folder.sandbox.snapshot()).toEqual(before);
  });
});
