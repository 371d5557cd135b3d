// From what manifests want and the account has to a plan: what differs, what of it may run now, and in which order.
// Synchronous and deterministic: the same input gives the same bytes, whatever the order it comes in.
import type { Diagnostic } from '../model/diagnostic.ts';
import { sortDiagnostics } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan/plan.ts';
import { admitAll, admitRoots } from './admission/admit.ts';
import { namesOfScheduled } from './admission/still-named.ts';
import { mergeCollectionPlans } from './collections/collection-plan.ts';
import { followersOf, planDeferred } from './deferred.ts';
import { planDocument } from './document.ts';
import { withHooks } from './hooks.ts';
import { createdBy, unmetNeeds } from './needs.ts';
import { countMembers, orderActions } from './order.ts';
import type { PlanInput } from './plan-input.ts';
import { planRoots } from './collections/roots.ts';
import { planSections } from './collections/sections.ts';
import { sharedFollowers } from './collections/shared.ts';
import { isTargeted, selectTargets } from './targets.ts';

/** A plan, and what is to be said with it. Never throws for what a user or the platform can cause. */
export function makePlan(input: PlanInput): { readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] } {
  const { registry, observed, targets } = input;
  const roots = admitRoots(planRoots(input), input);
  const created = createdBy(roots.actions);
  const admitted = admitAll(mergeCollectionPlans([roots, planSections(input, created)]), input);

  const shared = sharedFollowers(input, admitted.actions);
  const sharing = new Set(shared.map(({ address }) => address));
  const alone = admitted.actions.filter(({ address }) => !sharing.has(address));
  const followers = followersOf(input, alone, shared);
  const putOff = new Set(followers.map(({ address }) => address));
  const hooked = withHooks(
    input,
    alone.filter(({ address }) => !putOff.has(address)),
    created,
  );
  const deferred = planDeferred(input, created, hooked.actions, followers, shared);

  const needs = unmetNeeds(input, hooked.actions);
  const ordered = orderActions(hooked.actions, registry, countMembers(observed), needs);
  // What is only worth knowing is told where it was asked for.
  const diagnostics = sortDiagnostics(
    admitted.diagnostics.filter(({ address }) => address === undefined || isTargeted(address, targets)),
  );
  const plan = planDocument(input, {
    ...admitted,
    actions: selectTargets(ordered, targets),
    blockers: [...admitted.blockers, ...namesOfScheduled(input, admitted), ...hooked.blockers, ...deferred.blockers],
    deferred: deferred.deferred,
    diagnostics,
  });
  return { plan, diagnostics };
}
