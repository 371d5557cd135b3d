// A purchase, a resize and a deletion of panel accounts, broken at every request that differs from the one before it
// and at signs of life all along. A rerun converges or stops for a person, nothing is bought twice, and the store is the one
// that was written down by hand.
import { describe, expect, it } from 'vitest';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { fixtures } from '../../support/fixtures.ts';
import type { Story } from '../../support/loops.ts';
import { deathLoop, killLoop } from '../../support/loops.ts';

const example = 'a-panel-account';

const story: Story = {
  name: example,
  options: { example, scenario: 'panel', ledger: true },
  // One action at a time: the same request has the same number in every run.
  run: async (one, extra) => (await one.apply({ allowCharges: 2, allowDeletes: 1, parallelism: 1 }, extra)).outcome,
  check: (one, where) => expect(one.sandbox.snapshot(), where).toMatchObject(fixtures[example]),
  // Nobody can know by reading (ORD-44, PNL-15); the person who looks into the dashboard sees that nothing was bought.
  confirmLost: async (one, { actions }) => {
    const lost = actions.filter(({ result }) => result === 'unknown-outcome');
    for (const { address } of lost) await ledgerCommand(one.session(), { do: 'confirm', address, notMade: true });
    return lost.length > 0;
  },
  turns: true,
};

describe('panel accounts, broken', () => {
  it('by a death at any event', () => deathLoop(story));

  killLoop(story);
});
