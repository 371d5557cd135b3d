// A ledger on a server: lost answers are settled by reading back, other documents are left alone, and no credential
// gets out.
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LedgerWriteError } from '../../src/ledger/ledger.ts';
import { initLedger, unlockLedger } from '../../src/ledger/by-hand.ts';
import type { OpenOptions } from '../../src/ledger/stored-ledger.ts';
import { openLedger, readLedger } from '../../src/ledger/stored-ledger.ts';
import type { PlainCredentials } from '../../src/platform/plain-client.ts';
import { createPlainClient } from '../../src/platform/plain-client.ts';
import type { StateServer } from '../support/servers/state-server.ts';
import { startStateServer } from '../support/servers/state-server.ts';
import { virtualClock } from '../platform/virtual-clock.ts';
import { bound, openedLedger, storeOn } from './support.ts';
import { containing, matching } from '../support/matchers.ts';

let server: StateServer;
beforeEach(async () => {
  server = await startStateServer();
});
afterEach(() => server.close());

function options(credentials?: PlainCredentials, runId = 'run-1', host = hostname()): OpenOptions {
  const clock = virtualClock();
  const client = createPlainClient({
    clock,
    timeoutMs: 60_000,
    random: () => 0.5,
    ...(credentials !== undefined && { credentials }),
  });
  const store = storeOn(client, server);
  return { store, account: 'acc', clock, owner: { hostname: host, pid: process.pid, user: 'me', runId } };
}

/** What happens to the n-th request of this method. */
function nth(method: string, n: number, then: Response | 'reset'): (name: string) => Response | 'reset' | undefined {
  let count = 0;
  return (name) => (name === method && (count += 1) === n ? then : undefined);
}

describe('what a server keeps', () => {
  it('is JSON with a serial that grows, and the lock says who, since when', async () => {
    const ledger = await openedLedger(options());
    expect(server.lock).toMatchObject({
      Who: `me@${hostname()}`,
      Operation: 'hostwright',
      Version: '1',
      Path: server.address,
      Created: matching(/^20/),
    });
    await ledger.append(bound('a'));
    expect(JSON.parse(server.document ?? '')).toMatchObject({
      format: 'hostwright.ledger/1',
      serial: 1,
      writtenUnder: server.lock?.ID,
    });
    await ledger.append(bound('b'));
    expect(JSON.parse(server.document ?? '')).toMatchObject({ serial: 2 });
    await ledger.close();
    expect(server.lock).toBeUndefined();
  });

  it.each([
    ['a bearer token', { token: 'hunter2-token' }, 'Bearer hunter2-token'],
    [
      'a user name and password',
      { username: 'ci', password: 'hunter2-pass' },
      `Basic ${Buffer.from('ci:hunter2-pass').toString('base64')}`,
    ],
    ['nothing', undefined, undefined],
  ])('is asked for with %s, which no message holds', async (_what, credentials, header) => {
    server.before = (name) =>
      name === 'GET' ? new Response(`no ${header} hunter2-token hunter2-pass`, { status: 403 }) : undefined;
    const { diagnostics } = await readLedger(options(credentials));
    expect(server.authorization).toBe(header);
    expect(diagnostics).toMatchObject([{ code: 'HW5007', detail: containing('answered 403') }]);
    if (credentials !== undefined)
      for (const secret of Object.values(credentials).filter((value) => value !== 'ci'))
        expect(diagnostics[0]?.detail).not.toContain(secret);
  });

  it.each([
    ['a document of another program', '{"version":4,"serial":3,"resources":[]}', 'not a ledger'],
    ['a page', '<html>', 'not a ledger'],
    ['nothing at all', '', 'not a ledger'],
    ['half a ledger', '{"format":"hostwright.ledger/1","serial":"1"}', 'incomplete'],
  ])('%s is left alone', async (_what, document, words) => {
    server.document = document;
    for (const result of [await readLedger(options()), await openLedger(options()), await initLedger(options())]) {
      expect(result.diagnostics).toMatchObject([{ code: 'HW5007', detail: containing(words) }]);
    }
    expect([server.document, server.lock]).toEqual([document, undefined]);
  });

  it('404 is a missing ledger, and nothing else is', async () => {
    for (const [status, missing] of [
      [404, true],
      [204, true],
      [401, false],
      [500, false],
      [503, false],
    ] as const) {
      server.before = (name) => (name === 'GET' ? new Response(null, { status }) : undefined);
      const { view, diagnostics } = await readLedger(options());
      expect([view.standing, diagnostics.length === 0]).toEqual(['missing', missing]);
    }
  });

  it('a read that fails for a moment is asked again', async () => {
    server.before = (name, n) =>
      name === 'GET' && n < 4 ? new Response(null, { status: 503, headers: { 'retry-after': '7' } }) : undefined;
    const given = options();
    const fromMs = given.clock.now();
    expect((await readLedger(given)).diagnostics).toEqual([]);
    expect(given.clock.now() - fromMs).toBeGreaterThanOrEqual(21_000);
  });
});

describe('an answer that is lost', () => {
  it.each(['reset', new Response(null, { status: 502 })] as const)(
    'to a write that was carried out is settled by reading back: %s',
    async (instead) => {
      server.after = nth('POST', 1, instead);
      const ledger = await openedLedger(options());
      await ledger.append(bound('a'));
      await ledger.append(bound('b'));
      await ledger.close();
      expect((await readLedger(options())).view.objects.size).toBe(2);
      expect(server.requests.filter((name) => name === 'POST')).toHaveLength(2);
    },
  );

  it('to a write that was not carried out ends the writing; it is never sent blind again', async () => {
    server.before = nth('POST', 2, new Response(null, { status: 500 })) as StateServer['before'];
    const ledger = await openedLedger(options());
    await ledger.append(bound('a'));
    await expect(ledger.append(bound('b'))).rejects.toBeInstanceOf(LedgerWriteError);
    await expect(ledger.append(bound('c'))).rejects.toBeInstanceOf(LedgerWriteError);
    expect(await ledger.close()).toEqual([]);
    expect(server.requests.filter((name) => name === 'POST')).toHaveLength(2);
    expect((await readLedger(options())).view.objects.size).toBe(1);
  });

  it('to the taking and the giving back of the lock is no lock left behind', async () => {
    const [lock, unlock] = [nth('LOCK', 1, 'reset'), nth('UNLOCK', 1, 'reset')];
    server.after = (name) => lock(name) ?? unlock(name);
    const ledger = await openedLedger(options());
    expect(await ledger.close()).toEqual([]);
    expect([server.lock, server.requests.filter((name) => name === 'LOCK').length]).toEqual([undefined, 2]);
  });

  it('a lock that cannot be given back is told, and what was written stands', async () => {
    const ledger = await openedLedger(options());
    await ledger.append(bound('a'));
    server.before = (name) => (name === 'UNLOCK' ? new Response(null, { status: 500 }) : undefined);
    expect(await ledger.close()).toMatchObject([
      { code: 'HW5013', severity: 'warning', detail: containing('hostwright ledger unlock') },
    ]);
    expect((await readLedger(options())).view.objects.size).toBe(1);
    server.before = () => undefined;
    expect((await openLedger(options(undefined, 'run-2'))).diagnostics).toMatchObject([{ code: 'HW5004' }]);
    // By force, because the process that took it, which is this one, goes on.
    expect(await unlockLedger(options().store, hostname(), true)).toMatchObject({ changed: true });
    await (await openedLedger(options(undefined, 'run-2'))).close();
  });
});

describe('a lock', () => {
  it('of which the server tells only who and when is respected and can be removed by hand', async () => {
    const mine = await openedLedger(options());
    server.tellLock = ({ ID, Created }) => ({ ID, Who: 'bob', Created, Info: '', Operation: '' });
    const { diagnostics } = await openLedger(options(undefined, 'run-2'));
    expect(diagnostics).toMatchObject([{ code: 'HW5004', detail: matching(/^bob, since 20.*only one run/) }]);
    expect(await unlockLedger(options().store, hostname())).toMatchObject({ changed: true });
    expect(server.lock).toBeUndefined();
    await mine.close();
    server.lock = { ID: 'x' };
    server.tellLock = () => 'nonsense';
    expect((await openLedger(options())).diagnostics).toMatchObject([
      { code: 'HW5004', detail: containing('cannot be read') },
    ]);
  });

  it('on a server that has none is no lock: nothing is written', async () => {
    server.before = (name) => (name === 'LOCK' ? new Response('no such method', { status: 405 }) : undefined);
    expect((await openLedger(options())).diagnostics).toMatchObject([{ code: 'HW5007', detail: containing('LOCK ') }]);
    expect((await initLedger(options())).changed).toBe(false);
    expect(server.document).toBeUndefined();
  });

  it('is not enough on a server that forgets it: a document that changed is not written over', async () => {
    const ledger = await openedLedger(options());
    await ledger.append(bound('a'));
    const document = JSON.stringify({ ...(JSON.parse(server.document ?? '') as object), writtenUnder: 'another' });
    server.document = document;
    await expect(ledger.append(bound('b'))).rejects.toThrow('somebody else wrote it');
    expect(server.document).toBe(document);
    await ledger.close();
  });
});
