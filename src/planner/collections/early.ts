// Sections that are planned as soon as they are read, while other answers are on their way. What comes of a section is
// a function of what is known before the first of them is read and of the section itself; where it is not, the section
// is left for the end. So a plan is the same, whatever was planned early.
import type { DesiredCollection } from '../../model/desired.ts';
import type { Collection } from '../../model/kind/kind.ts';
import type { CollectionPlan } from './collection-plan.ts';
import { planCollection } from './collection.ts';
import type { PlanInput } from '../plan-input.ts';
import { kindOfCollection } from '../plan-input.ts';
import type { AroundSections } from './around.ts';
import { aroundSections } from './around.ts';

export interface EarlySections {
  /** What stands around them, to be shared with whoever plans the rest. */
  readonly around: AroundSections;
  /** Plans a section that was read. Never throws: what goes wrong does so again at the end, where it is looked at. */
  readonly plan: (declared: DesiredCollection, observed: Collection) => void;
  /** What came of exactly these two; undefined where that was not looked at, or may be otherwise by now. */
  readonly planned: (declared: DesiredCollection, observed: Collection) => CollectionPlan | undefined;
}

/** `everywhere`: what all manifests want, before values of other objects are filled in. */
export function createEarlySections(
  input: Pick<PlanInput, 'registry' | 'ledger'> & Required<Pick<PlanInput, 'everywhere'>>,
): EarlySections {
  const around = aroundSections({ ...input, declared: input.everywhere });
  const plans = new Map<DesiredCollection, { readonly observed: Collection; readonly plan: CollectionPlan }>();
  const isLeft = (observed: Collection): boolean =>
    // What lives elsewhere is moved from a root of which more may be read.
    observed.state !== 'read' || Object.keys(observed.elsewhere ?? {}).length > 0;
  return {
    around,
    plan: (declared, observed) => {
      if (isLeft(observed)) return;
      try {
        const plan = planCollection({
          ...around.of(declared.collection),
          kind: kindOfCollection(input, declared),
          declared,
          observed,
        });
        plans.set(declared, { observed, plan });
      } catch {
        plans.delete(declared);
      }
    },
    planned: (declared, observed) => {
      const early = plans.get(declared);
      return early?.observed === observed ? early.plan : undefined;
    },
  };
}
