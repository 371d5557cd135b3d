// `npm run test:all`: every accident at every place of the loops and all random cases; what users do with the package, on
// every version of Node.js that they have; each defence of the table of threats taken out, to see its test fail; and
// everything that a release consists of, made and tried. `--only loops|versions|defences|release` runs one of these,
// `--shard 1/3` a part of the loops. Ends with what ran where; a version that cannot be had is skipped with its reason.
import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { takeOut } from './defences.ts';
import { isPlatform, NODE_BUILDS } from './release/node-builds.ts';

const root = join(import.meta.dirname, '..');
const VITEST = join(root, 'node_modules/vitest/vitest.mjs');
const TSX = join(root, 'node_modules/tsx/dist/cli.mjs');

/** What users have. 20.18.1 stays the oldest version that works; CI runs everything on it. */
const VERSIONS = ['22', '24', '26'];
export const TUTORIAL = 'test/sessions/commands/tutorial.test.ts';
/** Where versions differ: the network, files and processes, URLs and hostnames, the terminal. */
export const SAMPLE = [
  'test/platform',
  'test/apply',
  'test/cli',
  'test/constructs/fence.test.ts',
  'test/constructs/program.test.ts',
  'test/constructs/shared-code.test.ts',
  'test/manifest',
  'test/worker',
  'test/sessions/commands/command.test.ts',
  'test/sessions/faults/sigkill.test.ts',
];
/** A loop at every place takes minutes where one at some places takes seconds. */
const LOOP_TIMEOUT_MS = 1_800_000;

const PARTS = ['loops', 'defences', 'versions', 'release'];

interface Result {
  readonly what: string;
  readonly end: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
}

const results: Result[] = [];

/** Runs a program of Node.js to its end, its output passed on. */
async function run(
  what: string,
  node: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  process.stdout.write(`\n== ${what}\n`);
  const started = performance.now();
  const path = [dirname(node), process.env.PATH ?? ''].join(delimiter);
  const child = spawn(node, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path, ...env } });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const seconds = `${Math.round((performance.now() - started) / 1000)} s`;
  results.push({ what, end: code === 0 ? 'passed' : 'failed', detail: seconds });
}

/** What a test that is quick in `npm test` asks. */
const ASKS = /support\/(loops|property-runs|whole)\.ts'/;

/** The tests with loops, random cases and what else is whole only here. */
export function loopFiles(): readonly string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter((name) => ASKS.test(readFileSync(join(root, name), 'utf8')))
    .sort();
}

/** The files of shard `2/3`: dealt out in turn, because those that take longest are neighbours. */
export function shardOf(files: readonly string[], shard: string): readonly string[] {
  const [, number, count] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(shard) ?? [];
  if (number === undefined || Number(number) > Number(count)) throw new Error(`--shard ${shard}: say it as 2/3`);
  return files.filter((_, index) => index % Number(count) === Number(number) - 1);
}

async function runLoops(shard: string): Promise<void> {
  const files = shardOf(loopFiles(), shard);
  const what = `every accident at every place, shard ${shard}: ${files.join(' ')}`;
  const args = [VITEST, 'run', ...files, `--testTimeout=${LOOP_TIMEOUT_MS}`, '--reporter=dot'];
  await run(what, process.execPath, args, { HOSTWRIGHT_LOOPS: 'all' });
}

async function runVersion(version: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-node-'));
  try {
    const found = await nodeOf(version, folder);
    if ('reason' in found) {
      results.push({ what: `Node.js ${version}`, end: 'skipped', detail: found.reason });
      return;
    }
    const { stdout } = await promisify(execFile)(found.node, ['--version']);
    const name = `Node.js ${stdout.trim()}`;
    await run(`${name}: demo`, found.node, [TSX, 'examples/demo.ts']);
    await run(`${name}: the tutorial, from the packed tarball`, found.node, [VITEST, 'run', TUTORIAL]);
    await run(`${name}: a sample of the tests`, found.node, [VITEST, 'run', ...SAMPLE, '--reporter=dot']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The program, or why there is none. */
export async function nodeOf(
  version: string,
  folder: string,
): Promise<{ readonly node: string } | { readonly reason: string }> {
  if (process.versions.node.startsWith(`${version}.`)) return { node: process.execPath };
  const build = `${process.platform}-${process.arch}`;
  if (!isPlatform(build)) return { reason: `npm has no build of Node.js for ${build}` };
  const { name } = NODE_BUILDS[build];
  const args = ['install', '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  try {
    await promisify(execFile)('npm', [...args, '--prefix', folder, `${name}@${version}`], { cwd: folder });
  } catch (error) {
    const reported = (error as { readonly stderr?: string }).stderr ?? String(error);
    return { reason: /^npm error (.*)$/m.exec(reported)?.[1] ?? reported.trim().split('\n')[0] ?? 'npm failed' };
  }
  const node = join(folder, 'node_modules', name, 'bin/node');
  return existsSync(node) ? { node } : { reason: `${name}@${version} has no program in it` };
}

async function runDefences(): Promise<void> {
  process.stdout.write('\n== each defence taken out\n');
  for (const { what, survived } of await takeOut())
    results.push({
      what: `without ${what}`,
      end: survived === undefined ? 'passed' : 'failed',
      detail: survived ?? 'its test fails',
    });
}

/** Everything that a release consists of is made, and tried. */
async function runRelease(): Promise<void> {
  await run('the release, without publishing it', process.execPath, [TSX, '.ci/release/release.ts']);
  if (results.at(-1)?.end === 'failed') return;
  await run('what was made', process.execPath, [VITEST, 'run', 'test/release'], { HOSTWRIGHT_RELEASE: 'made' });
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, shard: { type: 'string', default: '1/1' } } });
  if (values.only !== undefined && !PARTS.includes(values.only))
    throw new Error(`--only ${values.only}: there are ${PARTS.join(', ')}`);
  const runs = (part: string): boolean => (values.only ?? part) === part;
  if (runs('loops')) await runLoops(values.shard);
  if (runs('defences')) await runDefences();
  if (runs('release')) await runRelease();
  if (runs('versions')) for (const version of VERSIONS) await runVersion(version);
  process.stdout.write('\n');
  for (const { what, end, detail } of results) process.stdout.write(`${end.padEnd(8)}${what} (${detail})\n`);
  if (results.some(({ end }) => end === 'failed')) process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) await main();
