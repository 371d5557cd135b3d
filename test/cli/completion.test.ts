// `completion` in real shells, as far as they are installed.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useProgram } from './program-under-test.ts';

const { folder, run } = useProgram();

const isThere = (shell: string): boolean => {
  const found = spawnSync(shell, ['-c', 'true']).status === 0;
  if (!found) process.stdout.write(`skipped: no ${shell} on this machine\n`);
  return found;
};

/** What a shell offers after each of these lines. */
const OFFERS: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['hostwright pla', ['plan']],
  ['hostwright ledger con', ['confirm']],
  ['hostwright --account acc-acme plan --det', ['--detailed-exitcode']],
  ['hostwright plan --format ma', ['markdown']],
  ['hostwright get shield-ru', ['shield-rules']],
];

async function script(shell: string): Promise<string> {
  const file = join(folder(), `completion.${shell}`);
  const { stdout, stderr, code } = await run(['completion', shell]);
  expect([stderr, code]).toEqual(['', 0]);
  writeFileSync(file, stdout);
  return file;
}

describe('completion', () => {
  it.skipIf(!isThere('bash')).each(OFFERS)('bash: %s', async (line, offered) => {
    const words = line
      .split(' ')
      .map((word) => `'${word}'`)
      .join(' ');
    const shown = spawnSync('bash', [
      '-c',
      `source '${await script('bash')}'; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _hostwright; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ]);
    expect(String(shown.stdout).trim().split('\n')).toEqual(offered);
  });

  it.skipIf(!isThere('fish')).each(OFFERS)('fish: %s', async (line, offered) => {
    const shown = spawnSync('fish', ['-c', `source '${await script('fish')}'; complete -C '${line}'`]);
    const words = String(shown.stdout).trim().split('\n');
    expect(words.map((word) => word.split('\t')[0])).toEqual(offered);
  });

  it.skipIf(!isThere('zsh'))('zsh takes the script', async () => {
    expect(spawnSync('zsh', ['-n', await script('zsh')]).stderr.toString()).toBe('');
  });

  it('refuses another shell', async () => {
    const { stderr, code } = await run(['completion', 'tcsh']);
    expect([stderr, code]).toEqual([expect.stringContaining('Allowed choices are bash, zsh, fish'), 1]);
  });
});
