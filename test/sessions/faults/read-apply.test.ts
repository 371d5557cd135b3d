// What apply asks beside the plan's own reads: a look, the write and the read back of each simple change, and each list
// once for all of them. Its work for one change does not grow with how many there are.
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/usecases/session.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { siteManifest } from '../../support/manifests.ts';
import { siteOf } from '../../support/live.ts';

const site = (name: string, spec: object): string => `---\n${siteManifest(name, spec)}\n`;
const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `s${String(index + 1).padStart(5, '0')}`);

/** All requests of an apply that changes one caching setting of each site, by method and path with how often. */
async function requestsOfChanging(count: number): Promise<ReadonlyMap<string, number>> {
  const manifest = names(count).map((name) => site(name, { caching: { cacheExpiration: 77 } }));
  const one = await openHarness({
    scenario: `sites:${count}`,
    files: { 'sites/all.yaml': manifest.join('') },
  });
  const { outcome } = await one.apply();
  expect(outcome).toMatchObject({ exitCode: 0, actions: { length: count } });
  const asked = new Map<string, number>();
  for (const { method, path } of one.sandbox.requests) {
    const key = `${method} ${path}`;
    asked.set(key, (asked.get(key) ?? 0) + 1);
  }
  return asked;
}

describe('the requests of an apply', () => {
  it('are three a simple change after the plan: a look, the write, the read back (CDN-08, GAP-21)', async () => {
    const asked = await requestsOfChanging(30);
    for (const name of names(30)) {
      // The first is the plan's.
      expect(asked.get(`GET /api/sites/site-${name}/cdn/caching`)).toBe(3);
      expect(asked.get(`PATCH /api/sites/site-${name}/cdn/caching`)).toBe(1);
    }
    // The plan, the look before the first write, the last look.
    expect(asked.get('GET /api/sites')).toBe(3);
    expect(asked.size).toBe(1 + 2 * 30);
  });

  it('are as many a change for many as for few, and each list is read once a look', async () => {
    const total = async (count: number): Promise<number> =>
      [...(await requestsOfChanging(count)).values()].reduce((sum, times) => sum + times, 0);
    expect([await total(7), await total(70)]).toEqual([3 + 4 * 7, 3 + 4 * 70]);
  });

  it('are one more for what the run itself may have changed since it was read back', async () => {
    const one = await openHarness({
      files: {
        'sites/shop.yaml': site('shop', { caching: { cacheExpiration: 77 }, mail: { fromLocalPart: 'orders' } }),
      },
    });
    expect((await one.apply({}, { concurrency: 1 })).outcome).toMatchObject({ exitCode: 0, actions: { length: 2 } });
    const asked = one.sandbox.requests.map(({ method, path }) => `${method} ${path}`);
    const first = asked.find((line) => line.startsWith('PATCH') || line.startsWith('PUT')) ?? '';
    const path = first.split(' ')[1] ?? '';
    const reads = asked.filter(
      (line) => line === `GET ${path.includes('caching') ? path : '/api/sites/site-shop/mail'}`,
    );
    // The plan, the look, the read back, and the last look: the second write was sent to the same site.
    expect(reads).toHaveLength(4);
  });
});

describe('what somebody else changes while a run goes on', () => {
  const rule = (name: string, path: string) => ({
    name,
    action: { type: 'BlockRequest' },
    triggers: [{ type: 'Url', patterns: [`*/${path}/*`] }],
  });

  /** The shop with one edge rule, of which a replacement is wanted. */
  async function withRule(): Promise<Harness> {
    const started = await openHarness({
      files: { 'sites/shop.yaml': site('shop', { edgeRules: [rule('old', 'old')] }) },
    });
    expect((await started.apply({ allowDeletes: 9 })).outcome.exitCode).toBe(0);
    await started.write('sites/shop.yaml', site('shop', { edgeRules: [rule('old', 'new')] }));
    return started;
  }

  /** Does it right before the first request of the action, when everything was looked at a moment ago. */
  const atTheLastMoment = (act: () => void): Session['emit'] => {
    let isDone = false;
    return (event) => {
      if (event.type !== 'step-started' || isDone) return;
      isDone = true;
      act();
    };
  };

  const writesSince = ({ sandbox }: Harness, from: number): readonly string[] =>
    sandbox.requests
      .slice(from)
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);

  it('a rule that changed after the shared look is a conflict, and nothing is sent (EDG-11, GAP-25)', async () => {
    const one = await withRule();
    const live = siteOf(one.sandbox);
    const from = one.sandbox.requests.length;
    const { outcome } = await one.apply(
      {},
      {
        emit: atTheLastMoment(() => {
          const ours = live?.edgeRules.find(({ Description }) => Description === 'old');
          if (ours !== undefined) Object.assign(ours.Triggers[0] ?? {}, { PatternMatches: ['*/theirs/*'] });
        }),
      },
    );
    expect(outcome.outcome).toBe('conflict');
    expect(outcome.diagnostics).toMatchObject([{ code: 'HW4001' }]);
    expect(writesSince(one, from)).toEqual([]);
  });

  it('a rule that is gone by then is a conflict too (EDG-11, GAP-25)', async () => {
    const one = await withRule();
    const live = siteOf(one.sandbox);
    const from = one.sandbox.requests.length;
    const { outcome } = await one.apply(
      {},
      {
        emit: atTheLastMoment(() => {
          if (live !== undefined) live.edgeRules = [];
        }),
      },
    );
    expect(outcome.exitCode).not.toBe(0);
    expect(writesSince(one, from)).toEqual([]);
  });

  it('a site that left the account is seen by its list, once that is a moment old (CNV-08)', async () => {
    const one = await withRule();
    const live = siteOf(one.sandbox);
    const from = one.sandbox.requests.length;
    const { outcome } = await one.apply(
      {},
      {
        emit: atTheLastMoment(() => {
          if (live !== undefined) live.accountId = 'acc-other';
          one.sandbox.clock.advance(6000);
        }),
      },
    );
    expect(outcome.exitCode).not.toBe(0);
    expect(writesSince(one, from)).toEqual([]);
  });
});
