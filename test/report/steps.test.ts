// What a reader of the exact steps is told of what is left to someone outside.
import { expect, it } from 'vitest';
import { showStep } from '../../src/report/steps.ts';
import { path } from '../../src/model/request.ts';

it('says what is left to the next plan, and what to someone outside', () => {
  const settle = { how: 'until', found: true, locate: { read: path`/api/things`, rows: '/things', where: [], take: {} }, deadlineMs: 1000, because: 'it is set up' } as const;
  expect(showStep({ do: 'settle', name: 'set up', settle, open: true }, new Map() as never).lines).toEqual(['set up: it is set up', 'after that it is left to the next plan']);
  expect(showStep({ do: 'settle', name: 'set up', settle }, new Map() as never).lines).toEqual(['set up: it is set up']);
  const answers = [{ status: '2xx', then: 'left', because: 'publish {txtHost}' }] as const;
  expect(showStep({ do: 'request', name: 'add', method: 'POST', path: path`/api/things`, repeat: 'safe', answers, because: 'add it' }, new Map() as never).lines.join()).toContain('done, the rest is up to someone outside');
});
