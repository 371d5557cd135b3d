// Decides which scenarios there are by name. A scenario is a store to start from, and the readings that belong to it.
import type { State } from '../state.ts';
import { empty } from './empty.ts';
import { generated } from './generated.ts';
import { guards } from './guards.ts';
import { hostile, hostileReadings } from './hostile.ts';
import { small } from './small.ts';

export type ScenarioFn = () => State;

export interface Scenario {
  readonly state: State;
  /** Overridden by the readings that the caller gives. */
  readonly readings: Readonly<Record<string, string>>;
}

const NAMED: Readonly<Record<string, { readonly build: ScenarioFn; readonly readings?: Readonly<Record<string, string>> }>> = {
  empty: { build: empty },
  small: { build: small },
  guards: { build: guards },
  hostile: { build: hostile, readings: hostileReadings },
};

export function buildScenario(scenario: string | ScenarioFn): Scenario {
  if (typeof scenario === 'function') return { state: scenario(), readings: {} };
  const count = /^sites:(\d+)$/.exec(scenario)?.[1];
  if (count !== undefined) return { state: generated(Number(count)), readings: {} };
  const named = Object.hasOwn(NAMED, scenario) ? NAMED[scenario] : undefined;
  if (named === undefined) throw new Error(`unknown scenario '${scenario}'; there are: ${Object.keys(NAMED).join(', ')}, sites:N`);
  return { state: named.build(), readings: named.readings ?? {} };
}
