// What a reader of the exact steps is told of what is left to someone outside.
import { expect, it } from 'vitest';
import { showStep } from '../../../src/report/blocks/steps.ts';
import { path } from '../../../src/model/plan/step.ts';

it('says what is left to the next plan, and what to someone outside', () => {
  const waitFor = {
    how: 'until',
    found: true,
    lookUp: { read: path`/api/things`, rows: '/things', where: [], capture: {} },
    deadlineMs: 1000,
    reason: 'it is set up',
  } as const;
  expect(showStep({ do: 'wait-for', name: 'set up', waitFor, open: true }, new Map() as never).lines).toEqual([
    'set up: it is set up',
    'after that it is left to the next plan',
  ]);
  expect(showStep({ do: 'wait-for', name: 'set up', waitFor }, new Map() as never).lines).toEqual([
    'set up: it is set up',
  ]);
  const answers = [{ status: '2xx', then: 'pending-external', reason: 'publish {txtHost}' }] as const;
  expect(
    showStep(
      {
        do: 'request',
        name: 'add',
        method: 'POST',
        path: path`/api/things`,
        idempotent: true,
        answers,
        reason: 'add it',
      },
      new Map() as never,
    ).lines.join(),
  ).toContain('done, the rest is up to someone outside');
});

it('shows a question as one, and what it means that it is not as it was reviewed', () => {
  const lookUp = {
    read: path`/api/things/check`,
    ask: { domain: 'a.com' },
    rows: '',
    where: [{ pointer: '/price', value: 1 }],
    capture: {},
  } as const;
  const shown = showStep(
    { do: 'look-up', name: 'price', lookUp, reason: 'it costs 1', unless: 'it costs something else' },
    {},
  );
  expect(shown.head).toBe('go on only if POST /api/things/check {"domain": "a.com"} (a question) finds price = 1');
  expect(shown.lines).toEqual(['price: it costs 1', 'else nothing is sent: it costs something else']);
  expect(showStep({ do: 'look-up', name: 'find', lookUp, reason: 'it is there' }, {}).head).toMatch(/^find by POST/);
});
