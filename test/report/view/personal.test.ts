// Nothing about a person is in what others read along, and everything else is.
import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/model/plan/plan.ts';
import { HIDDEN } from '../../../src/model/kind/words.ts';
import { withoutPersonal } from '../../../src/report/view/personal.ts';
import { planMarkdown, planText } from '../../support/reports.ts';
import { create, planOf } from '../samples.ts';
import { openHarness } from '../../support/open-harness.ts';

const base: Action = { ...create, changes: [], effects: [], steps: [] };

describe('a plan for others to read', () => {
  it('promise 9: hides what changes mark, wherever in the action it stands, and leaves the rest', () => {
    const ada = { firstName: 'Ada', tags: ['x', 5], city: '' };
    const action: Action = {
      ...base,
      changes: [
        { op: 'add', path: '/contacts', value: { owner: ada, admin: 'as the owner' }, personal: ['/owner', '/nobody'] },
        { op: 'replace', path: '/email', was: '', value: 'ada@acme.example', personal: [''] },
        { op: 'remove', path: '/phone', was: '+31.2', personal: [''] },
        { op: 'add', path: '/order', value: { action: 'register' } },
      ],
      effects: [
        { address: 'Thing/b', path: '/email', value: 'ada@acme.example' },
        { address: 'Thing/b', path: '/count', value: 5 },
      ],
      steps: [
        {
          do: 'request',
          name: 'order',
          method: 'POST',
          path: ['/api/orders'],
          body: { contact: { first_name: 'Ada' }, mails: ['ada@acme.example'], name: 'a.com' },
          idempotent: false,
          answers: [],
          reason: 'buy it',
        },
      ],
    };
    const [shown] = withoutPersonal(planOf({ actions: [action] })).actions;
    expect(shown?.changes).toEqual([
      {
        op: 'add',
        path: '/contacts',
        value: { owner: HIDDEN, admin: 'as the owner' },
        personal: ['/owner', '/nobody'],
      },
      { op: 'replace', path: '/email', was: '', value: HIDDEN, personal: [''] },
      { op: 'remove', path: '/phone', was: HIDDEN, personal: [''] },
      { op: 'add', path: '/order', value: { action: 'register' } },
    ]);
    expect(shown?.effects).toEqual([
      { address: 'Thing/b', path: '/email', value: HIDDEN },
      { address: 'Thing/b', path: '/count', value: 5 },
    ]);
    expect(shown?.steps).toMatchObject([
      { name: 'order', body: { contact: { first_name: HIDDEN }, mails: [HIDDEN], name: 'a.com' } },
    ]);
    expect(shown?.digest).toBe(action.digest);
  });

  it('leaves how a step is done as it is, whatever somebody is called', () => {
    const called = ['request', 'POST', 'done', 'order', '/name', 'domain'].map((value) => ({
      op: 'add' as const,
      path: '/firstName',
      value,
      personal: [''],
    }));
    const steps: Action['steps'] = [
      {
        do: 'request',
        name: 'order',
        method: 'POST',
        path: ['/api/orders'],
        body: { name: 'order' },
        idempotent: false,
        answers: [],
        reason: 'buy it',
        recovery: {
          lookUp: {
            read: ['/api/orders'],
            rows: '/orders',
            where: [{ pointer: '/name', value: 'domain' }],
            capture: {},
          },
          ifNotFound: 'unknown',
          graceMs: 1,
          rule: 'GAP-11',
        },
      },
    ];
    const [shown] = withoutPersonal(planOf({ actions: [{ ...base, changes: called, steps }] })).actions;
    expect(shown?.steps).toEqual([
      {
        ...steps[0],
        body: { name: HIDDEN },
        recovery: {
          lookUp: { read: ['/api/orders'], rows: '/orders', where: [{ pointer: '/name', value: HIDDEN }], capture: {} },
          ifNotFound: 'unknown',
          graceMs: 1,
          rule: 'GAP-11',
        },
      },
    ]);
  });

  it('hides what is about a person in what is planned later', () => {
    const change = { op: 'add', path: '/owner', value: { email: 'ada@example.com' }, personal: ['/email'] } as const;
    const deferred = [
      {
        address: 'DomainRegistration/a.com/RegistrationOwner',
        until: 'DomainRegistration/a.com',
        reason: 'why',
        declared: '',
        objects: [{ address: 'DomainRegistration/a.com/RegistrationOwner', changes: [change] }],
      },
    ];
    expect(JSON.stringify(withoutPersonal(planOf({ deferred })))).not.toContain('ada@example.com');
  });

  it('REG-19: hides what a request sends of a person without changing it', () => {
    const changes = [
      { op: 'replace', path: '/city', was: 'Paris', value: 'Rome', personal: [''] },
    ] satisfies Action['changes'];
    const body = { holder_contact: { action_mode: 'change', new_contact: { city: 'Rome', email: 'ada@example.com' } } };
    const steps = [{ kind: 'send', method: 'PATCH', path: '/x', body }] as unknown as Action['steps'];
    const [shown] = withoutPersonal(planOf({ actions: [{ ...base, changes, steps }] })).actions;
    expect(shown?.steps).toMatchObject([
      { body: { holder_contact: { action_mode: 'change', new_contact: { city: HIDDEN, email: HIDDEN } } } },
    ]);
  });

  it('is the plan itself where it is about nobody', () => {
    const plan = planOf({ actions: [base] });
    expect(withoutPersonal(plan)).toBe(plan);
  });
});

describe.each([
  ['a-new-domain', 'registrar', ['Ada', 'Vries', 'Main Street', 'legal@acme.example', '+31.']],
  ['a-registrar-clean-up', 'registrar', ['Ada', 'Smit', 'Canal 12', '3500 BB', 'ben@acme.example', '+31.']],
  ['an-agency-onboarding-a-client', 'panel', ['jo@client-a.example', '"Jo"', '"Doe"']],
] as const)('the plan of %s', (example, scenario, people) => {
  it('promise 9: as a comment has nobody in it; for people at a terminal it has', async () => {
    const harness = await openHarness({ example, scenario });
    const plan = await harness.planned();
    const shown = planMarkdown(withoutPersonal(plan), { verbose: true });
    expect(people.filter((text) => shown.includes(text))).toEqual([]);
    expect(shown).toContain(HIDDEN);
    const text = planText(plan, { verbose: true });
    expect(people.filter((one) => !text.includes(one) && one !== '"Jo"' && one !== '"Doe"')).toEqual([]);
  });
});
