// The first `edgeRules:` of a site that has live rules: what becomes of those that the list does not name, and how a
// person keeps them.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildScenario } from '../../../src/sandbox/scenarios.ts';
import type { State } from '../../../src/sandbox/core/state.ts';
import type { EdgeRule } from '../../../src/sandbox/cdn/edge-rules.ts';
import { runCommand } from '../../support/processes/command.ts';
import { openHarness } from '../../support/open-harness.ts';
import { siteOf } from '../../support/live.ts';
import { containing } from '../../support/matchers.ts';

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
  const shop = siteOf({ state });
  shop.edgeRules = shop.edgeRules
    .filter(({ Description }) => live.includes(Description ?? ''))
    .map((rule, index) => ({ ...rule, OrderIndex: 10 * (index + 1) }));
  const one = await openHarness({ scenario: () => state, files: { [FILE]: text } });
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

  it('is deleted by a list that named it once, after a review [EDG-02]', async () => {
    const { one, run } = await start(manifest(FORCE_SSL, MADE_ELSEWHERE), 'force ssl', 'made elsewhere');
    expect((await run('ledger', 'init')).code).toBe(0);
    expect((await run('apply', '--yes')).code).toBe(0);
    await one.write(FILE, manifest(FORCE_SSL));
    expect((await run('plan')).text).toContain('1 to delete');
    // Only the ledger says that the rule belongs to the manifest.
    const refused = await run('apply', '--yes', '--allow-deletes', '1');
    expect([refused.code, refused.text.includes('HW2211')], refused.text).toEqual([5, true]);
    expect(rulesOf(one.sandbox.state).map(({ ActionType }) => ActionType)).toEqual([0, 37]);
    const [, digest = ''] = /its digest is ([0-9a-f]{64})/.exec(refused.text) ?? [];
    const applied = await run('apply', '--yes', '--allow-deletes', '1', '--expect', digest);
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

describe('live rules that a first list does not name', () => {
  const ACCEPT = 'hostwright drift --accept Site/shop/EdgeRule/headers --accept Site/shop/EdgeRule/old%20shop';

  it('are kept by the command that stands before the flag: as text, as Markdown and as what to do next', async () => {
    const { one, run, writes } = await start(manifest(FORCE_SSL), 'force ssl', 'headers', 'old shop');
    const { text } = await run('plan', '--report', 'markdown=plan.md');
    expect(text).not.toContain('no longer in the manifest');
    expect(text).toContain('Deletes edge rule headers of site shop: live, and not in the list');
    expect(text).toContain('to keep it, add it: `hostwright drift --accept Site/shop/EdgeRule/headers`');
    expect(text.indexOf(ACCEPT)).toBeLessThan(text.indexOf('--allow-deletes 2'));
    expect(text.split('\n').filter((line) => line.startsWith('Next: '))).toEqual([
      containing(`Next: ${ACCEPT} `),
      containing('Next: hostwright apply --allow-deletes 2 '),
    ]);
    const comment = await readFile(join(one.root, 'plan.md'), 'utf8');
    expect(comment).toContain(`To keep them, add them: \`${ACCEPT}\``);
    expect(comment.indexOf(ACCEPT)).toBeLessThan(comment.indexOf('Raise `guards`'));
    const refused = await run('apply', '--yes');
    expect(refused.text).toContain('2 were never in a manifest: `hostwright plan` shows how to keep them.');
    // The command as it was printed.
    const accepted = await run(...ACCEPT.split(' ').slice(1));
    expect(accepted.code, accepted.text).toBe(0);
    expect((await run('plan')).text).toContain('no changes, 4 objects match');
    expect(writes()).toEqual([]);
  });

  it('are kept by the lines of YAML where their order is not known', async () => {
    const { one, run } = await start(manifest(FORCE_SSL), 'force ssl', 'headers', 'old shop');
    for (const live of rulesOf(one.sandbox.state).slice(1)) live.OrderIndex = 20;
    const { text } = await run('plan');
    expect(text).toContain('add them: the lines stand with each below.');
    expect(text).not.toContain('--accept');
    const items = [...text.matchAll(/add it to the list that the manifest has:\n +edgeRules:\n((?: {10}.*\n)+)/g)];
    expect(items).toHaveLength(2);
    await one.write(FILE, manifest(FORCE_SSL, ...items.map(([, lines = '']) => lines.replaceAll(/^ {6}/gm, ''))));
    const pasted = await run('plan');
    expect(pasted.text).toContain('0 to delete');
  });

  it('are told from those that the list had before', async () => {
    const both = manifest(FORCE_SSL, MADE_ELSEWHERE.replace('type: 37', 'type: 4').replace('made elsewhere', 'beta'));
    const { one, run } = await start(both, 'force ssl');
    expect((await run('ledger', 'init')).code).toBe(0);
    expect((await run('apply', '--yes')).code).toBe(0);
    await one.write(FILE, manifest(FORCE_SSL));
    const { text } = await run('plan');
    expect(text).toContain('Deletes edge rule beta of site shop: removed from the manifest');
    expect(text).not.toContain('to keep it');
  });
});
