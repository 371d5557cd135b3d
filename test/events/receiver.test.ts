// What the receiver takes, and what it says to all else.
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHandOn } from '../../src/events/hand-on.ts';
import type { RunRequest } from '../../src/events/run-request.ts';
import { rootsIn } from '../../src/events/runs.ts';
import type { LedgerView } from '../../src/model/plan/ledger-view.ts';
import { createRealClock } from '../../src/library/real-clock.ts';
import { isWhole } from '../support/whole.ts';
import type { Ground } from './ground.ts';
import { account, callback, domainEvent, panelEvent, siteEvent, startReceiver } from './ground.ts';

let ground: Ground | undefined;
afterEach(async () => {
  await ground?.close();
  ground = undefined;
});

async function begin(...options: Parameters<typeof startReceiver>): Promise<Ground> {
  return (ground = await startReceiver(...options));
}

/** A ledger that knows these roots, by address and id; those in `ours` were made by a run. */
function ledgerWith(objects: Readonly<Record<string, string>>, ours: readonly string[] = [], made: string[] = []) {
  const view = {
    objects: new Map(
      Object.entries(objects).map(([address, id]) => [
        address,
        { address, id, ...(ours.includes(address) && { createdAtMs: 1 }) },
      ]),
    ),
    inFlight: made.map((address) => ({ action: { verb: 'create', address } })),
  } as unknown as LedgerView;
  return { rootsOf: () => Promise.resolve(rootsIn(view)) };
}

const LEDGER = {
  'Site/storefront': 'site-shop',
  'Site/storefront/SiteDomain/shop.example.com': 'dom-1',
  'PanelAccount/shop': 'acmeshop',
  'DomainRegistration/owned.example.com': 'reg-other',
};

describe('what is taken', () => {
  it('CBK-05: a callback goes on with what its account left unfinished', async () => {
    const { post, taken } = await begin();
    expect((await post('/callbacks/acc-acme', callback(1))).status).toBe(202);
    expect((await post('/callbacks/acc-acme', callback(2, false))).status).toBe(202);
    expect(taken).toEqual([
      { account: 'acc-acme', run: 'apply', why: 'the task of an order has ended' },
      { account: 'acc-acme', run: 'apply', why: 'the task of an order has ended, and is said to have failed' },
    ]);
  });

  it('CBK-10: an event is about the root that the ledger knows by its id, or else about the account', async () => {
    const { post, taken } = await begin(ledgerWith(LEDGER));
    await post('/webhooks', siteEvent('resized'));
    await post('/webhooks', siteEvent('resized', { id: 'another' }));
    await post('/webhooks', panelEvent('deleted'));
    await post('/webhooks', domainEvent('renewed'));
    expect(taken.map(({ run, root }) => [run, root])).toEqual([
      ['drift', 'Site/storefront'],
      ['drift', undefined],
      ['drift', 'PanelAccount/shop'],
      ['drift', 'DomainRegistration/owned.example.com'],
    ]);
  });

  it('CBK-14: after what may lose a name somebody is told, whatever the manifests say', async () => {
    const { post, taken } = await begin();
    for (const action of ['expired', 'redemption', 'transferred_out', 'auto_renew_disabled', 'renewed'])
      await post('/webhooks', domainEvent(action));
    expect(taken.map(({ notify }) => notify)).toEqual([true, true, true, true, undefined]);
  });

  it('CBK-17: an event of a sub-account is about the sub-account, or about its parent where only that is ours', async () => {
    const { post, taken } = await begin();
    await post('/webhooks', siteEvent('resized', { sub_account: { id: 'acc-sub', name: 'Sub' } }));
    await post('/webhooks', siteEvent('deleted', { sub_account: { id: 'stranger', name: 'Sub' } }));
    expect(taken.map((request) => request.account)).toEqual(['acc-sub', 'acc-acme']);
  });

  it('takes nothing of a message but what it names, and no more of that than words', async () => {
    const { post, taken } = await begin();
    await post('/webhooks', {
      ...siteEvent('resized', { ssh: { password: 'hunter2' } }),
      run: 'apply',
      root: 'Site/x',
    });
    expect(taken).toEqual([{ account: 'acc-acme', run: 'drift', why: 'site shop: resized' }]);
  });
});

describe('what starts no run', () => {
  it('CBK-11: a further sending of what was taken, at any time and in any order', async () => {
    const { post, taken } = await begin();
    const events = [siteEvent('created'), siteEvent('resized'), panelEvent('resized'), domainEvent('renewed')];
    for (const event of events) expect((await post('/webhooks', event)).status).toBe(202);
    for (const event of [...events].reverse()) expect((await post('/webhooks', event)).status).toBe(200);
    for (const event of events) expect((await post('/webhooks', event)).message).toBe('It was taken before.');
    expect(taken).toHaveLength(4);
    // Another change is another event.
    await post('/webhooks', siteEvent('resized', { subscription: { updated_at: 'later' } }));
    await post('/webhooks', panelEvent('resized', 'basic'));
    await post('/webhooks', domainEvent('renewed', { expires_at: 'later' }));
    expect(taken).toHaveLength(7);
  });

  it('CBK-03: a callback is told from another by its account and its time', async () => {
    const { post, taken } = await begin();
    for (const path of ['/callbacks/acc-acme', '/callbacks/acc-acme', '/callbacks/acc-other'])
      await post(path, callback(1));
    await post('/callbacks/acc-acme', callback(2));
    expect(taken.map((request) => request.account)).toEqual(['acc-acme', 'acc-other', 'acc-acme']);
  });

  it('the same message twice at once', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let waiting = 0;
    // Each message that is not answered yet waits for its end by this clock.
    const sleep = (): Promise<void> => {
      if ((waiting += 1) === 2) release();
      return new Promise(() => undefined);
    };
    const { post, taken } = await begin({ dispatch: () => held, clock: { now: () => 0, sleep } });
    const both = [1, 2].map(() => post('/webhooks', siteEvent('deleted')));
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([202, 202]);
    expect(taken).toHaveLength(1);
  });

  it('what a run of our own made; what one has ordered and not seen yet goes on with it', async () => {
    const { post, taken } = await begin(ledgerWith(LEDGER, ['Site/storefront'], ['Site/new', 'Site/new/Caching']));
    expect(await post('/webhooks', siteEvent('created'))).toMatchObject({
      status: 200,
      message: 'Site/storefront was made by a run of our own. There is nothing to run.',
    });
    expect(taken).toEqual([]);
    await post('/webhooks', siteEvent('created', { id: 'new' }));
    await post('/webhooks', panelEvent('created'));
    await post('/webhooks', siteEvent('resized'));
    expect(taken.map(({ run, root }) => [run, root])).toEqual([
      ['apply', undefined],
      ['drift', 'PanelAccount/shop'],
      ['drift', 'Site/storefront'],
    ]);
  });

  it('an event of an account that nobody declares', async () => {
    const { post, taken } = await begin();
    expect(await post('/webhooks', siteEvent('created', { account: { id: 'stranger', name: 'S' } }))).toMatchObject({
      status: 200,
      result: 'nothing',
    });
    expect(taken).toEqual([]);
  });
});

describe('what is refused, with words', () => {
  it.each([
    ['without a secret', null],
    ['with a wrong one', 'Bearer 0123456789abcdeF'],
    ['with a part of it', 'Bearer 0123456789abcde'],
    ['with an empty one', ''],
  ])('a message %s', async (_how, authorization) => {
    const { post, taken } = await begin();
    expect(await post('/webhooks', siteEvent('created'), authorization)).toMatchObject({
      status: 401,
      message: 'The header Authorization is not the one that this receiver was given.',
    });
    expect(taken).toEqual([]);
  });

  it('takes the old secret beside the new one while they are changed', async () => {
    const { post } = await begin({ authorizations: ['the new secret of all', 'the old secret of all'] });
    expect((await post('/webhooks', siteEvent('created'), 'the old secret of all')).status).toBe(202);
    expect((await post('/webhooks', siteEvent('resized'), 'the new secret of all')).status).toBe(202);
  });

  it.each<readonly [string, string, unknown, number, RegExp]>([
    ['no JSON', '/webhooks', '{', 400, /not JSON/],
    ['a list', '/webhooks', [], 422, /no JSON object/],
    ['no block', '/webhooks', { action: 'created' }, 422, /exactly one of `site`, .*; this has none/],
    ['two blocks', '/webhooks', { action: 'created', site: {}, domain: {} }, 422, /this has `site`, `domain`/],
    ['an action of another block', '/webhooks', siteEvent('renewed'), 422, /is one of created, .*this is "renewed"/],
    ['a name of an object as an action', '/webhooks', siteEvent('toString'), 422, /this is "toString"/],
    ['no account', '/webhooks', siteEvent('created', { account: null }), 422, /`site.account` is no JSON object/],
    ['an empty id', '/webhooks', siteEvent('created', { id: '' }), 422, /`site.id` is a text/],
    ['a long id', '/webhooks', siteEvent('created', { id: 'x'.repeat(301) }), 422, /`site.id` is a text/],
    [
      'a name that ends where C has it end',
      '/webhooks',
      siteEvent('created', { name: 'shop\0' }),
      422,
      /`site.name` is a text/,
    ],
    ['a callback without a time', '/callbacks/acc-acme', { success: true }, 422, /`timestamp`/],
    ['a callback without an end', '/callbacks/acc-acme', { timestamp: 1 }, 422, /`success`/],
    ['a callback for nobody', '/callbacks/stranger', callback(1), 404, /no workspace of the account stranger/],
    ['a message elsewhere', '/', siteEvent('created'), 404, /\/webhooks, .*\/callbacks\/ACCOUNT/],
    ['a long message', '/webhooks', `"${'x'.repeat(256 * 1024)}"`, 413, /at most 256 KB/],
  ])('%s', async (_what, path, body, status, words) => {
    const { post, taken } = await begin();
    const said = await post(path, body);
    expect(said).toMatchObject({ status, result: 'refused' });
    expect(said.message).toMatch(words);
    expect(taken).toEqual([]);
  });

  it('a long message that does not say how long it is', async () => {
    const { url } = await begin();
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    const answered = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    socket.write('POST /webhooks HTTP/1.1\r\nhost: x\r\nauthorization: Bearer 0123456789abcdef\r\n');
    socket.write('transfer-encoding: chunked\r\n\r\n');
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    for (let index = 0; index < 5; index += 1) socket.write(chunk);
    expect(await answered).toMatch(/^HTTP\/1\.1 413/);
  });

  it('another method', async () => {
    const { url } = await begin();
    const answer = await fetch(`${url}/webhooks`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('CBK-04: what nobody took, so that the platform sends it again; then it is taken once', async () => {
    let refusals = 3;
    const { post, taken } = await begin({
      dispatch: () => (refusals-- > 0 ? Promise.reject(new Error('the forge is down (502).')) : Promise.resolve()),
    });
    for (let index = 0; index < 3; index += 1)
      expect(await post('/webhooks', siteEvent('created'))).toMatchObject({
        status: 503,
        // Why is for the log: a caller has no use for what a forge said to us.
        message: 'It was not taken. Send it again later.',
        retryAfter: '60',
      });
    expect((await post('/webhooks', siteEvent('created'))).status).toBe(202);
    expect((await post('/webhooks', siteEvent('created'))).status).toBe(200);
    expect(taken).toHaveLength(1);
  });

  it('CBK-04: what is not taken within the time of the platform; when it is, a further sending finds that', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    // The clock of this receiver makes a second of each hour.
    const clock = createRealClock();
    const quick = {
      now: () => clock.now(),
      sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms / 500, signal),
    };
    const { post, taken } = await begin({ dispatch: () => held, clock: quick });
    expect(await post('/webhooks', siteEvent('created'))).toMatchObject({
      status: 503,
      message: 'There is no answer of the test in time. Send it again later.',
    });
    release();
    await expect.poll(() => taken.length).toBe(1);
    expect((await post('/webhooks', siteEvent('created'))).status).toBe(200);
    expect(taken).toHaveLength(1);
  });

  it('more than can wait, at once', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const taken: RunRequest[] = [];
    const dispatch = (request: RunRequest) => (taken.push(request), held);
    const dispatcher = { name: 'the test', dispatch, close: () => Promise.resolve() };
    const { handOn, waiting } = createHandOn(dispatcher, { atOnce: 2, most: 3 });
    const ask = (name: number) => handOn({ account: `acc-${name}`, run: 'drift', why: 'a test' });
    const begun = [1, 2, 3, 4, 5].map(ask);
    await expect(ask(6)).rejects.toThrow('3 run requests wait for the test already. Send it again later.');
    expect(waiting()).toBe(3);
    // What asks for a run that waits needs no further place, and is told of in the same run.
    begun.push(handOn({ account: 'acc-5', run: 'drift', notify: true, why: 'an alarm' }), ask(5));
    release();
    await Promise.all(begun);
    expect(waiting()).toBe(0);
    expect(taken.map((request) => request.account)).toEqual([1, 2, 3, 4, 5].map((name) => `acc-${name}`));
    expect(taken.at(-1)).toMatchObject({ notify: true, why: 'an alarm' });
    await ask(6);
  });

  it.runIf(isWhole)('whoever sends slowly', async () => {
    const { url, post } = await begin();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const ended = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    socket.write('POST /webhooks HTTP/1.1\r\nhost: x\r\nauthorization: Bearer 0123456789abcdef\r\n');
    socket.write('content-length: 1000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 500);
    const text = await ended;
    clearInterval(drip);
    expect(text).toMatch(/^HTTP\/1\.1 4/);
    expect((await post('/webhooks', siteEvent('created'))).status).toBe(202);
  });
});

describe('the end', () => {
  it('answers what was begun, and takes nothing new', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const { post, url, taken, close } = await begin({ dispatch: () => (arrive(), held) });
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
    const begun = post('/webhooks', siteEvent('created', { account }));
    await arrived;
    const closed = close();
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    release();
    expect((await begun).status).toBe(202);
    await closed;
    expect(taken).toHaveLength(1);
  });
});

describe('whoever watches it', () => {
  it('is told how it is and what it counted, and that whoever starts the runs is away', async () => {
    const dispatcher: { unhealthy?: string } = {};
    const { url, post } = await begin({
      dispatcher: {
        name: 'the test',
        dispatch: () => Promise.resolve(),
        unhealthy: () => Promise.resolve(dispatcher.unhealthy),
        close: () => Promise.resolve(),
      },
    });
    await post('/callbacks/acc-acme', callback(1));
    await post('/webhooks', siteEvent('resized'), 'Bearer wrong');
    const metrics = async () => (await (await fetch(`${url}/metrics`)).text()).split('\n');
    expect(await metrics()).toEqual(
      expect.arrayContaining([
        'hostwright_receiver_answers_total{status="202",result="taken"} 1',
        'hostwright_receiver_answers_total{status="401",result="refused"} 1',
        'hostwright_receiver_runs_total{run="apply"} 1',
        'hostwright_receiver_dispatch_up 1',
      ]),
    );
    dispatcher.unhealthy = 'the database does not answer';
    const health = await fetch(`${url}/healthz`);
    expect([health.status, await health.json()]).toEqual([503, { status: 'the database does not answer' }]);
    expect(await metrics()).toContain('hostwright_receiver_dispatch_up 0');
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
  });
});
