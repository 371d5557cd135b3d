// A reviewed plan changes several members of a list, and its run ends in the midst: what is left is a part of what was
// reviewed, though the list that it rests on is another one by then. Anything else that happens to the list is not.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/json.ts';
import { addEdgeRule } from '../../../src/sandbox/cdn/edge-rules.ts';
import type { State } from '../../../src/sandbox/core/state.ts';
import { buildScenario } from '../../../src/sandbox/scenarios.ts';
import type { Harness } from '../../support/harness.ts';
import { reviewOf } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { siteManifest } from '../../support/manifests.ts';
import { siteOf } from '../../support/live.ts';

const rule = (name: string): JsonObject => ({
  name,
  action: { type: 'BlockRequest' },
  triggers: [{ type: 'Url', patterns: [`*/${name}/*`] }],
});

function add(state: State, name: string, OrderIndex: number): void {
  addEdgeRule(siteOf({ state }), {
    Guid: `guid-${name}`,
    Description: name,
    OrderIndex,
    ActionType: 4,
    Triggers: [{ Type: 0, PatternMatchingType: 0, Parameter1: null, PatternMatches: [`*/${name}/*`] }],
  });
}

interface List {
  readonly live: Readonly<Record<string, number>>;
  readonly wanted: readonly string[];
}

async function begin({ live, wanted }: List) {
  const scenario = (): State => {
    const { state } = buildScenario('small');
    siteOf({ state }).edgeRules = [];
    for (const [name, place] of Object.entries(live)) add(state, name, place);
    return state;
  };
  const one = await openHarness({
    scenario,
    files: { 'sites/shop.json': siteManifest('shop', { edgeRules: wanted.map(rule) }) },
    ledger: true,
  });
  const review = reviewOf(await one.planned());
  return { ...one, applyReviewed: async () => (await one.apply({ allowDeletes: 9, ...review })).outcome };
}

/** The platform refuses everything from this request on. */
const refusingFrom = (at: number) =>
  Array.from({ length: 300 }, (_, index) => ({ kind: 'status-before' as const, status: 403, at: at + index }));

const rulesOf = ({ sandbox }: Harness): readonly (string | null)[] =>
  [...siteOf(sandbox).edgeRules]
    .sort((left, right) => left.OrderIndex - right.OrderIndex)
    .map(({ Description }) => Description);

/** The requests of a whole run that write, by their numbers. */
async function writesOf(list: List): Promise<readonly number[]> {
  const one = await begin(list);
  expect((await one.applyReviewed()).exitCode).toBe(0);
  await one.close();
  return one.sandbox.requests.flatMap(({ method }, index) => (method === 'GET' ? [] : [index + 1]));
}

describe('with --expect, what is left of a run that ended in the midst', () => {
  it.each<readonly [string, List]>([
    ['created', { live: {}, wanted: ['a', 'b', 'c', 'd'] }],
    ['appended', { live: { a: 1, b: 2 }, wanted: ['a', 'b', 'c', 'd'] }],
    ['created and deleted', { live: { x: 1, a: 2, y: 3 }, wanted: ['b', 'a', 'c'] }],
    ['turned round', { live: { a: 1, b: 2, c: 3, d: 4 }, wanted: ['d', 'c', 'b', 'a'] }],
    ['moved where there is room', { live: { a: 10, b: 20, c: 30, d: 40 }, wanted: ['d', 'a', 'b', 'c'] }],
    ['moved and created', { live: { a: 10, b: 20, c: 30 }, wanted: ['c', 'n', 'a', 'm', 'b'] }],
  ])('needs no second review where rules were to be %s, also after two such runs', async (_name, list) => {
    const places = await writesOf(list);
    for (const at of places.slice(1)) {
      const one = await begin(list);
      const planned = one.sandbox.requests.length;
      one.sandbox.setFaults(refusingFrom(at));
      expect((await one.applyReviewed()).exitCode).toBe(6);
      // The next one ends after one more write.
      one.sandbox.setFaults(refusingFrom(one.sandbox.requests.length + (places[1] ?? 0) - planned));
      const second = await one.applyReviewed();
      expect(second.diagnostics.map(({ code }) => code)).not.toContain('HW2104');
      one.sandbox.setFaults([]);
      expect(await one.applyReviewed()).toMatchObject({ exitCode: 0 });
      expect(rulesOf(one)).toEqual(list.wanted);
      await one.close();
    }
  });

  const list: List = { live: { a: 10, b: 20 }, wanted: ['c', 'd', 'b', 'a'] };
  const others: readonly {
    readonly what: string;
    readonly change: (one: Harness) => unknown;
    readonly its?: List;
  }[] = [
    { what: 'a rule that somebody else added', change: ({ sandbox }) => add(sandbox.state, 'foreign', 5) },
    {
      what: 'rules that somebody moved',
      change: ({ sandbox }) => siteOf(sandbox).edgeRules.forEach((one) => (one.OrderIndex = 100 - one.OrderIndex)),
    },
    {
      what: 'a deleted rule that somebody made again',
      change: ({ sandbox }) => add(sandbox.state, 'x', 10),
      its: { live: { x: 10, y: 15, a: 20 }, wanted: ['c', 'a'] },
    },
    {
      what: 'another manifest',
      change: (one) =>
        one.write('sites/shop.json', siteManifest('shop', { edgeRules: ['c', 'd', 'e', 'b', 'a'].map(rule) })),
    },
  ];
  it.each(others)('is refused beside $what', async ({ change, its = list }) => {
    const places = await writesOf(its);
    const one = await begin(its);
    one.sandbox.setFaults(refusingFrom(places[its === list ? 1 : 2] ?? 0));
    expect((await one.applyReviewed()).exitCode).toBe(6);
    one.sandbox.setFaults([]);
    await change(one);
    const outcome = await one.applyReviewed();
    expect(outcome).toMatchObject({ outcome: 'conflict', requests: { writes: 0 } });
    expect(outcome.diagnostics.map(({ code }) => code)).toContain('HW2104');
  });
});
