// Where the steps of an interrupted action come from: the templates of its kind, the manifests, and the account as it is
// now. Also decides which action of a fresh plan is what is left of an interrupted one.
import type { Address } from '../../model/address.ts';
import { collectionOf, kindOf, rootOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { JsonObject } from '../../model/json.ts';
import { sameJson, valueAt } from '../../model/json.ts';
import type { Kind, Registry } from '../../model/kind/kind.ts';
import { memberAddress } from '../../model/kind/kind.ts';
import type { BegunAction } from '../../model/ledger/begun.ts';
import { begunAction, valuesIn } from '../../model/ledger/begun.ts';
import type { InFlight } from '../../model/plan/ledger-view.ts';
import type { Action } from '../../model/plan/plan.ts';
import type { Step } from '../../model/plan/step.ts';
import { intentOf, stepsDigest } from '../../planner/digest.ts';
import type { LiveNow } from './template-steps.ts';
import { regenerateSteps } from './template-steps.ts';
import type { RecordOf } from '../../apply/context.ts';
import type { Regenerate, Regenerated } from '../../apply/resume.ts';
import type { LiveAccount } from '../plan/read-account.ts';

const PLANNED_ANEW = 'the next plan decides anew whether it is done';

/** The desired values of each declared object, by address. */
export type DesiredValues = ReadonlyMap<Address, JsonObject>;

/** Returns the desired values of every member that manifests declare. */
export function desiredValues(declared: readonly DesiredCollection[]): DesiredValues {
  return new Map(
    declared.flatMap(({ members }) =>
      members.filter(({ lifecycle }) => lifecycle.state === 'present').map(({ address, spec }) => [address, spec]),
    ),
  );
}

/** Returns what makes the ledger's record of an action that begins. */
export function recorder(account: string, desiredNow: () => DesiredValues): RecordOf {
  return (action) => {
    const { address, verb, risk, cost, changes, steps } = action;
    const desired = desiredNow().get(address) ?? {};
    return begunAction(action, {
      intent: intentOf(account, { address, verb, desired, risk, ...(cost !== undefined && { cost }) }),
      stepsDigest: stepsDigest(steps),
      ...(verb === 'update' && { desired: { ...desired, ...valuesIn(changes) } }),
    });
  };
}

/** True while the manifests ask for the same as when the action began: same object, desired values, price and risks. */
export function isUnchanged(account: string, begun: BegunAction, desired: DesiredValues): boolean {
  const { address, intent } = begun;
  return intent !== '' && intent === intentOf(account, { ...begun, desired: desired.get(address) ?? {} });
}

/**
 * Returns how actions in flight are resumed. `readLive` reads the roots that some of them are in. What is generated is
 * only followed by reading; a hook that comes after changes is sent where a manifest still asks for it.
 */
export function regenerator(
  { account, registry, declared, mayContinue }: RegenerateInput,
  readLive: (flights: readonly InFlight[]) => Promise<LiveAccount | undefined>,
): Regenerate {
  return async (flights) => {
    const needsLive = flights.filter(({ action: { verb, hook } }) => verb !== 'create' || hook === 'before');
    const live = needsLive.length === 0 ? undefined : await readLive(needsLive);
    const around = { live, desired: desiredValues(declared), account, isStrict: !(await mayContinue()) };
    return (flight) => regenerate(registry, flight, around);
  };
}

function regenerate(registry: Registry, flight: InFlight, { live, desired, account, isStrict }: Around): Regenerated {
  const { action } = flight;
  const { address, hook } = action;
  if (hook === 'command') return { unknown: 'a command began it; run the same command again, which continues it' };
  if (hook !== undefined && !desired.has(address))
    return { ended: 'no manifest asks for it any more; repeat it by its command if it is still needed' };
  const kind = registry.get(kindOf(address));
  const seen = kind === undefined ? NOT_READ : liveAt(kind, address, live);
  const steps = kind === undefined ? undefined : stepsOf(kind, action, seen);
  if (steps === undefined) return { unknown: 'nothing tells how to follow it; it stays in flight' };
  const open = flight.pending?.step ?? flight.unanswered;
  if (open === undefined || steps.some(({ name }) => name === open)) {
    const ids = idsAround(address, seen, live);
    if (hook === 'after')
      return ids === undefined
        ? { unknown: `what it belongs to could not be read; ${flight.reason ?? 'it stays in flight'}` }
        : { steps, mode: 'continue', ids };
    const own = kind === undefined || isStrict ? undefined : stepsNow(kind, flight, { seen, desired, account });
    return own === undefined || ids === undefined ? { steps, mode: 'follow' } : { steps: own, mode: 'continue', ids };
  }
  const isOnce = action.requests.some(({ name, once }) => name === open && once === true);
  // The live object shows that this request is not needed any more, or that another one is.
  if (seen.member !== undefined || !isOnce) return { ended: `its request is not needed as it was; ${PLANNED_ANEW}` };
  return { unknown: `nothing tells how to follow its request ${open}; it stays in flight` };
}

/**
 * The steps by the manifest of today, where some of what is left of an update shows in no read: fields that count only
 * while an object is created or switched on. Undefined where the next plan has what is left: where the manifest asks for
 * something else, or a request that is left could do its work twice or gives a lock back.
 */
function stepsNow(
  kind: Kind,
  { action, answered }: InFlight,
  { seen, desired, account }: { readonly seen: LiveNow } & Pick<Around, 'desired' | 'account'>,
): readonly Step[] | undefined {
  const spec = desired.get(action.address);
  if (action.verb !== 'update' || spec === undefined || !isUnchanged(account, action, desired)) return undefined;
  if (!Object.keys(spec).some((field) => kind.fields[field]?.rule === 'createOnly')) return undefined;
  const steps = stepsOf(kind, { ...action, desired: spec }, seen);
  const isSafe = (step: Step): boolean =>
    step.do !== 'request' ||
    Object.hasOwn(answered, step.name) ||
    (step.idempotent && step.unlocks === undefined && step.oneTimeSecret === undefined && step.method !== 'DELETE');
  return steps?.every(isSafe) === true ? steps : undefined;
}

/** The ids that a read gave of the root and of the object itself; undefined where the root was not found. */
function idsAround(address: Address, { member }: LiveNow, live: LiveAccount | undefined): IdsByAddress | undefined {
  const root = live?.bound.get(rootOf(address));
  if (root === undefined) return undefined;
  const own = member === undefined || !('id' in member) ? [] : [[address, String(member.id)] as const];
  return new Map([...own, [rootOf(address), root.id]]);
}

type IdsByAddress = ReadonlyMap<Address, string>;

interface Around extends Pick<RegenerateInput, 'account'> {
  readonly live: LiveAccount | undefined;
  readonly desired: DesiredValues;
  readonly isStrict: boolean;
}

/** What steps are generated from. */
export interface RegenerateInput {
  readonly account: string;
  readonly registry: Registry;
  readonly declared: readonly DesiredCollection[];
  /** Resolves to false where only reviewed actions may run: then nothing is continued. */
  readonly mayContinue: () => Promise<boolean>;
}

const NOT_READ: LiveNow = { members: [] };

function liveAt(kind: Kind, address: Address, live: LiveAccount | undefined): LiveNow {
  const collection = collectionOf(address);
  const seen = live?.observed.get(collection);
  const members = seen?.state === 'read' ? seen.members : [];
  if (kind.parent === null) return { member: live?.bound.get(address), members };
  const parent = collection.slice(0, collection.lastIndexOf('/'));
  return {
    member: members.find((one) => memberAddress({ kind: kind.kind, parent }, kind, one.identity) === address),
    members,
  };
}

/** A template may need what only the live object tells; then there are no steps. */
function stepsOf(kind: Kind, action: BegunAction, live: LiveNow): readonly Step[] | undefined {
  try {
    return regenerateSteps(kind, action, live);
  } catch {
    return undefined;
  }
}

/**
 * True when an action of a fresh plan is what is left of one that was interrupted: it sets nothing but values that the
 * interrupted one set, from values that the interrupted one met, at no more risk and no other price.
 */
export function isLeftOf(begun: BegunAction, fresh: Action): boolean {
  if (begun.address !== fresh.address || begun.protected !== fresh.protected || fresh.hook !== undefined) return false;
  if (fresh.verb === 'delete') return begun.verb === 'delete';
  if (begun.verb === 'delete') return false;
  if (!fresh.risk.every((risk) => begun.risk.includes(risk))) return false;
  const [now, then] = [fresh.expect.identity, begun.expect.identity];
  if (begun.verb === 'update' && now?.id !== then?.id) return false;
  if (fresh.cost !== undefined && !sameJson({ ...fresh.cost }, begun.cost === undefined ? null : { ...begun.cost }))
    return false;
  const wanted = valuesIn(begun.changes);
  const before = new Map(begun.changes.map((change) => [change.path, change]));
  return fresh.changes.every(({ op, path, was, value, secret }) => {
    const change = before.get(path);
    if (secret !== undefined || change?.secret !== undefined)
      return sameJson(
        secret === undefined ? null : { ...secret },
        change?.secret === undefined ? null : { ...change.secret },
      );
    // What an update removes and creates again has fields that it did not change: they are its identity.
    if (begun.verb === 'update' && fresh.verb === 'create' && change === undefined)
      return typeof value === 'string' && fresh.address.endsWith(`/${encodeURIComponent(value)}`);
    const isWanted = op === 'remove' ? change?.op === 'remove' : sameJson(value, valueAt(wanted, path));
    const isMet = begun.verb === 'create' || fresh.verb === 'create' || sameJson(was, change?.was);
    return isWanted && isMet;
  });
}

/** The roots of these actions. */
export function rootsOf(flights: readonly InFlight[]): ReadonlySet<Address> {
  return new Set(flights.map(({ action }) => rootOf(action.address)));
}
