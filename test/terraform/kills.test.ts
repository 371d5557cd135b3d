// The provider killed at each of its requests: Terraform is run again until there is nothing to do, and nothing is made
// or bought twice.
import { expect, it } from 'vitest';
import type { LedgerStore } from '../../src/ledger/store.ts';
import type { Transport } from '../../src/platform/transport.ts';
import { ledgerCommand } from '../../src/usecases/ledger.ts';
import type { Session } from '../../src/usecases/session.ts';
import type { Core, CoreOptions } from '../support/terraform-core.ts';
import { startCore } from '../support/terraform-core.ts';
import { isWhole } from '../support/whole.ts';

/** No process has this number. */
const NOBODY = 2 ** 30;

interface Story {
  readonly name: string;
  readonly type: string;
  readonly options: CoreOptions;
  readonly config: Readonly<Record<string, unknown>>;
  readonly address: string;
  /** The id of what was made, as a person would find it. */
  readonly found: (core: Core) => string | undefined;
  /** In the quick run, each of so many requests. */
  readonly every: number;
}

const CONTACT = {
  first_name: 'Ada',
  last_name: 'L',
  email: 'ada@acme.example',
  country: 'NL',
  street_address: 'Street 1',
  post_code: '1000AA',
  city: 'Amsterdam',
  phone: '+31.201234567',
};

const stories: readonly Story[] = [
  {
    name: 'a site from nothing',
    type: 'hostwright_site',
    address: 'Site/new',
    found: ({ harness }) => [...harness.sandbox.state.sites.values()].find(({ name }) => name === 'New')?.id,
    options: { ledger: true, provider: { guards: { allow_charges: 1 } } },
    config: {
      name: 'new',
      display_name: 'New',
      plan: 'pro',
      order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
      domains: { 'www.new.example': { attach: 'dns' } },
      caching: { cache_expiration: 7200 },
    },
    every: 9,
  },
  {
    name: 'a new domain',
    type: 'hostwright_domain_registration',
    address: 'DomainRegistration/fresh.com',
    found: ({ harness }) =>
      [...harness.sandbox.state.registrar.registrations.values()].find(({ name }) => name === 'fresh.com')?.id,
    options: { ledger: true, scenario: 'registrar', provider: { guards: { allow_charges: 1 } } },
    config: {
      name: 'fresh.com',
      order: { action: 'register', max_price: { amount: '100.00', currency: 'EUR' } },
      contacts: { owner: CONTACT },
      auto_renew: true,
    },
    every: 9,
  },
];

it.each(stories)('O-43: $name', async (story) => {
  let kills = 0;
  for (const moment of ['before', 'after'] as const) {
    const first = isWhole || moment === 'before' ? 1 : 2;
    for (let at = first, isOver = false; !isOver; at += isWhole ? 1 : story.every) {
      isOver = (await killed(story, at, moment)) === 'over';
      if (!isOver) kills += 1;
    }
  }
  expect(kills).toBeGreaterThan(0);
});

/** Applies with a provider that dies at its nth request, then again until it is done. */
async function killed(story: Story, at: number, moment: 'before' | 'after'): Promise<'killed' | 'over'> {
  const where = `${story.name}: killed ${moment} request ${at}`;
  let transport: Transport | undefined;
  let mortal: Partial<Session> | undefined;
  const core: Core = await startCore({ ...story.options, session: () => mortal ?? {} });
  try {
    const { session } = core.harness;
    transport = session().transport as Transport;
    const plan = await core.plan(story.type, 'it', story.config);
    expect(plan.failed, `${where}\n${plan.said.join('\n')}`).toBe(false);
    const deadly = dying(transport, at, moment);
    const stores: LedgerStore[] = [];
    mortal = {
      transport: deadly.transport,
      runtime: { ...session().runtime, pid: NOBODY },
      storeFor: (store) => {
        stores.push(store);
        return store;
      },
    };
    const end = await Promise.race([core.apply(story.type, 'it', plan).then(() => 'over' as const), deadly.died]);
    mortal = undefined;
    if (end === 'killed') core.crash();
    for (const store of stores) await store.close();
    let said: readonly string[] = [];
    for (let left = 5, isDone = false; !isDone; left -= 1) {
      expect(left, `${where}\n${said.join('\n')}`).toBeGreaterThan(0);
      const run = await core.run(story.type, 'it', story.config);
      said = run.said;
      if (said.join().includes('HW7012')) {
        await settle(story, core, where);
        continue;
      }
      // The lists of the sandbox do not lag, so what no read shows was not created.
      const asked = /`hostwright ledger confirm (\S+)`/.exec(said.join('\n'))?.[1];
      if (asked !== undefined) {
        await core.restart();
        await ledgerCommand(core.harness.session(), { do: 'confirm', address: asked, notMade: true });
        continue;
      }
      expect(run.failed, `${where}\n${said.join('\n')}`).toBe(false);
      isDone = !run.changes;
    }
    const twice = [...core.harness.sandbox.creations].filter(([, count]) => count > 1);
    expect(twice, where).toEqual([]);
    expect(core.stored.get('it')?.state.status, where).toBe('ready');
    return end;
  } finally {
    mortal = undefined;
    await core.close();
  }
}

/** Nobody can know by reading: a person looks, and says what became of it. */
async function settle({ address, found }: Story, core: Core, where: string): Promise<void> {
  const { harness } = core;
  harness.sandbox.clock.advance(3_600_000);
  const id = found(core);
  await core.restart();
  const { diagnostics } = await ledgerCommand(harness.session(), {
    do: 'confirm',
    address,
    ...(id === undefined ? { notMade: true } : { id }),
  });
  expect(diagnostics, where).toEqual([]);
}

/** A transport that is gone from its nth request on. */
function dying(
  transport: Transport,
  at: number,
  moment: 'before' | 'after',
): { readonly transport: Transport; readonly died: Promise<'killed'> } {
  const never = new Promise<never>(() => undefined);
  let seen = 0;
  let tell: (died: 'killed') => void = () => undefined;
  const died = new Promise<'killed'>((resolve) => (tell = resolve));
  return {
    died,
    transport: async (request) => {
      seen += 1;
      if (seen > at) return never;
      if (seen < at) return transport(request);
      if (moment === 'after') await transport(request);
      tell('killed');
      return never;
    },
  };
}
