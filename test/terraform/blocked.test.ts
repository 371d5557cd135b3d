// What a plan refuses rather than do half of it: what the platform does not allow, what only a person can change, what is
// used once, and what would be bought again.
import { spawnSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '../support/processes/run-here.ts';
import type { TerraformFolder } from '../support/processes/terraform.ts';
import { flat, newLedger, noTerraform, openTerraform } from '../support/processes/terraform.ts';
import { isWhole } from '../support/whole.ts';
import { containing, matching } from '../support/matchers.ts';

const APPLY = ['apply', '-input=false', '-auto-approve'];
const PLAN = ['plan', '-input=false', '-detailed-exitcode'];
const GUARDS = 'guards = { allow_charges = 9, allow_deletes = 9 }';

async function openFolder(
  text: string,
  { scenario, hasLedger = false }: { readonly scenario?: string; readonly hasLedger?: boolean } = {},
): Promise<TerraformFolder> {
  const provider = `provider "hostwright" {\n  ${GUARDS}\n${hasLedger ? '  ledger = { file = "ledger" }\n' : ''}}\n`;
  const folder = await openTerraform(
    { 'provider.tf': provider, 'main.tf': text, ...(hasLedger && { ledger: await newLedger() }) },
    { ...(scenario !== undefined && { scenario }), hooks: { before: () => folder.sandbox.clock.advance(3000) } },
  );
  return folder;
}

function writes({ sandbox }: TerraformFolder): number {
  return sandbox.requests.filter(({ method }) => method !== 'GET').length;
}

function shop(rest: string): string {
  return `resource "hostwright_site" "shop" {\n  name = "shop"\n  adopt = true\n  domains = { "shop.example.com" = {} }\n  ${rest}\n}\n`;
}

function bought(rest: string, name = 'new'): string {
  return `resource "hostwright_site" "${name}" {\n  name = "${name}"\n  display_name = "${name}"\n  plan = "pro"\n  ${rest}\n}\n`;
}

const ORDER = 'order = { variant = "vanilla", location = "ams", term = "monthly" }';

describe.skipIf(noTerraform !== undefined)('with the real Terraform', () => {
  it('PHP-04: a version that the platform does not offer is an error of the plan, at its line', async () => {
    const folder = await openFolder(shop('php_version = "9.9"'));
    const planned = await folder.run(PLAN);
    expect(planned.code, planned.printed).toBe(1);
    expect(flat(planned.printed)).toContain('does not offer the PHP version 9.9');
    expect(flat(planned.printed)).toMatch(/line \d+, in resource "hostwright_site" "shop": \d+: php_version = "9.9"/);
    expect(writes(folder)).toBe(0);
  });

  it.skipIf(!isWhole)(
    'PHP-04: with on_blocked = "warn" the rest is done, and the state never says "ready"',
    async () => {
      const folder = await openFolder(
        shop('php_version = "9.9"\n  on_blocked = "warn"\n  caching = { cache_expiration = 99 }'),
      );
      const applied = await folder.run(APPLY);
      expect(applied.code, applied.printed).toBe(0);
      // The plan has told it, and the apply does not again.
      expect(applied.printed.split('HW7009').length - 1, applied.printed).toBe(1);
      expect(applied.printed).not.toContain('similar warning');
      expect((await folder.run(['state', 'show', 'hostwright_site.shop'])).printed).toContain('"incomplete"');
      expect(folder.sandbox.state.sites.get('site-shop')?.cdn.caching.cache_expiration).toBe(99);
      const again = await folder.run(PLAN);
      expect([again.code, flat(again.printed)]).toEqual([2, containing('~ php_version = "8.2" -> "9.9"')]);
    },
  );

  it.skipIf(!isWhole)(
    'SHD-01: Shield on a plan that has none is an error of the plan, for each part of it',
    async () => {
      const folder = await openFolder(
        'resource "hostwright_site" "bare" {\n  name = "bare"\n  adopt = true\n  domains = { "bare.example.com" = {} }\n  shield = { enabled = true, waf = { execution_mode = "block" } }\n}\n',
        { scenario: 'shield' },
      );
      const planned = await folder.run(PLAN);
      expect(planned.code, planned.printed).toBe(1);
      for (const place of ['shield.enabled', 'shield.waf'])
        expect(flat(planned.printed)).toMatch(
          new RegExp(`HW7009.*${place}: .*the plan of the site does not include Shield`),
        );
      expect(writes(folder)).toBe(0);
    },
  );

  it.skipIf(!isWhole)(
    'PHP-04: what turns out after money was spent is a warning, the status is no "ready", and the next plan is refused',
    async () => {
      const folder = await openFolder(bought(`${ORDER}\n  php_version = "9.9"`), { hasLedger: true });
      const applied = await folder.run(APPLY);
      expect(applied.code, applied.printed).toBe(0);
      expect(applied.printed).toContain('Warning: HW7009 Site/new');
      expect((await folder.run(['state', 'show', 'hostwright_site.new'])).printed).toContain('"incomplete"');
      // Read gives the live value.
      const refreshed = await folder.run(['plan', '-input=false', '-refresh-only']);
      expect(refreshed.printed).toMatch(/php_version += "9\.9" -> "8\.\d"/);
      const again = await folder.run(PLAN);
      expect([again.code, flat(again.printed)]).toEqual([1, containing('does not offer the PHP version')]);
    },
  );

  it.skipIf(!isWhole)('USR-05: a name that no call changes is an error of the plan', async () => {
    const folder = await openFolder(
      'resource "hostwright_user" "rob" {\n  name = "rob"\n  adopt = true\n  email = "rob@acme.example"\n  fname = "Joan"\n  lname = "Reader"\n}\n',
    );
    const planned = await folder.run(PLAN);
    expect([planned.code, planned.printed]).toEqual([1, containing('HW7009')]);
    expect(writes(folder)).toBe(0);
  });

  it.skipIf(!isWhole)('SIT-11: what a site was ordered with is used once, and another value is an error', async () => {
    const folder = await openFolder(bought(ORDER), { hasLedger: true });
    const applied = await folder.run(APPLY);
    expect(applied.code, applied.printed).toBe(0);
    const before = writes(folder);
    for (const [field, from, to] of [
      ['location', '"ams"', '"fra"'],
      ['term', '"monthly"', '"annual"'],
      ['variant', '"vanilla"', '"extended"'],
    ] as const) {
      await folder.write({ 'main.tf': bought(ORDER.replace(from, to)) });
      const other = await folder.run(PLAN);
      expect([other.code, flat(other.printed)]).toEqual([1, containing(`\`order.${field}\` is used once`)]);
    }
    expect(writes(folder)).toBe(before);
    await folder.write({ 'main.tf': bought(ORDER) });
    expect((await folder.run(PLAN)).code).toBe(0);
  });

  it.skipIf(!isWhole)('DOM-07: how a hostname is attached is used once, and another way is an error', async () => {
    const attached = (by: string): string =>
      shop('').replace('"shop.example.com" = {}', `"shop.example.com" = {}, "new.example.com" = { attach = "${by}" }`);
    const folder = await openFolder(attached('dns'));
    const applied = await folder.run(APPLY);
    expect(applied.code, applied.printed).toBe(0);
    await folder.write({ 'main.tf': attached('cname') });
    const other = await folder.run(PLAN);
    expect([other.code, flat(other.printed)]).toEqual([
      1,
      containing('`domains["new.example.com"].attach` is used once'),
    ]);
  });

  it.skipIf(!isWhole)(
    'what was bought and is gone is not bought again without a word; all else is planned',
    async () => {
      const folder = await openFolder(bought(ORDER), { hasLedger: true });
      expect((await folder.run(APPLY)).code).toBe(0);
      const { sites } = folder.sandbox.state;
      for (const id of [...sites.keys()].filter((one) => !one.startsWith('site-'))) sites.delete(id);
      const gone = await folder.run(PLAN);
      expect([gone.code, flat(gone.printed)]).toEqual([1, containing('terraform state rm')]);
      expect(gone.printed).not.toContain('untaint');
      expect((await folder.run(['state', 'rm', 'hostwright_site.new'])).code).toBe(0);
      const workspace = `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "${folder.sandbox.url}", manifests: [none], ledger: { file: ledger } }\n`;
      await folder.write({ 'hostwright.yaml': workspace });
      const env = { PATH: process.env.PATH };
      expect((await runHere(['ledger', 'forget', 'Site/new'], { cwd: folder.folder, env })).code).toBe(0);
      const anew = await folder.run(PLAN);
      expect([anew.code, anew.printed]).toEqual([2, containing('1 to add')]);
      expect(flat(anew.printed)).toContain('HW7001 Site/new: charge');
    },
  );

  it.skipIf(!isWhole)('each purchase of several is named by a warning of its own', async () => {
    const folder = await openFolder(['a', 'b', 'c'].map((name) => bought(ORDER, name)).join(''), { hasLedger: true });
    const planned = await folder.run(PLAN);
    expect(planned.code, planned.printed).toBe(2);
    for (const name of ['a', 'b', 'c']) expect(planned.printed).toContain(`HW7001 Site/${name}: charge`);
  });

  it.skipIf(!isWhole)('another name of a registration makes another one, and forgets the first', async () => {
    const named = (name: string): string =>
      `resource "hostwright_domain_registration" "it" {\n  name = "${name}"\n  adopt = true\n  auto_renew = true\n}\n`;
    const folder = await openFolder(named('plain.com'), { scenario: 'registrar', hasLedger: true });
    expect((await folder.run(APPLY)).code).toBe(0);
    await folder.write({ 'main.tf': named('brand-new-name.com') });
    const planned = await folder.run(PLAN);
    expect(flat(planned.printed)).not.toContain('plain.com: autoRenew');
    expect(flat(planned.printed)).toContain('DomainRegistration/brand-new-name.com');
    // To a name that is there, it is carried out: the state has that one, and both are live.
    await folder.write({ 'main.tf': named('one.com') });
    const replaced = await folder.run(APPLY);
    expect(replaced.code, replaced.printed).toBe(0);
    expect((await folder.run(['state', 'show', 'hostwright_domain_registration.it'])).printed).toContain('reg-one.com');
    expect([...folder.sandbox.state.registrar.registrations.values()].map(({ name }) => name)).toEqual(
      expect.arrayContaining(['plain.com', 'one.com']),
    );
    expect((await folder.run(PLAN)).code).toBe(0);
  });

  it.skipIf(!isWhole)(
    'O-43: a saved create that was done elsewhere is taken over, and is no bug of the provider',
    async () => {
      const folder = await openFolder(bought(ORDER), { hasLedger: true });
      expect((await folder.run(['plan', '-input=false', '-out=saved.plan'])).code).toBe(0);
      const other = await openTerraform(
        {
          'provider.tf': (await folder.read('provider.tf')).replace('"ledger"', `"${folder.folder}/ledger"`),
          'main.tf': bought(ORDER),
        },
        { account: folder.sandbox },
      );
      expect((await other.run(APPLY)).code).toBe(0);
      const applied = await folder.run(['apply', '-input=false', 'saved.plan']);
      expect(applied.printed).not.toContain('bug in the provider');
      expect(
        folder.sandbox.requests.filter(({ method, path }) => `${method} ${path}` === 'POST /api/orders'),
      ).toHaveLength(1);
    },
  );

  it.runIf(isWhole)(
    'what is wrong inside of an attribute is said by its path, at the line of the attribute',
    async () => {
      const rule = (action: string): string =>
        `{ name = "old", action = ${action}, triggers = [{ type = "url", patterns = ["*/old/*"] }] }`;
      const good = rule('{ type = "redirect", to = "https://shop.example.com", status = 301 }');
      const bad = rule('{ type = "redirect", to = "https://shop.example.com", status = 399 }').replace(
        '"old"',
        '"new"',
      );
      const folder = await openFolder(shop(`edge_rules = [\n    ${good},\n    ${bad},\n  ]`));
      const { code, printed } = await folder.run(['validate']);
      expect(code, printed).toBe(1);
      expect(flat(printed)).toContain('edge_rules[1] "new".action.status');
      expect(flat(printed)).toMatch(/line 5, in resource "hostwright_site" "shop": 5: edge_rules = \[/);
    },
  );

  it.skipIf(!isWhole)('HW2202: a ceiling names what it counts', async () => {
    const folder = await openFolder(
      shop('').replace('{ "shop.example.com" = {} }', '{ "shop.example.com" = {}, "www.shop.example.com" = {} }'),
    );
    expect((await folder.run(APPLY)).code).toBe(0);
    await folder.write({ 'provider.tf': 'provider "hostwright" {}\n', 'main.tf': shop('') });
    const refused = await folder.run(PLAN);
    expect([refused.code, flat(refused.printed)]).toEqual([1, containing('SiteDomain/www.shop.example.com')]);
  });

  it('without Node.js, Terraform shows what the provider needs', async () => {
    const folder = await openFolder(shop(''));
    const bin = join(folder.folder, 'bin');
    await mkdir(bin);
    const { stdout } = spawnSync('/bin/sh', ['-c', 'command -v terraform'], { encoding: 'utf8' });
    await symlink(stdout.trim(), join(bin, 'terraform'));
    const { code, printed } = await folder.run(['validate'], { PATH: bin });
    expect([code, flat(printed)]).toEqual([1, containing('is a program for Node.js 20.18.1 or newer')]);
  });

  it.runIf(isWhole)('with an old Node.js, Terraform shows what the provider needs and what there is', async () => {
    const folder = await openFolder(shop(''));
    // What that one has not.
    await folder.write({
      'old.cjs': "delete process.getBuiltinModule; Object.defineProperty(process, 'version', { value: 'v16.20.2' });",
    });
    const { code, printed } = await folder.run(['validate'], { NODE_OPTIONS: '--require ./old.cjs' });
    expect([code, flat(printed)]).toEqual([1, matching(/Node\.js 20\.18\.1 or newer, and this is v16\.20\.2/)]);
  });

  it('SIT-08: a site that is being deleted says so, in place of an import that helps nobody', async () => {
    const folder = await openFolder(
      'resource "hostwright_site" "shop" {\n  name = "shop"\n  domains = { "shop.example.com" = {} }\n}\n',
    );
    const site = folder.sandbox.state.sites.get('site-shop');
    if (site !== undefined) site.pendingDelete = true;
    const planned = await folder.run(PLAN);
    expect([planned.code, flat(planned.printed)]).toEqual([1, containing('the site is being deleted')]);
    expect(planned.printed).not.toContain('import {');
    const imported = await folder.run(['import', 'hostwright_site.shop', 'site-shop']);
    expect([imported.code, flat(imported.printed)]).toEqual([1, containing('the site is being deleted')]);
  });

  it.skipIf(!isWhole)('ceilings may stand in variables', async () => {
    const folder = await openFolder(shop(''));
    await folder.write({
      'provider.tf':
        'variable "deletes" {\n  type = number\n}\nvariable "spend" {\n  type = string\n}\nprovider "hostwright" {\n  guards = { allow_deletes = var.deletes, max_spend = var.spend }\n}\n',
    });
    const env = { TF_VAR_deletes: '1', TF_VAR_spend: '20.00 EUR' };
    expect((await folder.run(PLAN, env)).code).toBe(2);
    const wrong = await folder.run(PLAN, { ...env, TF_VAR_spend: 'much' });
    expect([wrong.code, flat(wrong.printed)]).toEqual([1, containing('`guards.max_spend` is "much"')]);
  });

  it.runIf(isWhole)('a ceiling may stand in the environment, where no pull request changes it', async () => {
    const folder = await openTerraform({
      'main.tf': shop('').replace('"shop.example.com" = {}', '"shop.example.com" = {}, "www.shop.example.com" = {}'),
    });
    expect((await folder.run(APPLY)).code).toBe(0);
    await folder.write({ 'main.tf': shop('') });
    const refused = await folder.run(PLAN);
    expect([refused.code, flat(refused.printed)]).toEqual([
      1,
      matching(/HW2202.*www\.shop\.example\.com.*HOSTWRIGHT_ALLOW_DELETES/),
    ]);
    expect((await folder.run(PLAN, { HOSTWRIGHT_ALLOW_DELETES: '1' })).code).toBe(2);
    const wrong = await folder.run(PLAN, { HOSTWRIGHT_ALLOW_DELETES: 'many', HOSTWRIGHT_MAX_SPEND: 'much' });
    expect(flat(wrong.printed)).toMatch(/HOSTWRIGHT_ALLOW_DELETES is "many".*HOSTWRIGHT_MAX_SPEND is "much"/);
  });
});
