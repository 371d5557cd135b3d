// An apply over many sites where one request in twenty fails in some way, drawn with a seed. It is run again until it
// converges, and a person answers its questions. The sandbox counts what was created.
// Where everything is played: of more sites, and over real sockets. HOSTWRIGHT_FAULT_SITES and HOSTWRIGHT_FAULT_SEEDS make
// it bigger.
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { EPOCH_MS } from '../../../src/sandbox/core/clock.ts';
import type { Fault } from '../../../src/sandbox/core/http/faults.ts';
import { confirmNotMade } from '../../support/loops.ts';
import { openHarness } from '../../support/open-harness.ts';
import { manifest } from '../../support/manifests.ts';
import { isWhole } from '../../support/whole.ts';

const SITES = Number(process.env.HOSTWRIGHT_FAULT_SITES ?? (isWhole ? 200 : 60));
const SEEDS = Number(process.env.HOSTWRIGHT_FAULT_SEEDS ?? 1);
const RATE = 0.05;
const MOST_RUNS = 12;

const MIX: readonly Fault[] = [
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'status-before', status: 429, retryAfter: '2' },
  { kind: 'status-before', status: 429, retryAfter: new Date(EPOCH_MS + 60_000).toUTCString() },
  { kind: 'status-before', status: 429, retryAfter: '' },
  { kind: 'status-before', status: 500 },
  { kind: 'status-after', status: 502 },
  { kind: 'status-before', status: 503, retryAfter: '1' },
  { kind: 'status-after', status: 504 },
  { kind: 'html' },
  { kind: 'truncate' },
  { kind: 'garbage' },
  { kind: 'slow', delayMs: 5 },
];

/** Faults are tried one after the other: each gets its part of what the ones before it left. */
const accidents = (seed: number): readonly Fault[] =>
  MIX.map((fault, index) => ({
    ...fault,
    seed: seed * 1009 + index,
    probability: RATE / MIX.length / (1 - (RATE * index) / MIX.length),
  }));

function manifests(): string {
  return Array.from({ length: SITES }, (_, index) => {
    const name = `s${String(index + 1).padStart(5, '0')}`;
    const domains = [`${name}.example.com`, `www.${name}.example.com`, `new.${name}.example.com`];
    return manifest('Site', name, {
      domains,
      primaryDomain: domains[2],
      caching: { cacheExpiration: 77, smartCache: true },
    });
  }).join('\n---\n');
}

const sites = { scenario: `sites:${SITES}`, files: { 'sites/all.yaml': manifests() } };

describe(`${SITES} sites with an accident at one request in twenty`, () => {
  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'converge, and nothing is made twice (seed %i)',
    async (seed) => {
      const one = await openHarness({ ...sites, ...(isWhole && { inProcess: false }) });
      const { sandbox } = one;
      sandbox.setFaults(accidents(seed));
      const codes: number[] = [];
      while (codes.at(-1) !== 0 && codes.length < MOST_RUNS) {
        const { outcome } = await one.apply({ parallelism: 10 });
        codes.push(outcome.exitCode);
        // No guard refuses the run, and it meets no conflict.
        expect([0, 1, 3, 6], JSON.stringify(outcome.diagnostics.slice(0, 5), null, 1)).toContain(outcome.exitCode);
        await confirmNotMade(one, outcome);
      }
      expect(codes.at(-1), codes.join(' ')).toBe(0);
      const struck = new Map<string, number>();
      for (const { fault } of sandbox.requests) if (fault !== null) struck.set(fault, (struck.get(fault) ?? 0) + 1);
      const strikes = [...struck.values()].reduce((sum, times) => sum + times, 0);
      process.stdout.write(
        `seed ${seed}: exit codes ${codes.join(' ')}; ${strikes} accidents in ${sandbox.requests.length} requests: ${JSON.stringify(Object.fromEntries(struck))}\n`,
      );
      expect(strikes / sandbox.requests.length).toBeGreaterThan(RATE / 2);
      expect(struck.size).toBeGreaterThanOrEqual(new Set(MIX.map(({ kind }) => kind)).size - 1);
      expect([...sandbox.creations].filter(([, times]) => times > 1)).toEqual([]);
      expect(sandbox.creations.size).toBe(SITES);
      sandbox.setFaults([]);
      expect(isEmptyPlan(await one.planned())).toBe(true);
      for (const [id, { domains, cdn, primaryDomainId }] of sandbox.state.sites) {
        if (!/^site-s\d/.test(id)) continue;
        const label = id.slice('site-'.length);
        expect(domains.map(({ hostname }) => hostname).sort(), id).toEqual(
          [`new.${label}.example.com`, `${label}.example.com`, `www.${label}.example.com`].sort(),
        );
        expect(domains.find(({ id: domain }) => domain === primaryDomainId)?.hostname, id).toBe(
          `new.${label}.example.com`,
        );
        expect(cdn.caching, id).toMatchObject({ cache_expiration: 77, smart_cache: true });
      }
    },
  );
});

describe('a read that fails', () => {
  const STALE = { kind: 'status-before', status: 500, match: { method: 'GET' } } as const;

  it('with a 500 is repeated: one in ten changes nothing of how the run ends', async () => {
    const harness = await openHarness({ ...sites, ...(isWhole && { inProcess: false }) });
    harness.sandbox.setFaults([{ ...STALE, probability: 0.1, seed: 7 }]);
    const { outcome } = await harness.apply({ parallelism: 10 });
    expect([outcome.exitCode, outcome.diagnostics]).toEqual([0, []]);
  });

  it.each([
    ['when it is planned', true, 1],
    ['when the plan is looked at before the first write', false, 6],
  ] as const)('and stays bad costs its own site, not the others: %s', async (_when, atOnce, exitCode) => {
    const one = await openHarness({
      scenario: 'sites:12',
      files: { 'sites/all.yaml': manifests().split('\n---\n').slice(0, 12).join('\n---\n') },
    });
    const bad = (): void =>
      one.sandbox.setFaults([{ ...STALE, match: { method: 'GET', path: '/api/sites/site-s00007/' } }]);
    if (atOnce) bad();
    const { outcome } = await one.apply({
      confirm: () => {
        bad();
        return Promise.resolve(true);
      },
    });
    expect(outcome.exitCode, JSON.stringify(outcome.diagnostics)).toBe(exitCode);
    expect(
      new Set(outcome.actions.filter(({ result }) => result !== 'done').map(({ address }) => address.split('/')[1])),
    ).toEqual(new Set(['s00007']));
    expect(
      outcome.actions.filter(({ address, result }) => result === 'done' && address.includes('/Caching')).length,
    ).toBe(11);
    expect(JSON.stringify([outcome.diagnostics, outcome.remaining])).toContain('Site/s00007/Caching');
    // Only what was not read is left.
    one.sandbox.setFaults([]);
    const again = await one.apply();
    expect(again.outcome.exitCode).toBe(0);
    expect(again.outcome.actions.every(({ address }) => address.startsWith('Site/s00007'))).toBe(true);
  });
});
