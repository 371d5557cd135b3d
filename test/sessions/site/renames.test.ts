// Items of lists under another name: renamed, with their ids, never removed and made again.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/json.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { actionLine } from '../../../src/report/view/head-lines.ts';
import { driftWorkspace } from '../../../src/usecases/drift.ts';
import type { Harness } from '../../support/harness.ts';
import { afterPlanning } from '../../support/harness.ts';
import { runsOf, seedOf } from '../../support/property-runs.ts';
import { openHarness } from '../../support/open-harness.ts';
import { siteManifest } from '../../support/manifests.ts';

type Items = readonly JsonObject[];
interface Listed {
  readonly list: string;
  readonly kind: string;
  readonly spec: (items: Items) => JsonObject;
  readonly item: (name: string, content: string) => JsonObject;
  /** Name -> id, in the order of the platform. */
  readonly live: (one: Harness) => readonly (readonly [string, string])[];
  readonly rename: (one: Harness, from: string, to: string) => void;
}

const siteOf = ({ sandbox }: Harness) => {
  const site = sandbox.state.sites.get('site-premium');
  if (site === undefined) throw new Error('no site');
  return site;
};
const itemsOf = (one: Harness, list: 'customRules' | 'rateLimits' | 'accessLists') =>
  siteOf(one).shield.zone?.[list] ?? [];
const shieldList = (
  list: 'customRules' | 'rateLimits' | 'accessLists',
  kind: string,
  item: Listed['item'],
): Listed => ({
  list,
  kind,
  spec: (items) => ({ shield: { [list]: items } }),
  item,
  live: (one) => itemsOf(one, list).map(({ name, id }) => [name, id]),
  rename: (one, from, to) => {
    Object.assign(itemsOf(one, list).find(({ name }) => name === from) as object, { name: to });
  },
});

const LISTS: readonly Listed[] = [
  {
    list: 'edgeRules',
    kind: 'EdgeRule',
    spec: (edgeRules) => ({ edgeRules }),
    item: (name, content) => ({ name, action: { block: {} }, triggers: [{ url: [`*/${content}/*`] }] }),
    live: (one) =>
      [...siteOf(one).edgeRules]
        .sort((left, right) => left.OrderIndex - right.OrderIndex)
        .map(({ Description, Guid }) => [Description ?? '', Guid]),
    rename: (one, from, to) => {
      Object.assign(siteOf(one).edgeRules.find(({ Description }) => Description === from) as object, {
        Description: to,
      });
    },
  },
  shieldList('customRules', 'ShieldCustomRule', (name, content) => ({
    name,
    action: 'block',
    variable: 'REQUEST_URI',
    operator: 'contains',
    value: `/${content}`,
  })),
  shieldList('rateLimits', 'ShieldRateLimit', (name, content) => ({
    name,
    action: 'block',
    requestCount: 10,
    timeframe: 60,
    blockTime: 60,
    conditions: [{ variable: 'REQUEST_URI', operator: 'contains', value: `/${content}` }],
  })),
  shieldList('accessLists', 'ShieldAccessList', (name, content) => ({
    name,
    type: 'ip',
    content: [`192.0.2.${content.charCodeAt(0)}`],
  })),
];

/** A site that has these items, as an earlier apply made them. */
async function begin({ spec }: Listed, items: Items): Promise<Harness> {
  const harness = await openHarness({
    scenario: 'shield',
    files: { 'sites/premium.yaml': siteManifest('premium', spec(items)) },
  });
  const { outcome } = await harness.apply({ allowDeletes: 99 });
  expect(outcome.outcome, JSON.stringify(outcome)).toBe('done');
  return harness;
}

const declare = (one: Harness, { spec }: Listed, items: Items): Promise<void> =>
  one.write('sites/premium.yaml', siteManifest('premium', spec(items)));
const told = ({ actions }: Awaited<ReturnType<Harness['planned']>>): readonly string[] =>
  actions.map(({ verb, address }) => `${verb} ${address.replace('Site/premium/', '')}`);

describe.each(LISTS)('an item of $list', (listed) => {
  const { kind, item, live, rename } = listed;

  it('under another name is renamed, where it alone has the content: no delete, and the id stays', async () => {
    const one = await begin(listed, [item('a', 'x'), item('b', 'y')]);
    const before = live(one);
    await declare(one, listed, [item('new', 'x'), item('b', 'y')]);
    const { actions, summary } = await one.planned();
    expect(summary).toMatchObject({ create: 0, update: 1, delete: 0 });
    expect(actions).toMatchObject([
      {
        verb: 'update',
        address: `Site/premium/${kind}/new`,
        changes: [{ op: 'replace', path: '/name', was: 'a', value: 'new' }],
        expect: { renamedFrom: `Site/premium/${kind}/a` },
        reason: 'will be renamed: its name is a now',
        risk: [],
      },
    ]);
    // The guard on deletes lets none pass, and is not asked.
    expect((await one.apply({ allowDeletes: 0 })).outcome.outcome).toBe('done');
    expect(live(one)).toEqual(before.map(([name, id]) => [name === 'a' ? 'new' : name, id]));
    const { plan, diagnostics } = await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [] });
    expect([plan?.drift, diagnostics]).toEqual([[], []]);
    // What was known of the old name is gone: one of that name is a stranger.
    await declare(one, listed, [item('new', 'x'), item('b', 'y'), item('a', 'z')]);
    expect(told(await one.planned())).toEqual([`create ${kind}/a`]);
  });

  it('renamed and changed goes by `renamedFrom`, which may stay when it is done', async () => {
    const one = await begin(listed, [item('a', 'x'), item('b', 'y')]);
    const before = live(one);
    const wanted = [{ ...item('new', 'z'), renamedFrom: 'a' }, item('b', 'y')];
    await declare(one, listed, wanted);
    expect(told(await one.planned())).toEqual([`update ${kind}/new`]);
    expect((await one.apply({ allowDeletes: 0 })).outcome.outcome).toBe('done');
    expect(live(one)).toEqual(before.map(([name, id]) => [name === 'a' ? 'new' : name, id]));
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('that was renamed in the dashboard is given its name back', async () => {
    const one = await begin(listed, [item('a', 'x'), item('b', 'y')]);
    const before = live(one);
    rename(one, 'a', 'theirs');
    const { plan } = await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [] });
    expect(plan?.drift).toMatchObject([
      { address: `Site/premium/${kind}/a`, class: 'drifted', fields: [{ path: '/name', live: 'theirs' }] },
    ]);
    expect(plan?.actions.map(actionLine).join()).toMatch(/^Rename .* theirs .*to a$/);
    expect((await one.apply({ allowDeletes: 0 })).outcome.outcome).toBe('done');
    expect(live(one)).toEqual(before);
  });

  it('is not guessed where two have the content, on either side', async () => {
    const one = await begin(listed, [item('a', 'x'), item('b', 'x')]);
    await declare(one, listed, [item('new', 'x')]);
    expect(told(await one.planned()).toSorted()).toEqual([
      `create ${kind}/new`,
      `delete ${kind}/a`,
      `delete ${kind}/b`,
    ]);
    await declare(one, listed, [item('b', 'x'), item('new', 'x'), item('newer', 'x')]);
    expect(told(await one.planned()).toSorted()).toEqual([
      `create ${kind}/new`,
      `create ${kind}/newer`,
      `delete ${kind}/a`,
    ]);
  });

  it('is renamed by its content where a `renamedFrom` is left over from an earlier rename', async () => {
    const one = await begin(listed, [item('a', 'x')]);
    const [[, id] = ['', '']] = live(one);
    for (const name of ['b', 'c', 'd']) {
      await declare(one, listed, [{ ...item(name, 'x'), renamedFrom: 'a' }]);
      expect(told(await one.planned()), name).toEqual([`update ${kind}/${name}`]);
      expect((await one.apply({ allowDeletes: 0 })).outcome.outcome).toBe('done');
      expect(live(one)).toEqual([[name, id]]);
    }
  });

  it('converges after any renames, with no create and no delete, whatever `renamedFrom` says', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const contents = ['x', 'y', 'z'];
    // A name that another item had is that item, whatever is in it: each takes a new one, or keeps its own.
    const drawn = fc.shuffledSubarray(names, { minLength: 6 });
    const lines = fc.array(fc.constantFrom('kept', 'without', 'former', 'left over'), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(drawn, lines, async (all, modes) => {
        const before = all.slice(0, 3);
        const after = before.map((name, index): JsonObject => {
          const [mode, content] = [modes[index], contents[index] as string];
          if (mode === 'kept') return item(name, content);
          const former = mode === 'former' ? name : mode === 'left over' ? `gone ${index}` : undefined;
          return { ...item(all[index + 3] as string, content), ...(former !== undefined && { renamedFrom: former }) };
        });
        const one = await begin(
          listed,
          before.map((name, index) => item(name, contents[index] as string)),
        );
        const ids = live(one).map(([, id]) => id);
        await declare(one, listed, after);
        const { outcome } = await one.apply({ allowDeletes: 0 });
        expect(outcome.outcome, JSON.stringify(outcome)).toBe('done');
        expect(
          live(one)
            .map(([, id]) => id)
            .toSorted(),
        ).toEqual(ids.toSorted());
        expect(isEmptyPlan(await one.planned())).toBe(true);
      }),
      { numRuns: runsOf(40), ...seedOf() },
    );
  });
});

describe('a rename that somebody else made impossible', () => {
  it('is a conflict, and nothing is sent', async () => {
    const [listed] = LISTS as [Listed];
    const one = await begin(listed, [listed.item('a', 'x')]);
    await declare(one, listed, [listed.item('new', 'x')]);
    const { plan } = await one.plan();
    expect(plan?.actions).toHaveLength(1);
    const sent = one.sandbox.requests.length;
    const { outcome } = await one.apply(afterPlanning(() => listed.rename(one, 'a', 'theirs')));
    expect(outcome.outcome).toBe('conflict');
    expect(one.sandbox.requests.slice(sent).every(({ method }) => method === 'GET')).toBe(true);
  });
});
