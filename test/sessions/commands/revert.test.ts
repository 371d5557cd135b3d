// A revert of a merge that set a field for the first time, with the built command.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Released } from '../../../src/model/plan/orphaned.ts';
import { siteManifest } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';
import { start } from '../../support/processes/command.ts';

it('lists the field in a plan, a comment, a drift report and a fleet, and `history undo` restores it', async () => {
  const declaring = (caching: object): string => siteManifest('shop', { caching });
  const one = await openHarness({
    files: { 'sites/shop.json': declaring({ smartCache: true }) },
    memoryLedger: false,
    inProcess: false,
  });
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await start(args, { cwd: one.root, url: one.sandbox.url }).ended;
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const expiration = (): unknown => one.site('shop').cdn.caching.browser_cache_expiration;
  const former = expiration();
  await run('apply', '--yes');
  await one.write('sites/shop.json', declaring({ smartCache: true, browserCacheExpiration: 4711 }));
  await run('apply', '--yes');
  await one.write('sites/shop.json', declaring({ smartCache: true }));
  await run('apply', '--yes');
  expect(expiration()).toBe(4711);
  const line = `browserCacheExpiration: no longer declared, keeps its value: 4711 (${String(former)} before run `;
  expect(await run('plan')).toContain(line);
  expect(await run('drift')).toContain(line);
  expect(await run('plan', '--format', 'markdown')).toContain(line);
  expect(await run('fleet', 'plan', '.')).toContain('1 field no longer declared');
  const { released } = JSON.parse(await run('plan', '--format', 'json')) as { released: readonly [Released] };
  await run('history', 'undo', released[0].run);
  const text = await readFile(join(one.root, 'sites/shop.json'), 'utf8');
  expect(text).toMatch(new RegExp(`"browserCacheExpiration": ?${String(former)}`));
  await run('apply', '--yes');
  expect(expiration()).toBe(former);
});
