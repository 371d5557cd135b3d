// Random wanted sites over random live ones, with random accidents: run again and again it converges, every ordering
// rule holds in what really happened, not only in the plan, and nothing is made twice. Several sites share a run, so
// that what a run costs by itself counts less.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/model/plan/event.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { Fault } from '../../src/sandbox/core/http/faults.ts';
import { addEdgeRule } from '../../src/sandbox/cdn/edge-rules.ts';
import { addDomain, addSite } from '../../src/sandbox/core/state.ts';
import type { Harness } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';
import { confirmNotMade } from '../support/loops.ts';
import { siteManifest } from '../support/manifests.ts';
import { runsOf, seedOf } from '../support/property-runs.ts';

const CASES = runsOf(1600);
/** What a run costs by itself is shared by several cases, which have nothing to do with each other. */
const AT_ONCE = 10;
const MOST_RUNS = 10;

const labels = ['a', 'b', 'c', 'd'] as const;
const rules = ['tls', 'block', 'cache'] as const;
const caching = fc.record(
  {
    smartCache: fc.boolean(),
    cacheExpiration: fc.integer({ min: -1, max: 5 }),
    varyMobile: fc.boolean(),
    cookieVaryParameters: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
  },
  { requiredKeys: [] },
);
const live = fc.record({
  domains: fc.uniqueArray(fc.constantFrom(...labels)),
  primary: fc.nat(3),
  expiration: fc.integer({ min: -1, max: 5 }),
  rules: fc.uniqueArray(fc.constantFrom(...rules)),
});
const wanted = fc.record(
  {
    domains: fc.uniqueArray(fc.constantFrom(...labels), { minLength: 1 }),
    primary: fc.nat(3),
    caching,
    rules: fc.uniqueArray(fc.constantFrom(...rules)),
    remove: fc.boolean(),
  },
  { requiredKeys: ['domains', 'primary', 'remove'] },
);
type Live = typeof live extends fc.Arbitrary<infer Value> ? Value : never;
type Wanted = typeof wanted extends fc.Arbitrary<infer Value> ? Value : never;

const KINDS: readonly Fault[] = [
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'status-before', status: 429, retryAfter: '3' },
  { kind: 'status-before', status: 503 },
  { kind: 'status-after', status: 502 },
  { kind: 'status-before', status: 500 },
  { kind: 'html' },
  { kind: 'truncate' },
  { kind: 'garbage' },
];
const accidents = fc.record({ rate: fc.constantFrom(0, 0.05, 0.15), seed: fc.nat(100_000) });

let harness: Harness;
beforeAll(async () => {
  // Thousands of ledgers are synced to disk; where there is a disk in memory, that costs nothing.
  harness = await startHarness({
    scenario: 'empty',
    ...(existsSync('/dev/shm') && { folder: '/dev/shm' }),
  });
});
afterAll(() => harness.close());

const ruleOf = (name: string) => ({
  name,
  action: { type: 'ForceSSL' },
  triggers: [{ type: 'Url', patterns: [`http://${name}/*`] }],
});

/** The account as it is at the start of a case, and its manifest; every case has names of its own. */
async function set(number: number, sites: readonly (readonly [Live, Wanted])[]): Promise<void> {
  const { state } = harness.sandbox;
  state.sites.clear();
  await rm(join(harness.root, '.hostwright'), { recursive: true, force: true });
  const manifests = sites.map(([is, should], index) => {
    const name = `c${number}-${index}`;
    const site = addSite(state, { id: `site-${name}`, accountId: 'acc-acme', name });
    for (const label of is.domains) addDomain(state, site, { hostname: `${label}.${name}.example.com` });
    site.primaryDomainId = site.domains[is.domains.length === 0 ? 0 : is.primary % is.domains.length]?.id ?? null;
    site.cdn.caching.cache_expiration = is.expiration;
    for (const rule of is.rules) addEdgeRule(site, { Guid: `${name}-${rule}`, Description: rule });
    const domains = should.domains.map((label) => `${label}.${name}.example.com`);
    const spec = {
      domains,
      primaryDomain: domains[should.primary % domains.length],
      ...(should.caching !== undefined && { caching: should.caching }),
      ...(should.rules !== undefined && { edgeRules: should.rules.map(ruleOf) }),
      ...(should.remove && { unlisted: { domains: 'remove' } }),
    };
    return siteManifest(name, spec);
  });
  await harness.write('sites/all.yaml', manifests.join('\n---\n'));
}

/** What needs something began after that was finished, and removals after all changes. */
function checkOrder({ actions }: Plan, events: readonly RunEvent[], where: string): number {
  let checked = 0;
  const at = (type: 'action-started' | 'action-finished', address: string): number =>
    events.findIndex((event) => event.type === type && event.address === address);
  const changes = actions
    .filter(({ stage }) => stage === 'change')
    .map(({ address }) => at('action-finished', address));
  for (const action of actions) {
    const began = at('action-started', action.address);
    if (began < 0) continue;
    for (const need of action.needs) {
      const finished = at('action-finished', need.address);
      if (!actions.some(({ address }) => address === need.address)) continue;
      checked += 1;
      expect(
        finished >= 0 && finished < began,
        `${action.address} after ${need.address} (${need.rule})\n${where}`,
      ).toBe(true);
    }
    if (action.stage === 'removal')
      expect(
        changes.every((finished) => finished < began),
        `${action.address} before a change\n${where}`,
      ).toBe(true);
  }
  return checked;
}

describe(`${CASES} cases of random wanted sites, live sites and accidents`, () => {
  it('converge with every ordering rule held, and make nothing twice', async () => {
    let [number, cases, ordered] = [0, 0, 0];
    let struck = 0;
    const codes = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(live, wanted), { minLength: AT_ONCE, maxLength: AT_ONCE + 1 }),
        accidents,
        async (sites, { rate, seed }) => {
          number += 1;
          cases += sites.length;
          await set(number, sites);
          const { sandbox } = harness;
          const before = sandbox.requests.length;
          sandbox.setFaults(
            rate === 0
              ? []
              : KINDS.map((fault, index) => ({ ...fault, seed: seed + index, probability: rate / KINDS.length })),
          );
          let exitCode = -1;
          for (let run = 0; run < MOST_RUNS && exitCode !== 0; run += 1) {
            harness.events.length = 0;
            const { outcome, plan } = await harness.apply({ allowDeletes: 99 });
            const where = JSON.stringify(outcome, null, 1);
            exitCode = outcome.exitCode;
            await confirmNotMade(harness, outcome);
            codes.set(exitCode, (codes.get(exitCode) ?? 0) + 1);
            expect([0, 1, 3, 6], where).toContain(exitCode);
            if (plan !== undefined) ordered += checkOrder(plan, harness.events, where);
            if (rate === 0) expect(exitCode, where).toBe(0);
          }
          expect(exitCode).toBe(0);
          sandbox.setFaults([]);
          const { plan, diagnostics } = await harness.plan();
          expect(plan?.actions, JSON.stringify(diagnostics)).toEqual([]);
          struck += sandbox.requests.slice(before).filter(({ fault }) => fault !== null).length;
          sandbox.requests.length = 0;
          expect([...sandbox.creations].filter(([, times]) => times > 1)).toEqual([]);
        },
      ),
      { numRuns: Math.ceil(CASES / AT_ONCE), ...seedOf() },
    );
    process.stdout.write(
      `${cases} cases in ${number} accounts, ${struck} accidents, ${ordered} times something had to come first, ends of runs by exit code: ${JSON.stringify(Object.fromEntries(codes))}\n`,
    );
    expect(cases).toBeGreaterThanOrEqual(CASES);
    expect(Math.min(struck, ordered)).toBeGreaterThan(CASES / 8);
  });
});
