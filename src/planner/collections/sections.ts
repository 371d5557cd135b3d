// What becomes of the sections of roots: of those that are there, and of those that are going to be made where their
// kind says how it begins.
import type { Address } from '../../model/address.ts';
import { addressOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import { invariant } from '../../model/invariant.ts';
import type { Collection } from '../../model/kind/kind.ts';
import type { CollectionPlan } from './collection-plan.ts';
import { mergeCollectionPlans } from './collection-plan.ts';
import { planCollection } from './collection.ts';
import { identityOf } from './member.ts';
import { sectionSurroundings } from './surroundings.ts';
import { isHook } from '../hooks.ts';
import { holdersOf, leavingOf } from '../moves.ts';
import type { PlanInput } from '../plan-input.ts';
import { declaredCollection, isInFlight, kindOfCollection } from '../plan-input.ts';
import { isInFrozen } from './frozen.ts';

/** The sections that have a state to compare; hooks have none. */
export function sectionsOf({ declared, registry }: PlanInput): readonly DesiredCollection[] {
  return declared.filter((collection) => collection.parent !== null && !isHook(collection, registry));
}

/** Plans what is in the roots. `created`: roots that this plan makes. */
export function planSections(input: PlanInput, created: ReadonlySet<Address>): CollectionPlan {
  const { declared: all, registry, observed, bound } = input;
  const sections = sectionsOf(input);
  const surroundingsOf = sectionSurroundings(input);
  const roots = all.flatMap(({ parent, members }) => (parent === null ? members : []));
  const holders = holdersOf(roots, bound);
  const identities = new Map(roots.map((root) => [root.address, identityOf(root, bound.get(root.address))]));
  const leaving = leavingOf(sections, registry, observed);
  const planOne = (declared: DesiredCollection, live: Collection): CollectionPlan => {
    const { collection } = declared;
    const left = leaving.get(collection);
    const identity = identities.get(declared.parent as Address);
    return planCollection({
      ...surroundingsOf(collection),
      kind: kindOfCollection(input, declared),
      declared,
      observed: live,
      holders,
      ...(left !== undefined && { leaving: left }),
      ...(identity !== undefined && { identity }),
    });
  };
  const planned = sections
    // The blocker on the parent is the one thing to say; its sections follow when it is there.
    .filter((declared) => isPlannedNow(input, declared, created))
    .map((declared) => {
      const live = observed.get(declared.collection);
      invariant(live !== undefined, `${declared.collection} was declared and not read`);
      const plan = planOne(declared, live);
      return isTurnedOff(input, declared)
        ? {
            ...plan,
            blockers: plan.blockers.filter(({ list }) => list !== 'blocked'),
            actions: plan.actions.filter(({ verb }) => verb === 'delete'),
          }
        : plan;
    });
  return mergeCollectionPlans(planned);
}

function isPlannedNow(input: PlanInput, declared: DesiredCollection, created: ReadonlySet<Address>): boolean {
  const parent = declared.parent as Address;
  return (
    (input.bound.has(parent) || (created.has(parent) && isPlannedWithParent(input, declared))) &&
    !isInFrozen(input.registry, parent, input.bound)
  );
}

/** Planned together with the making of its parent. While that is in flight nothing is asked of it. */
export function isPlannedWithParent(input: PlanInput, declared: DesiredCollection): boolean {
  return kindOfCollection(input, declared).beforeParent === 'read' && !isInFlight(input, declared.parent as Address);
}

/** True when the manifest turns off what this section has no meaning without. */
export function isTurnedOff(input: PlanInput, declared: DesiredCollection): boolean {
  const { dependsOn } = kindOfCollection(input, declared).capabilities;
  if (dependsOn === undefined) return false;
  const other = declaredCollection(input, addressOf(declared.parent, dependsOn.kind, null));
  return other?.members.some(({ spec }) => spec[dependsOn.field] === false) === true;
}
