import { describe, it } from 'vitest';
import { cases } from './cases.ts';
import { runCase } from './context.ts';

describe('the sandbox does what the documents say', () => {
  it.each(cases.map((one) => [one.rule, one.title, one] as const))('%s: %s', async (_rule, _title, one) => {
    await runCase(one);
  });
});
