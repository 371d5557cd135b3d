// What becomes of the roots that manifests declare. They go by their binding: the local name of a manifest is never
// sent.
import type { DesiredCollection } from '../../model/desired.ts';
import { invariant } from '../../model/invariant.ts';
import { objectNeeds } from '../../model/kind/capabilities/needs-of.ts';
import type { CollectionPlan } from './collection-plan.ts';
import { mergeCollectionPlans } from './collection-plan.ts';
import { planCollection } from './collection.ts';
import { identityOf, planAbsent, planMember } from './member.ts';
import type { PlanInput, ReadCollection } from '../plan-input.ts';
import { kindOfCollection } from '../plan-input.ts';

/** Plans the declared roots, without what is in them. */
export function planRoots(input: PlanInput): CollectionPlan {
  return mergeCollectionPlans(
    input.declared.filter(({ parent }) => parent === null).map((declared) => planRootsOfKind(input, declared)),
  );
}

function planRootsOfKind(input: PlanInput, declared: DesiredCollection): CollectionPlan {
  const { observed, bound } = input;
  const kind = kindOfCollection(input, declared);
  const live = observed.get(declared.collection);
  invariant(live !== undefined, `${declared.collection} was declared and not read`);
  if (live.state !== 'read') return planCollection({ kind, declared, observed: live, owned: new Set() });
  const account = { ...live, blockers: blockersLeft(input, declared, live.blockers) };
  return mergeCollectionPlans(
    declared.members.map((desired) => {
      const member = bound.get(desired.address);
      if (desired.lifecycle.state === 'absent') return planAbsent(kind, desired, member);
      const identity = identityOf(desired, member);
      return planMember(kind, account, desired, member, {
        recorded: input.ledger.objects,
        ...(input.nowMs !== undefined && { nowMs: input.nowMs }),
        ...(identity !== undefined && { identity }),
      });
    }),
  );
}

/** The blockers without those that a manifest takes away: what that makes first is told by itself. */
function blockersLeft(
  { declared: all, allDeclared = all, registry }: PlanInput,
  declared: DesiredCollection,
  blockers: ReadCollection['blockers'],
): ReadCollection['blockers'] {
  if (!Object.values(blockers).some(({ unlessDeclared }) => unlessDeclared === true)) return blockers;
  const others = allDeclared.filter(({ collection }) => collection !== declared.collection);
  const withNeeds = new Set(objectNeeds([...others, declared], registry, () => true).map(({ later }) => later));
  const met = new Set(declared.members.filter(({ address }) => withNeeds.has(address)).map(({ identity }) => identity));
  return Object.fromEntries(
    Object.entries(blockers).filter(([identity, blocker]) => blocker.unlessDeclared !== true || !met.has(identity)),
  );
}
