// Random wanted worlds over random live ones, with random accidents: what can be done converges, nothing is made twice,
// and every ordering constraint is held by what was sent, as an oracle of its own says. HOSTWRIGHT_PROPERTY_RUNS sets
// how many worlds there are; HOSTWRIGHT_PROPERTY_SEED repeats a failure.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/model/plan/event.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { rootOf } from '../../src/model/address.ts';
import { isEmptyPlan } from '../../src/model/plan/plan.ts';
import type { Harness } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';
import { violations } from './oracle.ts';
import { noGit, startGit } from '../support/processes/git.ts';
import { runsOf, seedOf } from '../support/property-runs.ts';
import type { Drawn } from './worlds.ts';
import { accidents, filesOf, mailspace, scenarioOf, site, WORKSPACE, world } from './worlds.ts';

const RUNS = runsOf(400);
const env = (): string => 'a-very-secret-word';

/** Every need of a plan was settled before what needs it was begun. */
function heldNeeds({ actions }: Plan, events: readonly RunEvent[]): readonly string[] {
  const begun = new Map<string, number>();
  const ended = new Map<string, number>();
  events.forEach((event, index) => {
    if (event.type === 'action-started' && !begun.has(event.address)) begun.set(event.address, index);
    if (event.type === 'action-finished' && !ended.has(event.address)) ended.set(event.address, index);
  });
  return actions.flatMap(({ address, needs }) =>
    needs
      .filter((need) => (begun.get(address) ?? Infinity) < (ended.get(need.address) ?? -1))
      .map((need) => `${address} began before ${need.address} had ended (${need.rule})`),
  );
}

async function begin(drawn: readonly Drawn[], options: Parameters<typeof startHarness>[0] = {}): Promise<Harness> {
  return startHarness({
    scenario: scenarioOf(drawn),
    files: filesOf(drawn),
    workspace: WORKSPACE,
    ...options,
  });
}

/** Runs until all is done, and says how often it had to. */
async function converge(one: Harness, tries: number): Promise<number> {
  const failed: unknown[] = [];
  for (let n = 1; n <= tries; n += 1) {
    const since = one.events.length;
    const sent = one.sandbox.requests.length;
    const before = structuredClone(one.sandbox.state);
    const { outcome, plan } = await one.apply({ allowDeletes: 99 }, { env });
    if (plan !== undefined) expect(heldNeeds(plan, one.events.slice(since))).toEqual([]);
    // What could not be read is not in the plan, and comes with the next: a run is held to its own order.
    expect(violations(one.sandbox.requests.slice(sent), before, one.sandbox.state)).toEqual([]);
    if (outcome.exitCode === 0) return n;
    // Waiting, partly applied, or an error: the next run goes on.
    expect([1, 3, 6], JSON.stringify(outcome, null, 1)).toContain(outcome.exitCode);
    failed.push(outcome);
  }
  throw new Error(`not done after ${tries} runs: ${JSON.stringify(failed, null, 1)}`);
}

describe('random wanted worlds over random live ones', () => {
  it('converge, in order, and make nothing twice', async () => {
    const counts = { worlds: 0, requests: 0, faults: 0, reruns: 0 };
    await fc.assert(
      fc.asyncProperty(world, accidents, fc.constantFrom('off', 'off', 'reads:2'), async (drawn, faults, lateLists) => {
        const one = await begin(drawn, { faults, ambiguities: { lateLists } });
        try {
          // One more for what shows only afterwards: a mailbox that is restored is in its groups again, and was in
          // none before.
          const runs = await converge(one, faults.length + 2);
          const struck = one.sandbox.requests.filter(({ fault }) => fault !== null).length;
          one.sandbox.setFaults([]);
          expect([...one.sandbox.creations].filter(([, times]) => times !== 1)).toEqual([]);
          const again = await one.planned();
          expect(isEmptyPlan(again), JSON.stringify(again, null, 1)).toBe(true);
          counts.worlds += 1;
          counts.requests += one.sandbox.requests.length;
          counts.faults += struck;
          counts.reruns += runs - 1;
        } finally {
          await one.close();
        }
      }),
      { numRuns: RUNS, ...seedOf() },
    );
    process.stdout.write(
      `${counts.worlds} worlds, ${counts.requests} requests, ${counts.faults} accidents, ${counts.reruns} further runs\n`,
    );
    // An oracle that sees nothing proves nothing.
    expect(counts.requests).toBeGreaterThan(RUNS * 5);
  });

  it('plan the same bytes whatever files they stand in, in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (drawn) => {
        const manifests = drawn.map(({ manifest }) => manifest);
        const plansOf = async (files: Readonly<Record<string, string>>): Promise<string> => {
          const one = await begin(drawn, { files });
          try {
            const { digest, actions } = await one.planned();
            return JSON.stringify([digest, actions.map(({ source: _where, ...action }) => action)]);
          } finally {
            await one.close();
          }
        };
        expect(await plansOf({ 'sites/all.yaml': [...manifests].reverse().join('\n---\n') })).toBe(
          await plansOf(filesOf(drawn)),
        );
      }),
      { numRuns: Math.ceil(RUNS / 8), ...seedOf() },
    );
  });

  it.skipIf(noGit !== undefined).each(['targets', 'changedSince'] as const)(
    'of which one part after the other is applied, by %s, become what they become as a whole',
    async (by) => {
      const ground = await startGit();
      const withGit = { env, ledger: { waitMs: 0, programEnv: ground.env } };
      const git = (one: Harness, ...args: readonly string[]) => ground.git(one.root, ...args);
      const commit = async (one: Harness): Promise<void> => {
        await git(one, 'add', '--all', '--force');
        await git(one, 'commit', '-q', '--allow-empty', '-m', 'part');
      };
      const applyPart = async (one: Harness, part: readonly Drawn[]): Promise<void> => {
        const roots = part.map(rootIn);
        const limits = by === 'targets' ? { targets: roots } : { changedSince: 'HEAD' };
        // What is restored shows more only afterwards.
        for (let n = 1; n <= 3; n += 1) {
          const { outcome } = await one.apply({ allowDeletes: 99, ...limits }, withGit);
          expect([0, 1, 3, 6], JSON.stringify(outcome, null, 1)).toContain(outcome.exitCode);
          if ((await one.plan(limits, withGit)).plan?.actions.length === 0) break;
        }
        const { actions } = await one.planned();
        expect(actions.filter(({ address }) => roots.includes(rootOf(address)))).toEqual([]);
      };
      const madeBy = async (
        drawn: readonly Drawn[],
        apply: (one: Harness) => Promise<unknown>,
        files = filesOf(drawn),
      ): Promise<unknown> => {
        const one = await begin(drawn, { files });
        try {
          await apply(one);
          expect(isEmptyPlan(await one.planned())).toBe(true);
          return [...one.sandbox.creations].sort();
        } finally {
          await one.close();
        }
      };
      try {
        await fc.assert(
          fc.asyncProperty(several, async ([drawn, places]) => {
            const parts = [0, 1, 2]
              .map((place) => drawn.filter((_, index) => places[index] === place))
              .filter((part) => part.length > 0);
            const inParts = await madeBy(
              drawn,
              async (one) => {
                if (by === 'changedSince') await git(one, 'init', '-q');
                for (const part of parts) {
                  if (by === 'changedSince') {
                    await commit(one);
                    for (const each of part) await one.write(`sites/${drawn.indexOf(each)}.json`, each.manifest);
                  }
                  await applyPart(one, part);
                }
              },
              by === 'targets' ? filesOf(drawn) : {},
            );
            expect(inParts).toEqual(await madeBy(drawn, (one) => converge(one, 2)));
          }),
          { numRuns: Math.ceil(RUNS / 10), ...seedOf() },
        );
      } finally {
        await ground.close();
      }
    },
  );
});

/** Three roots, and the part that each of them is in. */
const several = fc.tuple(
  fc.tuple(site('one'), mailspace('two'), site('three')),
  fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 3, maxLength: 3 }),
);

function rootIn({ manifest }: Drawn): string {
  const { kind, metadata } = JSON.parse(manifest) as {
    readonly kind: string;
    readonly metadata: { readonly name: string };
  };
  return `${kind}/${metadata.name}`;
}
