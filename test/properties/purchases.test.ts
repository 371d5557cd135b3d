// What is bought twice and more for one object: a site, a panel account, a holder. However a payment ends, and wherever
// the run before it died, a run follows the newest purchase: it names the page to pay on, and notices what failed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/model/plan/event.ts';
import type { Outcome } from '../../src/model/plan/outcome.ts';
import type { Billing } from '../../src/sandbox/billing/state.ts';
import { scenarioState } from '../../src/sandbox/scenarios.ts';
import { ledgerCommand } from '../../src/usecases/ledger.ts';
import type { Harness, HarnessOptions } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';
import { manifest } from '../support/manifests.ts';
import { runsOf, seedOf } from '../support/property-runs.ts';
import { containing } from '../support/matchers.ts';

const DAY_MS = 86_400_000;
const ENDS = ['succeeds', 'paid by a person', 'declined', 'expired', 'failed', 'processing'] as const;

interface Purchase {
  readonly end: (typeof ENDS)[number];
  /** The sign of life at which the first run dies. */
  readonly diesAt: number | undefined;
  /** Somebody removed the object before it, so that it is bought anew under the same address. */
  readonly isAnew: boolean;
}

interface Subject {
  readonly address: string;
  readonly options: HarnessOptions;
  /** What is declared, one after the other. */
  readonly wishes: readonly (readonly [file: string, text: string])[];
  readonly remove: (one: Harness) => void | Promise<void>;
}

const holder = {
  firstName: 'Cleo',
  lastName: 'Vries',
  streetAddress: 'Main Street 1',
  postCode: '1000 AA',
  city: 'Amsterdam',
  country: 'NL',
  phone: '+31.201234567',
};

const SUBJECTS: Readonly<Record<string, Subject>> = {
  site: {
    address: 'Site/launch',
    options: {},
    remove: async ({ sandbox, session }) => {
      const { sites } = sandbox.state;
      const bought = [...sites.keys()].filter((id) => !id.startsWith('site-'));
      bought.forEach((id) => sites.delete(id));
      if (bought.length > 0) await ledgerCommand(session(), { do: 'forget', address: 'Site/launch' });
    },
    wishes: ['mini', 'pro', 'max'].map((plan) => [
      'sites/a.json',
      manifest('Site', 'launch', { plan, order: { variant: 'vanilla', location: 'ams', term: 'monthly' } }),
    ]),
  },
  'panel account': {
    address: 'PanelAccount/legacy',
    options: { scenario: 'panel' },
    remove: ({ sandbox }) => {
      const { accounts } = sandbox.state.panel;
      [...accounts.keys()]
        .filter((name) => !scenarioState('panel').panel.accounts.has(name))
        .forEach((name) => accounts.delete(name));
    },
    wishes: ['basic', 'pro', 'mini'].map((product) => [
      'sites/a.json',
      manifest('PanelAccount', 'legacy', { package: product, order: { term: 'annual', domain: 'owned.example.com' } }),
    ]),
  },
  holder: {
    address: 'DomainRegistration/paid.shop/RegistrationOwner',
    options: { scenario: 'registrar' },
    remove: () => undefined,
    wishes: ['Cleo', 'Dora', 'Emma'].map((firstName) => {
      const name = firstName.toLowerCase();
      const owner = { ref: `Contact/${name}` };
      const spec = { contacts: { owner }, ownerChange: { to: owner, paid: true } };
      const email = `${name}@acme.example`;
      return [
        'sites/a.yaml',
        `${manifest('DomainRegistration', 'paid.shop', spec)}\n---\n${manifest('Contact', name, { ...holder, firstName, email })}`,
      ];
    }),
  },
};

class Died extends Error {}

async function applyUntilDeath(one: Harness, diesAt: number | undefined): Promise<Outcome | undefined> {
  let seen = 0;
  let isOver = false;
  const emit = ({ type }: RunEvent): void => {
    seen += 1;
    // What ended is not continued: the next run plans anew.
    isOver ||= type === 'action-finished';
    if (seen === diesAt && !isOver) throw new Died();
  };
  try {
    return (await one.apply({ allowCharges: 1 }, { emit })).outcome;
  } catch (error) {
    if (error instanceof Died) return undefined;
    throw error;
  }
}

const BILLING: Readonly<Record<Purchase['end'], Partial<Billing>>> = {
  succeeds: {},
  'paid by a person': { outcome: 'authentication' },
  declined: { outcome: 'declined' },
  expired: { outcome: 'authentication' },
  failed: {},
  processing: { outcome: 'processing' },
};

const post = (one: Harness, to: string, body: object) =>
  fetch(`${one.sandbox.url}/_sandbox/${to}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Buys once; false when the answer was lost with the run, and only a person can tell. */
async function buy(one: Harness, { address }: Subject, { end, diesAt }: Purchase): Promise<boolean> {
  const { state, clock } = one.sandbox;
  Object.assign(state.accounts.get('acc-acme')!, { billing: BILLING[end] });
  if (end === 'failed') state.taskFates.push({ status: 'FAILED' });
  const cartsBefore = state.carts.size;
  let outcome = await applyUntilDeath(one, diesAt);
  outcome ??= (await one.apply({ allowCharges: 1 })).outcome;
  const what = (): string => `${end}: ${JSON.stringify(outcome, null, 1)}`;
  const own = (): Outcome['actions'][number] | undefined =>
    outcome?.actions.find((action) => action.address === address);
  if (own()?.result === 'unknown-outcome') return false;
  expect(state.carts.size, what()).toBe(cartsBefore + 1);
  const cart = [...state.carts.values()].at(-1)!;

  const again = async (): Promise<void> => {
    outcome = (await one.apply({ allowCharges: 1 })).outcome;
  };
  const waitsFor = (words: string): void => {
    expect(own(), what()).toMatchObject({ result: 'waiting', reason: containing(words) });
  };
  const failedAs = (words: string): void => {
    expect(own(), what()).toMatchObject({ result: 'failed', reason: containing(words) });
  };
  const isDone = async (): Promise<void> => {
    if (outcome?.exitCode !== 0) await again();
    expect(outcome, what()).toMatchObject({ exitCode: 0 });
  };
  switch (end) {
    case 'succeeds':
      await isDone();
      break;
    case 'paid by a person':
    case 'declined':
      waitsFor(cart.hostedInvoiceUrl ?? 'a page');
      await again();
      waitsFor(cart.hostedInvoiceUrl ?? 'a page');
      await post(one, `carts/${cart.token}/payment`, { outcome: 'complete' });
      await again();
      await isDone();
      break;
    case 'expired':
      waitsFor(cart.hostedInvoiceUrl ?? 'a page');
      clock.advance(2 * DAY_MS);
      await again();
      failedAs(`the cart ${cart.token} expired`);
      break;
    case 'failed':
      failedAs(`the order ${cart.orderIds[0]} ended as failed`);
      break;
    case 'processing':
      waitsFor(cart.token);
      clock.advance(4 * DAY_MS);
      await again();
      await isDone();
      break;
  }
  expect(state.carts.size, what()).toBe(cartsBefore + 1);
  return true;
}

const purchase = fc.record<Purchase>(
  {
    end: fc.constantFrom(...ENDS),
    diesAt: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined, freq: 3 }),
    isAnew: fc.boolean(),
  },
  { noNullPrototype: true },
);

describe('a later purchase for the same object', () => {
  it.each(Object.keys(SUBJECTS))(
    'ORD-15, ORD-16: is followed by itself, however it and the one before end: %s',
    async (name) => {
      const subject = SUBJECTS[name] as Subject;
      await fc.assert(
        fc.asyncProperty(fc.array(purchase, { minLength: 2, maxLength: 4 }), async (purchases) => {
          const one = await startHarness({ ledger: true, ...subject.options });
          try {
            let wish = 0;
            for (const each of purchases) {
              const [file, wanted] = subject.wishes[wish % subject.wishes.length] as Subject['wishes'][number];
              await one.write(file, wanted);
              if (each.isAnew) await subject.remove(one);
              if (!(await buy(one, subject, each))) return;
              if (each.end !== 'expired' && each.end !== 'failed') wish += 1;
            }
          } finally {
            await one.close();
          }
        }),
        { numRuns: runsOf(150), ...seedOf() },
      );
    },
  );
});
