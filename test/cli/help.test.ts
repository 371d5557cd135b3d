// The examples in the help are lines that the program takes, each of a command that is there, and `help` finds commands
// below others.
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../src/cli/help.ts';
import { buildProgram } from '../../src/cli/program.ts';

interface Parsed {
  readonly ran: number;
  readonly out: string;
  readonly err: string;
}

async function parse(words: readonly string[]): Promise<Parsed> {
  let [ran, out, err] = [0, '', ''];
  const output = {
    raw: (stream: 'stdout' | 'stderr', text: string) => (stream === 'stdout' ? (out += text) : (err += text)),
  };
  const program = buildProgram('0', output as never, () => Promise.resolve(void (ran += 1)));
  await program.parseAsync(words, { from: 'user' }).catch(() => undefined);
  return { ran, out, err };
}

describe('examples in the help', () => {
  it.each(Object.entries(EXAMPLES).flatMap(([name, lines]) => lines.map(([line]) => [line, name] as const)))(
    '%s',
    async (line, name) => {
      const [command = ''] = line.split(' > ');
      expect(command.startsWith(`hostwright ${name}`)).toBe(true);
      expect(await parse(command.split(' ').slice(1))).toEqual({ ran: 1, out: '', err: '' });
    },
  );

  it.each([...new Set(Object.keys(EXAMPLES).flatMap((name) => [name, name.split(' ')[0] as string]))])(
    'are shown by `%s --help`',
    async (name) => {
      const { out } = await parse([...name.split(' '), '--help']);
      for (const [line, what] of Object.entries(EXAMPLES).flatMap(([key, lines]) =>
        key === name || key.startsWith(`${name} `) ? lines : [],
      ))
        expect(out.split('\n').some((shown) => shown.startsWith(`  ${line} `) && shown.endsWith(`  ${what}`))).toBe(
          true,
        );
    },
  );
});

describe('help', () => {
  it('is that of the command that is named, also below another, and of the program when none is', async () => {
    expect((await parse(['help', 'ledger', 'confirm'])).out).toContain(
      'Usage: hostwright ledger confirm [options] <address>',
    );
    expect((await parse(['help', 'plan'])).out).toBe((await parse(['plan', '--help'])).out);
    expect((await parse(['help'])).out).toContain('Usage: hostwright [options] [command]');
  });

  it('says which command there is not', async () => {
    expect((await parse(['help', 'ledger', 'nothing'])).err).toContain("unknown command 'nothing'");
  });
});
