// No paid request is planned while nobody knows what became of another: that is found out first (O-02).
import type { InFlight } from '../../model/plan/ledger-view.ts';
import type { Filter } from './filter.ts';

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
  return action.steps.flatMap((step) =>
    step.do === 'request' && (step.name === unanswered || (step.name === pending?.step && pending.follow === 'look-up'))
      ? (step.unlocks ?? [])
      : [],
  );
}
