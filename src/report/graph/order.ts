// How the actions of a plan wait for each other: what each waits for directly, and which may overlap.
import type { Address } from '../../model/address.ts';
import type { Action } from '../../model/plan/plan.ts';

/** What is waited for by way of something else is left out: its arrow would say nothing new. */
export function directNeeds(action: Action, actions: readonly Action[]): Action['needs'] {
  const byAddress = new Map(actions.map((one) => [one.address, one]));
  const reached = new Set<Address>();
  const reach = (address: Address): void => {
    for (const need of byAddress.get(address)?.needs ?? []) {
      if (reached.has(need.address)) continue;
      reached.add(need.address);
      reach(need.address);
    }
  };
  for (const { address } of action.needs) reach(address);
  return action.needs.filter(({ address }) => byAddress.has(address) && !reached.has(address));
}

/**
 * `changes in 3 independent groups, run in parallel`, or nothing. Actions are in one group where they share a lock or wait
 * for each other, by way of others too.
 */
export function overlapSentence(actions: readonly Action[]): string {
  const stages = [
    ['change', 'changes'],
    ['removal', 'removals'],
  ] as const;
  const counts = stages.map(
    ([stage, words]) => [countGroups(actions.filter((one) => one.stage === stage)), words] as const,
  );
  if (counts.every(([count]) => count < 2)) return '';
  const parts = counts.flatMap(([count, words]) => (count < 2 ? [] : [`${words} in ${count} independent groups`]));
  return `${parts.join(', then ')}, run in parallel`;
}

function countGroups(actions: readonly Action[]): number {
  const parents = new Map<string, string>();
  const find = (key: string): string => {
    let top = key;
    for (let above = parents.get(top); above !== undefined; above = parents.get(top)) top = above;
    // Every key on the way points at the top from now on, or ten thousand of them would be walked again and again.
    for (let below = key; below !== top;) {
      const above = parents.get(below) as string;
      parents.set(below, top);
      below = above;
    }
    return top;
  };
  for (const { address, locks, needs } of actions) {
    for (const key of [...locks.map((lock) => `lock ${lock}`), ...needs.map((need) => `action ${need.address}`)]) {
      const [one, other] = [find(`action ${address}`), find(key)];
      if (one !== other) parents.set(one, other);
    }
  }
  return new Set(actions.map(({ address }) => find(`action ${address}`))).size;
}
