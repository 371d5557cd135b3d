// What `history` tells of runs, that nothing can be taken out of it unseen, and what `history undo` writes.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { renderHistory } from '../../../src/report/text/history.ts';
import { readRuns } from '../../../src/usecases/history/read.ts';
import { undoRun } from '../../../src/usecases/history/undo.ts';
import type { Harness } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

let one: Harness;
afterEach(() => one.close());

const site = (expiration: number, more = ''): string =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec:\n  caching:\n    cacheExpiration: ${expiration} # minutes\n${more}`;
const RULE =
  '  edgeRules:\n    - name: force ssl\n      action: { forceSsl: {} }\n      triggers: [{ url: ["*"] }]\n    - name: old\n      action: { block: {} }\n      triggers: [{ url: ["*/old/*"] }]\n';
const file = 'sites/shop.yaml';

async function applied(text: string): Promise<void> {
  await one.write(file, text);
  expect((await one.apply({ allowDeletes: 9 })).outcome).toMatchObject({ exitCode: 0 });
}

async function start(): Promise<void> {
  one = await startHarness({ files: { [file]: site(4711) }, memoryLedger: false });
  await applied(site(4711));
}

describe('the history of an account', () => {
  it('has each run with who, when, and each field from and to, the newest first; of one object too', async () => {
    await start();
    await applied(site(300));
    const { runs = [], diagnostics } = await readRuns(one.session());
    expect(diagnostics).toEqual([]);
    expect(runs).toMatchObject([
      {
        by: { via: 'local', user: 'tester' },
        endedAtMs: expect.any(Number) as number,
        actions: [
          {
            address: 'Site/shop/Caching',
            verb: 'update',
            result: 'done',
            changes: [{ path: '/cacheExpiration', was: 4711, value: 300 }],
          },
        ],
      },
      { actions: [{ address: 'Site/shop/Caching', result: 'done' }] },
    ]);
    expect((await readRuns(one.session(), { address: 'Site/shop' })).runs).toHaveLength(2);
    expect((await readRuns(one.session(), { address: 'Site/blog' })).runs).toEqual([]);
    expect((await readRuns(one.session(), { run: 'none' })).diagnostics).toMatchObject([{ code: 'HW5016' }]);
    const shown = { account: 'acc-acme', runs };
    expect(renderHistory(shown, 'human', { color: false, width: 100 })).toContain('cacheExpiration: 4711 -> 300');
    expect(renderHistory(shown, 'markdown', { color: false, width: 100 })).toContain('cacheExpiration: 4711 → 300');
  });

  it('says that a row was changed, or taken out', async () => {
    await start();
    await applied(site(300));
    const ledger = join(one.root, '.hostwright/ledger.jsonl');
    const text = await readFile(ledger, 'utf8');
    await writeFile(ledger, text.replace('"was":4711', '"was":60'));
    expect((await readRuns(one.session())).diagnostics).toMatchObject([{ code: 'HW5015' }]);
    const lines = text.trimEnd().split('\n');
    const at = lines.findIndex((line) => line.includes('"is":"action"'));
    const renumbered = lines.toSpliced(at, 1).map((line, index) => line.replace(/^\{"n":\d+/, `{"n":${index}`));
    await writeFile(ledger, `${renumbered.join('\n')}\n`);
    expect((await readRuns(one.session())).diagnostics).toMatchObject([{ code: 'HW5015' }]);
    await writeFile(ledger, text);
    expect((await readRuns(one.session())).diagnostics).toEqual([]);
  });
});

describe('history undo', () => {
  it('edits the value that a run changed, with its comment, and takes out what it added', async () => {
    await start();
    await applied(site(300, RULE));
    const [run] = (await readRuns(one.session())).runs ?? [];
    const before = await readFile(join(one.root, file), 'utf8');
    const shown = await undoRun(one.session(), { run: run?.run ?? '', dryRun: true });
    expect([shown.written, await readFile(join(one.root, file), 'utf8')]).toEqual([false, before]);
    const { written, diagnostics } = await undoRun(one.session(), { run: run?.run ?? '', dryRun: false });
    // What the list of the run deleted is not kept.
    expect(diagnostics.map(({ code, address }) => [code, address])).toEqual([
      ['HW6719', 'Site/shop/EdgeRule/headers'],
      ['HW6719', 'Site/shop/EdgeRule/old%20shop'],
    ]);
    expect(written).toBe(true);
    const after = await readFile(join(one.root, file), 'utf8');
    expect(after).toContain('cacheExpiration: 4711 # minutes');
    expect(after).not.toContain('old');
  });
});
