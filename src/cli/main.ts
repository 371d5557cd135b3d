#!/usr/bin/env node
// The start of the program. It is built by itself, as a classic script, and loads the rest when it is needed; the version
// waits for nothing.
import { version } from '../../package.json';
import { openCache } from './start/cache-folder.ts';
import type { Program } from './start/loader.ts';
import { createLoader } from './start/loader.ts';
import { processOutput } from './output.ts';
import type { run } from './run.ts';

/** Put in by .ci/build.ts. */
declare const PROGRAM: Program & { readonly start: string; readonly commands: readonly string[] };

const argv = process.argv.slice(2);
const output = processOutput(process);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  output.result(version);
  void output.flush().then(() => {
    if (output.unwritten() !== undefined) process.exitCode = 1;
  });
} else {
  const { env, platform } = process;
  const folder = openCache({ env, platform, uid: process.geteuid?.() }, argv);
  const command = argv.find((word) => PROGRAM.commands.includes(word)) ?? 'help';
  const loader = createLoader(__dirname, PROGRAM, {
    cache: env.NODE_DISABLE_COMPILE_CACHE === '1' ? undefined : folder,
    command,
  });
  const program = loader.load(PROGRAM.start) as { readonly run: typeof run };
  void program.run(argv, version, {
    output,
    keep: loader.keep,
    ...(folder !== undefined && { cache: { folder, version: PROGRAM.id } }),
  });
}
