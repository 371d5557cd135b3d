// What one running sandbox consists of: the store, the clock, the ambiguities and the oracle of creations.
import type { SandboxClock } from './clock.ts';
import { shuffled } from './random.ts';
import type { Ambiguities } from './ambiguities.ts';
import type { State } from './state.ts';

/** What the work changes: once it runs, once it is OK, once it has failed or was called off. */
export interface TaskEffects {
  readonly running?: () => void;
  readonly ok?: () => void;
  readonly failed?: () => void;
}

export interface World {
  readonly state: State;
  readonly clock: SandboxClock;
  readonly ambiguities: Ambiguities;
  /** Logical creation -> how many times it was processed: nothing may ever be made twice. */
  readonly creations: Map<string, number>;
  /** Task id -> what changes when it ends. */
  readonly taskEffects: Map<number, TaskEffects>;
  /** Token of a cart that waits for a person -> what happens when it is paid. */
  readonly parkedCarts: Map<string, () => void>;
  /** How many /api requests have come in. */
  requestCount: number;
}

export function newWorld({ state, clock, ambiguities }: Pick<World, 'state' | 'clock' | 'ambiguities'>): World {
  return {
    state,
    clock,
    ambiguities,
    creations: new Map(),
    taskEffects: new Map(),
    parkedCarts: new Map(),
    requestCount: 0,
  };
}

export function countCreation(world: World, name: string): void {
  world.creations.set(name, (world.creations.get(name) ?? 0) + 1);
}

/** What goes wrong so many times; null: until somebody mends it. A client cannot see it coming. */
export interface Trouble<Part> {
  readonly part: Part;
  times: number | null;
}

/** Whether one of the troubles strikes now; it counts as a strike. */
export function strikes<Part>(troubles: Trouble<Part>[], isMeant: (part: Part) => boolean): boolean {
  const trouble = troubles.find(({ part }) => isMeant(part));
  if (trouble === undefined) return false;
  if (trouble.times !== null) trouble.times -= 1;
  if (trouble.times !== null && trouble.times <= 0) troubles.splice(troubles.indexOf(trouble), 1);
  return true;
}

/** Rows in the order of the chosen reading: no list documents one. */
export function inListOrder<T>(world: World, rows: readonly T[]): readonly T[] {
  switch (world.ambiguities.listOrder) {
    case 'stored':
      return rows;
    case 'shuffled':
      return shuffled(rows, world.state.seed);
    case 'reshuffled':
      return shuffled(rows, world.state.seed + world.requestCount);
  }
}
