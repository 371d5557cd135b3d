// `run cancel`, `run learn`, and the ends of logs and metrics: what is asked, what is sent, what is told.
import { describe, expect, it } from 'vitest';
import { examine } from '../../../src/usecases/doctor/doctor.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { act } from '../../../src/usecases/act/act.ts';
import { readTraffic } from '../../../src/usecases/act/traffic.ts';
import { asking } from '../../support/asking.ts';
import { openCommandLine } from '../../support/command-line.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing, matching } from '../../support/matchers.ts';

/** A site with Shield that does not learn. */
const BASIC = 'id:site-basic';
const yes = () => Promise.resolve(true);
const HOUR_MS = 3_600_000;
const FACTS = { version: '1.2.3', node: 'v20.19.0', nodeNeeded: '20.18.1', settings: [], problems: [] };
const writes = ({ sandbox }: Harness) =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);
const told = (text: string) => [{ detail: containing(text) }];

function addOrder(one: Harness, status: string): void {
  one.sandbox.state.orders.set('order-1', {
    id: 'order-1',
    accountId: 'acc-acme',
    status,
    locationShortName: 'ams',
    createdAt: 0,
    updatedAt: 0,
  });
}

describe('run cancel', () => {
  it('ORD-20: cancels what goes on, and says what of its payment no document tells', async () => {
    const one = await openHarness();
    addOrder(one, 'awaiting_payment');
    const { asked, confirm } = asking(false);
    const refused = await act(one.session(), { operation: 'cancel', address: 'Order/order-1' }, confirm);
    expect([refused.outcome, writes(one)]).toEqual(['refused', []]);
    expect(asked).toEqual([
      'Cancel the order order-1 (in ams)? It is awaiting_payment. Its payment is processing: no document says whether the money comes back. Nothing takes that back.',
    ]);
    expect(await act(one.session(), { operation: 'cancel', address: 'Order/order-1' }, yes)).toMatchObject({
      outcome: 'done',
      order: { id: 'order-1', status: 'cancelled' },
    });
    expect(writes(one)).toEqual([['DELETE', '/api/orders/order-1', null]]);
  });

  it.each([
    ['completed', 'error', 'what it bought is there'],
    ['failed', 'done', 'nothing to cancel'],
    ['cancelled', 'done', 'cancelled already'],
  ])('ORD-03, GAP-10: %s has ended, and nothing is sent', async (status, outcome, words) => {
    const one = await openHarness();
    addOrder(one, status);
    const ended = await act(one.session(), { operation: 'cancel', address: 'Order/order-1' }, yes);
    expect(ended.outcome).toBe(outcome);
    expect(JSON.stringify(ended)).toContain(words);
    expect(writes(one)).toEqual([]);
    expect(await act(one.session(), { operation: 'cancel', address: 'Order/order-2' }, yes)).toMatchObject({
      diagnostics: told('has no order order-2'),
    });
  });
});

describe('run learn', () => {
  it('SHD-26: begins, says until when, and ends before its time', async () => {
    const one = await openHarness({ scenario: 'shield' });
    const begun = await act(one.session(), { operation: 'learn', address: `Site/${BASIC}` }, yes);
    expect(begun, JSON.stringify(begun)).toMatchObject({ outcome: 'done', learning: { learning: true } });
    expect(begun.message).toMatch(/ learns until \d{4}-/);
    expect((await act(one.session(), { operation: 'learn', address: `Site/${BASIC}` }, yes)).message).toContain(
      'learns already until',
    );
    expect(await act(one.session(), { operation: 'stop-learning', address: `Site/${BASIC}` }, yes)).toMatchObject({
      outcome: 'done',
      learning: { learning: false },
    });
    expect(writes(one).map(([, , body]) => body)).toEqual([{ learning_mode: true }, { learning_mode: false }]);
  });

  it('SHD-07: no call sets the end, so --days is kept in the ledger, and told until learning is ended', async () => {
    const one = await openHarness({ scenario: 'shield', ledger: true });
    const manifest = {
      apiVersion: 'hostwright/v1',
      kind: 'Site',
      metadata: { name: 'guarded', id: 'site-basic' },
      spec: {},
    };
    await one.write('sites/guarded.json', JSON.stringify(manifest));
    const reminded = async () => {
      const { plan } = await one.plan();
      const { findings } = await examine(one.session(), FACTS);
      return [
        plan?.notices.filter(({ code }) => code === 'HW2394').map(({ detail }) => detail) ?? [],
        findings.filter(({ check }) => check === 'reminder').length,
      ];
    };
    const begun = await act(one.session(), { operation: 'learn', address: `Site/${BASIC}`, days: 3 }, yes);
    expect([begun.outcome, begun.message]).toEqual(['done', containing(`run stop-learning Site/${BASIC}`)]);
    expect(writes(one)).toHaveLength(1);
    expect(await reminded()).toEqual([[], 0]);
    one.sandbox.clock.advance(3 * 24 * HOUR_MS);
    expect(await reminded()).toEqual([
      [matching(/was to end on \d{4}-\d\d-\d\d\. .*stop-learning Site\/id:site-basic` ends it\./)],
      1,
    ]);
    // Asked for again, it is another end, and nothing is sent.
    await act(one.session(), { operation: 'learn', address: `Site/${BASIC}`, days: 2 }, yes);
    expect([await reminded(), writes(one).length]).toEqual([[[], 0], 1]);
    one.sandbox.clock.advance(2 * 24 * HOUR_MS);
    expect((await reminded())[1]).toBe(1);
    expect((await act(one.session(), { operation: 'stop-learning', address: `Site/${BASIC}` }, yes)).outcome).toBe(
      'done',
    );
    expect(await reminded()).toEqual([[], 0]);
    expect((await ledgerCommand(one.session(), { do: 'list' })).view?.doneActs).toBeUndefined();
  });

  it('SHD-26: an end of the platform that comes first is not remembered, and without a ledger nothing is sent', async () => {
    const one = await openHarness({ scenario: 'shield' });
    expect(await act(one.session(), { operation: 'learn', address: `Site/${BASIC}`, days: 3 }, yes)).toMatchObject({
      outcome: 'error',
      diagnostics: told('ledger init'),
    });
    expect(writes(one)).toEqual([]);
    await ledgerCommand(one.session(), { do: 'init' });
    const begun = await act(one.session(), { operation: 'learn', address: `Site/${BASIC}`, days: 300 }, yes);
    expect(begun.message).toContain('nothing to remember');
    expect((await ledgerCommand(one.session(), { do: 'list' })).view?.doneActs).toBeUndefined();
  });

  it('SHD-02: where there is no Shield nothing is sent', async () => {
    const one = await openHarness();
    expect(await act(one.session(), { operation: 'learn', address: 'Site/id:site-shop' }, yes)).toMatchObject({
      outcome: 'error',
      diagnostics: told('no active Shield'),
    });
    expect(writes(one)).toEqual([]);
  });
});

describe('logs and metrics', () => {
  it('MET-05: a log ends where it is told to, and is summed up by the platform', async () => {
    const one = await openHarness();
    const times = { sinceMs: 6 * HOUR_MS, untilMs: 2 * HOUR_MS, filters: { status: '500' } };
    await readTraffic(one.session(), 'id:site-shop', {
      read: 'log',
      log: 'access',
      limit: 10,
      ...times,
      take: () => undefined,
    });
    const summed = await readTraffic(one.session(), 'id:site-shop', { read: 'summary', ...times });
    expect(summed).toMatchObject({ outcome: 'done', summary: expect.anything() as unknown });
    const now = one.sandbox.clock.now();
    const range = (path: string) => {
      const { searchParams } = new URL(path, 'http://x');
      return [searchParams.get('from'), searchParams.get('to'), searchParams.get('status')];
    };
    const asked = one.sandbox.requests.map(({ path }) => path).filter((path) => path.includes('/logs/cdn'));
    expect(asked).toHaveLength(2);
    for (const path of asked)
      expect(range(path)).toEqual([
        new Date(now - 6 * HOUR_MS).toISOString(),
        new Date(now - 2 * HOUR_MS).toISOString(),
        '500',
      ]);
  });

  it('MET-02: every kind of resources is asked for, up to the end', async () => {
    const one = await openHarness();
    const times = { sinceMs: 6 * HOUR_MS, untilMs: HOUR_MS };
    expect(
      await readTraffic(one.session(), 'id:site-shop', { read: 'metrics', metric: 'resources', ...times }),
    ).toMatchObject({ outcome: 'done' });
    const now = Math.floor(one.sandbox.clock.now() / 1_000);
    expect(writes(one)).toMatchObject([
      [
        'POST',
        '/api/sites/site-shop/metrics/resources',
        {
          kind: ['cpu', 'cpu_throttled', 'memory', 'memory_throttled', 'storage'],
          period_start: now - 6 * 3_600,
          period_end: now - 3_600,
        },
      ],
    ]);
  });

  it('MET-04: the overview of Shield, and a sum, on the command line', async () => {
    const { run } = await openCommandLine({ example: 'sender-identity' });
    const overview = await run('get metrics shield-overview --site shop');
    expect([overview.code, overview.stdout]).toMatchObject([0, containing('WAF')]);
    const summary = await run('get logs summary --site shop');
    expect([summary.code, summary.stdout]).toMatchObject([0, matching(/^\{\n {2}"/)]);
  });
});
