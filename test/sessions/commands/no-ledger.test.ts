// A ledger that is gone: what it knew is not known any more, and plan and drift say so.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { siteManifest, workspaceFile } from '../../support/manifests.ts';
import type { CommandLine } from '../../support/command-line.ts';
import { openCommandLine } from '../../support/command-line.ts';

async function start(more: string): Promise<CommandLine> {
  const files = { 'sites/shop.json': siteManifest('shop', { caching: { smartCache: true } }) };
  return openCommandLine({ workspace: workspaceFile(`manifests: [sites]${more}`), files });
}

it('is said by plan, by drift and in JSON, with the command that helps; following it ends it', async () => {
  const { root, run } = await start(', ledger: { file: kept/ledger.jsonl }');
  expect((await run('ledger init')).code).toBe(0);
  expect((await run('apply --yes')).code).toBe(0);
  expect((await run('plan')).all).not.toContain('No ledger found');
  await rm(join(root, 'kept/ledger.jsonl'));
  for (const command of ['plan', 'drift']) {
    const { code, all } = await run(command);
    expect(code, all).toBe(0);
    expect(all).toContain('No ledger found');
    expect(all.replaceAll(/\s+/g, ' ')).toContain('run `hostwright ledger init`, then `hostwright apply`');
  }
  expect((await run('plan --out plan.json')).code).toBe(0);
  const plan = JSON.parse(await readFile(join(root, 'plan.json'), 'utf8')) as { readonly notices: unknown };
  expect(plan.notices).toEqual([expect.objectContaining({ code: 'HW2045', severity: 'warning' })]);
  expect((await run('ledger init')).code).toBe(0);
  expect((await run('apply --yes')).code).toBe(0);
  expect((await run('plan')).all).not.toContain('No ledger found');
});

it('is not said where the workspace names none', async () => {
  const { run } = await start('');
  expect((await run('plan')).all).not.toContain('No ledger found');
});
