// Every YAML of docs/undo.md that deletes something does it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { siteManifest } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/undo.md'), 'utf8');
const [list = '', whole = '', ...more] = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml = '']) => yaml);
const rule = {
  name: 'first',
  triggers: [{ type: 'Url', patterns: ['*/first/*'] }],
  action: { type: 'BlockRequest' },
};
const FILE = 'sites/shop.json';

it('EDG-14, SIT-07: the empty list deletes edge rules, and the absent manifest deletes the site', async () => {
  expect(more).toEqual([]);
  const one = await openHarness({
    ledger: true,
    files: { [FILE]: siteManifest('shop', { edgeRules: [rule] }) },
  });
  expect((await one.apply({ allowDeletes: 9 })).outcome.exitCode).toBe(0);
  await one.write(FILE, siteManifest('shop', {}));
  expect((await one.planned()).orphaned).toHaveLength(1);
  await one.write(FILE, siteManifest('shop', parse(list) as object));
  expect((await one.apply({ allowDeletes: 1 })).outcome).toMatchObject({
    exitCode: 0,
    actions: [{ address: 'Site/shop/EdgeRule/first', verb: 'delete', result: 'done' }],
  });
  await one.write(FILE, JSON.stringify(parse(whole)));
  expect((await one.apply({ allowDeletes: 1 })).outcome.actions).toMatchObject([
    { address: 'Site/shop', verb: 'delete', result: 'done' },
  ]);
});
