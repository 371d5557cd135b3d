// The story of a company broken at every request and at every sign of life, and run under every reading of what the
// documents leave open. A rerun converges, nothing is made twice, and the store is the one that was written down by
// hand.
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { AMBIGUITIES } from '../../../src/sandbox/areas.ts';
import { MAIL_AMBIGUITIES } from '../../../src/sandbox/mail/ambiguities.ts';
import { fixtures } from '../../support/fixtures.ts';
import { openHarness } from '../../support/open-harness.ts';
import type { Story } from '../../support/loops.ts';
import { deathLoop, killLoop } from '../../support/loops.ts';
import { unusual } from '../../support/whole.ts';

const example = 'mail-for-a-company';
const env = (name: string): string | undefined => (name === 'DAAN_PASSWORD' ? 'a-very-secret-word' : undefined);

const story: Story = {
  name: example,
  options: { example, scenario: 'mail' },
  run: async (one, extra) => (await one.apply({ allowDeletes: 2 }, { env, ...extra })).outcome,
  check: (one, where) => expect(one.sandbox.snapshot(), where).toMatchObject(fixtures[example]),
};

describe('death loop', () => {
  it('at events all along a run', () => deathLoop(story));
});

describe('kill loop', () => killLoop(story));

describe('every reading of what the documents leave open', () => {
  const general = Object.keys(AMBIGUITIES).filter((name) => /^(late|list|empty)/.test(name));
  const ambiguities = Object.entries(AMBIGUITIES)
    .filter(([name]) => Object.hasOwn(MAIL_AMBIGUITIES, name) || general.includes(name))
    .flatMap(([gap, values]) => unusual(values).map((value) => [gap, value] as const));

  it.each(ambiguities)('%s = %s: converges', async (gap, value) => {
    const one = await openHarness({ ...story.options, ambiguities: { [gap]: value } });
    const outcome = await story.run(one);
    expect(outcome, `${gap} = ${value}: ${JSON.stringify(outcome, null, 1)}`).toMatchObject({ exitCode: 0 });
    expect([...one.sandbox.creations.entries()].filter(([, times]) => times > 1)).toEqual([]);
    expect(isEmptyPlan(await one.planned())).toBe(true);
    story.check(one, `${gap} = ${value}`);
  });
});
