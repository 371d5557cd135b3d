// What two reviewers must both have seen for an action to be the same action: account, address, verb, changes,
// expectations, steps, and what guards go by (risk, cost, protection), so that a digest of a comment approves those as
// well, and nothing in another account. Ids, positions in a file, order and the clock stay outside, so a digest is the
// same over commits, merges, machines and resumed runs.
import { createHash } from 'node:crypto';
import type { DesiredCollection } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import { compareText } from '../model/address.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { canonicalJson, canonicalPieces } from '../model/json.ts';
import type { BegunAction } from '../model/ledger/begun.ts';
import type { Action, Plan } from '../model/plan/plan.ts';

/** What the digest of an action is computed from, in addition to the account. */
type Content = Pick<Action, 'address' | 'verb' | 'changes' | 'expect' | 'risk' | 'cost' | 'protected'> &
  (Pick<Action, 'steps'> | Pick<BegunAction, 'stepsDigest'>);

/** 64 hexadecimal digits. */
export function actionDigest(account: string, action: Content): string {
  return digestInAccount(account, contentDigest(action));
}

/** The digest of an action in an account, from what the same action has in every account. */
export function digestInAccount(account: string, content: string): string {
  return sha256([account, content]);
}

/** The same for the same action in every account: 64 hexadecimal digits. */
export function contentDigest(action: Content): string {
  const { address, verb, changes, expect, risk, cost, protected: isProtected } = action;
  return sha256({
    address,
    verb,
    changes,
    expect,
    // By their digest, so that the ledger, which has no steps, can show that a recorded action is the reviewed one.
    steps: 'steps' in action ? stepsDigest(action.steps) : action.stepsDigest,
    risk,
    ...(cost !== undefined && { cost }),
    protected: isProtected,
  } as unknown as Json);
}

/** The digest of the steps of an action: 64 hexadecimal digits. */
export function stepsDigest(steps: Action['steps']): string {
  return sha256(steps as unknown as Json);
}

/**
 * Returns the hash of what an action is to achieve: account, address, verb, desired values, accepted price and risks. It
 * has no live values and no steps, so it is the same for as long as the manifest asks for the same.
 */
export function intentOf(
  account: string,
  { address, verb, desired, risk, cost }: Pick<BegunAction, 'address' | 'verb' | 'desired' | 'risk' | 'cost'>,
): string {
  return sha256({
    account,
    address,
    verb,
    desired,
    risk: [...risk].sort(compareText),
    ...(cost !== undefined && { cost: { ...cost } }),
  });
}

/** The digest of a set of actions, whatever their order. */
export function planDigest(actions: readonly Pick<Action, 'digest'>[]): string {
  return sha256(actions.map(({ digest }) => digest).sort(compareText));
}

/** What the manifests declare of one collection: a section that is planned later is planned for this. */
export function declaredDigest({
  collection,
  members,
  unlisted,
  unresolved,
}: Pick<DesiredCollection, 'collection' | 'members' | 'unlisted' | 'unresolved'>): string {
  const references =
    unresolved === undefined
      ? {}
      : { unresolved: { references: unresolved.references as unknown as Json, written: unresolved.written } };
  return sha256({
    collection,
    unlisted,
    members: members.map(({ identity, spec }) => ({ identity, spec })),
    ...references,
  });
}

/** The id of a plan: over everything in it, so that nothing can be taken out or slipped in unseen. */
export function planIdentity(plan: Omit<Plan, 'planId'>): string {
  const hash = createHash('sha256');
  for (const piece of canonicalPieces(plan as unknown as JsonObject)) hash.update(piece);
  return hash.digest('hex');
}

/** What is wrong with a plan that came from outside; empty when its digests hold. */
export function verifyPlan(plan: Plan): readonly Diagnostic[] {
  const broken = plan.actions.filter((action) => actionDigest(plan.account, action) !== action.digest);
  const found = broken.map(({ address }) =>
    tampered(`The action on ${address} is not the one its digest was made from.`, address),
  );
  if (found.length > 0) return found;
  // What is told of drift is no part of what runs.
  const { planId, drift: _drift, ignored: _ignored, ...rest } = plan;
  if (planDigest(plan.actions) !== plan.digest)
    return [tampered('The digest of the plan does not fit its actions: actions were added or removed.')];
  return planIdentity(rest) === planId ? [] : [tampered('The id of the plan does not fit its content.')];
}

function tampered(what: string, address?: string): Diagnostic {
  return diagnose(
    'HW2101',
    `${what} It was edited, or another version of hostwright made it. Nothing is run. Make the plan again and have it reviewed.`,
    { ...(address !== undefined && { address }) },
  );
}

function sha256(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
