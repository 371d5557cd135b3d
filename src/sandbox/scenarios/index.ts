// Which scenarios there are by name. A scenario is a store to start from, and the readings that belong to it: what `core`
// has there, and what each area adds to it.
import { AREAS } from '../areas.ts';
import type { Scenario, ScenarioPart } from '../core/area.ts';
import { emptyState } from '../core/state.ts';
import type { State } from '../core/state.ts';
import { empty } from './empty.ts';
import { accounts, sites } from './generated.ts';
import { guards } from './guards.ts';
import { hostile, hostileAmbiguities } from './hostile.ts';
import { small } from './small.ts';

export type ScenarioFn = () => State;

interface BuiltScenario {
  readonly state: State;
  /** Overridden by the readings that the caller gives. */
  readonly ambiguities: Readonly<Record<string, string>>;
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  empty: {},
  small: {},
  guards: {},
  hostile: { ambiguities: hostileAmbiguities },
  'sites:N': {},
  'accounts:N': {},
  ...(Object.assign({}, ...AREAS.map(({ scenarios }) => scenarios)) as Readonly<Record<string, Scenario>>),
};

/** Those of any size last. */
const NAMES = Object.keys(SCENARIOS).sort((left, right) => Number(left.endsWith(':N')) - Number(right.endsWith(':N')));

const PARTS: readonly Readonly<Record<string, ScenarioPart>>[] = [
  { empty, small, guards, hostile, 'sites:N': sites, 'accounts:N': accounts },
  ...AREAS.map(({ parts }) => parts ?? {}),
];

/** The store of a scenario: `small`, or `sites:1000` where it has a size. */
export function scenarioState(name: string): State {
  return buildScenario(name).state;
}

export function buildScenario(scenario: string | ScenarioFn): BuiltScenario {
  if (typeof scenario === 'function') return { state: scenario(), ambiguities: {} };
  const [, of, count] = /^(.+):(\d+)$/.exec(scenario) ?? [];
  const name = of === undefined ? scenario : `${of}:N`;
  const found = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
  if (found === undefined) throw new Error(`unknown scenario '${scenario}'; there are: ${NAMES.join(', ')}`);
  const state = emptyState(AREAS);
  for (const step of new Set(['empty', found.from ?? 'empty', name]))
    for (const parts of PARTS) if (Object.hasOwn(parts, step)) parts[step]?.(state, Number(count));
  return { state, ambiguities: found.ambiguities ?? {} };
}
