#!/usr/bin/env node
// The start of the program. It is built by itself, as a classic script, and loads the rest when it is needed; the version
// and the help wait for nothing.
import { version } from '../../package.json';
import { openCache } from './start/cache-folder.ts';
import { engineFlags } from './start/engine-flags.ts';
import type { Program } from './start/loader.ts';
import { createLoader } from './start/loader.ts';
import { processOutput } from './output.ts';
import type { run } from './run.ts';

/** Put in by .ci/build.ts. */
declare const PROGRAM: Program & {
  readonly start: string;
  readonly commands: readonly string[];
  /** What `--help` prints: it is the same for everybody. */
  readonly help: string;
};

/** Texts that a build has ready. */
const READY: ReadonlyMap<string, string> = new Map([
  ['--version', `${version}\n`],
  ['-V', `${version}\n`],
  ['--help', PROGRAM.help],
  ['-h', PROGRAM.help],
]);

const argv = process.argv.slice(2);
const output = processOutput(process);
const ready = argv.length === 1 ? READY.get(argv[0] as string) : undefined;
if (ready === undefined) {
  begin();
} else {
  output.raw('stdout', ready);
  // The program says what stood in the way.
  void output.flush().then(() => output.unwritten() !== undefined && begin());
}

function begin(): void {
  const { env, platform } = process;
  const folder = openCache({ env, platform, uid: process.geteuid?.() }, argv);
  const command = argv.find((word) => PROGRAM.commands.includes(word)) ?? 'help';
  const flags = engineFlags(command, argv, process);
  // Loaded only here: for a short run that alone takes longer than anything saves.
  if (flags.length > 0) process.getBuiltinModule('node:v8').setFlagsFromString(flags.join(' '));
  const loader = createLoader(__dirname, PROGRAM, {
    cache: env.NODE_DISABLE_COMPILE_CACHE === '1' ? undefined : folder,
    command,
    flags,
    require,
  });
  const program = loader.load(PROGRAM.start) as { readonly run: typeof run };
  void program.run(argv, version, {
    output,
    keep: loader.keep,
    ...(folder !== undefined && { cache: { folder, version: PROGRAM.id } }),
  });
}
