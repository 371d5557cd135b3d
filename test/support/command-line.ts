// The command line in a workspace of a test, with a sandbox behind it.
import type { Clock } from '../../src/model/clock.ts';
import type { Harness, HarnessOptions } from './harness.ts';
import { openHarness } from './open-harness.ts';
import { runCommand } from './processes/command.ts';
import type { Ended } from './processes/run-here.ts';

export interface CommandLine extends Harness {
  /**
   * Runs a line in the workspace as it would be typed: with variables of the environment before it, with or without
   * `hostwright`. Nothing really waits, unless it is given another clock.
   */
  readonly run: (line: string, more?: More) => Promise<Told>;
}

interface More {
  readonly env?: Environment;
  readonly input?: string;
  readonly clock?: Clock;
}

type Environment = Readonly<Record<string, string>>;

export interface Told extends Ended {
  /** Both streams. */
  readonly all: string;
}

/** A workspace, its sandbox and the command line between them, of this test. */
export async function openCommandLine(options: HarnessOptions = {}, usual: Environment = {}): Promise<CommandLine> {
  const one = await openHarness({ memoryLedger: false, ...options });
  const { root, sandbox } = one;
  return {
    ...one,
    run: async (line, { env, ...more } = {}) => {
      const typed = typedLine(line);
      const ended = await runCommand(typed.argv, {
        cwd: root,
        url: sandbox.url,
        clock: sandbox.clock,
        env: { ...usual, ...env, ...typed.env },
        ...more,
      });
      return { ...ended, all: `${ended.stdout}\n${ended.stderr}` };
    },
  };
}

/** A line as a shell takes it: the variables before the command, and its words. */
function typedLine(line: string): { readonly env: Environment; readonly argv: readonly string[] } {
  const words = [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/['"]/g, ''));
  const begin = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const env = words
    .slice(0, begin)
    .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  const argv = words.slice(words[begin] === 'hostwright' ? begin + 1 : begin);
  return { env: Object.fromEntries(env) as Environment, argv };
}
