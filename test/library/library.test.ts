// What programs of Node.js import: only options count, nobody is in the way of anybody else, and nothing is applied that
// nobody agreed to.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as library from '../../src/library/index.ts';
import type { PlanDocument } from '../../src/library/index.ts';
import { runCommand } from '../support/processes/command.ts';
import type { HarnessOptions } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';

const { apply, drift, exportManifests, get, history, plan, validate } = library;
const TOKEN = 'sandbox-api-key';
const siteWith = (seconds: number): string =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec: { caching: { cacheExpiration: ${seconds} } }\n`;

async function start(seconds = 77, options: HarnessOptions = {}) {
  const harness = await startHarness({
    files: { 'sites/shop.yaml': siteWith(seconds) },
    memoryLedger: false,
    ...options,
  });
  onTestFinished(() => harness.close());
  const { root, sandbox } = harness;
  const writes = () => sandbox.requests.filter(({ method }) => method !== 'GET').map(({ body }) => body);
  return { ...harness, writes, account: { cwd: root, apiUrl: sandbox.url, token: TOKEN } };
}

async function planned(options: library.PlanOptions): Promise<PlanDocument> {
  const document = await plan(options);
  if (document.format !== 'hostwright.plan/1') throw new Error(JSON.stringify(document.diagnostics));
  return document;
}

describe('each function', () => {
  it('answers the document that its command prints', async () => {
    const { account, root, sandbox } = await start();
    const said = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await runCommand([...args, '--format', 'json'], { cwd: root, url: sandbox.url });
      return JSON.parse(stdout);
    };
    expect(await validate(account)).toEqual(await said('validate'));
    expect(await planned(account)).toEqual(await said('plan'));
    const rehearsed = await plan({ ...account, rehearse: true });
    expect(rehearsed).toMatchObject({ rehearsal: {} });
    expect(rehearsed).toEqual(await said('plan', '--rehearse'));
    expect(await drift({ ...account, ignore: ['Site/shop/Caching'] })).toEqual(
      await said('drift', '--ignore', 'Site/shop/Caching'),
    );
    expect(await get({ ...account, kind: 'site', name: 'shop' })).toEqual(await said('get', 'sites', 'shop'));
    expect(await exportManifests({ ...account, targets: ['Site'] })).toEqual(await said('export', 'Site'));
    expect(await apply({ ...account, expect: [] })).toEqual(await said('apply', '--expect', '0'.repeat(64)));
    expect(await apply({ ...account, approve: ['update'] })).toMatchObject({ outcome: 'done', exitCode: 0 });
    expect(await history(account)).toEqual(await said('history'));
  });

  it('rejects for a mistake of the program alone', async () => {
    const { account } = await start();
    await expect(apply(account)).rejects.toThrow('apply needs one of plan, expect, approve, confirm');
    await expect(get({ ...account, kind: 'sightes' })).rejects.toThrow('There is no kind "sightes"');
    await expect(get({ ...account, kind: 'sites', query: 'shop' })).rejects.toThrow('sites takes no query');
    const wrong = { paths: 'sites', approve: ['all'], allowCharges: Number.NaN, maxSpend: '15', parallelism: 0 };
    const waiting = { maxRps: 0, timeoutMs: Number.NaN, lockTimeoutMs: -1, deadlineMs: '5m', cwd: undefined };
    for (const [name, value] of Object.entries({ ...wrong, ...waiting }))
      await expect(apply({ ...account, expect: [], [name]: value })).rejects.toThrow(
        new RegExp(`^${name} (has to be|is)`),
      );
    expect(await plan({ ...account, token: 'a b' })).toMatchObject({ diagnostics: [{ code: 'HW6501' }] });
    expect(await plan({ ...account, token: undefined })).toMatchObject({ diagnostics: [{ code: 'HW3002' }] });
    expect(await validate({ cwd: '/' })).toMatchObject({ outcome: 'error', diagnostics: [{ code: 'HW6001' }] });
  });
});

describe('two accounts in one process', () => {
  it('are planned and applied at once, each with its own token, ledger, events and end', async () => {
    const [left, right, stopped, stranger] = await Promise.all([start(77), start(88), start(99), start(55)]);
    const seen = new Map<unknown, string[]>();
    const run = async ({ account }: typeof left, token: string, signal?: AbortSignal) => {
      const events: string[] = [];
      seen.set(account.cwd, events);
      const options = { ...account, token, ...(signal !== undefined && { signal }) };
      const document = await plan(options);
      return apply({
        ...options,
        ...(document.format === 'hostwright.plan/1' ? { plan: document } : { confirm: () => true }),
        onEvent: (event) => {
          if (event.type === 'action-finished') events.push(event.address);
        },
      });
    };
    const ended = await Promise.all([
      run(left, TOKEN),
      run(right, 'sandbox-session'),
      run(stopped, TOKEN, AbortSignal.abort()),
      run(stranger, 'of-nobody'),
    ]);
    expect(ended.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'interrupted', 'error']);
    expect([left, right, stopped, stranger].map((one) => one.writes())).toEqual([
      [expect.objectContaining({ cache_expiration: 77 })],
      [expect.objectContaining({ cache_expiration: 88 })],
      [],
      [],
    ]);
    expect([...seen.values()]).toEqual([['Site/shop/Caching'], ['Site/shop/Caching'], [], []]);
  });
});

describe('a consent', () => {
  it('is a plan that was looked at: what came later is not run, and a changed one is refused', async () => {
    const { account, write, writes } = await start();
    const document = await planned(account);
    const changed = { ...document, account: 'acc-other' };
    expect(await apply({ ...account, plan: changed })).toMatchObject({ outcome: 'error' });
    await write('sites/shop.yaml', siteWith(78));
    expect(await apply({ ...account, plan: document })).toMatchObject({ outcome: 'conflict' });
    expect(writes()).toEqual([]);
    await write('sites/shop.yaml', siteWith(77));
    expect(await apply({ ...account, plan: document })).toMatchObject({ outcome: 'done' });
  });

  it('is a function that says yes; no, and an error of its own, send nothing and leave no lock', async () => {
    const { account, writes } = await start();
    expect(await apply({ ...account, confirm: () => false })).toMatchObject({ outcome: 'refused' });
    const wrong = () => {
      throw new Error('my own');
    };
    await expect(apply({ ...account, confirm: wrong })).rejects.toThrow('my own');
    expect(writes()).toEqual([]);
    expect(await apply({ ...account, confirm: ({ actions }) => actions.length === 1 })).toMatchObject({
      outcome: 'done',
    });
  });

  it('is nothing where the workspace wants a person', async () => {
    const workspace =
      'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n  guards: { unreviewed: refuse }\n';
    const { account, writes } = await start(77, { workspace });
    const document = await planned(account);
    for (const consent of [{ plan: document }, { confirm: () => true }, { approve: ['update'] as const }])
      expect(await apply({ ...account, ...consent })).toMatchObject({
        outcome: 'refused',
        diagnostics: [{ code: 'HW2111' }],
      });
    expect(writes()).toEqual([]);
  });
});

describe('a call', () => {
  it.each(['plan', 'drift', 'exportManifests', 'get'] as const)(
    '%s reads nothing once it is aborted, and waits for no answer',
    async (name) => {
      const { account, sandbox } = await start();
      const call = (options: library.AccountOptions) =>
        name === 'get' ? get({ ...options, kind: 'sites' }) : library[name](options);
      const interrupted = { outcome: 'interrupted', exitCode: 130, diagnostics: [] };
      expect(await call({ ...account, signal: AbortSignal.abort() })).toMatchObject(interrupted);
      expect(sandbox.requests).toEqual([]);
      const stop = new AbortController();
      const silent = createServer(() => stop.abort()).listen(0, '127.0.0.1');
      onTestFinished(() => {
        silent.closeAllConnections();
        silent.close();
      });
      await once(silent, 'listening');
      const apiUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      expect(await call({ ...account, apiUrl, signal: stop.signal })).toMatchObject(interrupted);
    },
  );

  it('goes on whatever its listener throws', async () => {
    const { account } = await start();
    const thrown = { now: 0, later: 0 };
    const onEvent = ({ type }: library.RunEvent): unknown => {
      if (type !== 'action-finished') return Promise.reject(new Error(`later ${(thrown.later += 1)}`));
      throw new Error(`now ${(thrown.now += 1)}`);
    };
    expect(await apply({ ...account, approve: ['update'], onEvent })).toMatchObject({ outcome: 'done' });
    expect(thrown.now).toBe(1);
    expect(thrown.later).toBeGreaterThan(1);
  });

  it('takes nothing from the environment, changes nothing of the process, and leaves nothing that keeps it alive', async () => {
    const { account, root } = await start();
    const script = join(root, 'script.mjs');
    await writeFile(
      script,
      `import { apply, plan } from ${JSON.stringify(join(import.meta.dirname, '../../dist/index.js'))};
const told = [];
process.env = new Proxy(process.env, { get: (env, name) => (told.push(name), env[name]), has: (env, name) => (told.push(name), name in env) });
const before = [process.cwd(), process.umask(), process.eventNames().join()];
const refused = await plan({ ...${JSON.stringify({ ...account, token: undefined })} });
const ended = await apply({ ...${JSON.stringify(account)}, approve: ['update'] });
const after = [process.cwd(), process.umask(), process.eventNames().join()];
console.log(JSON.stringify({ told, same: String(before) === String(after), refused: refused.diagnostics[0].code, outcome: ended.outcome, exitCode: process.exitCode ?? 0 }));
`,
    );
    const ours = {
      HOSTWRIGHT_TOKEN: TOKEN,
      HOSTWRIGHT_ACCOUNT: 'acc-other',
      CI: 'true',
      HTTP_PROXY: 'http://127.0.0.1:1',
    };
    const env = { PATH: process.env.PATH, HOME: root, NO_COLOR: '1', GITHUB_ACTIONS: 'true', ...ours };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], { cwd: '/', env });
    expect(stderr).toBe('');
    const { told, ...rest } = JSON.parse(stdout) as { readonly told: readonly string[] };
    expect(rest).toEqual({ same: true, refused: 'HW3002', outcome: 'done', exitCode: 0 });
    // What parsers and the loader of Node.js ask about their own debugging is no business of ours.
    expect(told.filter((name) => Object.hasOwn(env, name))).toEqual([]);
  });

  it('shows no credential that it was given, whatever the platform says', async () => {
    const token = 'a-token-nobody-may-see';
    const { account } = await start(77, {});
    const document = await plan({ ...account, token });
    expect(document).toMatchObject({ outcome: 'error', diagnostics: [{ code: 'HW3001' }] });
    expect(JSON.stringify(document)).not.toContain(token);
  });
});
