// Two objects with the same name and fields, one of which the ledger knows, as a create leaves that was carried out twice:
// the plan deletes the other one, within the limit on deletes. For each list whose names the platform does not keep unique.
import { expect, it } from 'vitest';
import { registry } from '../../../src/areas/index.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { FIELD_STORIES, partAt } from '../../support/field-stories.ts';
import type { Harness } from '../../support/harness.ts';
import { matching } from '../../support/matchers.ts';
import { converge, openHarness } from '../../support/open-harness.ts';

/** Kind, its story, the list in the state of the sandbox, and the key of an id. */
const LISTS = [
  ['EdgeRule', 'site', 'sites/site-shop/edgeRules', 'Guid'],
  ['ShieldCustomRule', 'shield', 'sites/site-none/shield/zone/customRules', 'id'],
  ['ShieldRateLimit', 'shield', 'sites/site-none/shield/zone/rateLimits', 'id'],
  ['ShieldAccessList', 'shield', 'sites/site-none/shield/zone/accessLists', 'id'],
] as const;

async function duplicated(
  story: keyof typeof FIELD_STORIES,
  place: string,
  key: string,
  other: object = {},
): Promise<{ readonly one: Harness; readonly ids: () => readonly unknown[]; readonly first: unknown }> {
  const one = await openHarness(FIELD_STORIES[story].options);
  await converge(one, { allowCharges: 1 });
  const list = partAt(one.sandbox.state, place) as Record<string, unknown>[];
  const ids = (): readonly unknown[] =>
    (partAt(one.sandbox.state, place) as Record<string, unknown>[]).map((row) => row[key]);
  const [row] = list;
  const first = row?.[key];
  const id = typeof first === 'number' ? first + 1000 : '11111111-2222-4333-8444-555555555555';
  list.unshift({ ...structuredClone(row), [key]: id, ...other });
  return { one, ids, first };
}

it('covers each list whose names are not unique [EDG-15, SHD-27]', () => {
  const lists = [...registry.values()].filter(({ list, parent }) => list === 'authoritative' && parent !== null);
  expect(lists.map(({ kind }) => kind).sort()).toEqual(LISTS.map(([kind]) => kind as string).sort());
});

it.each(LISTS)(
  '%s: deletes the copy that the ledger does not know, within the limit on deletes',
  async (kind, story, place, key) => {
    const { one, ids, first } = await duplicated(story, place, key);
    const plan = await one.planned();
    expect(plan.blocked).toEqual([]);
    expect(plan.actions).toMatchObject([
      { verb: 'delete', kind, reason: matching(/^will be deleted: a duplicate of .*, with the same fields$/) },
    ]);
    expect((await one.apply({ allowDeletes: 0, confirm: () => Promise.resolve(true) })).outcome).toMatchObject({
      exitCode: 5,
    });
    // Which of the two is the copy is known from the ledger alone, so an approval has to name it.
    expect((await one.apply({ allowDeletes: 1, confirm: () => Promise.resolve(true) })).outcome).toMatchObject({
      exitCode: 5,
      diagnostics: [{ code: 'HW2211' }],
    });
    expect(ids()).toHaveLength(2);
    await converge(one, { allowDeletes: 1 });
    expect(ids()).toEqual([first]);
  },
);

it.each(LISTS)('%s: blocks the list if the ledger knows neither of them', async (kind, story, place, key) => {
  const { one, ids } = await duplicated(story, place, key);
  const { objects } = (await ledgerCommand(one.session(), { do: 'list' })).view ?? {};
  for (const address of objects?.keys() ?? [])
    if (address.includes(`/${kind}/`)) await ledgerCommand(one.session(), { do: 'forget', address });
  const plan = await one.planned();
  expect([plan.actions, plan.blocked]).toMatchObject([[], [{ reason: matching(/^2 live objects have the name /) }]]);
  expect(ids()).toHaveLength(2);
});

it('EdgeRule: blocks the list if the objects differ', async () => {
  const { one } = await duplicated('site', 'sites/site-shop/edgeRules', 'Guid', { Enabled: false });
  const plan = await one.planned();
  expect([plan.actions, plan.blocked]).toMatchObject([[], [{ reason: matching(/^2 live objects have the name /) }]]);
});
