// The life of a site, as somebody sees it who only ever types `terraform`.
import { describe, expect, it } from 'vitest';
import { noTerraform, openTerraform } from '../support/processes/terraform.ts';
import { isWhole } from '../support/whole.ts';

const SITE = `resource "hostwright_site" "shop" {
  name    = "shop"
  caching = { cache_expiration = 7200, smart_cache = true }
  domains = { "shop.example.com" = {}, "www.shop.example.com" = {} }
}
`;

describe.skipIf(noTerraform !== undefined)('a site', () => {
  it('is imported, changed, found changed, healed, and not destroyed by chance', async () => {
    const { run, write, sandbox } = await openTerraform({ 'site.tf': SITE });
    const unknown = await run(['plan']);
    expect(unknown.printed).toContain('HW7006 Object already exists');
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
    expect(refused.printed).toContain('HW7004 Destroying the object is refused');
    expect(sandbox.state.sites.has('site-shop')).toBe(true);
  });
});

describe.skipIf(noTerraform !== undefined)('a rule under another name', () => {
  const site = (rule: string): string =>
    `resource "hostwright_site" "shop" {\n  name = "shop"\n  edge_rules = [{ ${rule}, action = { type = "BlockRequest" }, triggers = [{ type = "Url", patterns = ["*/x/*"] }] }]\n}\n`;
  it.runIf(isWhole)(
    'is one change without a delete, and its id stays; with renamed_from also where its content changes',
    async () => {
      const start = {
        'site.tf': site('name = "first"'),
        'import.tf': 'import {\n  to = hostwright_site.shop\n  id = "site-shop"\n}\n',
      };
      const { run, write, sandbox } = await openTerraform(start);
      const shop = sandbox.state.sites.get('site-shop');
      if (shop !== undefined) shop.edgeRules = [];
      const first = await run(['apply', '-auto-approve']);
      expect(first.code, first.printed).toBe(0);
      const id = shop?.edgeRules.find(({ Description }) => Description === 'first')?.Guid;
      for (const [rule, name] of [
        ['name = "second"', 'second'],
        ['name = "third", renamed_from = "second", enabled = false', 'third'],
      ] as const) {
        await write({ 'site.tf': site(rule) });
        const { code, printed } = await run(['apply', '-auto-approve']);
        expect(code, printed).toBe(0);
        expect(shop?.edgeRules.map(({ Description, Guid }) => [Description, Guid])).toEqual([[name, id]]);
        expect((await run(['plan', '-detailed-exitcode'])).code).toBe(0);
      }
    },
  );

  it.skipIf(!isWhole)('is so in Shield too: custom rules, rate limits and access lists keep their ids', async () => {
    const uri = 'variable = "REQUEST_URI", operator = "contains"';
    const text = (name: string, rest = '', value = 'a'): string => `import {
  to = hostwright_site.premium
  id = "site-premium"
}
resource "hostwright_site" "premium" {
  name = "premium"
  shield = {
    custom_rules = { "rule ${name}" = { action = "block", ${uri}, value = "/${value}"${rest.replace('?', 'rule')} } }
    rate_limits  = { "limit ${name}" = { action = "block", request_count = 5, timeframe = 10, block_time = 60, count_by = "ip", conditions = [{ ${uri}, value = "/${value}" }]${rest.replace('?', 'limit')} } }
    access_lists = { "list ${name}" = { type = "country", content = ["${value === 'a' ? 'NL' : 'DE'}"]${rest.replace('?', 'list')} } }
  }
}
`;
    const { run, write, read, sandbox } = await openTerraform({ 'site.tf': text('1') }, { scenario: 'shield' });
    const found = (): readonly (readonly [string, string])[] => {
      const zone = sandbox.state.sites.get('site-premium')?.shield.zone;
      const items = [...(zone?.customRules ?? []), ...(zone?.rateLimits ?? []), ...(zone?.accessLists ?? [])];
      return items.map(({ id, name }) => [id, name]);
    };
    const first = await run(['apply', '-auto-approve'], { HOSTWRIGHT_ALLOW_DELETES: '9' });
    expect(first.code, first.printed).toBe(0);
    const ids = found().map(([id]) => id);
    for (const [name, rest, value] of [
      ['2', '', 'a'],
      ['3', ', renamed_from = "? 2"', 'b'],
    ] as const) {
      await write({ 'site.tf': text(name, rest, value) });
      const { code, printed } = await run(['apply', '-auto-approve']);
      expect(code, printed).toBe(0);
      expect(found()).toEqual(['rule', 'limit', 'list'].map((what, index) => [ids[index], `${what} ${name}`]));
      expect((await run(['plan', '-detailed-exitcode'])).code).toBe(0);
    }
    // What was done reads as done.
    expect(JSON.parse(await read('terraform.tfstate'))).toMatchObject({
      resources: [
        {
          instances: [
            {
              attributes: {
                actions: expect.arrayContaining(['changed ShieldCustomRule/rule 3: `name`, `value`']) as unknown,
              },
            },
          ],
        },
      ],
    });
  });
});
