import { describe, expect, it } from 'vitest';
import { mergeCollectionPlans } from '../../src/planner/collections/collection-plan.ts';
import type { CollectionInput } from '../../src/planner/collections/collection.ts';
import { caching } from '../../src/areas/cdn/kinds/caching.ts';
import type { RequestStep } from '../../src/model/plan/step.ts';
import { live, member, wantMembers } from '../support/desired.ts';
import { planCollection } from '../support/planned.ts';
import { rule } from '../support/toy-kinds.ts';
import type { Kind } from '../../src/model/kind/kind.ts';
import { containing } from '../support/matchers.ts';

const a = { name: 'a', size: 1, colour: 'red', tags: ['x'], limits: { low: 1, high: 2 }, origin: 'o' };

function plan(input: Partial<CollectionInput> & Pick<CollectionInput, 'declared' | 'observed'>) {
  return planCollection({ kind: rule, owned: new Set(), ...input });
}

describe('planCollection', () => {
  it('counts what is as wanted', () => {
    expect(
      plan({
        declared: wantMembers(rule, 'Box/1', [{ name: 'a', colour: 'RED', tags: ['x', 'x'] }]),
        observed: live(rule, a),
      }),
    ).toMatchObject({ actions: [], unchanged: 1, bindings: [{ address: 'Box/1/Rule/a', id: 'id-1' }] });
  });

  it('creates what is missing and adds the updates that the create cannot write, in their order', () => {
    const { actions } = plan({ declared: wantMembers(rule, 'Box/1', [a]), observed: live(rule) });
    expect(actions).toHaveLength(1);
    const [action] = actions;
    expect(action).toMatchObject({
      verb: 'create',
      address: 'Box/1/Rule/a',
      reason: 'will be created',
      expect: { exists: false, tests: [], siblings: [] },
      risk: ['charge', 'restart'],
      requires: { userCredential: true, scopes: ['boxes:write'], roles: ['can_destroy', 'can_modify'] },
      stage: 'change',
      locks: ['Box/1'],
      protected: false,
      source: { file: 'main.yaml', line: 10, column: 5 },
    });
    expect(action?.steps.map(({ name }) => name)).toEqual(['create', 'label', 'paint']);
    expect((action?.steps[2] as RequestStep).body).toEqual({ changed: ['colour', 'limits'] });
    expect(action?.changes.map(({ op, path }) => `${op} ${path}`)).toEqual([
      'add /name',
      'add /size',
      'add /colour',
      'add /tags',
      'add /limits',
      'add /origin',
    ]);
  });

  it('updates only what differs, and rests on the live value of that alone', () => {
    const { actions } = plan({
      declared: wantMembers(rule, 'Box/1', [{ name: 'a', size: 2, colour: 'blue', tags: ['x'] }]),
      observed: live(rule, a),
    });
    expect(actions[0]).toMatchObject({
      verb: 'update',
      reason: 'size, colour differ',
      expect: {
        exists: true,
        tests: [
          { op: 'test', path: '/size', value: 1 },
          { op: 'test', path: '/colour', value: 'red' },
        ],
        siblings: ['a'],
      },
      risk: ['restart'],
    });
    expect(actions[0]?.steps.map(({ name }) => name)).toEqual(['resize', 'paint']);
  });

  it('has no test for a value that was not there', () => {
    const { actions } = plan({
      declared: wantMembers(rule, 'Box/1', [{ name: 'a', size: 2 }]),
      observed: live(rule, { name: 'a' }),
    });
    expect(actions[0]).toMatchObject({ reason: 'size differs', expect: { exists: true, tests: [] } });
  });

  it('blocks what cannot be changed in place, and goes on with the rest', () => {
    const renamed = {
      state: 'read',
      members: [{ ...member(rule, 'id-1', a), spec: { ...a, name: 'other', size: 5 } }],
      blockers: {},
    } as const;
    const blocked = [
      { address: 'Box/1/Rule/a', reason: 'name cannot be changed in place', remedy: 'A rule has no rename.' },
    ];
    expect(plan({ declared: wantMembers(rule, 'Box/1', [{ name: 'a', size: 1 }]), observed: renamed })).toMatchObject({
      blocked,
      actions: [{ verb: 'update' }],
    });
    expect(plan({ declared: wantMembers(rule, 'Box/1', [{ name: 'a' }]), observed: renamed })).toMatchObject({
      blocked,
      actions: [],
      unchanged: 0,
    });
  });

  it('removes from an authoritative list what is not named, with the whole live document as evidence', () => {
    const { actions } = plan({
      declared: wantMembers(rule, 'Box/1', [], { protect: true }),
      observed: live(rule, { ...a, name: 'z' }, a, { ...a, name: 'system:x' }),
    });
    expect(actions.map(({ address, verb }) => `${verb} ${address}`)).toEqual([
      'delete Box/1/Rule/a',
      'delete Box/1/Rule/z',
    ]);
    expect(actions[0]).toMatchObject({
      reason: 'will be deleted: live, and not in the list',
      protected: true,
      stage: 'removal',
      risk: ['delete'],
      source: { file: 'main.yaml', line: 9, column: 3 },
      expect: { siblings: ['a', 'system:x', 'z'] },
    });
    expect(actions[0]?.changes).toContainEqual({ op: 'remove', path: '/colour', was: 'red' });
    expect(actions[0]?.changes.map(({ path }) => path)).not.toContain('/origin');
  });

  it('does not remove what the kind refuses', () => {
    expect(
      plan({ declared: wantMembers(rule, 'Box/1', []), observed: live(rule, { ...a, name: 'last' }) }),
    ).toMatchObject({ actions: [], blocked: [{ address: 'Box/1/Rule/last', rule: 'TOY-01' }] });
  });

  it('removes nothing when only single members are mentioned', () => {
    expect(
      plan({ declared: wantMembers(rule, 'Box/1', [], { partial: true }), observed: live(rule, a) }),
    ).toMatchObject({ actions: [], unmanaged: [] });
  });

  it('leaves strangers of a kind without removal alone', () => {
    expect(
      plan({ kind: caching, declared: wantMembers(caching, 'Site/s', []), observed: live(caching, {}) }),
    ).toMatchObject({ actions: [], unmanaged: [] });
  });

  it('blocks what cannot be created, and what lives elsewhere', () => {
    const elsewhere = {
      state: 'read',
      members: [],
      blockers: { a: { reason: 'it lives elsewhere', remedy: 'Move it.', rule: 'TOY-04' } },
    } as const;
    expect(plan({ declared: wantMembers(rule, 'Box/1', [{ name: 'a' }]), observed: elsewhere })).toMatchObject({
      actions: [],
      blocked: [{ address: 'Box/1/Rule/a', rule: 'TOY-04' }],
    });
    expect(
      plan({
        kind: caching,
        declared: wantMembers(caching, 'Site/s', [{ smartCache: true }]),
        observed: live(caching),
      }),
    ).toMatchObject({ actions: [], blocked: [{ address: 'Site/s/Caching', rule: 'CDN-05' }] });
  });

  it('gives no action for a collection that was not read: unknown is not absent', () => {
    const declared = wantMembers(rule, 'Box/1', [a]);
    expect(plan({ declared, observed: { state: 'unknown', reason: 'no answer', remedy: 'Again.' } })).toMatchObject({
      actions: [],
      unknown: [{ address: 'Box/1/Rule', reason: 'no answer', remedy: 'Again.' }],
      blocked: [],
    });
    expect(
      plan({ declared, observed: { state: 'blocked', reason: 'locked', remedy: 'Pay.', rule: 'SIT-08' } }),
    ).toMatchObject({ actions: [], unknown: [], blocked: [{ address: 'Box/1/Rule', rule: 'SIT-08' }] });
  });

  it('changes nothing in a list where several live objects have one name, and says which', () => {
    const { actions, blocked } = plan({
      declared: wantMembers(rule, 'Box/1', [{ name: 'b' }]),
      observed: live(rule, a, a),
    });
    expect(actions).toEqual([]);
    expect(blocked).toMatchObject([
      { address: 'Box/1/Rule', reason: containing('2 live objects have the name a (ids ') },
    ]);
  });
});

describe('planCollection of an asset list', () => {
  const asset = { ...rule, list: 'additive' } as const;

  it('reports what nobody ever named, with the YAML that adopts it', () => {
    const { unmanaged, actions } = plan({
      kind: { ...asset, manifest: { item: ({ spec }) => spec.name as string } },
      declared: wantMembers(asset, 'Box/1', []),
      observed: live(asset, a),
    });
    expect(actions).toEqual([]);
    expect(unmanaged).toEqual([{ collection: 'Box/1/Rule', kind: 'Rule', identity: 'a', yaml: 'rules:\n  - a\n' }]);
    expect(
      plan({ kind: asset, declared: wantMembers(asset, 'Box/1', []), observed: live(asset, { name: 'q' }) })
        .unmanaged[0]?.yaml,
    ).toBe('rules:\n  - name: q\n');
  });

  it('removes what the ledger shows to be ours, or what the manifest says', () => {
    const declared = wantMembers(asset, 'Box/1', []);
    const ours = plan({ kind: asset, declared, observed: live(asset, a), owned: new Set(['a']) }).actions[0];
    expect(ours).toMatchObject({ verb: 'delete', reason: 'will be deleted: removed from the manifest' });
    expect(ours?.expect).not.toHaveProperty('siblings');
    expect(
      plan({ kind: asset, declared: { ...declared, unlisted: 'remove' }, observed: live(asset, a) }).actions[0],
    ).toMatchObject({ verb: 'delete', expect: { siblings: ['a'] } });
  });

  it('removes a member of the account as its own parent', () => {
    const declared = {
      ...wantMembers(asset, 'Box/1', []),
      parent: null,
      collection: 'Rule',
      sourceOf: () => undefined,
    };
    expect(plan({ kind: asset, declared, observed: live(asset, a), owned: new Set(['a']) }).actions[0]).toMatchObject({
      address: 'Rule/a',
      locks: ['Rule/a'],
    });
  });
});

describe('what is told apart from what is blocked', () => {
  const asset: Kind = { ...rule, list: 'additive', status: () => undefined };
  const blocker = { reason: 'why', remedy: 'What.', rule: 'TOY-09' };
  const stranger = (kind: Kind, input: Partial<CollectionInput> = {}) =>
    plan({ kind, declared: wantMembers(kind, 'Box/1', []), observed: live(kind, a), owned: new Set(['a']), ...input });

  it.each(['manual', 'waiting', 'unknown'] as const)('a refusal that names its list is in it: %s', (as) => {
    const kind: Kind = { ...asset, status: () => ({ is: 'frozen', blocker: { ...blocker, as } }) };
    const held = plan({ kind, declared: wantMembers(kind, 'Box/1', [{ ...a, size: 2 }]), observed: live(kind, a) });
    expect(held).toMatchObject({
      actions: [],
      blocked: [],
      [as]: [{ address: 'Box/1/Rule/a', reason: 'why', remedy: 'What.', rule: 'TOY-09' }],
      bindings: [{ address: 'Box/1/Rule/a', id: 'id-1' }],
    });
    expect(
      plan({
        kind: { ...kind, status: () => undefined },
        declared: wantMembers(kind, 'Box/1', [{ ...a, size: 2 }]),
        observed: live(kind, a),
      }).actions,
    ).toHaveLength(1);
  });

  it('what only a person can change is theirs to do, with what to do', () => {
    const kind = {
      ...asset,
      fields: {
        ...asset.fields,
        colour: {
          rule: 'immutable' as const,
          shape: 'value' as const,
          why: 'No call.',
          manual: { rule: 'TOY-10', remedy: (from: unknown, to: unknown) => `From ${String(from)} to ${String(to)}.` },
        },
      },
    };
    const stuck = plan({
      kind,
      declared: wantMembers(kind, 'Box/1', [{ name: 'a', colour: 'blue' }]),
      observed: live(kind, a),
    });
    expect(stuck).toMatchObject({
      actions: [],
      blocked: [],
      unchanged: 0,
      manual: [
        { address: 'Box/1/Rule/a', remedy: 'From red to blue. The next plan sees that it is done.', rule: 'TOY-10' },
      ],
    });
  });

  it('what every wanted member has is compared although nobody writes it', () => {
    const kind = {
      ...asset,
      fields: {
        ...asset.fields,
        size: { ...asset.fields.size, rule: 'updatable' as const, shape: 'value' as const, implied: 1 },
      },
    };
    expect(
      plan({ kind, declared: wantMembers(kind, 'Box/1', [{ name: 'a' }]), observed: live(kind, { ...a, size: 3 }) })
        .actions,
    ).toMatchObject([{ changes: [{ path: '/size', was: 3, value: 1 }] }]);
    expect(
      plan({
        kind,
        declared: wantMembers(kind, 'Box/1', [{ name: 'a' }]),
        observed: live(kind),
      }).actions[0]?.changes.map(({ path }) => path),
    ).toEqual(['/name']);
  });

  it('a kind without a call that removes says who can', () => {
    const { remove: _remove, ...rest } = asset;
    const kind = { ...rest, cannotRemove: { ...blocker, as: 'manual' as const } };
    expect(stranger(kind)).toMatchObject({ actions: [], manual: [{ address: 'Box/1/Rule/a' }] });
    expect(stranger(kind, { owned: new Set() })).toMatchObject({ manual: [], unmanaged: [{ identity: 'a' }] });
    expect(stranger({ ...rest })).toMatchObject({ unmanaged: [], blocked: [] });
  });

  it('what is there with its parent, or on its way out, is no stranger', () => {
    expect(stranger({ ...asset, status: () => ({ is: 'implicit' }) })).toMatchObject({ actions: [], unmanaged: [] });
    expect(stranger({ ...asset, status: () => ({ is: 'deleting' }) })).toMatchObject({ actions: [], unmanaged: [] });
  });

  it('of a list that may be cut off nothing is made that is not surely missing, and nothing removed', () => {
    const observed = {
      ...live(asset, a, { ...a, name: 'b' }),
      incomplete: { ...blocker, as: 'unknown' as const, absent: ['new'] },
    };
    const declared = wantMembers(asset, 'Box/1', [
      { ...a, name: 'new' },
      { ...a, name: 'maybe' },
    ]);
    const cut = plan({ kind: asset, declared, observed, owned: new Set(['b']) });
    expect(cut.actions.map(({ verb, address }) => [verb, address])).toEqual([['create', 'Box/1/Rule/new']]);
    expect(cut.unknown.map(({ address }) => address)).toEqual(['Box/1/Rule/maybe', 'Box/1/Rule']);
    expect(cut.unmanaged.map(({ identity }) => identity)).toEqual(['a']);
    expect(plan({ kind: asset, declared, observed, owned: new Set() }).unknown).toHaveLength(1);
  });
});

describe('mergeCollectionPlans', () => {
  it('of nothing is empty', () => {
    expect(mergeCollectionPlans([])).toEqual({
      actions: [],
      blockers: [],
      unmanaged: [],
      diagnostics: [],
      bindings: [],
      unchanged: 0,
    });
  });
});
