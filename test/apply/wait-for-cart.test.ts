// Purchases: the cart, then its order, by two parsers; what cannot be followed stays in flight and is never bought
// again.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/model/json.ts';
import { path, ref } from '../../src/model/plan/step.ts';
import { runPlan } from '../../src/apply/interpreter.ts';
import type { LedgerEntry } from '../../src/ledger/entries.ts';
import { entriesOf } from '../../src/ledger/state.ts';
import { resumeInFlight } from '../../src/apply/resume.ts';
import type { Stage } from './support.ts';
import { memoryLedger, stage } from './support.ts';
import { anAction, begunOf } from '../support/actions.ts';
import { containing } from '../support/matchers.ts';

const purchase = (capture: Readonly<Record<string, string>> = { id: '/site/id' }) =>
  anAction({
    address: 'Thing/a',
    verb: 'create',
    locks: ['Thing/a', 'billing'],
    changes: [{ op: 'add', path: '/name', value: 'a' }],
    steps: [
      {
        do: 'request',
        name: 'order',
        method: 'POST',
        path: path`/api/buy`,
        idempotent: false,
        unlocks: ['billing'],
        answers: [
          {
            status: '2xx',
            has: '/cart/token',
            then: 'wait-for',
            capture: { cart: '/cart/token' },
            waitFor: { how: 'cart', cart: ref('Thing/a', 'cart'), capture, deadlineMs: 60_000, reason: 'it is bought' },
          },
        ],
        reason: 'buy it',
      },
    ],
  });

const envelope = (cart: Json, payment: Json, orders: Json): Json => ({ status: 'accepted', cart, payment, orders });

function shop(
  cart: () => { readonly status: number; readonly body: Json | string },
  order: () => { readonly status: number; readonly body: Json | string } = () => ({ status: 404, body: {} }),
): Stage {
  const own = stage();
  own.platform.fates.push({
    done: false,
    answer: {
      status: 202,
      body: envelope({ token: 't/1', poll_url: 'https://elsewhere.example/api/carts/x' }, { status: 'processing' }, []),
    },
  });
  own.platform.answers.set('/api/carts/t%2F1', cart);
  own.platform.answers.set('/api/orders/o1', order);
  return own;
}

const open = envelope({ token: 't/1', status: 'active' }, { status: 'processing' }, []);
const withOrder = envelope({ token: 't/1', status: 'processing' }, { status: 'succeeded' }, [
  { id: 'o1', status: 'pending' },
]);
const resume = async (own: Stage) => {
  return resumeInFlight(own.resume());
};

describe('a cart', () => {
  it('ORD-15: shows its order late; the order is journalled when it shows, and the poll URL is never followed', async () => {
    let polls = 0;
    const own = shop(
      () => ({ status: 200, body: (polls += 1) < 3 ? open : withOrder }),
      () => ({
        status: 200,
        body:
          (polls += 1) < 6
            ? { order: { status: 'provisioning' }, payment: { status: 'succeeded' } }
            : polls < 8
              ? { order: { status: 'completed' } }
              : { order: { status: 'completed' }, site: { id: 's9' } },
      }),
    );
    const { actions } = await runPlan(own.run([purchase()]));
    expect(actions).toMatchObject([{ result: 'done', outputs: { cart: 't/1', order: 'o1', id: 's9' } }]);
    expect(own.ledger.lines.map(({ entry }) => entry.type)).toEqual([
      'run-started',
      'begin',
      'sent',
      'answered',
      'learnt',
      'followed',
      'succeeded',
      'run-finished',
    ]);
    expect(own.platform.requests.every((request) => !request.path.includes('elsewhere'))).toBe(true);
  });

  it.each([
    [
      'ORD-12: expired: nothing was bought',
      envelope({ status: 'expired' }, { status: 'awaiting_authentication' }, []),
      'failed',
      'nothing was bought',
    ],
    [
      'ORD-17: waits for a person, at a URL',
      envelope(
        { status: 'active' },
        { status: 'awaiting_authentication', hosted_invoice_url: 'https://pay.example/1' },
        [],
      ),
      'waiting',
      'https://pay.example/1',
    ],
    [
      'ORD-17: waits for a person, without a URL',
      envelope({ status: 'active' }, { status: 'awaiting_authentication' }, []),
      'waiting',
      'in the dashboard',
    ],
    ['several orders', envelope({ status: 'active' }, {}, [{ id: 'o1' }, { id: 'o2' }, {}]), 'waiting', '2 orders'],
    ['ORD-14: processing for ever', envelope({}, { status: 'processing' }, []), 'waiting', 'in an unknown state'],
    ['no list of orders', envelope({ status: 'new' }, null, null), 'waiting', 'has no order yet'],
  ])('%s', async (_, body, result, text) => {
    const own = shop(() => ({ status: 200, body }));
    const { actions } = await runPlan(own.run([purchase()]));
    expect(actions).toMatchObject([{ result, reason: containing(text) }]);
    expect(own.ledger.view().inFlight).toHaveLength(result === 'waiting' ? 1 : 0);
  });

  it.each([403, 404, 422, 500])('that answers %i stays in flight: money may have been spent', async (status) => {
    const own = shop(() => ({ status, body: {} }));
    const { actions } = await runPlan(own.run([purchase()]));
    expect(actions[0]?.result).toBe('waiting');
    expect(own.ledger.view().inFlight).toHaveLength(1);
    own.platform.answers.set('/api/carts/t%2F1', () => ({ status: 200, body: withOrder }));
    own.platform.answers.set('/api/orders/o1', () => ({
      status: 200,
      body: { order: { status: 'completed' }, site: { id: 's9' } },
    }));
    expect((await resume(own)).actions).toMatchObject([{ result: 'done' }]);
    expect(own.platform.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('whose credential is refused stops the run, in flight', async () => {
    const own = shop(() => ({ status: 401, body: {} }));
    const { actions, words } = await runPlan(own.run([purchase()]));
    expect(actions[0]?.result).toBe('waiting');
    expect(words).toContain('error');
  });
});

describe('an order', () => {
  it.each([
    ['failed', { order: { status: 'failed' } }, 'failed', 'ended as failed'],
    ['cancelled', { order: { status: 'cancelled' } }, 'failed', 'ended as cancelled'],
    [
      'ORD-08: waiting for a person',
      {
        order: { status: 'pending' },
        payment: { status: 'awaiting_authentication', hosted_invoice_url: 'https://pay.example/2' },
      },
      'waiting',
      'https://pay.example/2',
    ],
    [
      'GAP-10: in a status that nobody knows',
      { order: { status: 'dancing' }, payment: { status: 'failed' } },
      'waiting',
      'is dancing',
    ],
    ['without a status', {}, 'waiting', 'in an unknown state'],
    [
      'ORD-45: completed, and not showing what it made',
      { order: { status: 'completed' } },
      'waiting',
      'does not show yet',
    ],
  ] as const)('%s', async (_, body, result, text) => {
    const own = shop(
      () => ({ status: 200, body: withOrder }),
      () => ({ status: 200, body }),
    );
    const { actions } = await runPlan(own.run([purchase()]));
    expect(actions).toMatchObject([{ result, reason: containing(text) }]);
  });

  it('that is known is asked without the cart, also by a later run', async () => {
    const own = shop(
      () => ({ status: 200, body: withOrder }),
      () => ({ status: 200, body: { order: { status: 'pending' } } }),
    );
    expect((await runPlan(own.run([purchase({})]))).actions[0]?.result).toBe('waiting');
    own.platform.requests.length = 0;
    own.platform.answers.set('/api/orders/o1', () => ({ status: 200, body: { order: { status: 'completed' } } }));
    expect((await resume(own)).actions[0]?.result).toBe('done');
    expect(own.platform.requests.map(({ path: asked }) => asked)).toEqual(['/api/orders/o1']);
  });
});

describe('a purchase for an object that was bought before', () => {
  const parked = envelope(
    { token: 't/1', status: 'active' },
    { status: 'awaiting_authentication', hosted_invoice_url: 'https://pay.example/1' },
    [],
  );
  const earlier: LedgerEntry = {
    type: 'bound',
    address: 'Thing/a',
    id: 's9',
    owned: true,
    applied: {},
    outputs: { cart: 't/0', order: 'o1' },
  };
  const resize = {
    ...purchase({}),
    verb: 'update',
    changes: [{ op: 'replace', path: '/plan', value: 'max' }],
    expect: { exists: true, tests: [] },
  } as const;
  const began: readonly LedgerEntry[] = [
    // Written by a version that took the cart of an earlier purchase for known.
    {
      type: 'begin',
      runId: 'r',
      action: begunOf(resize),
      known: { 'Thing/a': { id: 's9', cart: 't/0' } },
      effects: [],
    },
    { type: 'sent', address: 'Thing/a', step: 'order' },
    {
      type: 'answered',
      address: 'Thing/a',
      step: 'order',
      status: 202,
      row: '2xx has /cart/token wait-for',
      follow: 'wait-for',
      outputs: { cart: 't/1' },
    },
  ];
  const followed: LedgerEntry = { type: 'followed', address: 'Thing/a', step: 'order', outputs: {} };

  it.each([
    ['died while it waited', began],
    ['had followed the order of the earlier one, by an older version', [...began, followed]],
  ])('ORD-17: names the page to pay on, where a run %s', async (_, entries) => {
    const own = shop(
      () => ({ status: 200, body: parked }),
      () => ({ status: 200, body: { order: { status: 'completed' } } }),
    );
    await own.ledger.append(earlier, ...entries);
    // Also where the ledger was written anew in between.
    const rewritten = memoryLedger(own.clock);
    for (const { entry } of entriesOf(own.ledger.view())) await rewritten.append(entry);
    own.ledger = rewritten;
    own.run([resize]);
    expect((await resumeInFlight(own.resume('follow'))).actions).toMatchObject([
      { result: 'waiting', reason: containing('https://pay.example/1') },
    ]);
    expect(own.platform.requests.map(({ path: asked }) => asked)).toEqual(['/api/carts/t%2F1']);
  });

  it('ORD-15: sees neither cart nor order of the earlier one, and remembers them as those of its object', async () => {
    const own = shop(() => ({ status: 200, body: parked }));
    own.platform.rows.push({ id: 's9', name: 'a' });
    await own.ledger.append(earlier);
    const { actions } = await runPlan(own.run([resize]));
    expect(actions).toMatchObject([{ result: 'waiting', outputs: { id: 's9', cart: 't/1' } }]);
    expect(actions[0]?.outputs).not.toHaveProperty('order');
    expect(own.ledger.view().objects.get('Thing/a')?.outputs).toEqual({ cart: 't/0', order: 'o1' });
  });

  it('is not taken for the object that once had its address', async () => {
    const own = shop(() => ({ status: 200, body: parked }));
    await own.ledger.append(earlier);
    const { actions } = await runPlan(own.run([purchase()]));
    expect(actions[0]).toMatchObject({ result: 'waiting', outputs: { cart: 't/1' } });
    expect(actions[0]?.outputs).not.toHaveProperty('id');
  });
});
