// Answers of the platform that are not what the documents say: keys gone, values of another type, null, more than there
// should be. Whatever is read, the run ends in an outcome: no exception, nothing removed that the manifests do not want
// removed, nothing bought twice.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/model/plan/outcome.ts';
import type { Transport } from '../../src/platform/transport.ts';
import type { RecordedRequest } from '../../src/sandbox/core/http/recording.ts';
import type { Harness } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';
import { runsOf, seedOf } from '../support/property-runs.ts';
import type { Drawn } from './worlds.ts';
import { filesOf, scenarioOf, WORKSPACE, world } from './worlds.ts';

const RUNS = runsOf(100);
const env = (): string => 'a-very-secret-word';

type Node = unknown;

interface Mutation {
  /** Which read, counted from 1, and from there on. */
  readonly from: number;
  readonly lasting: boolean;
  /** Which of the places in the answer, counted over all of them. */
  readonly place: number;
  readonly change: (value: Node) => Node;
}

const GONE = Symbol('gone');

const another = (value: Node, to: number): Node => {
  const types: readonly Node[] = [null, 7, 'text', true, [], {}, [null], GONE].filter(
    (type) => type === GONE || typeof type !== typeof value || Array.isArray(type) !== Array.isArray(value),
  );
  return types[to % types.length];
};

const mutation: fc.Arbitrary<Mutation> = fc.record(
  {
    from: fc.integer({ min: 1, max: 25 }),
    lasting: fc.boolean(),
    place: fc.nat(),
    change: fc.oneof(
      { weight: 5, arbitrary: fc.nat().map((to) => (value: Node) => another(value, to)) },
      {
        weight: 1,
        arbitrary: fc.constant((value: Node) =>
          typeof value === 'object' && value !== null && !Array.isArray(value)
            ? { ...value, __extra: { deep: [1] }, id: [] }
            : [value, value],
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constant((value: Node) =>
          Array.isArray(value) ? [...(value as readonly Node[]), ...(value as readonly Node[])] : value,
        ),
      },
    ),
  },
  { noNullPrototype: true },
);

/** The answer with one place of it changed. */
function mutate(root: Node, { place, change }: Mutation): Node {
  let count = 0;
  const walk = (value: Node): number =>
    1 +
    (typeof value === 'object' && value !== null
      ? Object.values(value).reduce<number>((sum, item) => sum + walk(item), 0)
      : 0);
  const wanted = place % walk(root);
  const visit = (value: Node): Node => {
    const isHere = count === wanted;
    count += 1;
    if (isHere) return change(value);
    if (Array.isArray(value)) return value.map(visit).filter((item) => item !== GONE);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, item]) => [key, visit(item)] as const)
        .filter(([, item]) => item !== GONE),
    );
  };
  const changed = visit(root);
  return changed === GONE ? null : changed;
}

function lying(honest: Transport, one: Mutation): Transport {
  let reads = 0;
  return async (request) => {
    const answer = await honest(request);
    if (request.method !== 'GET' || answer.status >= 300) return answer;
    reads += 1;
    return reads === one.from || (one.lasting && reads > one.from)
      ? { ...answer, body: JSON.stringify(mutate(JSON.parse(answer.body), one)) }
      : answer;
  };
}

const removals = (requests: readonly RecordedRequest[]): readonly string[] =>
  requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
const purchases = ({ sandbox }: Harness): number =>
  [...sandbox.creations].filter(([name]) => name.startsWith('site order')).reduce((sum, [, times]) => sum + times, 0);
const honest = (one: Harness): Transport => one.session().transport as Transport;

async function begin(drawn: readonly Drawn[]): Promise<Harness> {
  return startHarness({ scenario: scenarioOf(drawn), files: filesOf(drawn), workspace: WORKSPACE });
}

describe('answers of any shape', () => {
  it('end in an outcome, and remove nothing that an honest run leaves', async () => {
    const words = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(world, mutation, async (drawn, one) => {
        const [clean, fuzzed] = [await begin(drawn), await begin(drawn)];
        try {
          await clean.apply({ allowDeletes: 99 }, { env });
          const { outcome } = await fuzzed.apply({ allowDeletes: 99 }, { env, transport: lying(honest(fuzzed), one) });
          expect(Object.values(EXIT_CODES)).toContain(outcome.exitCode);
          if (outcome.exitCode !== 0)
            expect([...outcome.diagnostics, ...outcome.actions, ...outcome.remaining].length).toBeGreaterThan(0);
          const wanted = removals(clean.sandbox.requests);
          expect(removals(fuzzed.sandbox.requests).filter((path) => !wanted.includes(path))).toEqual([]);
          words.set(outcome.outcome, (words.get(outcome.outcome) ?? 0) + 1);
        } finally {
          await Promise.all([clean.close(), fuzzed.close()]);
        }
      }),
      { numRuns: RUNS, ...seedOf() },
    );
    process.stdout.write(
      `runs over changed answers: ${[...words].map(([word, times]) => `${times} ${word}`).join(', ')}\n`,
    );
    expect(words.size).toBeGreaterThan(RUNS > 20 ? 1 : 0);
  });

  it('never lead to a second purchase', async () => {
    const one = fc.tuple(mutation, fc.integer({ min: 1, max: 45 })).map(([drawn, from]) => ({ ...drawn, from }));
    await fc.assert(
      fc.asyncProperty(one, async (drawn) => {
        const harness = await startHarness({ example: 'a-site-from-nothing', ledger: true });
        try {
          const { outcome } = await harness.apply({}, { transport: lying(honest(harness), drawn) });
          expect(Object.values(EXIT_CODES)).toContain(outcome.exitCode);
          // The next runs read the truth again.
          await harness.apply();
          await harness.apply();
          expect(purchases(harness)).toBeLessThanOrEqual(1);
        } finally {
          await harness.close();
        }
      }),
      { numRuns: runsOf(25), ...seedOf() },
    );
  });
});
