// Which actions of a plan may overlap: those that neither share a lock nor wait for each other, by way of others too.
import type { Action } from '../../model/plan/plan.ts';

/** `changes in 3 independent groups, run in parallel`, or nothing. */
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
