// What a plan shows beside what it does: nothing. Values that nobody manages stay as they are live.
import { afterEach, describe, expect, it } from 'vitest';
import type { TerraformFolder } from '../support/processes/terraform.ts';
import { flat, newLedger, noTerraform, openTerraform } from '../support/processes/terraform.ts';

const APPLY = ['apply', '-input=false', '-auto-approve'];
const PLAN = ['plan', '-input=false', '-detailed-exitcode'];

const open: TerraformFolder[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function openFolder(...[files, options]: Parameters<typeof openTerraform>): Promise<TerraformFolder> {
  const folder = await openTerraform(files, options);
  open.push(folder);
  return folder;
}

function shop(rest: string): string {
  return `resource "hostwright_site" "shop" {\n  name = "shop"\n${rest}\n}\noutput "php" {\n  value = hostwright_site.shop.php_version\n}\n`;
}

const IMPORT = 'import {\n  to = hostwright_site.shop\n  id = "site-shop"\n}\n';

describe.skipIf(noTerraform !== undefined)('with the real Terraform', () => {
  it('a site that is imported loses nothing of what its configuration leaves out, and tells it', async () => {
    const folder = await openFolder({ 'main.tf': `${IMPORT}${shop('  caching = { cache_expiration = 7200 }')}` });
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

  it('an update that was done elsewhere since its plan was saved is no bug', async () => {
    const ledger = await newLedger();
    const text = (seconds: number): string =>
      `provider "hostwright" {\n  ledger = { file = "ledger" }\n}\n${shop(`  adopt = true\n  domains = { "shop.example.com" = {} }\n  caching = { cache_expiration = ${seconds} }`)}`;
    const folder = await openFolder({ 'main.tf': text(60), ledger });
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
