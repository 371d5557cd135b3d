// The examples in the help are lines that the program takes, each of a command that is there, and `help` finds commands
// below others.
import { describe, expect, it } from 'vitest';
import type { CliCommand, Example } from '../../src/cli/command.ts';
import { HABITS, KIND_HABITS, withHabit } from '../../src/cli/habits.ts';
import { HELP_TOPICS } from '../../src/cli/help/topics.ts';
import { buildProgram, EVERYDAY } from '../../src/cli/program.ts';
import { findGetKind } from '../../src/usecases/get/kinds.ts';
import { runHere } from '../support/processes/run-here.ts';

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
  return { ran, out, err: withHabit(err) };
}

/** The words of each command that has examples, or has a command with some below it. */
function examplesBelow(command: CliCommand, words: readonly string[] = []): readonly (readonly [string, Example[]])[] {
  const own = [...command.allExamples()];
  return [
    ...(words.length === 0 || own.length === 0 ? [] : [[words.join(' '), own] as const]),
    ...(command.commands as readonly CliCommand[]).flatMap((below) => examplesBelow(below, [...words, below.name()])),
  ];
}
const PROGRAM = buildProgram('0', { raw: () => undefined } as never, () => Promise.resolve());
const EXAMPLES = examplesBelow(PROGRAM);

describe('examples in the help', () => {
  it('are there for every command, but for a few below others that need none', () => {
    const { commands } = buildProgram('0', { raw: () => undefined } as never, () => Promise.resolve());
    const names = EXAMPLES.map(([name]) => name);
    expect(commands.map((command) => command.name()).filter((name) => !names.includes(name))).toEqual(['help']);
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

/** A line of an advice, with names in place of what it leaves open. */
function typed(words: string): readonly string[] {
  const names: Readonly<Record<string, string>> = {
    SITE: 'shop',
    ADDRESS: 'Site/shop',
    ID: 'site-1',
    NAME: 'example.com',
    'Site/NAME': 'Site/shop',
    'Mailspace/NAME': 'Mailspace/example.com',
    KIND: 'site',
    FOLDER: 'manifests',
    FOLDERS: 'accounts',
  };
  return words.split(' ').map((word) => names[word] ?? word);
}

/** The advice is followed: each command that it names is one that the program runs. */
async function follow(answer: string): Promise<void> {
  const commands = [...answer.matchAll(/`hostwright ([^`]+)`/g)].map(([, words = '']) => words);
  expect(commands.length).toBeGreaterThan(0);
  for (const words of commands)
    if (words === '--version') expect((await parse([words])).out).toBe('0\n');
    else {
      expect(await parse(typed(words)), words).toEqual({ ran: 1, out: '', err: '' });
      // It needs no account, so it can be followed to its end.
      if (words.startsWith('explain')) expect((await runHere(typed(words), { cwd: '/', env: {} })).code, words).toBe(0);
    }
}

describe('what other tools call it', () => {
  /** A command that does not take the option, and so is asked what is meant. */
  const without = async (option: string): Promise<Parsed> => {
    for (const command of ['apply', 'plan', 'validate', 'help']) {
      const parsed = await parse([command, option]);
      if (parsed.err.includes('unknown option')) return parsed;
    }
    throw new Error(`every command takes ${option}`);
  };

  it.each(Object.entries(HABITS))('%s is answered with commands that there are', async (habit, answer) => {
    const { ran, err } = habit.startsWith('-') ? await without(habit) : await parse([habit]);
    expect(ran).toBe(0);
    expect(err).toContain(`'${habit}'\n${answer}`);
    await follow(answer);
  });

  it.each(Object.entries(KIND_HABITS))('get %s is answered', async (word, meant) => {
    expect(findGetKind(word)).toBeUndefined();
    const { stderr, code } = await runHere(['get', word], { cwd: '/', env: {} });
    expect(code).toBe(1);
    if (findGetKind(meant) === undefined) {
      expect(stderr).toContain(meant.slice(0, 30));
      await follow(meant);
    } else expect(stderr).toContain(`Did you mean ${meant}?`);
  });

  it.each([
    [['apply', '--follow'], 'hostwright get tasks --watch'],
    [['plan', '-f', 'shop.yaml'], 'Files and folders are arguments: `hostwright plan sites/shop.yaml`.'],
    [['plan', '-target=Site/shop'], 'Long options have two dashes: --target=Site/shop'],
    [['plan', '-out=plan.json'], 'A plan is saved by `hostwright plan --out plan.json`'],
    [['plan', '-no-color'], 'Long options have two dashes: --no-color'],
    [['plan', '-json'], '`--format json`'],
    [['apply', '-auto-approve'], 'hostwright apply --yes'],
    [['apply', '-y'], 'hostwright apply --yes'],
    [['purge'], 'Run `hostwright run purge Site/NAME`.'],
    [['restart', 'shop'], 'Run `hostwright run restart Site/NAME`.'],
    [['login'], 'HOSTWRIGHT_TOKEN'],
    [['renew', 'example.com'], 'autoRenew: true'],
    [['whoami'], 'Run `hostwright doctor`.'],
    [['create', 'site'], 'Write a manifest'],
  ])('%j', async (words, answer) => {
    const { stderr, code } = await runHere(words, { cwd: '/', env: {} });
    expect(code).toBe(1);
    expect(stderr).toContain(answer);
    expect(stderr).not.toContain('Did you mean');
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

describe('the help of the program', () => {
  it('fits on one screen, and describes the everyday commands', async () => {
    const { out } = await parse(['--help']);
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    for (const name of EVERYDAY) expect(out).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'));
    for (const command of PROGRAM.commands) expect(out).toMatch(new RegExp(`\\b${command.name()}\\b`));
  });

  it('has environment variables and exit codes as topics', async () => {
    expect((await parse(['help', 'exit-codes'])).out).toContain('6 partly-applied');
    expect((await parse(['help', 'environment'])).out).toContain('HOSTWRIGHT_TOKEN');
    expect((await parse(['--help'])).out).not.toContain('HOSTWRIGHT_TOKEN');
  });

  it.each(Object.values(HELP_TOPICS))('is at most 100 columns wide in a topic', (text) => {
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});

describe('an unknown command or option', () => {
  it.each([
    [['beginn'], "unknown command 'beginn'\n(Did you mean "],
    [['zzz'], "unknown command 'zzz'\n(Did you mean "],
    [['ledger', 'xyz'], "unknown command 'xyz'\n(Did you mean "],
    [['plan', '--frobnicate'], "unknown option '--frobnicate'\n(Did you mean --"],
    [['help', 'zzz'], "unknown command 'zzz'\n(Did you mean "],
  ])('%j is answered with the nearest one', async (words, answer) => {
    expect((await parse(words)).err).toContain(answer);
  });
});

describe('help', () => {
  it('is that of the command that is named, also below another, and of the program when none is', async () => {
    expect((await parse(['help', 'ledger', 'confirm'])).out).toContain(
      'Usage: hostwright ledger confirm [options] <address>',
    );
    expect((await parse(['help', 'plan'])).out).toBe((await parse(['plan', '--help'])).out);
    expect((await parse(['help'])).out).toContain('Usage: hostwright [options] <command>');
  });

  it('says which command there is not', async () => {
    expect((await parse(['help', 'ledger', 'nothing'])).err).toContain("unknown command 'nothing'");
  });
});
