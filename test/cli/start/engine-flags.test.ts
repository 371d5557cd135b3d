import { describe, expect, it } from 'vitest';
import { engineFlags } from '../../../src/cli/start/engine-flags.ts';

const onV8 = (v8: string, more: { readonly execArgv?: string[]; readonly env?: NodeJS.ProcessEnv } = {}) => ({
  versions: { ...process.versions, v8 },
  execArgv: [],
  env: {},
  ...more,
});

describe('what V8 is told', () => {
  it('is for V8 11 alone', () => {
    expect(engineFlags('plan', ['plan'], onV8('11.3.244.8-node.30'))).toEqual(['--interrupt-budget=1000000']);
    for (const v8 of ['12.4.254.21-node.57', '13.6.233.10-node.28', '110.1', ''])
      expect(engineFlags('plan', ['plan'], onV8(v8))).toEqual([]);
  });

  it('is for long runs: not for help, and not for the few files that somebody names', () => {
    const told = (...argv: string[]): boolean => engineFlags(argv[0] ?? 'help', argv, onV8('11.3')).length > 0;
    expect(told('export', '--out', 'here')).toBe(true);
    expect(told('validate')).toBe(true);
    expect(told('validate', '--quiet')).toBe(true);
    expect(told('validate', 'sites/shop.yaml')).toBe(false);
    expect(told('explain')).toBe(false);
    expect(told()).toBe(false);
  });

  it('leaves alone what the user said', () => {
    const env = { NODE_OPTIONS: '--interrupt-budget=5' };
    expect(engineFlags('plan', ['plan'], onV8('11.3', { env }))).toEqual([]);
    expect(engineFlags('plan', ['plan'], onV8('11.3', { execArgv: ['--interrupt_budget=5'] }))).toEqual([]);
  });
});
