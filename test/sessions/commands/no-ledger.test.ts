// A ledger that is gone: what it knew is not known any more, and plan and drift say so.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { runCommand } from '../../support/processes/command.ts';
import type { Harness } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const SITE =
  'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec: { caching: { smartCache: true } }\n';
const workspace = (ledger: string): string =>
  `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1", manifests: [sites]${ledger} }\n`;

async function start(ledger: string) {
  const one = await startHarness({ workspace: workspace(ledger), files: { 'sites/shop.yaml': SITE } });
  harness = one;
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(args, { cwd: one.root, url: one.sandbox.url });
    return { code, text: stdout + stderr };
  };
  return { one, run };
}

it('is said by plan, by drift and in JSON, with the command that helps; following it ends it', async () => {
  const { one, run } = await start(', ledger: { file: kept/ledger.jsonl }');
  expect((await run('ledger', 'init')).code).toBe(0);
  expect((await run('apply', '--yes')).code).toBe(0);
  expect((await run('plan')).text).not.toContain('There is no ledger');
  await rm(join(one.root, 'kept/ledger.jsonl'));
  for (const command of ['plan', 'drift']) {
    const { code, text } = await run(command);
    expect(code, text).toBe(0);
    expect(text).toContain('There is no ledger');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('run `hostwright ledger init`, then `hostwright apply`');
  }
  expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
  const plan = JSON.parse(await readFile(join(one.root, 'plan.json'), 'utf8')) as { readonly notices: unknown };
  expect(plan.notices).toEqual([expect.objectContaining({ code: 'HW2045', severity: 'warning' })]);
  expect((await run('ledger', 'init')).code).toBe(0);
  expect((await run('apply', '--yes')).code).toBe(0);
  expect((await run('plan')).text).not.toContain('There is no ledger');
});

it('is not said where the workspace names none', async () => {
  const { run } = await start('');
  expect((await run('plan')).text).not.toContain('There is no ledger');
});
