// The last read before each write: a value that another user changes during an apply is a conflict, and is not overwritten;
// short runs send no request more for it, and long runs share reads.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { registry } from '../../../src/areas/index.ts';
import type { Outcome } from '../../../src/model/plan/outcome.ts';
import type { Transport } from '../../../src/platform/transport.ts';
import { readRuns } from '../../../src/usecases/history/read.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';
import { manifest } from '../../support/manifests.ts';
import { WORLDS } from '../../support/worlds.ts';

const nameOf = (index: number): string => `s${String(index).padStart(5, '0')}`;

const sites = (count: number, changed = count): HarnessOptions => ({
  scenario: `sites:${count}`,
  files: {
    'sites/all.yaml': Array.from({ length: changed }, (_, index) => {
      const name = nameOf(index + 1);
      const domains = [`${name}.example.com`, `www.${name}.example.com`];
      return manifest('Site', name, { domains, primaryDomain: domains[0], caching: { cacheExpiration: 4712 } });
    }).join('\n---\n'),
  },
});

let harness: Harness | undefined;

afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

/** Applies one action at a time, and calls `during` when the nth action is done. */
async function applyWith(
  one: Harness,
  during: (done: number) => void,
  extra: Parameters<Harness['apply']>[1] = {},
): Promise<Outcome> {
  let done = 0;
  const { outcome } = await one.apply(
    { parallelism: 1 },
    {
      ...extra,
      emit: (event) => {
        if (event.type !== 'action-finished') return;
        done += 1;
        during(done);
      },
    },
  );
  return outcome;
}

const cachingOf = (one: Harness, index: number): { cache_expiration: number } => one.site(nameOf(index)).cdn.caching;

describe('a value that another user changes during an apply of 30 sites', () => {
  it('is a conflict, and is not overwritten', async () => {
    const one = await startHarness(sites(30));
    harness = one;
    const outcome = await applyWith(
      one,
      (done) => {
        if (done === 2) cachingOf(one, 30).cache_expiration = 99;
      },
      { maxRps: 8 },
    );
    expect(cachingOf(one, 30).cache_expiration).toBe(99);
    expect(outcome.outcome).toBe('conflict');
    const last = outcome.actions.find(({ address }) => address.startsWith(`Site/${nameOf(30)}`));
    expect(last).toMatchObject({ result: 'failed' });
    expect(last?.reason).toContain('the account changed since the review: cacheExpiration');
    const { runs = [] } = await readRuns(one.session());
    const told = runs[0]?.actions.find(({ address }) => address.startsWith(`Site/${nameOf(30)}`));
    // Nothing was sent, so history claims no change.
    expect(told?.result).toBe('not-done');
  });

  it('is not written again if it is as wanted by then, and history does not claim it', async () => {
    const one = await startHarness(sites(30));
    harness = one;
    const outcome = await applyWith(
      one,
      (done) => {
        if (done === 2) cachingOf(one, 30).cache_expiration = 4712;
      },
      { maxRps: 8 },
    );
    expect(outcome.exitCode).toBe(0);
    expect(one.writes().filter((write) => write.includes('caching'))).toHaveLength(29);
    const { runs = [] } = await readRuns(one.session());
    const told = runs[0]?.actions.find(({ address }) => address.startsWith(`Site/${nameOf(30)}`));
    expect(told?.result).toBe('not-done');
  });
});

/** How often each request was sent from this one on, sites left out of the paths. */
function countsFrom(one: Harness, from: number): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { method, path } of one.sandbox.requests.slice(from)) {
    const key = `${method} ${path.replace(/site-s\d+/, '$')}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

describe('the requests of the last read', () => {
  it('are none in a short run: one change in 300 sites', async () => {
    const one = await startHarness(sites(300, 1));
    harness = one;
    const from = one.sandbox.requests.length;
    const { outcome } = await one.apply();
    expect(outcome.exitCode).toBe(0);
    expect(one.sent(from)).toHaveLength(9);
  });

  it('are one section per write and one list in five seconds in a long run', async () => {
    const one = await startHarness(sites(60));
    harness = one;
    const from = one.sandbox.requests.length;
    const startedAtMs = one.sandbox.clock.now();
    const { outcome } = await one.apply({ parallelism: 4 }, { maxRps: 8 });
    expect(outcome.exitCode).toBe(0);
    const tookMs = one.sandbox.clock.now() - startedAtMs;
    expect(tookMs).toBeGreaterThan(30_000);
    const counts = countsFrom(one, from);
    // One each for the plan, the look before the first write, the last read and the read back.
    expect(counts['GET /api/sites/$/cdn/caching']).toBeLessThanOrEqual(4 * 60);
    expect(counts['PATCH /api/sites/$/cdn/caching']).toBe(60);
    // One each for the plan, the look before the first write and the look at the end.
    expect(counts['GET /api/sites']).toBeLessThanOrEqual(3 + tookMs / 5000);
  });
});

/** True for a read whose response may hold what a write to this path changes. */
function mayShow(read: string, write: string): boolean {
  const list = read.replace(/\?.*$/, '');
  return list === write || write.startsWith(`${list}/`);
}

const env = (): string => 'a-word-that-nobody-may-see';

describe.each(Object.entries(WORLDS))('every update and delete: %s', (_name, options) => {
  it.each([
    ['at 8 requests a second', 8, 5000],
    ['at one request in four seconds', 0.25, 8000],
  ])('is preceded by a read within the window, %s', async (_speed, maxRps, windowMs) => {
    const one = await startHarness(options);
    harness = one;
    const { transport, clock } = one.session();
    const answered: { readonly path: string; readonly atMs: number }[] = [];
    const late: string[] = [];
    let current = { address: '', verb: '' };
    const watching: Transport = async (request) => {
      if (request.method !== 'GET') {
        const last = answered.findLast(({ path }) => mayShow(path, request.path))?.atMs ?? -Infinity;
        // A purge is a hook, which expects nothing.
        const isChange = current.verb !== 'create' && !current.address.endsWith('/CachePurge');
        if (isChange && clock.now() - last > windowMs)
          late.push(`${current.address}: ${request.method} ${request.path}, ${clock.now() - last} ms`);
      }
      const answer = await (transport as Transport)(request);
      if (request.method === 'GET') answered.push({ path: request.path, atMs: clock.now() });
      return answer;
    };
    const { outcome } = await one.apply(
      { parallelism: 1 },
      {
        env,
        maxRps,
        transport: watching,
        emit: (event) => (current = event.type === 'action-started' ? event : current),
      },
    );
    expect(outcome.exitCode, JSON.stringify(outcome.diagnostics)).toBe(0);
    expect(late).toEqual([]);
  });
});

it('documents the write-only fields, of which no read shows the value', () => {
  const fields = [...registry.values()].flatMap(({ kind, fields: own }) =>
    Object.entries(own).flatMap(([field, { rule }]) =>
      rule === 'writeOnly' || rule === 'rotation-token' ? [`\`${kind}.${field}\``] : [],
    ),
  );
  const page = readFileSync(join(import.meta.dirname, '../../../docs/design/apply-and-recovery.md'), 'utf8');
  const [, listed = ''] = /Write-only fields cannot be read\. They are\s([^.]*(?:\.[^.\s][^.]*)*)\.\s/.exec(page) ?? [];
  expect([...listed.matchAll(/`[^`]+`/g)].map(([name]) => name)).toEqual(fields.sort());
});

describe('a write that is answered with 500', () => {
  it.each([
    ['the PHP version', { phpVersion: '8.2' }, '/variants/php'],
    ['a cache layer', { cacheLayers: { redis: true } }, '/cache/redis'],
  ])('is sent once, and holds its action for half a minute: %s [PHP-06, CCH-08]', async (_what, spec, path) => {
    const one = await startHarness({
      scenario: 'sites:1',
      files: {
        'sites/all.yaml': manifest('Site', nameOf(1), {
          domains: [`${nameOf(1)}.example.com`, `www.${nameOf(1)}.example.com`],
          primaryDomain: `${nameOf(1)}.example.com`,
          ...spec,
        }),
      },
    });
    harness = one;
    one.sandbox.setFaults([
      { kind: 'status-before', status: 500, match: { method: 'PATCH', path: `/api/sites/site-${nameOf(1)}${path}` } },
    ]);
    const startedAtMs = one.sandbox.clock.now();
    const { outcome } = await one.apply();
    expect(outcome.actions, JSON.stringify(outcome, null, 1)).toMatchObject([{ result: 'failed' }]);
    expect(outcome.actions[0]?.reason).toContain('the next plan reads the value again');
    expect(one.writes()).toHaveLength(1);
    expect(one.sandbox.clock.now() - startedAtMs).toBeLessThan(35_000);
    expect(outcome.inFlight ?? []).toEqual([]);
    one.sandbox.setFaults([]);
    expect((await one.apply()).outcome.actions[0]?.result).not.toBe('failed');
  });
});
