// The first `edgeRules:` of a site that has live rules: what becomes of those that the list does not name, and how a
// person keeps them.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { buildScenario } from '../../../src/sandbox/scenarios/index.ts';
import type { State } from '../../../src/sandbox/core/state.ts';
import type { EdgeRule } from '../../../src/sandbox/site/state.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { Harness } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const FILE = 'sites/shop.yaml';
const FORCE_SSL = '    - { name: force ssl, triggers: [{ url: ["*"] }], action: { forceSsl: {} } }\n';
const MADE_ELSEWHERE =
  '    - { name: made elsewhere, triggers: [{ url: ["*/beta/*"] }], action: { type: 37 }, match: any }\n';
const manifest = (...rules: readonly string[]): string =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec:\n  edgeRules:\n${rules.join('')}`;

/** The rules of the shop, each at a place of its own. */
function rulesOf(state: State): EdgeRule[] {
  return state.sites.get('site-shop')?.edgeRules as EdgeRule[];
}

async function start(text: string, ...live: readonly string[]) {
  const { state } = buildScenario('small');
  const shop = state.sites.get('site-shop');
  if (shop === undefined) throw new Error('no shop');
  shop.edgeRules = shop.edgeRules
    .filter(({ Description }) => live.includes(Description ?? ''))
    .map((rule, index) => ({ ...rule, OrderIndex: 10 * (index + 1) }));
  const one = await startHarness({ scenario: () => state, files: { [FILE]: text } });
  harness = one;
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(args, { cwd: one.root, url: one.sandbox.url });
    return { code, text: stdout + stderr };
  };
  const writes = () => one.sandbox.requests.filter(({ method }) => method !== 'GET');
  return { one, run, writes };
}

describe('EDG-02: a live rule of a type that has no name here', () => {
  it('is left alone by a list that does not name it, and kept by one that does', async () => {
    const { one, run, writes } = await start(manifest(FORCE_SSL), 'force ssl', 'made elsewhere');
    const plan = await run('plan');
    expect(plan.code).toBe(0);
    expect(plan.text).toContain('no changes');
    expect(plan.text).toMatch(/Unmanaged \(1\)[^]*name: made elsewhere[^]*type: 37/);
    const accepted = await run('drift', '--accept', 'Site/shop/EdgeRule/"made elsewhere"');
    expect(accepted.code, accepted.text).toBe(0);
    const kept = await run('plan');
    expect(kept.text).toContain('no changes');
    expect(kept.text).not.toContain('Unmanaged');
    expect(writes()).toEqual([]);
    expect(rulesOf(one.sandbox.state).map(({ ActionType }) => ActionType)).toEqual([0, 37]);
  });

  it('is exported as it is, and that export is valid and plans to nothing', async () => {
    const { one, run } = await start(manifest(FORCE_SSL), 'force ssl', 'made elsewhere');
    await rm(join(one.root, FILE));
    const exported = await run('export', 'Site/shop', '--out', '.');
    expect(exported.code, exported.text).toBe(0);
    expect(await readFile(join(one.root, FILE), 'utf8')).toMatch(/^ {4}- name: made elsewhere\n[^#]*^ {8}type: 37$/m);
    expect((await run('validate')).text).toContain('Valid');
    expect((await run('plan')).text).toContain('no changes');
  });

  it('is deleted by a list that named it once', async () => {
    const { one, run } = await start(manifest(FORCE_SSL, MADE_ELSEWHERE), 'force ssl', 'made elsewhere');
    expect((await run('ledger', 'init')).code).toBe(0);
    expect((await run('apply', '--yes')).code).toBe(0);
    await one.write(FILE, manifest(FORCE_SSL));
    expect((await run('plan')).text).toContain('1 to delete');
    const applied = await run('apply', '--yes', '--allow-deletes', '1');
    expect(applied.code, applied.text).toBe(0);
    expect(rulesOf(one.sandbox.state).map(({ Description }) => Description)).toEqual(['force ssl']);
  });

  it('is not written: what the platform does not accept is said before anything is sent', async () => {
    const changed = MADE_ELSEWHERE.replace('beta', 'gamma');
    const { run, writes } = await start(manifest(FORCE_SSL, changed), 'force ssl', 'made elsewhere');
    expect((await run('plan')).text).toContain('accepts only 0 to 34');
    const created = await start(manifest(FORCE_SSL, MADE_ELSEWHERE), 'force ssl');
    expect((await created.run('plan')).text).toContain('accepts only 0 to 34');
    expect([...writes(), ...created.writes()]).toEqual([]);
  });

  it('EDG-04: a trigger of such a type is read, kept and left alone in the same way', async () => {
    const { one, run } = await start(manifest(FORCE_SSL), 'force ssl', 'old shop');
    for (const rule of rulesOf(one.sandbox.state).slice(1))
      rule.Triggers = rule.Triggers.map((trigger) => ({ ...trigger, Type: 300 }));
    expect((await run('plan')).text).toMatch(/Unmanaged \(1\)[^]*name: old shop/);
    expect((await run('drift', '--accept', 'Site/shop/EdgeRule/"old shop"')).code).toBe(0);
    expect((await run('plan')).text).toContain('no changes');
  });
});
