#!/usr/bin/env node
// The start of the program. It is built by itself, as a classic script, and loads the rest when it is needed; the version
// waits for nothing.
import { version } from '../../package.json';
import { openCache } from './start/cache-folder.ts';
import type { Program } from './start/loader.ts';
import { createLoader } from './start/loader.ts';
import { printSoon } from './start/print.ts';
import type { run } from './run.ts';

/** Put in by .ci/build.ts. */
declare const PROGRAM: Program & { readonly start: string; readonly commands: readonly string[] };

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  printSoon(`${version}\n`);
} else {
  const { env, platform } = process;
  const owner = { env, platform, uid: process.geteuid?.() };
  const cache = env.NODE_DISABLE_COMPILE_CACHE === '1' ? undefined : openCache(owner, argv);
  const command = argv.find((word) => PROGRAM.commands.includes(word)) ?? 'help';
  const loader = createLoader(__dirname, PROGRAM, { cache, command });
  const program = loader.load(PROGRAM.start) as { readonly run: typeof run };
  void program.run(argv, version, { keep: loader.keep });
}
