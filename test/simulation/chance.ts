// Chance as a pure function: every random decision of a simulation derives from the seed, the actor, what is decided and
// how often the actor has decided it before. The order in which Node.js runs callbacks therefore changes nothing.
import { createHash } from 'node:crypto';

export interface Chance {
  /** Returns a number in [0, 1). */
  readonly draw: (actor: string, what: string) => number;
  /** Returns true with the given probability. */
  readonly hits: (probability: number, actor: string, what: string) => boolean;
  /** Returns a number in [from, to). */
  readonly between: (from: number, to: number, actor: string, what: string) => number;
  /** Returns an element of a list that is not empty. */
  readonly oneOf: <Item>(items: readonly Item[], actor: string, what: string) => Item;
}

export function createChance(seed: number): Chance {
  const counts = new Map<string, number>();
  const draw: Chance['draw'] = (actor, what) => {
    const key = `${actor}|${what}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    return createHash('sha256').update(`${seed}|${key}|${nth}`).digest().readUInt32BE(0) / 2 ** 32;
  };
  return {
    draw,
    hits: (probability, actor, what) => draw(actor, what) < probability,
    between: (from, to, actor, what) => from + draw(actor, what) * (to - from),
    oneOf: (items, actor, what) => items[Math.floor(draw(actor, what) * items.length)] as (typeof items)[number],
  };
}
