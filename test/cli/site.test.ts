// The commands on one site as a person at a terminal meets them: asked once, answered by yes alone.
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { GlobalOptions } from '../../src/cli/context.ts';
import { createContext } from '../../src/cli/context.ts';
import { createOutput } from '../../src/cli/output.ts';
import { collectFilter, collectText, parseDay, parseLimit, parseSpan } from '../../src/cli/parse.ts';
import { actWith } from '../../src/cli/commands/act.ts';
import { containing } from '../support/matchers.ts';

function terminal(answer: string, env: Readonly<Record<string, string>> = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY: true }),
  );
  const read = { stdout: '', stderr: '' };
  stdout?.on('data', (chunk) => (read.stdout += String(chunk)));
  stderr?.on('data', (chunk) => (read.stderr += String(chunk)));
  stdin?.end(answer);
  const options: GlobalOptions = { format: 'human', quiet: true };
  const output = createOutput(stdout as PassThrough, stderr as PassThrough);
  const context = createContext(options, {
    process: { env, stdin, stdout, stderr, cwd: () => '.' } as unknown as NodeJS.Process,
    output,
    stop: new AbortController().signal,
  });
  return { context, read };
}

async function act(answer: string, yes: boolean, env: Readonly<Record<string, string>> = {}) {
  const { context, read } = terminal(answer, env);
  let said: boolean | undefined;
  const outcome = await actWith(context, { yes }, async (_session, confirm) => {
    said = await confirm?.('Restart\u001b[2J it?');
    return { outcome: said ? 'done' : 'refused', login: { url: 'value' }, diagnostics: [] };
  });
  await context.output.flush();
  return { outcome, said, ...read };
}

describe('a command that acts', () => {
  it('asks on stderr, once, and takes yes alone', async () => {
    expect(await act('yes\n', false)).toMatchObject({
      said: true,
      outcome: 'done',
      stdout: 'value\n',
      stderr: 'Restart\\u{1b}[2J it? Only `yes` does it: ',
    });
    expect(await act('y\n', false)).toMatchObject({ said: false, outcome: 'refused' });
    expect(await act('', false)).toMatchObject({ said: false });
  });

  it('does not ask after --yes', async () => {
    expect(await act('', true)).toMatchObject({ said: true, stderr: '' });
  });

  it('does not begin with a token that cannot be sent', async () => {
    expect(await act('yes\n', true, { HOSTWRIGHT_TOKEN: 'a b' })).toMatchObject({
      said: undefined,
      outcome: 'error',
      stderr: containing('HW6501'),
    });
  });
});

describe('values', () => {
  it('of spans, limits and filters', () => {
    expect(['30m', '6h', '3d'].map(parseSpan)).toEqual([1_800_000, 21_600_000, 259_200_000]);
    for (const text of ['', '5', '0d', '1.5h', '90s', '-1d', '1w'])
      expect(() => parseSpan(text)).toThrow('span of time');
    expect(parseLimit('1')).toBe(1);
    for (const text of ['0', '-1', 'x', '1.5']) expect(() => parseLimit(text)).toThrow();
    expect(collectFilter('subject=a=b', { status: '404' })).toEqual({ status: '404', subject: 'a=b' });
    for (const text of ['status', '=x', 'status=', 'A=b']) expect(() => collectFilter(text, {})).toThrow();
    expect(collectText('b', ['a'])).toEqual(['a', 'b']);
    expect(parseDay('2024-02-29')).toBe('2024-02-29');
    for (const text of ['', 'today', '2025-02-29', '2025-13-01', '1-1-2025', '2025-1-1'])
      expect(() => parseDay(text)).toThrow('A day is');
  });
});
