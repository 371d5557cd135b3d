// What `history` tells of runs, that nothing can be taken out of it unseen, and what `history undo` writes.
import { stripVTControlCharacters } from 'node:util';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChainedRow, HistoryRow } from '../../../src/model/plan/history.ts';
import { historyAction, runsIn } from '../../../src/model/plan/history.ts';
import type { Action } from '../../../src/model/plan/plan.ts';
import { historyBlocks, historyTable } from '../../../src/report/blocks/history.ts';
import { writeHtml } from '../../../src/report/html/write.ts';
import { renderHistoryJson } from '../../../src/report/json/index.ts';
import { writePage } from '../../../src/report/page.ts';
import { addMailbox, addMailspace } from '../../../src/sandbox/mail/state.ts';
import { addRegistration } from '../../../src/sandbox/registration/state.ts';
import { readAllRuns, readRuns } from '../../../src/usecases/history/read.ts';
import { undoRun } from '../../../src/usecases/history/undo.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { ApplyOptions } from '../../../src/usecases/apply/run.ts';
import type { Harness } from '../../support/harness.ts';
import { findHistoryProblem } from '../../support/written-schemas.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing, matching } from '../../support/matchers.ts';

const shop = (expiration: number, more = ''): string =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec:\n  caching:\n    cacheExpiration: ${expiration} # minutes\n${more}`;
const MAIL = workspaceFile('manifests: [mail]');
const RULE =
  '  edgeRules:\n    - name: force ssl\n      action: { forceSsl: {} }\n      triggers: [{ url: ["*"] }]\n    - name: old\n      action: { block: {} }\n      triggers: [{ url: ["*/old/*"] }]\n';
const file = 'sites/shop.yaml';

async function applied(one: Harness, text: string): Promise<void> {
  await one.write(file, text);
  expect((await one.apply({ allowDeletes: 9 })).outcome).toMatchObject({ exitCode: 0 });
}

async function start(): Promise<Harness> {
  const one = await openHarness({ files: { [file]: shop(4711) }, memoryLedger: false });
  await applied(one, shop(4711));
  return one;
}

/** The last run, taken back. */
async function undoLast(one: Harness, dryRun = false) {
  const [run] = (await readRuns(one.session())).runs ?? [];
  return undoRun(one.session(), { run: run?.run ?? '', dryRun });
}

describe('the history of an account', () => {
  it('has each run with who, when, and each field from and to, the newest first; of one object too', async () => {
    const one = await start();
    await applied(one, shop(300));
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
    const one = await start();
    await applied(one, shop(300));
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

  it('notices that its end was cut off, by the row that this machine saw last', async () => {
    const one = await openHarness({ files: { [file]: shop(4711) }, memoryLedger: false });
    const files = new Map<string, Buffer>();
    const memory = {
      read: (name: string) => files.get(name),
      write: (name: string, parts: readonly Uint8Array[]) => void files.set(name, Buffer.concat(parts)),
      version: '1',
    };
    await one.apply({}, { memory });
    const ledger = join(one.root, '.hostwright/ledger.jsonl');
    const before = await readFile(ledger, 'utf8');
    await one.write(file, shop(300));
    await one.apply({}, { memory });
    const whole = await readFile(ledger, 'utf8');
    expect((await readRuns(one.session({ memory }))).diagnostics).toEqual([]);
    await writeFile(ledger, before);
    // The chain itself is whole.
    expect((await readRuns(one.session())).diagnostics).toEqual([]);
    for (let times = 0; times < 2; times += 1)
      expect((await readRuns(one.session({ memory }))).diagnostics).toMatchObject([
        { code: 'HW5015', detail: containing('is missing, which this machine has seen') },
      ]);
    await writeFile(ledger, whole);
    expect((await readRuns(one.session({ memory }))).diagnostics).toEqual([]);
  });

  const INVALID: readonly object[] = [
    {},
    { is: 'run', run: {}, actions: [] },
    { is: 'run', run: 'x', actions: [{ address: 'nowhere', verb: 'create', changes: [] }] },
    { is: 'run', run: 'x', by: 'me', actions: 'all' },
    { is: 'action', run: 'x', address: 'Site/shop', verb: 'destroy', result: 'done' },
    { is: 'end', run: 'x', complete: 'yes' },
    { is: 'end', run: 'x', complete: true, steps: [] },
  ];

  it.each(INVALID)('leaves out a row that is not valid, names it, and reports the others: %j', async (row) => {
    const one = await start();
    const before = await readRuns(one.session());
    const ledger = join(one.root, '.hostwright/ledger.jsonl');
    const text = await readFile(ledger, 'utf8');
    const n = text.trimEnd().split('\n').length;
    const at = '2026-01-02T03:04:05.000Z';
    await writeFile(ledger, `${text}${JSON.stringify({ n, at, type: 'history', row, previous: 'x' })}\n`);
    const { runs, diagnostics } = await readRuns(one.session());
    expect(runs).toEqual(before.runs);
    expect(diagnostics.map(({ code, detail }) => `${code} ${detail}`)).toEqual([
      containing('does not follow'),
      matching(/^HW5015 .*the row of 2026-01-02T03:04:05\.000Z.* is not valid/),
    ]);
    // The account is not affected.
    await applied(one, shop(301));
  });
});

const LAUNCH = manifest('Site', 'launch', {
  plan: 'mini',
  order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
});

/** Buys a site, and returns the row of the purchase with its run, from the JSON document. */
async function purchase(options: Partial<ApplyOptions>) {
  const one = await openHarness({ files: { 'sites/launch.json': LAUNCH }, memoryLedger: false });
  await ledgerCommand(one.session(), { do: 'init' });
  const { plan } = await one.plan();
  const { outcome } = await one.apply({ allowCharges: 1, ...options });
  expect(outcome).toMatchObject({ exitCode: 0 });
  const { account, runs, rows, diagnostics } = await readRuns(one.session());
  const text = renderHistoryJson([{ account, runs: runs ?? [], rows, diagnostics }], 'done');
  const document = JSON.parse(text) as { readonly runs: readonly { readonly actions: readonly object[] }[] };
  expect(findHistoryProblem(document)).toBeUndefined();
  return { one, plan, runs: runs ?? [], run: document.runs[0], bought: document.runs[0]?.actions[0] };
}

describe('the history of a purchase', () => {
  it('has the ids of the object, the order and the cart, the digest, and the person who answered', async () => {
    const { one, plan, runs, run, bought } = await purchase({});
    const [order] = [...one.sandbox.state.orders.values()];
    const [cart] = [...one.sandbox.state.carts.keys()];
    const id = [...one.sandbox.state.sites.keys()].find((site) => !site.startsWith('site-'));
    expect(bought).toMatchObject({ result: 'done', charges: true, id, order: order?.id, cart });
    expect(bought).toHaveProperty('digest', plan?.actions[0]?.digest);
    // The platform quotes no price of a site, and none is invented.
    expect(bought).not.toHaveProperty('cost');
    const { user, hostname: host } = one.session().runtime;
    expect(run).toHaveProperty('approvedBy', { via: 'terminal', user, host });
    const shown = historyBlocks({ account: 'acc-acme', runs });
    for (const text of [
      writePage(shown, 'human', { color: false, width: 300 }),
      writePage(shown, 'markdown', { color: false, width: 300 }),
      writeHtml({ what: 'history', title: 'history', blocks: shown }, 0),
    ]) {
      expect(text).toContain(order?.id);
      expect(text).toContain(cart);
      expect(text).toContain('charged (price not quoted)');
      expect(text).toContain(`approved by ${user} on ${host} at the terminal`);
    }
  });

  it('has the approval that the forge confirmed, and none where nobody was asked', async () => {
    const strict = { askForge: () => Promise.resolve({ via: 'github', pulls: [12] } as const) };
    const confirmed = await purchase({ ...strict, confirm: () => Promise.resolve(true) });
    expect(confirmed.run).toHaveProperty('approvedBy', { via: 'github', pulls: [12] });
    const shown = historyBlocks({ account: 'acc-acme', runs: confirmed.runs });
    expect(writePage(shown, 'human', { color: false, width: 300 })).toContain('approved by pull request 12 on GitHub');
    const unasked = await purchase({ confirm: () => Promise.resolve(true) });
    expect(unasked.run).not.toHaveProperty('approvedBy');
  });
});

describe('the history of a fleet', () => {
  it('is one table of the runs of all accounts, the newest first, in every form', async () => {
    const one = await start();
    one.sandbox.clock.advance(60_000);
    await applied(one, shop(300));
    const { account } = await readRuns(one.session());
    const { accounts, diagnostics } = await readAllRuns(one.session(), ['.']);
    expect(diagnostics).toEqual([]);
    expect(accounts.map(({ account: whose, runs }) => [whose, runs?.length])).toEqual([[account, 2]]);
    const [newer, older] = accounts[0]?.runs ?? [];
    const table = historyTable([
      { account: 'acc-old', runs: older === undefined ? [] : [older] },
      { account: 'acc-new', runs: newer === undefined ? [] : [newer] },
    ]);
    const text = writePage(table, 'human', { color: false, width: 100 });
    expect(text).toMatch(/^History of 2 accounts\n/);
    expect(text.match(/acc-\w+/g)).toEqual(['acc-new', 'acc-old']);
    expect(text).toContain('1 done');
    // Colours of cells are colours, and their columns stay in line.
    const colored = writePage(table, 'human', { color: true, width: 100 });
    expect(colored).not.toContain('u{1b}');
    expect(stripVTControlCharacters(colored)).toBe(text);
    expect(writePage(table, 'markdown', { color: false, width: 100 })).toContain('| when');
    expect(writeHtml({ what: 'history', title: 'history', blocks: table }, 0)).toContain('<table');
    const document = JSON.parse(renderHistoryJson(accounts, 'done')) as {
      readonly runs: readonly { readonly account?: string }[];
    };
    expect(document.runs.map((run) => run.account)).toEqual(['acc-acme', 'acc-acme']);
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
    const { changes: kept } = historyAction({
      address: 'Thing/a',
      verb: 'update',
      changes,
      risk: [],
    } as unknown as Action);
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
  it('takes a rename back, which is no delete either: the story of a rule with another name', async () => {
    const one = await openHarness({ example: 'a-rule-with-another-name', memoryLedger: false });
    const path = join(one.root, 'sites/blog.yaml');
    const before = await readFile(path, 'utf8');
    const rules = (): unknown => one.site('blog').edgeRules.map((rule) => [rule.Guid, rule.Description]);
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0 });
    const [[id]] = rules() as [[string]];
    await writeFile(path, before.replace('no log-in from outside', 'nobody logs in from outside'));
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, actions: [{ verb: 'update' }] });
    expect(rules()).toEqual([[id, 'nobody logs in from outside']]);
    const [run, first] = (await readRuns(one.session())).runs ?? [];
    expect([run?.actions.length, first?.actions.length]).toEqual([1, 1]);
    expect(await undoLast(one)).toMatchObject({ written: true });
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, actions: [{ verb: 'update' }] });
    expect(rules()).toEqual([[id, 'no log-in from outside']]);
  });

  it('edits the value that a run changed, with its comment, and takes out what it added', async () => {
    const one = await start();
    await applied(one, shop(300, RULE));
    const before = await readFile(join(one.root, file), 'utf8');
    const shown = await undoLast(one, true);
    expect([shown.written, await readFile(join(one.root, file), 'utf8')]).toEqual([false, before]);
    const { written, diagnostics } = await undoLast(one);
    expect(diagnostics).toEqual([]);
    expect(written).toBe(true);
    const after = await readFile(join(one.root, file), 'utf8');
    expect(after).toContain('cacheExpiration: 4711 # minutes');
    // What the list of the run deleted stands there again, and what it made does not.
    expect(after).toContain('name: headers');
    expect(after).toContain('name: old shop');
    expect(after).not.toMatch(/name: old$/m);
    expect((await one.apply({ allowDeletes: 9 })).outcome).toMatchObject({ exitCode: 0 });
    const rules = one.site('shop').edgeRules.map(({ Description }) => Description);
    expect(rules).toEqual(expect.arrayContaining(['force ssl', 'headers', 'old shop']));
    expect(rules).not.toContain('old');
  });

  it('HW6748: what was deleted is written back, but for what the history does not keep', async () => {
    const mail = (boxes: string): string =>
      `apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: acme.example }\nspec:\n  unlisted: { mailboxes: remove }\n  mailboxes:\n${boxes}`;
    const ann = '    - address: ann@acme.example\n      displayName: Ann\n';
    const ben = '    - address: ben@acme.example\n      displayName: Ben\n      quotaMb: 512\n';
    const one = await openHarness({
      files: { 'mail/acme.yaml': mail(ann + ben) },
      workspace: MAIL,
      memoryLedger: false,
    });
    addRegistration(one.sandbox.state.registrar, { name: 'acme.example', accountId: 'acc-acme' });
    const space = addMailspace(one.sandbox.state.mail, {
      ...{ id: 'mail-acme', domain: 'acme.example', accountId: 'acc-acme', token: 'tokentok', package: 'mail_20' },
    });
    addMailbox(space, { id: 'ann', email: 'ann@acme.example', displayName: 'Ann' });
    addMailbox(space, { id: 'ben', email: 'ben@acme.example', displayName: 'Ben', quotaMb: 512 });
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0 });
    await one.write('mail/acme.yaml', mail(ann));
    expect((await one.apply({ allowDeletes: 9 })).outcome).toMatchObject({ exitCode: 0 });
    const { diagnostics } = await undoLast(one);
    expect(diagnostics.map(({ code, detail }) => `${code} ${detail}`)).toEqual([
      matching(/^HW6748 .*ben@acme.example: the history does not keep password/),
    ]);
    const after = await readFile(join(one.root, 'mail/acme.yaml'), 'utf8');
    expect(after).toContain('address: ben@acme.example');
    expect(after).toContain('quotaMb: 512');
    // As it advises: a mailbox that the platform still has is restored, with its password; another one is made anew.
    const planned = async () => {
      const { plan } = await one.plan();
      return [...(plan?.blocked ?? []), ...(plan?.actions ?? [])].map((step) =>
        'verb' in step ? step.verb : step.reason,
      );
    };
    expect(await planned()).toEqual(['update']);
    space.mailboxes.pop();
    await one.write('mail/acme.yaml', after.replace(/( +)quotaMb: 512/, '$&\n$1password: { env: BEN_PASSWORD }'));
    await one.write('hostwright.yaml', workspaceFile('manifests: [mail], secrets: { env: [BEN_PASSWORD] }'));
    expect(await planned()).toEqual(['create']);
  });
});
