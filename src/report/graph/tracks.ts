// Which actions of a plan may overlap: a track is what shares a lock or waits for another of it, and tracks of one
// stage do not wait for each other. Told from the plan's own needs and locks.
import type { Address } from '../../model/address.ts';
import { rootOf } from '../../model/address.ts';
import type { Action } from '../../model/plan/plan.ts';

export interface Track {
  /** The roots that it works on, in execution order. */
  readonly roots: readonly Address[];
  readonly actions: readonly Address[];
  readonly stage: Action['stage'];
}

const NAMES_SHOWN = 3;

/** The track of each action, of those stages that have more than one. */
export function tracksOf(actions: readonly Action[]): ReadonlyMap<Address, Track> {
  const stages = (['change', 'removal'] as const).map((stage) =>
    groupTracks(
      actions.filter((action) => action.stage === stage),
      stage,
    ),
  );
  return new Map(
    stages
      .filter((tracks) => tracks.length > 1)
      .flatMap((tracks) => tracks.flatMap((track) => track.actions.map((address) => [address, track] as const))),
  );
}

/** `Site/blog, Site/docs`. */
export function trackName({ roots }: Track): string {
  const more = roots.length > NAMES_SHOWN ? ` and ${roots.length - NAMES_SHOWN} more` : '';
  return `${roots.slice(0, NAMES_SHOWN).join(', ')}${more}`;
}

/** `changes in 3 independent groups, run in parallel`, or nothing. */
export function overlapSentence(actions: readonly Action[]): string {
  const tracks = [...new Set(tracksOf(actions).values())];
  const counts = (
    [
      ['change', 'changes'],
      ['removal', 'removals'],
    ] as const
  ).map(([stage, words]) => [tracks.filter((track) => track.stage === stage).length, words] as const);
  const parts = counts.flatMap(([count, words]) =>
    count === 0 ? [] : [`${words} in ${count} independent ${count === 1 ? 'group' : 'groups'}`],
  );
  return parts.length === 0 ? '' : `${parts.join(', then ')}, run in parallel`;
}

function groupTracks(actions: readonly Action[], stage: Action['stage']): readonly Track[] {
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
  const tracks = new Map<string, Address[]>();
  for (const { address } of actions) {
    const top = find(`action ${address}`);
    const track = tracks.get(top);
    if (track === undefined) tracks.set(top, [address]);
    else track.push(address);
  }
  return [...tracks.values()].map((addresses) => ({
    roots: [...new Set(addresses.map(rootOf))],
    actions: addresses,
    stage,
  }));
}
