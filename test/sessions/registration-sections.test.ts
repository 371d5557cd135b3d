// Sections of registrations, from manifest to raw store.
import { afterEach, describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../src/model/plan.ts';
import type { Registration } from '../../src/sandbox/registrar/state.ts';
import { ledgerCommand } from '../../src/workflow/ledger.ts';
import type { Harness, HarnessOptions } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const WORKSPACE = 'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [names]\n';

const ADA = { firstName: 'Ada', lastName: 'Vries', streetAddress: 'Main Street 1', postCode: '1000 AA', city: 'Amsterdam', country: 'NL', email: 'ada@acme.example', phone: '+31.201234567' };
const BEN = { ...ADA, firstName: 'Ben', email: 'ben@acme.example' };

const contact = (name: string, spec: object) => ({ apiVersion: 'hostwright/v1', kind: 'Contact', metadata: { name }, spec });
const registration = (name: string, spec: object) => ({ apiVersion: 'hostwright/v1', kind: 'DomainRegistration', metadata: { name }, spec });
const ref = (name: string) => ({ ref: `Contact/${name}` });

type Contacts = Readonly<Record<string, object>>;

async function declare(one: Harness, name: string, spec: object, contacts: Contacts = {}): Promise<void> {
  const documents = [registration(name, spec), ...Object.entries(contacts).map(([key, each]) => contact(key, each))];
  await one.write('names/main.yaml', documents.map((document) => JSON.stringify(document)).join('\n---\n'));
}

async function start(name: string, spec: object, contacts: Contacts = {}, options: HarnessOptions = {}): Promise<Harness> {
  harness = await startHarness({ scenario: 'registrar', workspace: WORKSPACE, ...options });
  await declare(harness, name, spec, contacts);
  await ledgerCommand(harness.session(), { do: 'init' });
  return harness;
}

function live({ sandbox }: Harness, name: string): Registration {
  const found = sandbox.state.registrar.registrations.get(`reg-${name}`);
  if (found === undefined) throw new Error(`no registration ${name}`);
  return found;
}

async function done(one: Harness, options: Parameters<Harness['apply']>[0] = {}): Promise<void> {
  const { outcome } = await one.apply({ allowCharges: 1, ...options });
  expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
  const again = await one.planned();
  expect(isEmptyPlan(again), JSON.stringify(again, null, 1)).toBe(true);
}

describe('the story of a clean-up', () => {
  it('applies, plans to nothing, and leaves the store that was written down by hand', async () => {
    const one = await startHarness({ example: 'a-registrar-clean-up', scenario: 'registrar' });
    harness = one;
    const plan = await one.planned();
    console.log(plan.actions.map(({ address, reason, needs }) => [address, reason, needs.map(({ rule, address: a }) => `${rule} ${a}`)]), plan.blocked, plan.manual, plan.unknown, plan.remarks);
    await done(one);
    console.log(one.sandbox.requests.length, one.events.length, [...one.sandbox.creations]);
    const s = one.sandbox.snapshot() as any;
    console.log(JSON.stringify(Object.fromEntries(['plain.com','signed.com','locked.com','bare.nl'].map((n) => [n, s.registrations[n]])), null, 1));
  });
});
