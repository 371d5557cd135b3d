// The examples in the help are lines that the program takes, each of a command that is there, and `help` finds commands
// below others.
import { describe, expect, it } from 'vitest';
import type { CliCommand, Example } from '../../src/cli/command.ts';
import { HABITS } from '../../src/cli/command.ts';
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

/** The words of each command that has examples, or has a command with some below it. */
function examplesBelow(command: CliCommand, words: readonly string[] = []): readonly (readonly [string, Example[]])[] {
  const own = [...command.allExamples()];
  return [
    ...(words.length === 0 || own.length === 0 ? [] : [[words.join(' '), own] as const]),
    ...(command.commands as readonly CliCommand[]).flatMap((below) => examplesBelow(below, [...words, below.name()])),
  ];
}
const EXAMPLES = examplesBelow(buildProgram('0', { raw: () => undefined } as never, () => Promise.resolve()));

describe('examples in the help', () => {
  it('are there for every command, but for a few below others that need none', () => {
    const { commands } = buildProgram('0', { raw: () => undefined } as never, () => Promise.resolve());
    const names = EXAMPLES.map(([name]) => name);
    expect(commands.map((command) => command.name()).filter((name) => !names.includes(name))).toEqual([
      'help',
      'version',
    ]);
    expect(EXAMPLES.flatMap(([, examples]) => examples).length).toBeGreaterThan(50);
  });

  it.each(EXAMPLES.flatMap(([name, lines]) => lines.map(([line]) => [line, name] as const)))(
    '%s',
    async (line, name) => {
      const [command = ''] = line.split(' > ');
      expect(command.startsWith(`hostwright ${name}`)).toBe(true);
      expect(await parse(command.split(' ').slice(1))).toEqual({ ran: 1, out: '', err: '' });
    },
  );

  it.each(EXAMPLES)('are shown by `%s --help`', async (name, examples) => {
    const { out } = await parse([...name.split(' '), '--help']);
    for (const [line, what] of examples)
      expect(out.split('\n').some((shown) => shown.startsWith(`  ${line} `) && shown.endsWith(`  ${what}`))).toBe(true);
  });
});

it('names the kinds of `get` once, with their other names', async () => {
  const { out } = await parse(['get', '--help']);
  expect(out.match(/panel-accounts +\w/g)).toHaveLength(1);
  expect(out).not.toContain('choices: "sites"');
  expect((await parse(['completion', '--help'])).out).toContain('(choices: "bash"');
});

describe('what other tools call it', () => {
  it.each(Object.entries(HABITS))('%s is answered with commands that there are', async (habit, answer) => {
    const { ran, err } = await parse(habit.startsWith('-') ? ['apply', habit] : [habit]);
    expect(ran).toBe(0);
    expect(err).toContain(`'${habit}'\n${answer}`);
    const commands = [...answer.matchAll(/`hostwright ([^`]+)`/g)].map(([, words = '']) => words);
    expect(commands.length).toBeGreaterThan(0);
    for (const words of commands) {
      const line = words.replace('SITE', 'shop').replace('ADDRESS', 'Site/shop').replace(' ID', ' site-1');
      expect(await parse(line.split(' ')), words).toEqual({ ran: 1, out: '', err: '' });
    }
  });

  it('has one dash in Terraform', async () => {
    expect((await parse(['apply', '-auto-approve'])).err).toContain('hostwright apply --yes');
  });
});

describe('the help', () => {
  it('lists global options once, in the help of the program', async () => {
    expect((await parse(['--help'])).out).toContain('--report <form=file>');
    for (const [name] of EXAMPLES) {
      const { out } = await parse([...name.split(' '), '--help']);
      expect(out).not.toContain('--report <form=file>');
      expect(out.match(/see hostwright --help/g)).toHaveLength(1);
      expect(out.indexOf('\nExamples:')).toBeLessThan(out.indexOf('\nOptions:'));
    }
  });

  it('is 100 columns wide, but for examples', async () => {
    for (const name of ['', ...EXAMPLES.map(([command]) => command)]) {
      const { out } = await parse([...name.split(' ').filter((word) => word !== ''), '--help']);
      const long = out.split('\n').filter((line) => line.length > 100 && !line.startsWith('  hostwright '));
      expect(long).toEqual([]);
    }
  });
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
