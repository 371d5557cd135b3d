// Three workspaces that together touch every kind, broken in every way that there is. They converge, or stop for what
// only a person can know and go on when that is said; the oracle is the sandbox's own count: no purchase and no
// creation is processed twice.
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/areas/index.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { Outcome } from '../../../src/model/plan/outcome.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';
import type { Story } from '../../support/loops.ts';
import { deathLoop, killLoop } from '../../support/loops.ts';
import { WORLDS } from '../../support/worlds.ts';

const env = (): string => 'a-word-that-nobody-may-see';

/** What the sandbox calls the making of what is bought or made once. */
const MAKINGS: Readonly<Record<string, RegExp>> = {
  'Site/launch': /^site order/,
  'DomainRegistration/new-company.com': /^domain order/,
  'Mailspace/new-company.com': /^mailspace/,
  'PanelAccount/brochure': /^panel account/,
  'PanelAccount/shop': /^resize of panel/,
  'User/client-a': /^user/,
};

/** A person looks, and says what is so: it was not made, or this is its id. */
async function sayWhatIsSo(one: Harness, { actions }: Outcome, where: string): Promise<boolean> {
  const lost = actions.filter(({ result }) => result === 'unknown-outcome').map(({ address }) => address);
  for (const address of lost) {
    const user = address.startsWith('User/')
      ? [...one.sandbox.state.users.values()].find(({ email }) => email === 'jo@client-a.example')
      : undefined;
    if (user !== undefined) await ledgerCommand(one.session(), { do: 'confirm', address, id: user.id });
    else {
      const making = MAKINGS[address];
      expect(
        [...one.sandbox.creations.keys()].filter((what) => making?.test(what)),
        `${address}\n${where}`,
      ).toEqual([]);
      await ledgerCommand(one.session(), { do: 'confirm', address, notMade: true });
    }
  }
  return lost.length > 0;
}

function storyOf(name: string, options: HarnessOptions): Story {
  return {
    name,
    options,
    run: async (one, extra = {}) => (await one.apply({ parallelism: 1 }, { env, ...extra })).outcome,
    check: () => undefined,
    confirmLost: sayWhatIsSo,
    reruns: 2,
    turns: true,
  };
}

const stories = Object.entries(WORLDS).map(([name, options]) => storyOf(name, options));

describe('three workspaces', () => {
  it('touch every kind, and are done in one run', async () => {
    const touched = new Set<string>();
    for (const { options, run } of stories) {
      const one = await startHarness(options);
      const started = new Set<string>();
      const outcome = await run(one, {
        emit: (event) => event.type === 'action-started' && started.add(event.address),
      });
      expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0, remaining: [] });
      expect(isEmptyPlan(await one.planned())).toBe(true);
      for (const address of started) touched.add(kindOf(address));
      await one.close();
    }
    expect([...registry.keys()].filter((kind) => !touched.has(kind))).toEqual([]);
  });
});

/** The kind that an address ends in. */
function kindOf(address: string): string {
  return address.split('/').findLast((part) => registry.has(part)) ?? '';
}

describe.each(stories.map((story) => [story.name, story] as const))('%s', (_name, story) => {
  // Reads are broken in the stories that are told elsewhere.
  killLoop(story, { fits: ({ method }) => method !== 'GET' });

  it('a death at events all along', () => deathLoop(story, 20));
});
