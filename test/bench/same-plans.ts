// `npm run same-plans -- REF`: builds the sources as they are at REF and as they are now, lets both plan the same
// accounts as processes, and compares everything that comes out, byte for byte, and every request that was sent. Without
// REF it is the commit that this branch left main at. What may differ is named in `masked`.
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { startHarness } from '../support/harness.ts';
import type { PlanCase } from './plan-cases.ts';
import { PLAN_CASES } from './plan-cases.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** What one command gave: exit code, streams, files, and the requests in no order. */
type Gave = Readonly<Record<string, string>>;

/** Written on purpose: when the page was made. */
const masked = (text: string): string => text.replace(/<time datetime="[^"]*">[^<]*<\/time>/g, '<time>');

const PLAN = ['plan', '--verbose', '--out', 'plan.json', '--report', 'markdown=plan.md', '--report', 'html=plan.html'];
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  plan: [...PLAN, '--report', 'json=document.json'],
  // In the same folder once more: what the first run remembered must not show.
  again: ['plan', '--verbose', '--report', 'json=again.json'],
  drift: ['drift', '--format', 'json'],
  export: ['export', '--out', 'exported'],
  validate: ['validate', '--format', 'json'],
  show: ['validate', '--expanded'],
};

/** Builds the sources of a commit beside those that are here, with the packages that are installed here. */
async function buildOf(ref: string, folder: string): Promise<string> {
  const tree = join(folder, 'tree');
  await run('git', ['worktree', 'add', '--detach', '--force', tree, ref], { cwd: root });
  try {
    await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
    await run(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), '.ci/build.ts'], { cwd: tree });
    await cp(join(tree, 'dist'), join(folder, 'dist'), { recursive: true });
  } finally {
    await run('git', ['worktree', 'remove', '--force', tree], { cwd: root });
  }
  return join(folder, 'dist/main.js');
}

async function filesIn(folder: string): Promise<readonly (readonly [string, string])[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    names
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name))
      .filter((path) => !path.slice(folder.length).startsWith('/.hostwright'))
      .sort()
      .map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const),
  );
}

async function gaveOf(command: string, args: readonly string[], cwd: string, url: string): Promise<Gave> {
  const child = spawn(process.execPath, [command, ...args, '--quiet'], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      // What is remembered is no result.
      HOSTWRIGHT_CACHE: 'off',
      HOSTWRIGHT_API_URL: url,
      HOSTWRIGHT_TOKEN: API_KEY,
      CI: 'true',
      // Whatever an example names.
      ...Object.fromEntries(['ADA', 'DAAN'].map((name) => [`${name}_PASSWORD`, 'a-very-secret-word'])),
      MOVING_AUTHCODE: 'a-very-secret-word',
      PASSWORD: 'a-very-secret-word',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { 'exit code': String(code), stdout, stderr };
}

/** Where two builds differ over a case, a line each. */
async function runCase(
  one: PlanCase,
  commands: readonly string[],
  builds: readonly string[],
): Promise<readonly string[]> {
  const { name: _name, targets = [], ...options } = one;
  const harness = await startHarness(options);
  const copies: string[] = [];
  try {
    const { sandbox } = harness;
    const gave = [];
    for (const command of builds) {
      const cwd = `${harness.root}-${copies.length}`;
      copies.push(cwd);
      await cp(harness.root, cwd, { recursive: true });
      const outcome: Record<string, string> = {};
      for (const word of commands) {
        const args = [
          ...(COMMANDS[word] ?? []),
          ...(['plan', 'again', 'drift'].includes(word) ? targets.flatMap((target) => ['--target', target]) : []),
        ];
        const from = sandbox.requests.length;
        for (const [what, text] of Object.entries(await gaveOf(command, args, cwd, sandbox.url)))
          outcome[`${word}, ${what}`] = masked(text.replaceAll(cwd, 'HERE'));
        outcome[`${word}, requests`] = sandbox.requests
          .slice(from)
          .map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`)
          .sort()
          .join('\n');
      }
      for (const [file, text] of await filesIn(cwd)) outcome[`file ${file}`] = masked(text.replaceAll(cwd, 'HERE'));
      gave.push(outcome);
    }
    const [before = {}, ...others] = gave;
    return others.flatMap((after) =>
      [...new Set([...Object.keys(before), ...Object.keys(after)])]
        .filter((what) => before[what] !== after[what])
        .map((what) => `${what}: ${firstDifference(before[what] ?? '(nothing)', after[what] ?? '(nothing)')}`),
    );
  } finally {
    await Promise.all(copies.map((cwd) => rm(cwd, { recursive: true, force: true })));
    await harness.close();
  }
}

function firstDifference(before: string, after: string): string {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  const cut = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 60), at + 100));
  return `at character ${at}\n    before ${cut(before)}\n    after  ${cut(after)}`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      before: { type: 'string' },
      after: { type: 'string' },
      only: { type: 'string' },
      commands: { type: 'string', default: 'plan,again' },
    },
  });
  const commands = values.commands === 'all' ? Object.keys(COMMANDS) : values.commands.split(',');
  const unknown = commands.filter((word) => COMMANDS[word] === undefined);
  if (unknown.length > 0) throw new Error(`--commands: there are ${Object.keys(COMMANDS).join(', ')}, all`);
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-same-'));
  try {
    const [ref = 'main'] = positionals;
    const base = (await run('git', ['merge-base', 'HEAD', ref], { cwd: root })).stdout.trim();
    const before = values.before ?? (await buildOf(positionals[0] ?? base, folder));
    const after = values.after ?? join(folder, 'now/main.js');
    if (values.after === undefined) {
      const { buildTo } = await import('../../.ci/build.ts');
      await mkdir(join(folder, 'now'));
      await buildTo(join(folder, 'now'));
    }
    const cases = PLAN_CASES.filter(({ name }) => name.includes(values.only ?? ''));
    let different = 0;
    const queue = [...cases];
    const worker = async (): Promise<void> => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
        const found = await runCase(one, commands, [before, after]);
        process.stdout.write(`${found.length === 0 ? 'same     ' : 'DIFFERENT'} ${one.name}\n`);
        for (const line of found) process.stdout.write(`  ${line}\n`);
        if (found.length > 0) different += 1;
      }
    };
    await Promise.all([worker(), worker()]);
    process.stdout.write(`${cases.length - different} of ${cases.length} cases the same: ${commands.join(', ')}\n`);
    if (different > 0) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
