// What programs of Node.js import: only options count, nobody is in the way of anybody else, and nothing is applied that
// nobody agreed to.
import { execFile } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createSocketServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as library from '../../src/library/index.ts';
import type { PlanDocument } from '../../src/library/index.ts';
import { openSession } from '../../src/library/session.ts';
import { runAccount } from '../../src/worker/run-account.ts';
import { startAgent } from '../mcp/client.ts';
import { runCommand } from '../support/processes/command.ts';
import type { HarnessOptions } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';

const { apply, drift, explain, exportManifests, get, history, plan, show, trace, validate } = library;
const TOKEN = 'sandbox-api-key';
const siteWith = (seconds: number): string =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec: { caching: { cacheExpiration: ${seconds} } }\n`;

async function start(seconds = 77, options: HarnessOptions = {}) {
  const harness = await openHarness({
    files: { 'sites/shop.yaml': siteWith(seconds) },
    memoryLedger: false,
    ...options,
  });
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
    const { account, root, sandbox, write } = await start();
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
    expect(await show(account)).toEqual(await said('validate', '--expanded'));
    const url = 'https://shop.example.com/old';
    const asked = { url, method: 'post', country: 'nl', headers: { 'User-Agent': 'curl' } };
    const typed = ['--method', 'post', '--country', 'nl', '--header', 'User-Agent: curl'];
    expect(await trace({ ...account, ...asked, live: true })).toEqual(
      await said('test', '--url', url, '--live', ...typed),
    );
    expect(await trace({ ...account, url })).toEqual(await said('test', '--url', url));
    for (const what of [undefined, 'Site.caching', 'HW2204', 'O-18', 'EXPOSES', 'nonsense'])
      expect(await explain(what === undefined ? {} : { what })).toEqual(
        await said('explain', ...(what === undefined ? [] : [what])),
      );
    await write('sites/wrong.yaml', 'kind: Nothing\n');
    expect(await show(account)).toEqual(await said('validate', '--expanded'));
  });

  it('finds what an agent and a worker find, by the same way', async () => {
    const { account } = await start();
    const [{ digest, actions }, drifted] = [await planned(account), await drift(account)];
    const agent = await startAgent({ account });
    expect(await agent.document('plan')).toMatchObject({ digest, actions: [{ digest: actions[0]?.digest }] });
    const { plan: looked, ...end } = await runAccount(openSession(account), { run: 'drift' });
    expect([looked?.digest, looked?.drift, end]).toMatchObject([
      digest,
      'drift' in drifted ? drifted.drift : [],
      { outcome: drifted.outcome, diagnostics: drifted.diagnostics },
    ]);
    expect(await runAccount(openSession({ ...account, signal: AbortSignal.abort() }), { run: 'apply' })).toMatchObject({
      outcome: 'interrupted',
    });
  });

  it('rejects for a mistake of the program alone', async () => {
    const { account } = await start();
    await expect(apply(account)).rejects.toThrow('apply needs one of plan, expect, approve, confirm');
    const typo = { ...account, target: ['Site/docs'], approve: ['update' as const] };
    await expect(apply(typo)).rejects.toThrow('There is no option target. Did you mean `targets`?');
    for (const [call, name] of [
      [validate, 'path'],
      [plan, 'allowDelete'],
      [drift, 'deadline'],
      [history, 'runs'],
    ] as const)
      await expect(call({ ...account, [name]: 1 })).rejects.toThrow(`There is no option ${name}.`);
    await expect(plan(undefined as never)).rejects.toThrow('cwd is');
    await expect(get({ ...account, kind: 'sightes' })).rejects.toThrow('There is no kind "sightes"');
    await expect(get({ ...account, kind: 'sites', query: 'shop' })).rejects.toThrow('sites takes no query');
    const wrong = { paths: 'sites', approve: ['all'], allowCharges: Number.NaN, maxSpend: '15', parallelism: 0 };
    const waiting = { maxRps: 0, timeoutMs: Number.NaN, lockTimeoutMs: -1, deadlineMs: '5m', cwd: undefined };
    for (const [name, value] of Object.entries({ ...wrong, ...waiting }))
      await expect(apply({ ...account, expect: [], [name]: value })).rejects.toThrow(
        new RegExp(`^${name} (has to be|is)`),
      );
    const traced = { method: 'GET /', country: 'Belgium', ip: 'localhost', headers: { a: 1 }, cookies: 'a=b' };
    for (const [name, value] of Object.entries({ ...traced, url: 'ftp://a.example' }))
      await expect(trace({ ...account, url: 'https://a.example', [name]: value })).rejects.toThrow(`${name} has to be`);
    expect(await plan({ ...account, token: 'a b' })).toMatchObject({ diagnostics: [{ code: 'HW6501' }] });
    expect(await plan({ ...account, token: undefined })).toMatchObject({ diagnostics: [{ code: 'HW3002' }] });
    expect(await validate({ cwd: '/' })).toMatchObject({ outcome: 'error', diagnostics: [{ code: 'HW6001' }] });
  });
});

/** Ways to several platforms, on which no request goes on before each other one has had as many: they take turns. */
async function takingTurns(urls: readonly string[]) {
  const made = urls.map(() => 0);
  const tokens = urls.map(() => new Set<string | undefined>());
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const go of waiting) go();
    waiting.clear();
  };
  const turn = async (at: number): Promise<void> => {
    const own = (made[at] = (made[at] ?? 0) + 1);
    wake();
    while (made.some((one) => one < own)) await new Promise<void>((resolve) => waiting.add(resolve));
  };
  const servers = urls.map((url, at) =>
    createServer((request, response) => {
      void (async () => {
        tokens[at]?.add(request.headers.authorization);
        const body = await text(request);
        await turn(at);
        const { authorization = '' } = request.headers;
        const answer = await fetch(`${url}${request.url}`, {
          method: request.method ?? 'GET',
          headers: { authorization, 'content-type': 'application/json' },
          ...(body !== '' && { body }),
        });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      })();
    }).listen(0, '127.0.0.1'),
  );
  onTestFinished(() => servers.forEach((one) => one.close()));
  await Promise.all(servers.map((one) => once(one, 'listening')));
  return {
    urls: servers.map((one) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`),
    tokens: () => tokens.map((seen) => [...seen]),
    /** It asks nothing more, and nobody waits for it. */
    end: (at: number) => {
      made[at] = Infinity;
      wake();
    },
  };
}

describe('two accounts in one process', () => {
  it('are planned and applied at once, request by request, each with its own token, ledger, events and end', async () => {
    const [left, right, stopped, stranger] = await Promise.all([start(77), start(88), start(99), start(55)]);
    const ways = await takingTurns([left.sandbox.url, right.sandbox.url]);
    const seen = new Map<unknown, string[]>();
    const run = async ({ account }: typeof left, token: string, more: Partial<library.AccountOptions> = {}) => {
      const events: string[] = [];
      seen.set(account.cwd, events);
      const options = { ...account, token, ...more };
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
      ...[left, right].map((one, at) =>
        run(one, [TOKEN, 'sandbox-session'][at] ?? '', { apiUrl: ways.urls[at] ?? '' }).finally(() => ways.end(at)),
      ),
      run(stopped, TOKEN, { signal: AbortSignal.abort() }),
      run(stranger, 'of-nobody'),
    ]);
    expect(ways.tokens()).toEqual([[`Bearer ${TOKEN}`], ['Bearer sandbox-session']]);
    expect(ended.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'interrupted', 'error']);
    expect([left, right, stopped, stranger].map((one) => one.writes())).toEqual([
      [expect.objectContaining({ cache_expiration: 77 })],
      [expect.objectContaining({ cache_expiration: 88 })],
      [],
      [],
    ]);
    expect([...seen.values()]).toEqual([['Site/shop/Caching'], ['Site/shop/Caching'], [], []]);
    const runs = await Promise.all([left, right, stopped, stranger].map(({ account }) => history(account)));
    expect(runs.map((one) => one.runs?.map(({ actions }) => actions[0]?.changes[0]?.value))).toEqual([
      [77],
      [88],
      [],
      [],
    ]);
  });

  it('may be many under one signal, on which none of them leaves anything', async () => {
    const { account } = await start();
    const warnings: Error[] = [];
    const warn = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', warn);
    onTestFinished(() => void process.off('warning', warn));
    const { signal } = new AbortController();
    const ended = await Promise.all(Array.from({ length: 24 }, () => get({ ...account, kind: 'sites', signal })));
    await apply({ ...account, approve: ['update'], signal });
    expect(new Set(ended.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
    expect([warnings, getEventListeners(signal, 'abort')]).toEqual([[], []]);
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
  const CALLS: Readonly<Record<string, (options: library.AccountOptions) => Promise<object>>> = {
    plan,
    drift,
    exportManifests,
    get: (options) => get({ ...options, kind: 'sites' }),
    trace: (options) => trace({ ...options, url: 'https://shop.example.com/', live: true }),
    apply: (options) => apply({ ...options, approve: ['update'] }),
  };
  /** A server that never answers, and interrupts who connects to it. */
  const silent = async () => {
    const stop = new AbortController();
    const sockets: Socket[] = [];
    const server = createSocketServer((socket) => {
      sockets.push(socket);
      stop.abort();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    await once(server, 'listening');
    return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, signal: stop.signal };
  };

  it.each(Object.entries(CALLS))('%s reads nothing once it is aborted, and waits for no answer', async (_, call) => {
    const { account, sandbox } = await start();
    const interrupted = { outcome: 'interrupted', exitCode: 130, diagnostics: [] };
    expect(await call({ ...account, signal: AbortSignal.abort() })).toMatchObject(interrupted);
    expect(sandbox.requests).toEqual([]);
    const { address, signal } = await silent();
    expect(await call({ ...account, apiUrl: `http://${address}`, signal })).toMatchObject(interrupted);
  });

  it.each(['plan', 'drift', 'exportManifests', 'trace', 'history'])(
    '%s does not wait for a ledger in a database',
    async (name) => {
      const { address, signal } = await silent();
      const workspace = `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://${address}\n  manifests: [sites]\n  ledger: { postgres: {} }\n`;
      const { account } = await start(77, { workspace });
      const env = { HOSTWRIGHT_DATABASE_URL: `postgres://ada:secret@${address}/hosting` };
      const ended = await ({ ...CALLS, history }[name] ?? history)({ ...account, env, signal });
      expect(ended).toMatchObject({ outcome: 'interrupted', exitCode: 130, diagnostics: [{ code: 'HW5007' }] });
    },
  );

  it('of apply begins nothing once it is aborted, and what it began is done and in the ledger', async () => {
    const { account, sandbox, write } = await start();
    const docs = siteWith(78).replace('shop, id: site-shop', 'docs, id: site-docs');
    await write('sites/docs.yaml', docs);
    const stop = new AbortController();
    const onEvent = ({ type }: library.RunEvent): void => {
      if (type === 'action-started') stop.abort();
    };
    const ended = await apply({ ...account, parallelism: 1, approve: ['update'], signal: stop.signal, onEvent });
    expect(ended).toMatchObject({ outcome: 'interrupted', exitCode: 130 });
    const writes = sandbox.requests.filter(({ method }) => method !== 'GET');
    const results = 'actions' in ended ? ended.actions.map(({ result }) => result).sort() : [];
    expect([writes.length, results]).toEqual([results.filter((one) => one === 'done').length, results]);
    expect(results).toContain('not-started');
    expect(await apply({ ...account, approve: ['update'] })).toMatchObject({ outcome: 'done' });
    expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toHaveLength(2);
  });

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
      `const told = new Set();
const note = (name) => (told.add(name), undefined);
process.env = new Proxy(process.env, {
  get: (env, name) => note(name) ?? env[name], has: (env, name) => note(name) ?? name in env,
  ownKeys: () => { throw new Error('all of the environment') }, set: () => { throw new Error('a variable is set') },
});
for (const name of ['exit', 'kill', 'abort', 'chdir', 'reallyExit', 'emitWarning'])
  process[name] = () => { throw new Error(name) };
const { default: library } = await import(${JSON.stringify(join(import.meta.dirname, '../../dist/index.js'))});
const { apply, drift, exportManifests, explain, get, history, plan, show, trace, validate } = library;
const state = () => String([process.cwd(), process.umask(), process.eventNames().join(), Reflect.ownKeys(globalThis).map(String).join(), process.exitCode]);
const before = state();
const account = ${JSON.stringify(account)};
const refused = await plan({ ...account, token: undefined });
const ended = await Promise.all([
  validate(account), plan({ ...account, rehearse: true }), drift(account), get({ ...account, kind: 'sites' }), show(account),
  exportManifests(account), history(account), explain({ what: 'HW2204' }), trace({ ...account, url: 'https://shop.example.com/', live: true }),
]);
ended.push(await apply({ ...account, approve: ['update'] }));
console.log(JSON.stringify({
  told: [...told], same: before === state(), refused: refused.diagnostics[0].code, outcomes: ended.map(({ outcome }) => outcome),
}));
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
    const done = Array.from({ length: 10 }, () => 'done');
    expect(rest).toEqual({ same: true, refused: 'HW3002', outcomes: done.with(2, 'differences') });
    // What libraries ask about their own debugging, and Node.js about its coverage.
    const debugging =
      /^(LOG_TOKENS|LOG_STREAM|TINYGLOBBY_DEBUG|UNDICI_NO_\w+|JEST_WORKER_ID|WATCH_REPORT_DEPENDENCIES|NODE_\w+)$/;
    expect(told.filter((name) => !debugging.test(name))).toEqual([]);
  });

  it('shows no credential that it was given, whatever the platform says', async () => {
    const token = 'a-token-nobody-may-see';
    const { account } = await start(77, {});
    const document = await plan({ ...account, token });
    expect(document).toMatchObject({ outcome: 'error', diagnostics: [{ code: 'HW3001' }] });
    expect(JSON.stringify(document)).not.toContain(token);
  });
});
