// What `history` tells of runs, that nothing can be taken out of it unseen, and what `history undo` writes.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChainedRow, HistoryRow } from '../../../src/model/plan/history.ts';
import { historyAction, runsIn } from '../../../src/model/plan/history.ts';
import type { Action } from '../../../src/model/plan/plan.ts';
import { historyBlocks } from '../../../src/report/blocks/history.ts';
import { writePage } from '../../../src/report/page.ts';
import { readRuns } from '../../../src/usecases/history/read.ts';
import { undoRun } from '../../../src/usecases/history/undo.ts';
import type { Harness } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

let one: Harness;
let isOpen = false;
afterEach(async () => {
  if (isOpen) await one.close();
  isOpen = false;
});

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
  isOpen = true;
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
    const shown = historyBlocks({ account: 'acc-acme', runs });
    const text = writePage(shown, 'human', { color: false, width: 100 });
    expect(text).toMatch(/^History of account acc-acme\n/);
    expect(text).toContain('cacheExpiration: 4711 -> 300');
    expect(writePage(shown, 'markdown', { color: false, width: 100 })).toContain('cacheExpiration: 4711 → 300');
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

describe('a row of the history', () => {
  it('has no value of a secret, and none about a person', () => {
    const change = { op: 'replace', path: '/holder', was: 'Ann', value: 'Bob' } as const;
    const secret = { env: 'MAIL_PASSWORD' } as never;
    const changes = [
      { ...change, personal: [''] },
      { ...change, path: '/password', secret },
      { ...change, path: '/term' },
    ];
    const { changes: kept } = historyAction({ address: 'Thing/a', verb: 'update', changes } as unknown as Action);
    expect(kept).toEqual([
      { path: '/holder', hidden: true },
      { path: '/password', hidden: true },
      { path: '/term', was: 'Ann', value: 'Bob' },
    ]);
  });

  it('of a run that was killed says what is in flight, and what nobody wrote down', () => {
    const action = (name: string) => ({ address: `Thing/${name}`, verb: 'update', changes: [] }) as const;
    const row: HistoryRow = { is: 'run', run: 'r', actions: ['a', 'b', 'c'].map(action) };
    const done: HistoryRow = { is: 'action', run: 'r', address: 'Thing/a', verb: 'update', result: 'done' };
    const history: readonly ChainedRow[] = [row, done].map((kept) => ({ atMs: 0, row: kept, previous: '' }));
    const inFlight = [{ runId: 'r', action: { address: 'Thing/b' } }];
    const results = (rows: readonly ChainedRow[]) =>
      runsIn({ history: rows, inFlight })[0]?.actions.map(({ result }) => result);
    expect(results(history)).toEqual(['done', 'in-flight', 'not-recorded']);
    const end: HistoryRow = { is: 'end', run: 'r', complete: false };
    expect(results([...history, { atMs: 1, row: end, previous: '' }])).toEqual(['done', 'in-flight', 'not-done']);
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
