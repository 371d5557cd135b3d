// What a hook is to the rest of the program: something that is done once because other changes are made, such as a
// backup before or a purge after them. It is no state: never compared, never drift, never unmanaged; without those
// changes it is not planned.
import type { Address } from '../../address.ts';
import type { Blocker } from '../blocker.ts';
import type { Member } from '../collection.ts';
import type { OrderedAction } from '../order-rule.ts';
import type { Risk, Verb } from '../../plan/plan.ts';
import type { Step } from '../../plan/step.ts';

/**
 * The output of a hook that names the run: the same in every step and every resumption of that action, another one
 * in the next run.
 */
export const RUN = 'run';

export interface HookDefinition {
  /**
   * before: the changes wait for it, and are skipped when it fails. after: it is written down before the first of them,
   * so that a run that dies still owes it; it comes last, and not at all when none of them was carried out.
   */
  readonly when: 'before' | 'after';
  /** The changes of its root that it goes with; `traits`: what the kind of the changed object says of itself. */
  readonly triggeredBy: (
    action: Pick<OrderedAction, 'kind' | 'verb' | 'changes'>,
    traits: { readonly cached?: true },
  ) => boolean;
  /** Of the edge between it and each of them. */
  readonly rule: string;
  /** Of the same edge. */
  readonly orderReason: string;
  readonly verb: Exclude<Verb, 'delete'>;
  /** Said in the plan. */
  readonly reason: string;
  /**
   * Why it cannot be done, from what was read for it, or null. The changes that wait for it are then not planned
   * either.
   */
  readonly refuse?: (members: readonly Member[]) => Blocker | null;
  readonly risk: readonly Risk[];
  /** `members`: what was read for it. {@link RUN} of `self` is known before the first step. */
  readonly steps: (context: {
    readonly self: Address;
    readonly parent: Address;
    readonly members: readonly Member[];
  }) => readonly Step[];
}
