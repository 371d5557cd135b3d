// What is in flight, by what the ledger says, holds others up until the next run has gone on with it.
import type { Address } from '../../model/address.ts';
import { compareText } from '../../model/address.ts';
import type { Blocker } from '../../model/kind/kind.ts';
import type { InFlight } from '../../model/plan/ledger-view.ts';
import type { Action } from '../../model/plan/plan.ts';
import { isTargeted } from '../targets.ts';
import type { Filter } from './filter.ts';
import { IN_FLIGHT } from './filter.ts';

/** What is in flight is not planned again, and nothing beside it can count on it. */
export const alreadyInFlight: Filter = ({ ledger }) => {
  const inFlight = new Set(ledger.inFlight.map(({ action }) => action.address));
  return ({ address }) => (inFlight.has(address) ? IN_FLIGHT : null);
};

/** No paid request is planned while nobody knows what became of another: that is found out first (O-02). */
export const billingInFlight: Filter = ({ ledger }) => {
  const holders = new Map(
    ledger.inFlight.flatMap((flight) => locksKept(flight).map((lock) => [lock, flight.action.address] as const)),
  );
  return ({ address, locks }) => {
    const holder = locks.flatMap((lock) => holders.get(lock) ?? []).find((other) => other !== address);
    if (holder === undefined) return null;
    return {
      reason: `it is paid for, and what became of the request for ${holder} is not known yet`,
      remedy: `Run \`hostwright apply --resume\`; if it cannot tell either, \`hostwright ledger confirm ${holder}\`.`,
      rule: 'O-02',
    };
  };
};

/** The locks that only its answer gives back, of a request that was sent and not answered. */
function locksKept({ action, unanswered, pending }: InFlight): readonly string[] {
  return action.requests.flatMap(({ name, unlocks = [] }) =>
    name === unanswered || (name === pending?.step && pending.follow === 'look-up') ? unlocks : [],
  );
}

/** Of some kinds a run makes one, the first by address, and none while one is in flight. The others wait. */
export const oneAtATime: Filter = ({ registry, ledger, targets }, { actions }) => {
  const limitOn = ({ kind, verb }: Pick<Action, 'kind' | 'verb'>): Blocker | undefined =>
    verb === 'create' ? registry.get(kind)?.capabilities.fromLedger?.oneByOne : undefined;
  const inFlight = new Set(ledger.inFlight.map(({ action }) => action.address));
  const isLimited = ({ address, kind, verb }: Pick<Action, 'address' | 'kind' | 'verb'>): boolean =>
    limitOn({ kind, verb }) !== undefined && isTargeted(address, targets) && !inFlight.has(address);
  const firsts = new Map<string, Address | null>();
  for (const { action } of ledger.inFlight) if (limitOn(action) !== undefined) firsts.set(action.kind, null);
  for (const { kind, address } of actions.filter(isLimited)) {
    const first = firsts.get(kind);
    if (first === undefined || (first !== null && compareText(address, first) < 0)) firsts.set(kind, address);
  }
  return (action) => {
    const limit = limitOn(action);
    return limit === undefined || !isLimited(action) || firsts.get(action.kind) === action.address
      ? null
      : { ...limit, as: 'waiting' };
  };
};
