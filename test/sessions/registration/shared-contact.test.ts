// One contact of several names, in every role: it is edited once, and the requests of the plan are those that are sent.
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { addRegistration } from '../../../src/sandbox/registration/state.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';
import { ADA } from '../../support/registrations.ts';

const SHARED = 806;
const ROLES = ['owner', 'admin', 'tech', 'billing'] as const;
const NAMES = ['a.com', 'b.com', 'c.com', 'd.com', 'e.com'];
const MOVED = { ...ADA, firstName: 'Shared', email: 'shared@acme.example', city: 'Utrecht' };

/**
 * The names, whose manifests give these roles the contact that has moved. `others`: names of which somebody else is the
 * holder, and that have the contact in the other roles.
 */
async function start(
  count: number,
  roles: readonly string[],
  { others = [], ...options }: HarnessOptions & { readonly others?: readonly string[] } = {},
): Promise<Harness> {
  const names = NAMES.slice(0, count);
  const one = await openHarness({
    scenario: 'registrar',
    workspace: workspaceFile('manifests: [names]'),
    ledger: true,
    ...options,
  });
  const { registrar } = one.sandbox.state;
  for (const name of names) {
    const ownerId = others.includes(name) ? 801 : SHARED;
    addRegistration(registrar, {
      name,
      accountId: 'acc-acme',
      ownerId,
      adminId: SHARED,
      techId: SHARED,
      billingId: SHARED,
    });
  }
  const documents = names.map((name) => {
    const declared = roles.filter((role) => role !== 'owner' || !others.includes(name));
    return manifest('DomainRegistration', name, {
      contacts: Object.fromEntries(declared.map((role) => [role, { ref: 'Contact/shared' }])),
    });
  });
  await one.write('names/main.yaml', [...documents, manifest('Contact', 'shared', MOVED)].join('\n---\n'));
  return one;
}

const requestsIn = ({ actions }: Plan): number =>
  actions.flatMap(({ steps }) => steps.filter((step) => step.do === 'request')).length;

describe.each([2, 3, 4, 5])('a contact of %i names', (count) => {
  it.each(ROLES.map((_, index) => ROLES.slice(0, index + 1)))(
    'is edited once: %s, %s, %s, %s [DCT-08]',
    async (...roles) => {
      const one = await start(
        count,
        roles.filter((role) => typeof role === 'string'),
      );
      const plan = await one.planned();
      expect(plan.actions.map(({ address }) => address)).toEqual(['DomainRegistration/a.com/RegistrationOwner']);
      expect(requestsIn(plan)).toBe(1);
      const later = new Set(plan.deferred.map(({ until }) => until));
      expect([...later]).toEqual(['DomainRegistration/a.com/RegistrationOwner']);
      const { outcome } = await one.apply();
      expect(outcome.outcome, JSON.stringify(outcome)).toBe('done');
      expect(outcome.actions.map(({ result }) => result)).toEqual(['done']);
      expect(one.writes()).toEqual(['PATCH /api/domain_registrations/reg-a.com/holder']);
      expect(isEmptyPlan(await one.planned())).toBe(true);
    },
  );

  it('is edited once where other names have it in other roles only [DCT-08]', async () => {
    const one = await start(count, ROLES, { others: NAMES.slice(1) });
    expect(requestsIn(await one.planned())).toBe(1);
    expect((await one.apply()).outcome.outcome).toBe('done');
    expect(one.writes()).toEqual(['PATCH /api/domain_registrations/reg-a.com/holder']);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('is edited once for a target, whatever its place among the names', async () => {
    const one = await start(count, ROLES);
    const targets = ['DomainRegistration/b.com'];
    expect((await one.planned({ targets })).actions.map(({ address }) => address)).toEqual([
      'DomainRegistration/b.com/RegistrationOwner',
    ]);
    expect((await one.apply({ targets })).outcome.outcome).toBe('done');
    expect(one.writes()).toEqual(['PATCH /api/domain_registrations/reg-b.com/holder']);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('is edited for each name where the platform gives the first one a contact of its own', async () => {
    const one = await start(count, ['owner'], { ambiguities: { holderShared: 'split' } });
    expect((await one.apply()).outcome.outcome).toBe('done');
    expect(one.writes().toSorted()).toEqual(
      NAMES.slice(0, count).map((name) => `PATCH /api/domain_registrations/reg-${name}/holder`),
    );
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });
});

it('an action of which every request turns out not to be needed is `already-done`', async () => {
  const one = await start(2, ['owner']);
  const shared = one.sandbox.state.registrar.contacts.get(SHARED);
  const { outcome } = await one.apply(
    {
      confirm: () => Promise.resolve('asked'),
      // Someone else edits the contact between the look at the expectations and the request.
    },
    {
      emit: (event) => {
        if (event.type === 'step-started') Object.assign(shared?.fields ?? {}, { city: 'Utrecht' });
      },
    },
  );
  expect(outcome.actions.map(({ result }) => result)).toEqual(['already-done']);
  expect(one.writes()).toEqual([]);
});
