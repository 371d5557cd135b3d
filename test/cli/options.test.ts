// Limits the number of options. Before you raise a limit, remove or merge an option that nobody sets.
import { describe, expect, it } from 'vitest';
import { countOptions } from '../../.ci/count-options.ts';
import { buildProgram } from '../../src/cli/program.ts';

/** Today's numbers. They may only become smaller. */
const LIMITS = { total: 246, plan: 14, apply: 15, global: 16 };

describe('the number of options', () => {
  const { total, byCommand } = countOptions();

  it.each([
    ['all commands together', total, LIMITS.total],
    ['plan', byCommand.get('plan'), LIMITS.plan],
    ['apply', byCommand.get('apply'), LIMITS.apply],
    ['the program', byCommand.get(''), LIMITS.global],
  ])('does not grow: %s', (_name, count, limit) => {
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(limit);
  });
});

describe('a global option', () => {
  const optionsAfter = async (...words: readonly string[]): Promise<object> => {
    let given: object = {};
    const program = buildProgram('0', { raw: () => undefined } as never, (command) => {
      given = command.optsWithGlobals();
      return Promise.resolve();
    });
    await program.parseAsync(words, { from: 'user' });
    return given;
  };

  it.each([['plan'], ['apply'], ['ledger', 'list'], ['run', 'restart', 'Site/shop'], ['fleet', 'plan', 'accounts/*']])(
    'is accepted before and after the command: %s %s %s',
    async (...command) => {
      const options = ['--parallelism', '4', '--max-rps', '2', '--timeout', '90s', '--lock-timeout', '5m'];
      const expected = { parallelism: 4, maxRps: 2, lockTimeout: 300_000, runProgram: true };
      for (const words of [
        [...command, ...options, '--run-program'],
        [...options, '--run-program', ...command],
      ]) {
        const given = await optionsAfter(...words);
        expect(given).toMatchObject(expected);
        expect(given).toHaveProperty('timeout', 90_000);
      }
    },
  );

  it('has no second definition in a command', () => {
    const program = buildProgram('0', { raw: () => undefined } as never, () => Promise.resolve());
    const all = (command: typeof program): readonly string[] =>
      command.commands.flatMap((below) => [
        ...below.options.map(({ long }) => long ?? ''),
        ...all(below as typeof program),
      ]);
    const global = program.options.map(({ long }) => long ?? '');
    expect(all(program).filter((name) => global.includes(name))).toEqual([]);
  });
});
