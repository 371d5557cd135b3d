// Decides whether the cases bite: with one behaviour switched off, a case of that behaviour (or of its rule) has to
// fail. All in one process: each case starts its own sandbox in a few milliseconds.
import { AssertionError } from 'node:assert/strict';
import type { Behaviour } from '../../src/sandbox/rules/rules.ts';
import { cases } from './cases.ts';
import { runCase } from './context.ts';

export interface Proof {
  readonly behaviour: Behaviour;
  /** The title of the case that failed, as it should; null: nothing noticed. */
  readonly noticedBy: string | null;
}

export async function prove(behaviour: Behaviour): Promise<Proof> {
  const [ruleId] = behaviour.id.split('/');
  const own = cases.filter((one) => one.rule === behaviour.id);
  const related = cases.filter((one) => one.rule.split('/')[0] === ruleId && one.rule !== behaviour.id);
  for (const one of [...own, ...related]) {
    try {
      await runCase(one, [behaviour.id]);
    } catch (error) {
      // A crash is no proof: the case has to have looked and found something else.
      if (!(error instanceof AssertionError)) throw error;
      return { behaviour, noticedBy: one.title };
    }
  }
  return { behaviour, noticedBy: null };
}

/** The titles of the cases that fail with everything switched on: they would prove anything. */
export async function failingCases(): Promise<readonly string[]> {
  const failing: string[] = [];
  for (const one of cases) {
    await runCase(one).catch((error: unknown) => failing.push(`${one.rule} ${one.title}: ${String(error)}`));
  }
  return failing;
}
