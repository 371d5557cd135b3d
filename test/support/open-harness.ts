// The harness as most tests use it: closed when the test ends, and applied until nothing is left to do.
import { expect, onTestFinished } from 'vitest';
import type { Outcome } from '../../src/model/plan/outcome.ts';
import { isEmptyPlan } from '../../src/model/plan/plan.ts';
import type { Harness, HarnessOptions } from './harness.ts';
import { startHarness } from './harness.ts';

/** A harness that is closed when the test ends that opens it. */
export async function openHarness(options: HarnessOptions = {}): Promise<Harness> {
  const harness = await startHarness(options);
  onTestFinished(harness.close);
  return harness;
}

/** Applies, which has to end well, and plans again, which has to find nothing left to do. */
export async function converge({ apply, planned }: Harness, ...given: Parameters<Harness['apply']>): Promise<Outcome> {
  const { outcome } = await apply(...given);
  expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
  const again = await planned();
  expect(isEmptyPlan(again), JSON.stringify(again, null, 1)).toBe(true);
  return outcome;
}
