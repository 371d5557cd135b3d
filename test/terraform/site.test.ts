// The life of a site, as somebody sees it who only ever types `terraform`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TerraformFolder } from '../support/processes/terraform.ts';
import { noTerraform, openTerraform } from '../support/processes/terraform.ts';

const SITE = `resource "hostwright_site" "shop" {
  name    = "shop"
  caching = { cache_expiration = 7200, smart_cache = true }
  domains = { "shop.example.com" = {}, "www.shop.example.com" = {} }
}
`;

describe.skipIf(noTerraform !== undefined)('a site', () => {
  let terraform: TerraformFolder;
  beforeAll(async () => {
    terraform = await openTerraform({ 'site.tf': SITE });
  });
  afterAll(() => terraform.close());

  it('is imported, changed, found changed, healed, and not destroyed by chance', async () => {
    const { run, write, sandbox } = terraform;
    const unknown = await run(['plan']);
    expect(unknown.printed).toContain('HW7006 There is such an object already');
    expect(unknown.printed).toContain('id = "site-shop"');

    await write({ 'import.tf': 'import {\n  to = hostwright_site.shop\n  id = "site-shop"\n}\n' });
    const applied = await run(['apply', '-auto-approve']);
    expect(applied.printed).toContain('1 imported, 0 added, 1 changed');
    expect(sandbox.state.sites.get('site-shop')?.cdn.caching.cache_expiration).toBe(7200);
    expect((await run(['plan', '-detailed-exitcode'])).code).toBe(0);

    const caching = sandbox.state.sites.get('site-shop')?.cdn.caching;
    if (caching !== undefined) caching.cache_expiration = 5;
    const drifted = await run(['plan', '-refresh-only', '-detailed-exitcode']);
    expect(drifted.code).toBe(2);
    expect(drifted.printed).toMatch(/cache_expiration += 7200 -> 5/);
    expect((await run(['apply', '-auto-approve'])).printed).toContain('1 changed');
    expect(sandbox.state.sites.get('site-shop')?.cdn.caching.cache_expiration).toBe(7200);

    const refused = await run(['destroy', '-auto-approve']);
    expect(refused.code).toBe(1);
    expect(refused.printed).toContain('HW7004 Destroying it is refused');
    expect(sandbox.state.sites.has('site-shop')).toBe(true);
  });
});
