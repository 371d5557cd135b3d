// No plan deletes an object that another object names, of all objects that exist after the run.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stillNamed } from '../../src/planner/admission/still-named.ts';
import type { CollectionPlan } from '../../src/planner/collections/collection-plan.ts';
import type { PlanInput } from '../../src/planner/plan-input.ts';
import { registry } from '../../src/areas/index.ts';

const PARENT = 'Mailspace/a.test';
const domains = ['b.test', 'c.test'] as const;
const addresses = ['x@a.test', 'y@b.test', 'z@c.test', 'w@b.test'] as const;

interface One {
  readonly kind: string;
  readonly name: string;
  readonly spec: Readonly<Record<string, string | readonly string[]>>;
  /** Which side has it. A live object that is not declared is deleted. */
  readonly side: 'declared' | 'live' | 'both';
}

const side = fc.constantFrom('declared' as const, 'live' as const, 'both' as const);
const one: fc.Arbitrary<One> = fc.oneof(
  fc.record({ name: fc.constantFrom(...domains), side }).map(({ name, side: of }): One => ({
    kind: 'MailDomain',
    name,
    spec: { name },
    side: of,
  })),
  fc.record({ name: fc.constantFrom(...addresses), side }).map(({ name, side: of }): One => ({
    kind: 'Mailbox',
    name,
    spec: { address: name },
    side: of,
  })),
  fc
    .record({ name: fc.constantFrom(...addresses), target: fc.constantFrom(...addresses), side })
    .map(({ name, target, side: of }): One => ({ kind: 'MailAlias', name, spec: { address: name, target }, side: of })),
  fc
    .record({ name: fc.constantFrom(...addresses), members: fc.subarray([...addresses]), side })
    .map(({ name, members, side: of }): One => ({ kind: 'MailGroup', name, spec: { email: name, members }, side: of })),
);

const addressOf = ({ kind, name }: Pick<One, 'kind' | 'name'>): string => `${PARENT}/${kind}/${name}`;

function planOf(objects: readonly One[]): { readonly input: PlanInput; readonly plan: CollectionPlan } {
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  const of = (kind: string, ...sides: readonly One['side'][]) =>
    objects.filter((object) => object.kind === kind && sides.includes(object.side));
  const input = {
    registry,
    declared: kinds.map((kind) => ({
      kind,
      members: of(kind, 'declared', 'both').map((object) => ({
        ...object,
        address: addressOf(object),
        identity: object.name,
        lifecycle: { state: 'present', protect: false },
      })),
    })),
    observed: new Map(
      kinds.map((kind) => [
        `${PARENT}/${kind}`,
        {
          state: 'read',
          blockers: {},
          members: of(kind, 'live', 'both').map(({ name, spec }) => ({ identity: name, spec })),
        },
      ]),
    ),
  } as unknown as PlanInput;
  const actions = objects.map((object) => ({
    address: addressOf(object),
    verb: object.side === 'live' ? 'delete' : object.side === 'declared' ? 'create' : 'update',
    changes: [],
  }));
  return { input, plan: { actions } as unknown as CollectionPlan };
}

it('deletes nothing that an object existing after the run names [ALS-03, GRP-06, O-48]', () => {
  fc.assert(
    fc.property(fc.uniqueArray(one, { selector: addressOf, maxLength: 12 }), (objects) => {
      const { input, plan } = planOf(objects);
      const blockerOf = stillNamed(input, plan);
      const isDeleted = (address: string): boolean =>
        plan.actions.some(
          (action) => action.address === address && action.verb === 'delete' && blockerOf(action) === null,
        );
      for (const object of objects.filter((each) => !isDeleted(addressOf(each)))) {
        const named = registry.get(object.kind)?.capabilities.refersTo?.(object.spec) ?? [];
        for (const { kinds, name } of named)
          for (const kind of kinds)
            expect(isDeleted(addressOf({ kind, name })), `${object.name} names ${name}`).toBe(false);
      }
    }),
  );
});

it('deletes all that nothing names', () => {
  const { input, plan } = planOf([
    { kind: 'Mailbox', name: 'x@a.test', spec: { address: 'x@a.test' }, side: 'live' },
    { kind: 'MailAlias', name: 'y@b.test', spec: { address: 'y@b.test', target: 'x@a.test' }, side: 'live' },
  ]);
  expect(plan.actions.map(stillNamed(input, plan))).toEqual([null, null]);
});

it('knows every field in which a kind names another object of its parent', () => {
  const rows = [...registry.values()].flatMap(({ kind, capabilities: { refersTo } }) =>
    (refersTo?.({ address: 'a@b.test', email: 'a@b.test', target: 'c@b.test', members: ['d@b.test'] }) ?? []).map(
      ({ field, kinds }) => `${kind}.${field}: ${kinds.join(' or ')}`,
    ),
  );
  expect([...new Set(rows)].sort()).toEqual([
    'MailAlias.address: MailDomain',
    'MailAlias.target: Mailbox or MailGroup',
    'MailGroup.email: MailDomain',
    'MailGroup.members: Mailbox',
    'Mailbox.address: MailDomain',
  ]);
});
