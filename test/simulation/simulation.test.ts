// Plays fixed seeds in every weather; `npm run simulate` plays as many as wanted.
import { describe, expect, it } from 'vitest';
import { isWhole } from '../support/whole.ts';
import { simulate } from './simulation.ts';

/** Seeds of the tests are the same for everybody; nightly runs take others. */
const SEEDS = isWhole ? 200 : 8;

describe('a simulation', () => {
  it('gives the same trace for the same seed, byte by byte', async () => {
    const [first, second] = [
      await simulate({ seed: 3, weather: 'swarm' }),
      await simulate({ seed: 3, weather: 'swarm' }),
    ];
    expect(second.trace.join('\n')).toBe(first.trace.join('\n'));
  });

  it.each(['swarm', 'crash', 'late', 'all'])('keeps every property in the weather %s', async (weather) => {
    const broken: unknown[] = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { violations, world } = await simulate({ seed, weather });
      if (violations.length > 0) broken.push({ seed, world, violations });
    }
    expect(broken).toEqual([]);
  });
});
