// The stories of sites, broken at every request and at every sign of life; what their tasks can come to. Where everything
// is played, one of them over real sockets.
import { describe, expect, it } from 'vitest';
import { fixtures } from '../../support/fixtures.ts';
import type { Story } from '../../support/loops.ts';
import { ACCIDENTS, deathLoop, killLoop, mishap, reviewed } from '../../support/loops.ts';
import { isWhole } from '../../support/whole.ts';
import { buildScenario } from '../../../src/sandbox/scenarios.ts';
import { siteOf } from '../../support/live.ts';

type Example = 'small-agency' | 'new-primary-domain' | 'hardened-shop' | 'sender-identity' | 'shielded-shop';

function story(example: Example): Story {
  return {
    name: example,
    options: {
      example,
      ...(example === 'shielded-shop' && { scenario: 'shield' }),
      ...(isWhole && example === 'small-agency' && { inProcess: false }),
    },
    run: async (one, extra) => (await one.apply({ allowDeletes: 2 }, extra)).outcome,
    check: (one, where) => expect(one.sandbox.snapshot(), where).toMatchObject(fixtures[example]),
  };
}

describe.each(['small-agency', 'hardened-shop', 'sender-identity', 'shielded-shop'] as const)(
  'death loop of %s',
  (example) => {
    // The last one has many events that are alike.
    it('at events all along a run', () => deathLoop(story(example), example === 'shielded-shop' ? 9 : 5));
  },
);

// Over sockets an answer that never comes is waited for on a real clock.
const overSockets = ACCIDENTS.filter(({ fault }) => !isWhole || fault.kind !== 'hang');

describe('kill loop of small-agency', () => killLoop(story('small-agency'), { accidents: overSockets }));

describe.each(['new-primary-domain', 'hardened-shop', 'sender-identity'] as const)('kill loop of %s', (example) =>
  killLoop(story(example)),
);

describe.each(['small-agency', 'new-primary-domain', 'hardened-shop', 'sender-identity'] as const)(
  'with the comment that approved it, the kill loop of %s',
  (example) => killLoop(reviewed(story(example)), { accidents: example === 'small-agency' ? overSockets : ACCIDENTS }),
);

describe('with the comment that approved it, the death loop of hardened-shop', () => {
  it('at events all along a run', () => deathLoop(reviewed(story('hardened-shop'))));
});

// Its many reads are of the kind that the loops above break already.
describe('kill loop of shielded-shop', () =>
  killLoop(story('shielded-shop'), { fits: ({ method }) => method !== 'GET' }));

describe('a task of hardened-shop', () => {
  const cases = (['FAILED', 'CANCELLED'] as const).flatMap((status) => [0, 1].map((before) => ({ status, before })));
  it.each(cases)('that ends as $status after $before others: said, and done by the next run', ({ status, before }) =>
    mishap(story('hardened-shop'), {
      name: `${status} after ${before}`,
      before: ({ sandbox }) =>
        sandbox.state.taskFates.push(...Array.from({ length: before }, () => ({ status: 'OK' as const })), { status }),
      exitCode: 6,
    }),
  );
});

/** Two rules of small get other names: one by its content, one that changes with it. */
const renames: Story = {
  name: 'renames',
  options: {
    scenario: () => {
      const { state } = buildScenario('small');
      siteOf({ state }).edgeRules = [blockOf('edge-a', 'a', 0), blockOf('edge-b', 'b', 1)];
      return state;
    },
    files: {
      'sites/shop.yaml': JSON.stringify({
        ...{ apiVersion: 'hostwright/v1', kind: 'Site', metadata: { name: 'shop', id: 'site-shop' } },
        spec: {
          edgeRules: [
            { name: 'first', action: { block: {} }, triggers: [{ url: ['*/a/*'] }] },
            { name: 'second', renamedFrom: 'b', action: { block: {} }, triggers: [{ url: ['*/new/*'] }] },
          ],
        },
      }),
    },
  },
  // A rename is no delete.
  run: async (one, extra) => (await one.apply({ allowDeletes: 0 }, extra)).outcome,
  check: ({ sandbox }, where) =>
    expect(
      siteOf(sandbox).edgeRules.map(({ Guid, Description }) => [Guid, Description]),
      where,
    ).toEqual([
      ['edge-a', 'first'],
      ['edge-b', 'second'],
    ]),
};

function blockOf(Guid: string, name: string, OrderIndex: number) {
  return {
    ...{ Guid, Description: name, OrderIndex, ActionType: 4, ActionParameter1: null, ActionParameter2: null },
    ...{ ActionParameter3: null, TriggerMatchingType: 0, Enabled: true, ExtraActions: [] },
    Triggers: [{ Type: 0, PatternMatchingType: 0, Parameter1: null, PatternMatches: [`*/${name}/*`] }],
  };
}

describe('kill loop of renames', () => killLoop(renames));
describe('death loop of renames', () => {
  it('at events all along a run', () => deathLoop(renames));
});
