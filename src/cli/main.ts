#!/usr/bin/env node
// The start of the program. It is built by itself, as a classic script, and loads the rest when it is needed; the version
// and the help wait for nothing.
import path from 'node:path';
import vm from 'node:vm';
import { version } from '../../package.json';
import { openCache } from './start/cache-folder.ts';
import { engineFlags } from './start/engine-flags.ts';
import { fileWithin, isExecutable, placeWithin } from '../library/executable.ts';
import type { Program, Source } from './start/loader.ts';
import { createLoader } from './start/loader.ts';
import { runModuleWithin } from './start/program-within.ts';
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

const PROVIDER = 'terraform-provider-hostwright';

const argv = process.argv.slice(2);
const output = processOutput(process);
const [, invoked = '', first = ''] = process.argv;
// One executable is the command, the provider by the name that Terraform gives it, and the process of a program.
if (isExecutable && path.basename(invoked).startsWith(PROVIDER))
  vm.runInThisContext(fileWithin(`dist/${PROVIDER}`).toString('latin1'), { filename: placeWithin(PROVIDER) });
else if (isExecutable && first.startsWith(placeWithin('dist') + path.sep)) runModuleWithin(first);
else answer();

function answer(): void {
  const ready = argv.length === 1 ? READY.get(first) : undefined;
  if (ready === undefined) {
    begin();
    return;
  }
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
  // Packages that npm leaves to whoever needs them are one more pack of the executable.
  const packs = { ...PROGRAM.packs, ...(isExecutable && { packages: 'packages' }) };
  const ofNode: (id: string) => unknown = require;
  const requireWithin = (id: string): unknown => {
    if (id !== 'pg' && id !== 'pg-boss') return ofNode(id);
    return (loader.load('packages')['packages'] as Readonly<Record<string, unknown>>)[id];
  };
  const loader = createLoader(
    isExecutable ? placeWithin('dist') : __dirname,
    { ...PROGRAM, packs },
    {
      cache: env.NODE_DISABLE_COMPILE_CACHE === '1' ? undefined : folder,
      command,
      flags,
      require: isExecutable ? (requireWithin as NodeJS.Require) : require,
      ...(isExecutable && { read: packWithin }),
    },
  );
  const program = loader.load(PROGRAM.start) as { readonly run: typeof run };
  void program.run(argv, version, {
    output,
    keep: loader.keep,
    ...(folder !== undefined && { cache: { folder, version: PROGRAM.id } }),
  });
}

/** A pack as it is in the executable; its hash tells one build from another. */
function packWithin(name: string): Source {
  const bytes = fileWithin(`dist/${name}.js`);
  const text = PROGRAM.wide.includes(name) ? bytes.toString('utf8') : bytes.toString('latin1');
  return { text, bytes: bytes.length, changedMs: 0 };
}
