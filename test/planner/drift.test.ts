// Which side changed, for each shape of a difference, from made-up ledgers: what the ledger does not show is never
// claimed.
import { describe, expect, it } from 'vitest';
import { findDrift } from '../../src/planner/drift/drift.ts';
import { ignoreDrift } from '../../src/planner/drift/ignore.ts';
import { makePlan } from '../../src/planner/plan.ts';
import { verifyPlan } from '../../src/planner/digest.ts';
import { edgeRule } from '../../src/areas/cdn/kinds/edge-rule/index.ts';
import { site } from '../../src/areas/site/kinds/site/index.ts';
import type { DesiredCollection } from '../../src/model/desired.ts';
import type { DriftItem } from '../../src/model/plan/drift.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { Collection, Kind, Member } from '../../src/model/kind/kind.ts';
import { positionOf } from '../../src/model/kind/kind.ts';
import type { LedgerObject, LedgerView } from '../../src/model/plan/ledger-view.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { actionOf, planOf } from '../report/samples.ts';
import { ledgerOf, live, member, wantMembers, wantRoot, wantRoots } from '../support/desired.ts';
import { box, rule, vault } from '../support/toy-kinds.ts';
import { matching } from '../support/matchers.ts';
import { begunOf } from '../support/actions.ts';

const BOX = { address: 'Box/1', id: 'box-1', applied: { name: 'one' } };
const a = { name: 'a', size: 1, colour: 'red' };
const A = { address: 'Box/1/Rule/a', id: 'id-1', applied: a, appliedAtMs: 0 };

interface Scene {
  readonly wanted?: readonly JsonObject[];
  readonly live?: Collection;
  readonly ledger: LedgerView;
  readonly extra?: Partial<DesiredCollection>;
  readonly boxId?: string;
}

function scene({ wanted = [a], live: observed = live(rule, a), ledger, extra = {}, boxId = 'box-1' }: Scene) {
  const root: Member = { ...member(box, boxId, { name: 'one' }), identity: '1' };
  const declared = [wantRoots(box, [wantRoot(box, '1', { name: 'one' })]), wantMembers(rule, 'Box/1', wanted, extra)];
  const registry = new Map<string, Kind>([
    ['Box', box],
    ['Rule', rule],
  ]);
  const seen = new Map<string, Collection>([
    ['Box', { state: 'read', members: [root], blockers: {} }],
    ['Box/1/Rule', observed],
  ]);
  const bound = new Map([['Box/1', root]]);
  const { plan, diagnostics } = makePlan({
    account: 'acc',
    registry,
    declared,
    observed: seen,
    bound,
    ledger,
    targets: [],
    notices: [],
  });
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics));
  return { plan, drift: findDrift({ plan, registry, declared, observed: seen, bound, ledger }) };
}

const known = (...objects: readonly (Partial<LedgerObject> & { readonly address: string })[]): LedgerView => ({
  ...ledgerOf(BOX, ...objects),
  recorded: true,
});
const classes = (items: readonly DriftItem[]) =>
  items.map(({ address, class: which, is, fields }) =>
    `${address} ${is} ${which} ${fields.map((field) => `${field.path}:${field.class}`).join(' ')}`.trim(),
  );

describe('a field', () => {
  it.each([
    ['pending where live is as applied', { ...a, size: 2 }, a, known(A), 'pending'],
    ['drifted where the manifest is as applied', a, { ...a, size: 2 }, known(A), 'drifted'],
    ['both where neither is', { ...a, size: 3 }, { ...a, size: 2 }, known(A), 'both'],
    ['of another object: unknown', a, { ...a, size: 2 }, known({ ...A, id: 'other' }), 'differs'],
    [
      'without a record: unknown, unless all that was there was recorded',
      a,
      { ...a, size: 2 },
      ledgerOf(BOX),
      'differs',
    ],
    ['declared since, where all that was there was recorded', a, { ...a, size: 2 }, known(), 'pending'],
    [
      'of a record without it: unknown',
      a,
      { ...a, size: 2 },
      ledgerOf(BOX, { ...A, applied: { name: 'a' } }),
      'differs',
    ],
    [
      'declared since, in a record without it',
      a,
      { ...a, size: 2 },
      known({ ...A, applied: { name: 'a' } }),
      'pending',
    ],
  ])('is %s', (_what, wanted, now, ledger, expected) => {
    expect(classes(scene({ wanted: [wanted], live: live(rule, now), ledger }).drift)).toEqual([
      `Box/1/Rule/a changed ${expected} /size:${expected}`,
    ]);
  });

  it('in a document is told by itself; a part that the record does not have is not known', () => {
    const record = { ...A, applied: { ...a, limits: { low: 1 } } };
    const { drift } = scene({
      wanted: [{ ...a, limits: { low: 1, high: 3 } }],
      live: live(rule, { ...a, limits: { low: 2, high: 4 } }),
      ledger: known(record),
    });
    expect(classes(drift)).toEqual([
      matching(/changed drifted (?=.*\/limits\/low:drifted)(?=.*\/limits\/high:differs)/),
    ]);
    const added = scene({
      wanted: [{ ...a, limits: { low: 1, high: 3 } }],
      live: live(rule, { ...a, limits: { low: 1 } }),
      ledger: known(record),
    });
    expect(classes(added.drift)).toEqual(['Box/1/Rule/a changed pending /limits/high:pending']);
  });

  it.each([
    [{ size: 2, colour: 'red' }, { size: 1, colour: 'blue' }, { size: 1, colour: 'red' }, 'both'],
    [{ size: 2, colour: 'red' }, { size: 1, colour: 'blue' }, { size: 1 }, 'differs'],
    [{ size: 1, colour: 'red' }, { size: 2, colour: 'blue' }, { size: 1 }, 'drifted'],
  ])('gives its object the word that asks for most: %j %j %j', (wanted, now, applied, expected) => {
    const ledger = ledgerOf(BOX, { ...A, applied });
    expect(
      scene({ wanted: [{ name: 'a', ...wanted }], live: live(rule, { name: 'a', ...now }), ledger }).drift.map(
        (item) => item.class,
      ),
    ).toEqual([expected]);
  });

  it('that no action can put right is told all the same', () => {
    const renamed: Collection = {
      state: 'read',
      members: [{ ...member(rule, 'id-1', a), spec: { ...a, name: 'z', size: 5 } }],
      blockers: {},
    };
    expect(classes(scene({ live: renamed, ledger: known(A) }).drift)).toEqual([
      'Box/1/Rule/a changed drifted /size:drifted /name:drifted',
    ]);
    const only: Collection = {
      state: 'read',
      members: [{ ...member(rule, 'id-1', a), spec: { ...a, name: 'z' } }],
      blockers: {},
    };
    expect(scene({ live: only, ledger: known(A) }).drift).toEqual([
      {
        address: 'Box/1/Rule/a',
        class: 'drifted',
        is: 'changed',
        fields: [{ path: '/name', class: 'drifted', applied: 'a', manifest: 'a', live: 'z' }],
        appliedAt: '1970-01-01T00:00:00.000Z',
        source: { file: 'main.yaml', line: 10, column: 5 },
      },
    ]);
  });
});

describe('a place in a manifest', () => {
  it('is told where there is one', () => {
    const placeless = {
      members: wantMembers(rule, 'Box/1', [{ ...a, size: 2 }]).members.map((one) => ({
        ...one,
        sourceOf: () => undefined,
      })),
    };
    expect(scene({ wanted: [{ ...a, size: 2 }], ledger: known(A) }).drift[0]).toHaveProperty('source.line', 10);
    expect(scene({ ledger: known(A), extra: placeless }).drift[0]).not.toHaveProperty('source');
    const stuck: Collection = {
      state: 'read',
      members: [{ ...member(rule, 'id-1', a), spec: { ...a, size: 2, name: 'z' } }],
      blockers: {},
    };
    expect(classes(scene({ live: stuck, ledger: known(A), extra: placeless }).drift)).toEqual([
      'Box/1/Rule/a changed drifted /name:drifted',
    ]);
    expect(scene({ live: stuck, ledger: known(A), extra: placeless }).drift[0]).not.toHaveProperty('source');
  });
});

describe('an object', () => {
  it.each([
    ['was applied and is gone', known(A), 'missing drifted'],
    ['was never there', known(), 'missing pending'],
    ['is not known to have been there', ledgerOf(BOX), 'missing differs'],
    ['was in another parent that had that address', known(A), 'missing differs', 'box-2'],
  ])('that %s', (_what, ledger, expected, boxId = 'box-1') => {
    const { drift } = scene({ live: live(rule), ledger, boxId });
    expect(drift.map(({ is, class: which }) => `${is} ${which}`)).toEqual([expected]);
    expect(new Set(drift[0]?.fields.map((field) => field.class))).toEqual(new Set([drift[0]?.class]));
  });

  it.each([
    ['was applied', known(A), 'extra pending'],
    ['came after its list was whole', { ...known(), ...ledgerLists() }, 'extra drifted'],
    ['is in a list that was never seen whole', known(), 'extra differs'],
    ['is in a list whose records are not all there', { ...ledgerOf({ ...BOX, lists: { Rule: 0 } }) }, 'extra differs'],
    ['is in another parent than the list was', { ...known(), ...ledgerLists('other') }, 'extra differs'],
  ])('that nobody declares and %s', (_what, ledger, expected) => {
    expect(scene({ wanted: [], ledger }).drift.map(({ is, class: which }) => `${is} ${which}`)).toEqual([expected]);
  });

  it('that may be there unseen is not missing', () => {
    const cut: Collection = {
      state: 'read',
      members: [],
      blockers: {},
      incomplete: { reason: 'x', remedy: 'y', rule: 'TOY-09', as: 'waiting' },
    };
    expect(scene({ live: cut, ledger: known() }).drift).toEqual([]);
  });

  it('that is as declared, or was not read, is not told again because something stands in its way', () => {
    const [declared, root] = [
      [wantMembers(rule, 'Box/1', [a])],
      { ...member(box, 'box-1', { name: 'one' }), identity: '1' },
    ];
    const given = (observed: Collection) =>
      findDrift({
        plan: planOf({ blocked: [{ address: 'Box/1/Rule/a', reason: 'x', remedy: '' }] }),
        registry: new Map<string, Kind>([
          ['Box', box],
          ['Rule', rule],
        ]),
        declared,
        observed: new Map([['Box/1/Rule', observed]]),
        bound: new Map([['Box/1', root]]),
        ledger: known(A),
      });
    expect(given(live(rule, a))).toEqual([]);
    expect(given({ state: 'blocked', reason: 'x', remedy: '' })).toEqual([]);
  });

  it('that cannot be made is missing too', () => {
    const held: Collection = {
      state: 'read',
      members: [],
      blockers: { a: { reason: 'x', remedy: 'y', rule: 'TOY-09' } },
    };
    expect(classes(scene({ live: held, ledger: known(A) }).drift)).toEqual(['Box/1/Rule/a missing drifted']);
  });
});

/** One root with one list in it, of whatever kind. */
function sceneOf(
  parent: Kind,
  kind: Kind,
  wanted: readonly JsonObject[],
  observed: Collection,
  ledger: LedgerView,
): readonly DriftItem[] {
  const root: Member = { ...member(parent, 'root-1', {}), identity: '1' };
  const declared = [wantRoots(parent, [wantRoot(parent, '1')]), wantMembers(kind, `${parent.kind}/1`, wanted)];
  const registry = new Map([parent, kind].map((one) => [one.kind, one]));
  const input = {
    registry,
    declared,
    observed: new Map<string, Collection>([
      [parent.kind, { state: 'read', members: [root], blockers: {} }],
      [`${parent.kind}/1/${kind.kind}`, observed],
    ]),
    bound: new Map([[`${parent.kind}/1`, root]]),
    ledger,
  };
  const { plan } = makePlan({ account: 'acc', ...input, targets: [], notices: [] });
  return findDrift({ ...input, plan });
}

describe('an order that is meaning', () => {
  const edge = (name: string) => ({
    name,
    enabled: true,
    match: 'any',
    triggers: [{ type: 'Url', match: 'any', patterns: ['*'], parameter1: '' }],
    action: { type: 'BlockRequest' },
  });
  const at = (...names: readonly string[]): Collection => ({
    state: 'read',
    members: names.map((name, index) => member(edgeRule, `id-${name}`, { ...edge(name), orderIndex: index + 1 })),
    blockers: {},
  });
  const place = positionOf(edgeRule) as string;
  const recorded = (...names: readonly string[]) => ({
    ...ledgerOf(
      { address: 'Site/1', id: 'root-1' },
      ...names.map((name, index) => ({
        address: `Site/1/EdgeRule/${name}`,
        id: `id-${name}`,
        applied: { [place]: index + 1 },
      })),
    ),
    recorded: true as const,
  });
  const reported = (wanted: readonly string[], now: Collection, ledger: LedgerView) =>
    new Set(
      sceneOf(
        site,
        edgeRule,
        wanted.map((name) => ({ name })),
        now,
        ledger,
      ).flatMap(({ fields }) => fields.map((field) => `${field.path} ${field.class}`)),
    );

  it.each([
    ['the manifest', ['b', 'a', 'c'], ['a', 'b', 'c'], ['a', 'b', 'c'], 'pending'],
    ['somebody', ['a', 'b', 'c'], ['b', 'a', 'c'], ['a', 'b', 'c'], 'drifted'],
    ['each', ['c', 'b', 'a'], ['b', 'a', 'c'], ['a', 'b', 'c'], 'both'],
    ['nobody knows who', ['b', 'a'], ['a', 'b'], [], 'differs'],
  ])('was changed by %s', (_who, wanted, now, before, expected) => {
    expect(reported(wanted, at(...now), recorded(...before))).toEqual(new Set([`/${place} ${expected}`]));
  });
});

describe('what cannot be read', () => {
  it('is pending where its mark differs, and only its marks are told', () => {
    const observed = live(vault, { name: 'a', size: 1 });
    const ledger = ledgerOf(
      { address: 'Box/1', id: 'root-1' },
      { address: 'Box/1/Vault/a', rotated: { password: '1', pin: false } },
    );
    const [item] = sceneOf(
      box,
      vault,
      [{ name: 'a', password: { env: 'P', rotate: '2' }, pin: { env: 'Q' } }],
      observed,
      ledger,
    );
    expect(item?.fields).toEqual([
      { path: '/password', rotationToken: true, applied: '1', manifest: '2', class: 'pending' },
      { path: '/pin', rotationToken: true, class: 'pending' },
    ]);
  });
});

describe('a root', () => {
  const roots = (ledger: LedgerView, wanted: Parameters<typeof wantRoot>[3], bound?: Member): readonly DriftItem[] => {
    const declared = [wantRoots(trunk, [wantRoot(trunk, '1', { name: 'two' }, wanted)])];
    const input = {
      registry: new Map([['Box', trunk]]),
      declared,
      observed: new Map<string, Collection>([
        ['Box', { state: 'read', members: bound === undefined ? [] : [bound], blockers: {} }],
      ]),
      bound: new Map(bound === undefined ? [] : [['Box/1', bound]]),
      ledger,
    };
    const { plan } = makePlan({ account: 'acc', ...input, targets: [], notices: [] });
    return findDrift({ ...input, plan });
  };
  const trunk: Kind = {
    ...box,
    fields: { name: { ...(box.fields.name as Kind['fields'][string]), personal: () => [''] } },
    remove: rule.remove as NonNullable<Kind['remove']>,
  };
  const one: Member = { ...member(box, 'box-1', { name: 'one' }), identity: '1' };

  it('that is gone and cannot be made again is missing, where the list of all roots was read', () => {
    expect(roots(known(), {})).toEqual([
      { address: 'Box/1', is: 'missing', class: 'drifted', fields: [], source: { file: '1.yaml', line: 3, column: 1 } },
    ]);
  });

  it('that is wanted absent and is there: pending when it was applied, else nobody can tell', () => {
    const absent = { lifecycle: { state: 'absent', protect: false } as const };
    expect(roots(known(), absent, one).map(({ is, class: which }) => `${is} ${which}`)).toEqual(['extra pending']);
    expect(roots(ledgerOf(), absent, one).map(({ is, class: which }) => `${is} ${which}`)).toEqual(['extra differs']);
  });

  it('tells where it holds something about a person', () => {
    expect(roots(known(), {}, one)[0]?.fields).toEqual([
      { path: '/name', applied: 'one', manifest: 'two', live: 'one', personal: [''], class: 'pending' },
    ]);
  });

  it('that an earlier run began is in flight, and nothing else is told of it', () => {
    const { plan } = scene({ wanted: [{ ...a, size: 2 }], ledger: known(A) });
    const flight = {
      runId: 'r',
      action: begunOf(plan.actions[0] as Plan['actions'][number]),
      answered: {},
      known: {},
      effects: [],
    };
    const { drift } = scene({ wanted: [{ ...a, size: 2 }], ledger: { ...known(A), inFlight: [flight] } });
    expect(drift).toEqual([{ address: 'Box/1/Rule/a', class: 'in-flight', is: 'in-flight', fields: [] }]);
  });
});

describe('what is ignored', () => {
  const item = (address: string, ...paths: readonly string[]): DriftItem => ({
    address,
    class: 'both',
    is: paths.length === 0 ? 'missing' : 'changed',
    fields: paths.map((path, index) => ({ path, class: index === 0 ? 'drifted' : 'pending' })),
  });
  const blocker = (address: string) => ({ address, reason: 'x', remedy: '' });
  const plan = {
    ...planOf({
      blocked: [blocker('Box/1/Rule/b')],
      unknown: [blocker('Box/2/Rule')],
      waiting: [blocker('Box/3')],
      manual: [blocker('Box/4')],
      deferred: [{ address: 'Box/5/Rule', until: 'Box/5', reason: 'x', declared: 'd' }],
      unmanaged: [
        { collection: 'Box/6/Rule', kind: 'Rule', identity: 'u/v', yaml: '' },
        { collection: 'Box', kind: 'Box', identity: 'w', yaml: '' },
      ],
    }),
    drift: [
      item('Box/1', '/name', '/size'),
      item('Box/1/Rule/a'),
      item('Box/1/Rule/b', '/limits/low'),
      item('Box/[x]', '/name'),
    ],
  };
  const ignoring = (...texts: readonly string[]) => {
    const { plan: left, diagnostics } = ignoreDrift(plan, texts);
    return {
      ...left,
      reported: (left.ignored ?? []).map(({ address, path, as, by }) => `${address}${path ?? ''} ${as} ${by}`),
      codes: diagnostics.map(({ code }) => code),
    };
  };

  it('is nothing without a pattern, and the plan is another document all the same', () => {
    const left = ignoring();
    expect(left).toMatchObject({ drift: plan.drift, blocked: plan.blocked, reported: [], codes: [] });
    expect(left).not.toHaveProperty('ignored');
  });

  it.each([
    ['Box/1', ['Box/1 both Box/1', 'Box/1/Rule/a both Box/1', 'Box/1/Rule/b both Box/1']],
    [
      'Box/*/Rule/*',
      ['Box/1/Rule/a both Box/*/Rule/*', 'Box/1/Rule/b both Box/*/Rule/*', 'Box/6/Rule/u%2Fv unmanaged Box/*/Rule/*'],
    ],
    [
      '**/Rule',
      [
        'Box/1/Rule/a both **/Rule',
        'Box/1/Rule/b both **/Rule',
        'Box/2/Rule unknown **/Rule',
        'Box/5/Rule deferred **/Rule',
        'Box/6/Rule/u%2Fv unmanaged **/Rule',
      ],
    ],
    ['Box/{3,4}', ['Box/3 waiting Box/{3,4}', 'Box/4 manual Box/{3,4}']],
    ['Box/w', ['Box/w unmanaged Box/w']],
    ['Box/[x]', ['Box/[x] both Box/[x]']],
    ['Box/1#/name', ['Box/1/name both Box/1#/name']],
    ['Box/*/Rule/b#/limits', ['Box/1/Rule/b/limits/low both Box/*/Rule/b#/limits']],
  ])('by %s', (text, expected) => {
    expect(ignoring(text)).toMatchObject({ reported: expected, codes: [] });
  });

  it('of a field leaves the object with its other fields, and their word', () => {
    expect(ignoring('Box/1#/name').drift?.[0]).toMatchObject({ class: 'pending', fields: [{ path: '/size' }] });
    expect(ignoring('Box/1#/size', 'Box/1#/name').reported).toEqual([
      'Box/1/name both Box/1#/name',
      'Box/1/size both Box/1#/size',
    ]);
    expect(ignoring('Box/1#/name', 'Box/1#/size').drift?.map(({ address }) => address)).not.toContain('Box/1');
  });

  it('is told once by the first that names it; who names nothing is told', () => {
    expect(ignoring('Box/3', 'Box/*', 'Box/1#/nothing', 'Other/*', 'Other/*', 'Box/1/Rule/a#/x')).toMatchObject({
      codes: ['HW2601', 'HW2601', 'HW2601'],
      reported: expect.arrayContaining(['Box/3 waiting Box/3', 'Box/4 manual Box/*']) as string[],
    });
  });

  it('takes with it what was to be done with its changes only', () => {
    const [before, after] = ['before', 'after'].map((hook) =>
      actionOf({
        address: `Box/1/${hook}`,
        verb: 'create',
        hook: hook as 'before',
        needs: hook === 'after' ? [{ address: 'Box/1', rule: 'x', reason: 'y' }] : [],
      }),
    );
    const change = actionOf({
      address: 'Box/1',
      verb: 'update',
      needs: [{ address: 'Box/1/before', rule: 'x', reason: 'y' }],
    });
    const whole = {
      ...planOf({ actions: [before, change, after] as Plan['actions'] }),
      drift: [item('Box/1', '/name')],
    };
    expect(ignoreDrift(whole, []).plan.actions.map(({ address }) => address)).toEqual([
      'Box/1/before',
      'Box/1',
      'Box/1/after',
    ]);
    expect(ignoreDrift(whole, ['Box/1']).plan.actions).toEqual([]);
  });

  it('is no part of what runs: the plan is as it says it is', () => {
    const { plan: made, drift } = scene({ wanted: [{ ...a, size: 2 }], ledger: known(A) });
    expect(verifyPlan({ ...made, drift })).toEqual([]);
    const left = ignoreDrift({ ...made, drift }, ['Box/1/Rule/a']).plan;
    expect(verifyPlan(left)).toEqual([]);
    expect(left).toMatchObject({ actions: [], summary: { update: 0 } });
  });
});

function ledgerLists(id = 'box-1'): Pick<LedgerView, 'objects'> {
  return { objects: ledgerOf({ ...BOX, id, lists: { Rule: 5 } }).objects };
}
