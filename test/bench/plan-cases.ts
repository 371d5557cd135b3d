// The accounts and workspaces that two builds have to plan the same for: every example on its account and on an empty
// one, all areas side by side, bench and rich sites, and random worlds. `npm run same-plans` plans them with two builds as processes;
// test/golden/digests.test.ts holds what they give today.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Fault } from '../../src/sandbox/core/http/faults.ts';
import { buildScenario } from '../../src/sandbox/scenarios.ts';
import type { State } from '../../src/sandbox/core/state.ts';
import type { Drawn } from '../properties/worlds.ts';
import { filesOf as worldFiles, mailspace, site, WORKSPACE as WORLD_WORKSPACE } from '../properties/worlds.ts';
import { WORLDS } from '../support/worlds.ts';
import type { Account } from './accounts.ts';
import { benchSites, filesOf, richSites, WORKSPACE } from './accounts.ts';

export interface PlanCase {
  readonly name: string;
  /** As of a harness. */
  readonly scenario: string | (() => State);
  readonly example?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly workspace?: string;
  readonly ledger?: true;
  /** Answers that are not what was asked for: what cannot be read is unknown. */
  readonly faults?: readonly Fault[];
  readonly targets?: readonly string[];
}

const EXAMPLES = join(import.meta.dirname, '../../examples');

/** The scenario that the workspace file of an example names. */
function scenarioOf(example: string): string {
  const text = readFileSync(join(EXAMPLES, example, 'hostwright.yaml'), 'utf8');
  return /sandbox --port 4010 --scenario ([\w:-]+)/.exec(text)?.[1] ?? 'small';
}

const examples = readdirSync(EXAMPLES)
  .filter((name) => existsSync(join(EXAMPLES, name, 'hostwright.yaml')))
  .sort();

const exampleCases = examples.flatMap((example): readonly PlanCase[] => {
  const scenario = scenarioOf(example);
  return [...new Set([scenario, 'empty'])].map((on) => ({
    name: `${example} on ${on}`,
    example,
    scenario: on,
  }));
});

const account = (name: string, one: Account, more: Partial<PlanCase> = {}): PlanCase => ({
  name,
  scenario: one.build,
  files: filesOf(one, 25),
  workspace: WORKSPACE,
  ...more,
});

/** What a fault makes of one area of every site, or of the list of sites. */
const garbled = (path: string): { readonly faults: readonly Fault[] } => ({
  faults: [{ kind: 'status-before', status: 404, match: { method: 'GET', path } }],
});

/** Sites that cannot be changed, or not all of them. */
const inTheWay: PlanCase = {
  name: 'sites that cannot all be changed',
  scenario: 'guards',
  workspace: WORKSPACE,
  files: {
    'sites/all.yaml': ['healthy', 'suspended', 'leaving', 'locked', 'view-only', 'no-cdn', 'cdn-off', 'cdn-down']
      .map(
        (name) =>
          `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name}, id: site-${name} }\nspec:\n  phpVersion: "8.2"\n  caching: { cacheExpiration: 60 }\n`,
      )
      .join('---\n'),
  },
};

const sized: readonly PlanCase[] = [
  account('60 bench sites, unchanged', benchSites({ count: 60 })),
  account('60 bench sites, a third changed', benchSites({ count: 60, changed: 1 / 3 })),
  account('60 bench sites of 80', { ...benchSites({ count: 60 }), build: benchSites({ count: 80 }).build }),
  account('60 bench sites where 40 are', {
    ...benchSites({ count: 60, changed: 0.5 }),
    build: benchSites({ count: 40 }).build,
  }),
  account('40 rich sites, unchanged', richSites({ count: 40 })),
  account('40 rich sites, a third changed', richSites({ count: 40, changed: 1 / 3 })),
  account('40 rich sites, all changed', richSites({ count: 40, changed: 1 })),
  account('40 rich sites on bare ones', {
    ...richSites({ count: 40 }),
    build: benchSites({ count: 40 }).build,
  }),
  account('bare sites on 40 rich ones', {
    ...benchSites({ count: 40 }),
    build: richSites({ count: 40 }).build,
  }),
  account('some of 40 rich sites', richSites({ count: 40, changed: 1 }), {
    targets: ['Site/s0000*', 'Site/s00020/Caching', 'Site/*/ShieldAccessList/*'],
  }),
  account('12 rich sites, edge rules not found', richSites({ count: 12, changed: 0.5 }), garbled('*/edge_rules')),
  account('12 rich sites, Shield not found', richSites({ count: 12, changed: 0.5 }), garbled('*/shield*')),
];

/** Sites and mailspaces side by side in one account, each drawn by itself. */
function crowd(seed: number): PlanCase {
  const draw = (count: number, one: (name: string) => fc.Arbitrary<Drawn>, prefix: string): readonly Drawn[] =>
    Array.from(
      { length: count },
      (_, index) => fc.sample(one(`${prefix}${index + 1}`), { seed: seed * 1000 + index, numRuns: 1 })[0] as Drawn,
    );
  const drawn = [...draw(24, site, 'w'), ...draw(16, mailspace, 'm')];
  return {
    name: `40 random worlds (${seed})`,
    scenario: () => {
      const { state } = buildScenario('empty');
      for (const { build } of drawn) build(state);
      return state;
    },
    files: worldFiles(drawn),
    workspace: WORLD_WORKSPACE,
  };
}

const areas = Object.entries(WORLDS).map(([name, { scenario, files, workspace }]): PlanCase => ({
  name,
  scenario: scenario as string,
  files: files ?? {},
  workspace: workspace as string,
  ledger: true,
}));

export const PLAN_CASES: readonly PlanCase[] = [
  ...exampleCases,
  ...areas,
  inTheWay,
  ...sized,
  ...[1, 2, 3, 4].map(crowd),
];
