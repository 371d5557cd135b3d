// Whether what would be written says what is live: a plan for it has nothing to do, and nothing to say that the texts
// do not say themselves.
import type { Address } from '../../model/address.ts';
import { rootOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Action, Plan, PlanBlocker } from '../../model/plan/plan.ts';
import type { NewFile } from '../../manifest/write/new-files.ts';
import type { Account } from '../account.ts';
import { planManifests, quietly } from '../account.ts';
import { Stopped } from '../client.ts';
import type { LiveAccount } from '../plan/read-account.ts';
import type { ExportDocument } from './documents.ts';

const SHOWN = 20;

/**
 * Stops unless a plan of the new manifests has nothing to do: only they are proven, what others say is theirs. Gives
 * what was live of them.
 */
export async function provePlansToNothing(
  account: Account,
  documents: readonly ExportDocument[],
  added: readonly NewFile[],
): Promise<LiveAccount | undefined> {
  const own = new Set(documents.map(({ address }) => address));
  const after = await planManifests(quietly(account), { added, within: own });
  const differences =
    after instanceof Stopped ? errorsIn(after.diagnostics) : differencesIn(after.plan, own, documents);
  if (differences.length > 0) throw new Stopped([unproven(differences)]);
  return after instanceof Stopped ? undefined : after.live;
}

function errorsIn(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, address, detail }) => `${[code, address].join(' ').trimEnd()}: ${detail}`);
}

function differencesIn(plan: Plan, own: ReadonlySet<Address>, documents: readonly ExportDocument[]): readonly string[] {
  const reported = new Set(
    documents.flatMap(({ address, leftOut }) =>
      leftOut.flatMap(({ members = [] }) => members.map((identity) => JSON.stringify([address, identity]))),
    ),
  );
  return [
    ...plan.actions.map(
      ({ address, verb, reason, changes }) =>
        `${verb} ${address}: ${reason} (${changes.map(({ path }) => path).join(', ')})`,
    ),
    ...STUCK.flatMap((list) =>
      plan[list]
        .filter(({ address }) => list === 'deferred' || own.has(rootOf(address)))
        .map(({ address, reason }) => `${address} is ${list}: ${reason}`),
    ),
    ...plan.unmanaged
      .filter(({ collection, identity }) => !reported.has(JSON.stringify([rootOf(collection), identity])))
      .map(({ collection, identity }) => `${collection}: ${identity} is not named`),
  ];
}

/** Lists of a plan with what it would do and cannot. */
const STUCK = ['blocked', 'unknown', 'waiting', 'manual', 'deferred'] as const;

function unproven(differences: readonly string[]): Diagnostic {
  const more = differences.length > SHOWN ? `; and ${differences.length - SHOWN} more` : '';
  return diagnose(
    'HW6702',
    `Nothing was written. A plan with them would have these differences: ${differences.slice(0, SHOWN).join('; ')}${more}. The account may have changed meanwhile: run the command again. If this stays, please report it, and export the other objects by their addresses or kinds.`,
  );
}

/** The objects that a plan would change and another one would not. */
export function newDifferences(before: Plan, after: Plan): readonly Address[] {
  const known = new Set(before.actions.map(({ address }) => address));
  return after.actions
    .filter((action) => !known.has(action.address) && isDifference(action))
    .map(({ address }) => address);
}

/**
 * A secret that is to be written is nothing that a manifest could take from the account; what is done with other
 * changes is no difference.
 */
export function isDifference({ verb, changes, hook }: Action): boolean {
  return (
    hook === undefined &&
    (verb !== 'update' || changes.some(({ secret, rotationToken }) => secret === undefined && rotationToken !== true))
  );
}

/** All of a plan that says that an object is not as declared. */
export function differencesOf({
  actions,
  blocked,
  manual,
}: Pick<Plan, 'actions' | 'blocked' | 'manual'>): readonly (Action | PlanBlocker)[] {
  return [...actions.filter(isDifference), ...blocked, ...manual];
}

/** The objects that a plan could not get on with and another one could. */
export function newlyStuck(before: Plan, after: Plan): readonly Address[] {
  const all = (plan: Plan): readonly Address[] => STUCK.flatMap((list) => plan[list].map(({ address }) => address));
  const known = new Set(all(before));
  return all(after).filter((address) => !known.has(address));
}
