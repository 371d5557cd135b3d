// Invalid values of HOSTWRIGHT_ variables: a diagnostic of every command, which `doctor` reports with all others.
import type { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { InvalidValues, optionsOf } from '../../src/cli/start/environment.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { openCommandLine } from '../support/command-line.ts';
import { matching } from '../support/matchers.ts';

const program = buildProgram('0', { raw: () => undefined } as never, () => Promise.resolve()) as Command;
/** A value that no parser takes. */
const WRONG = 'no\u0001 such : value';
const refuses = ({ parseArg }: Option): boolean => {
  try {
    parseArg?.(WRONG, undefined);
    return false;
  } catch {
    return true;
  }
};
const parsed = optionsOf(program).filter(refuses) as (Option & { envVar: string })[];

describe('an invalid value of a variable', () => {
  it.each(parsed.map(({ envVar, long }) => [envVar, long ?? ''] as const))(
    'is a diagnostic with variable, value and allowed form: %s',
    (envVar, long) => {
      const env: Record<string, string | undefined> = { [envVar]: WRONG, OTHER: 'kept' };
      const values = new InvalidValues();
      values.take(program, env);
      expect(env).toEqual({ OTHER: 'kept' });
      const [diagnostic, ...others] = values.all();
      expect(others).toEqual([]);
      expect(diagnostic).toMatchObject({ code: 'HW6515', severity: 'error' });
      expect(diagnostic?.detail).toMatch(
        new RegExp(`^${envVar} is \`no.* such : value\`, which ${long} does not take\\. \\S`),
      );
      // The option of another command does not end this one.
      const owner = program.options.some((option) => option.envVar === envVar);
      const drift = program.commands.find((one) => one.name() === 'drift') as Command;
      const isOwn = owner || drift.options.some((option) => option.envVar === envVar);
      expect(values.of(drift)).toHaveLength(isOwn ? 1 : 0);
      for (const name of ['doctor', 'explain'])
        expect(values.of(program.commands.find((one) => one.name() === name) as Command)).toEqual([]);
    },
  );

  it('is quoted without the user and the password in an address', () => {
    const values = new InvalidValues();
    values.take(program, { HOSTWRIGHT_API_URL: 'ftp://user:pass-word@api.example.com' });
    expect(values.all()).toMatchObject([{ detail: matching(/^HOSTWRIGHT_API_URL is `ftp:\/\/\(secret\)@api/) }]);
    expect(JSON.stringify(values.all())).not.toContain('pass-word');
  });

  it.each(['plan', 'drift', 'get sites', 'ledger list', 'validate'])(
    'ends `%s` before it starts, also as JSON',
    async (line) => {
      const { run, sandbox } = await openCommandLine();
      const HOSTWRIGHT_TIMEOUT = 'soon';
      const told = await run(line, { env: { HOSTWRIGHT_TIMEOUT } });
      expect(told.code).toBe(1);
      expect(told.all.replaceAll(/\s+/g, ' ')).toContain(
        'HW6515: Environment variable cannot be parsed HOSTWRIGHT_TIMEOUT is `soon`, which --timeout does not take. A duration is a number with a unit: 90s, 20m, 1h.',
      );
      expect(sandbox.requests).toEqual([]);
      const json = await run(`${line} --format json`, { env: { HOSTWRIGHT_TIMEOUT } });
      expect(JSON.parse(json.stdout)).toMatchObject({ exitCode: 1, diagnostics: [{ code: 'HW6515' }] });
    },
  );

  it('is reported by `doctor` with the other checks', async () => {
    const { run } = await openCommandLine();
    const env = { HOSTWRIGHT_TIMEOUT: 'soon', HOSTWRIGHT_DEADLINE: '-1' };
    const told = await run('doctor', { env });
    expect(told.code).toBe(1);
    const words = told.all.replaceAll(/\s+/g, ' ');
    expect(words).toContain('HOSTWRIGHT_TIMEOUT is `soon`');
    expect(words).toContain('HOSTWRIGHT_DEADLINE is `-1`');
    expect(words).toContain('The platform');
  });
});
