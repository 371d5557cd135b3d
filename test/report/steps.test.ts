// What a reader of the exact steps is told of what is left to someone outside.
import { expect, it } from 'vitest';
import { showStep } from '../../src/report/text/steps.ts';
import { path } from '../../src/model/plan/step.ts';

it('says what is left to the next plan, and what to someone outside', () => {
  const settle = {
    how: 'until',
    found: true,
    locate: { read: path`/api/things`, rows: '/things', where: [], take: {} },
    deadlineMs: 1000,
    because: 'it is set up',
  } as const;
  expect(showStep({ do: 'settle', name: 'set up', settle, open: true }, new Map() as never).lines).toEqual([
    'set up: it is set up',
    'after that it is left to the next plan',
  ]);
  expect(showStep({ do: 'settle', name: 'set up', settle }, new Map() as never).lines).toEqual([
    'set up: it is set up',
  ]);
  const answers = [{ status: '2xx', then: 'left', because: 'publish {txtHost}' }] as const;
  expect(
    showStep(
      {
        do: 'request',
        name: 'add',
        method: 'POST',
        path: path`/api/things`,
        repeat: 'safe',
        answers,
        because: 'add it',
      },
      new Map() as never,
    ).lines.join(),
  ).toContain('done, the rest is up to someone outside');
});

it('shows a question as one, and what it means that it is not as it was reviewed', () => {
  const locate = {
    read: path`/api/things/check`,
    ask: { domain: 'a.com' },
    rows: '',
    where: [{ pointer: '/price', value: 1 }],
    take: {},
  } as const;
  const shown = showStep(
    { do: 'locate', name: 'price', locate, because: 'it costs 1', unless: 'it costs something else' },
    {},
  );
  expect(shown.head).toBe('go on only if POST /api/things/check {"domain": "a.com"} (a question) finds price = 1');
  expect(shown.lines).toEqual(['price: it costs 1', 'else nothing is sent: it costs something else']);
  expect(showStep({ do: 'locate', name: 'find', locate, because: 'it is there' }, {}).head).toMatch(/^find by POST/);
});
