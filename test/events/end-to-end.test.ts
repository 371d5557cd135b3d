// From what the sandbox sends to the account as declared: its messages go over HTTP to a receiver, whose runs are runs of
// the engine. The sandbox decides when a message is sent, and what it makes of the answer is checked against what the
// receiver answered.
import { afterEach, describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../src/model/plan/plan.ts';
import { openAccounts } from '../../src/cli/commands/serve/receiver/accounts.ts';
import { findMembers } from '../../src/usecases/fleet/members.ts';
import { driftWorkspace } from '../../src/usecases/drift.ts';
import type { Harness } from '../support/harness.ts';
import type { Ground } from './ground.ts';
import { SECRET, startReceiver } from './ground.ts';
import { converge, openHarness } from '../support/open-harness.ts';

const HOOKS = 'https://hooks.example.com';
const CALLBACK = `${HOOKS}/callbacks/acc-acme`;
const WEBHOOK = `${HOOKS}/webhooks`;
const MINUTE_MS = 60_000;

const WORKSPACE = `apiVersion: hostwright/v1
kind: Workspace
spec:
  account: acc-acme
  baseUrl: http://127.0.0.1:1
  manifests: [sites]
  guards: { allowCharges: 1 }
  dismissed: [site-shop, site-blog, site-docs]
  callback: { url: "${CALLBACK}", authorization: { env: HOSTWRIGHT_HOOK_AUTHORIZATION } }
`;
const LAUNCH = `apiVersion: hostwright/v1
kind: Site
metadata: { name: launch }
spec:
  plan: pro
  order: { variant: vanilla, location: ams, term: monthly }
  primaryDomain: launch.example.com
  domains: [launch.example.com]
  caching: { cacheExpiration: 600 }
`;
const hookNamed = (name: string): string | undefined =>
  name === 'HOSTWRIGHT_HOOK_AUTHORIZATION' ? `${SECRET}\nthe one before it` : undefined;

let ground: Ground | undefined;
afterEach(async () => {
  await ground?.close();
  ground = undefined;
});

/** Sends what the sandbox has sent since the last time. */
function relayOf({ sandbox }: Harness, { url }: Ground) {
  const sent = new Map<object, number>();
  return async (): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (const delivery of sandbox.state.webhooks.deliveries) {
      for (const { headers, body, answer } of delivery.attempts.slice(sent.get(delivery) ?? 0)) {
        const { pathname } = new URL(delivery.url);
        const { status } = await fetch(`${url}${pathname}`, { method: 'POST', headers, body: JSON.stringify(body) });
        expect(status < 300).toBe(answer === 200);
        statuses.push(status);
      }
      sent.set(delivery, delivery.attempts.length);
    }
    return statuses;
  };
}

async function control({ sandbox }: Harness, method: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${sandbox.url}/_sandbox/${path}`, { method, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

/** A receiver whose runs are carried out at once, while `isDown` does not refuse them. */
async function receiveFor(one: Harness, run: (run: 'apply' | 'drift') => Promise<void>, isDown = () => false) {
  const session = one.session();
  const { members } = await findMembers(session, { folders: ['.'] });
  return (ground = await startReceiver({
    ...openAccounts(session, ['.'], members),
    dispatch: async (request) => {
      if (isDown()) throw new Error('the forge is down.');
      await run(request.run);
    },
  }));
}

async function orderLaunch(): Promise<Harness> {
  const harness = await openHarness({
    scenario: 'billing-3ds',
    ledger: true,
    memoryLedger: false,
    workspace: WORKSPACE,
    files: { 'sites/launch.yaml': LAUNCH },
  });
  await control(harness, 'PATCH', 'accounts/acc-acme', {
    webhookEnabled: true,
    webhookUrl: WEBHOOK,
    webhookAuth: SECRET,
  });
  return harness;
}

async function pay(one: Harness): Promise<void> {
  const [cart] = [...one.sandbox.state.carts.values()];
  await control(one, 'POST', `carts/${cart?.token}/payment`, { outcome: 'complete' });
  one.sandbox.clock.advance(10 * MINUTE_MS);
}

describe('a purchase that waits for a person', () => {
  it('goes on when its task has ended, to the site as declared, and buys it once', async () => {
    const one = await orderLaunch();
    const plan = await one.planned();
    // A review stays valid wherever the calls go: they are no part of the plan.
    expect(JSON.stringify(plan)).not.toContain(HOOKS);
    const first = await one.apply({ plan }, { hookNamed });
    expect(first.outcome.outcome).toBe('waiting');
    expect(one.sandbox.requests.filter(({ path }) => path === '/api/orders').map(({ body }) => body)).toEqual([
      expect.objectContaining({ callback: { url: CALLBACK, authorization: SECRET } }),
    ]);

    const runs: string[] = [];
    const { taken, answers } = await receiveFor(one, async (run) => {
      runs.push(run);
      if (run === 'apply') await one.apply({ plan }, { hookNamed });
      else await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [] });
    });
    const relay = relayOf(one, ground as Ground);
    await pay(one);
    const statuses = await relay();
    expect(statuses.length).toBeGreaterThan(1);
    expect(taken[0]).toMatchObject({ account: 'acc-acme', run: 'apply' });
    expect(isEmptyPlan(await one.planned())).toBe(true);

    // Each message once more, the last one first.
    const before = taken.length;
    const { deliveries } = one.sandbox.state.webhooks;
    for (const index of [...deliveries.keys()].reverse()) await control(one, 'POST', `deliveries/${index}/repeat`, {});
    expect((await relay()).every((status) => status === 200)).toBe(true);
    expect(taken).toHaveLength(before);
    expect(answers.filter(({ result }) => result === 'refused')).toEqual([]);
    expect([...one.sandbox.creations.values()].every((times) => times === 1)).toBe(true);
  });

  it('ORD-24: nothing is bought when the secret of the callback is missing, and no secret is written anywhere', async () => {
    const one = await orderLaunch();
    const refused = await one.apply();
    expect(refused.outcome.diagnostics.map(({ code }) => code)).toContain('HW7110');
    expect(one.sandbox.state.orders.size).toBe(0);
    const { outcome } = await one.apply({}, { hookNamed });
    expect(outcome.outcome).toBe('waiting');
    const { readFile } = await import('node:fs/promises');
    const ledger = await readFile(`${one.root}/.hostwright/ledger.jsonl`, 'utf8');
    for (const text of [JSON.stringify(outcome), JSON.stringify(one.events), ledger])
      expect(text).not.toContain(SECRET.slice(7));
  });
});

describe('CBK-04, CBK-09: four hours', () => {
  it('what is refused for hours is taken once when somebody takes it', async () => {
    const one = await orderLaunch();
    await one.apply({}, { hookNamed });
    let isDown = true;
    const runs: string[] = [];
    await receiveFor(
      one,
      (run) => {
        runs.push(run);
        return Promise.resolve();
      },
      () => isDown,
    );
    const relay = relayOf(one, ground as Ground);
    for (const url of [CALLBACK, WEBHOOK]) await control(one, 'PUT', 'receivers', { url, answers: [{ status: 503 }] });
    await pay(one);
    for (let hours = 0; hours < 3; hours += 1) {
      for (const status of await relay()) expect(status).toBe(503);
      one.sandbox.clock.advance(60 * MINUTE_MS);
    }
    await relay();
    expect(runs).toEqual([]);
    isDown = false;
    for (const url of [CALLBACK, WEBHOOK]) await control(one, 'PUT', 'receivers', { url, answers: [{ status: 200 }] });
    one.sandbox.clock.advance(30 * MINUTE_MS);
    await relay();
    const { deliveries } = one.sandbox.state.webhooks;
    expect(deliveries.map(({ state }) => state)).toEqual(deliveries.map(() => 'delivered'));
    expect(runs.length).toBeLessThanOrEqual(deliveries.length);
    expect(runs).toContain('apply');
    const before = runs.length;
    one.sandbox.clock.advance(240 * MINUTE_MS);
    expect(await relay()).toEqual([]);
    expect(runs).toHaveLength(before);
  });

  it('what is refused to the end is given up, and the schedule finds it', async () => {
    const one = await orderLaunch();
    const plan = await one.planned();
    await one.apply({ plan }, { hookNamed });
    await receiveFor(
      one,
      () => Promise.resolve(),
      () => true,
    );
    const relay = relayOf(one, ground as Ground);
    for (const url of [CALLBACK, WEBHOOK]) await control(one, 'PUT', 'receivers', { url, answers: [{ status: 503 }] });
    await pay(one);
    one.sandbox.clock.advance(300 * MINUTE_MS);
    for (const status of await relay()) expect(status).toBe(503);
    expect(one.sandbox.state.webhooks.deliveries.map(({ state }) => state)).not.toContain('delivered');
    await converge(one, { plan }, { hookNamed });
  });

  it('CBK-08: a webhook with a wrong secret starts nothing', async () => {
    const one = await orderLaunch();
    await control(one, 'PATCH', 'accounts/acc-acme', { webhookAuth: 'Bearer something else entirely' });
    await control(one, 'PUT', 'receivers', { url: WEBHOOK, answers: [{ status: 401 }] });
    const { taken } = await receiveFor(one, () => Promise.resolve());
    await control(one, 'POST', 'domain_events', { action: 'expired', name: 'owned.example.com' });
    expect(await relayOf(one, ground as Ground)()).toEqual([401]);
    expect(taken).toEqual([]);
  });
});
