// A result as lines of names and values: every value is one word, whatever others called things.
import { describe, expect, it } from 'vitest';
import { endOutputs, outcomeOutputs, planOutputs, renderOutputs } from '../../../src/report/view/outputs.ts';
import { create, outcomeOf, planOf, remove, shopPlan } from '../samples.ts';

describe('outputs', () => {
  it('of a plan are its numbers', () => {
    const text = renderOutputs(
      planOutputs(
        planOf({
          actions: [create],
          deferred: [{ address: 'Site/new', until: 'Site/new', reason: 'so', declared: '' }],
        }),
        'differences',
      ),
    );
    expect(text).toBe(
      `outcome=differences\nexit_code=2\naccount=acme\ndigest=${'d'.repeat(64)}\nactions=1\ncreate=0\nupdate=0\ndelete=0\ncharges=0\nrestarts=0\nmanual=0\nwaiting=0\nblocked=0\nunknown=0\nunmanaged=0\nunchanged=14\ndeferred=1\n`,
    );
  });

  it('of a run count what was done, and what was not', () => {
    const results = ['done', 'already-done', 'failed', 'unknown-outcome', 'waiting', 'skipped'] as const;
    const actions = results.map((result) => ({ address: create.address, verb: 'create' as const, result }));
    const outputs = outcomeOutputs(
      outcomeOf({
        outcome: 'partly-applied',
        exitCode: 6,
        actions: [...actions, { address: remove.address, verb: 'delete', result: 'done' }],
      }),
    );
    expect(outputs).toMatchObject({
      outcome: 'partly-applied',
      exit_code: 6,
      actions: 7,
      create: 1,
      update: 0,
      delete: 1,
      done: 3,
      failed: 2,
      remaining: 0,
    });
  });

  it('of anything else are how it ended', () =>
    expect(renderOutputs(endOutputs('interrupted'))).toBe('outcome=interrupted\nexit_code=130\n'));

  it('are a line each, whatever an account is called; numbers keep their commas', () => {
    const text = renderOutputs({
      ...planOutputs({ ...shopPlan, account: 'a\noutcome=done\r\n$(id) --> ;' }, 'error'),
      pulls: '3,12',
    });
    expect(text.split('\n').filter((line) => line.startsWith('outcome='))).toEqual(['outcome=error']);
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^[a-z_]+=[\w.%,()*!~'-]*$/);
    expect(text).toContain('\npulls=3,12\n');
  });
});
