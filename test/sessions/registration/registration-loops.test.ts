// A purchase and a transfer broken at every request and at every sign of life, and run under every reading of what the
// documents leave open. A rerun converges or stops honestly, and nothing is bought twice.
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { Outcome } from '../../../src/model/plan/outcome.ts';
import { AMBIGUITIES } from '../../../src/sandbox/areas.ts';
import { REGISTRATION_AMBIGUITIES } from '../../../src/sandbox/registration/ambiguities.ts';
import type { Session } from '../../../src/usecases/session.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Harness } from '../../support/harness.ts';
import type { Story } from '../../support/loops.ts';
import { deathLoop, killLoop } from '../../support/loops.ts';
import { bought, CODE, name, namesWorkspace, startNames, there, withCode } from '../../support/registrations.ts';
import { unusual } from '../../support/whole.ts';

const DAYS_MS = 6 * 86_400_000;
const REGISTER = [
  'register',
  'fresh.com',
  name('fresh.com', 'autoRenew: false\n  order: { maxPrice: { amount: "12.00", currency: EUR } }'),
] as const;
const TRANSFER = [
  'transfer',
  'moving.com',
  name('moving.com', 'autoRenew: true\n  order: { action: transfer, authcode: { env: CODE } }'),
] as const;

/** Runs, and days later once more where something has to arrive. */
async function run(one: Harness, extra: Partial<Session> = {}): Promise<Outcome> {
  const { outcome } = await one.apply({ allowDeletes: 1 }, { ...withCode, ...extra });
  if (outcome.outcome === 'waiting') one.sandbox.clock.advance(DAYS_MS);
  return outcome.outcome === 'waiting'
    ? (await one.apply({ allowDeletes: 1 }, { ...withCode, ...extra })).outcome
    : outcome;
}

/** A person looks where only a person can know: what no order shows was not bought. */
async function sayNotMade(one: Harness, { actions }: Outcome, where: string): Promise<boolean> {
  const lost = actions.filter(({ result }) => result === 'unknown-outcome');
  // A registration, not a section of one.
  if (lost.some(({ address }) => address.split('/').length === 2)) expect(bought(one.sandbox), where).toEqual([]);
  for (const { address } of lost) await ledgerCommand(one.session(), { do: 'confirm', address, notMade: true });
  return lost.length > 0;
}

function isBought({ sandbox }: Harness, [action, of]: typeof REGISTER | typeof TRANSFER, where: string): void {
  expect(
    bought(sandbox).filter(([what]) => what.endsWith(of)),
    where,
  ).toEqual([[`domain order ${action} ${of}`, 1]]);
  expect(there(sandbox, of), where).toMatchObject({
    status: 'OK',
    autoRenew: action === 'transfer',
    ...(action === 'transfer' && { authcode: CODE }),
  });
}

describe.each([REGISTER, TRANSFER])('a %s of %s', (...wanted) => {
  const [action, of, document] = wanted as unknown as typeof REGISTER;
  const story: Story = {
    name: `${action} ${of}`,
    options: { ...namesWorkspace([document]) },
    run,
    check: (one, where) => isBought(one, [action, of, document], where),
    confirmLost: sayNotMade,
    turns: true,
  };

  it('broken by a death at any event', () => deathLoop(story));

  killLoop(story);
});

describe('both of them', () => {
  const ambiguities = Object.entries(AMBIGUITIES)
    .filter(([gap]) => Object.hasOwn(REGISTRATION_AMBIGUITIES, gap) || /^(late|list|empty|GAP-06|GAP-10)/.test(gap))
    .flatMap(([gap, values]) => unusual(values).map((value) => [gap, value] as const));

  it.each(ambiguities)('under %s = %s', async (gap, value) => {
    const one = await startNames([REGISTER[2], TRANSFER[2]], { ambiguities: { [gap]: value } });
    try {
      let outcome = await run(one);
      for (let runs = 1; runs < 3 && outcome.exitCode !== 0; runs += 1) outcome = await run(one);
      expect(outcome.exitCode, JSON.stringify(outcome, null, 1)).toBe(0);
      for (const wanted of [REGISTER, TRANSFER]) isBought(one, wanted, `${gap} = ${value}`);
      expect(isEmptyPlan(await one.planned())).toBe(true);
    } finally {
      await one.close();
    }
  });
});
