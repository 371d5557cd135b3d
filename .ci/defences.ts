// Takes each defence of test/defences.ts out, one after the other, in a copy of the tree, and sees that the test fails
// that says it proves it. Nothing is changed in the tree itself.
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Defence } from '../test/defences.ts';
import { DEFENCES } from '../test/defences.ts';

const root = join(import.meta.dirname, '..');
const NOT_COPIED = ['node_modules', '.git', 'coverage', 'reports'];

export interface TakenOut {
  readonly what: string;
  /** Absent: the test failed, as it should. */
  readonly survived?: string;
}

interface VitestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** `only`: a part of a name of a file, to try some. */
export async function takeOut(only = ''): Promise<readonly TakenOut[]> {
  const wanted = DEFENCES.filter(({ file, test }) => `${file} ${test}`.includes(only));
  const copy = await mkdtemp(join(tmpdir(), 'hostwright-defences-'));
  try {
    await cp(root, copy, {
      recursive: true,
      filter: (from) => !NOT_COPIED.some((name) => from === join(root, name)),
    });
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    const ends: TakenOut[] = [];
    for (const defence of wanted) {
      const end = await tryWithout(copy, defence);
      process.stdout.write(`${end.survived ?? 'its test fails'}: without ${end.what}\n`);
      ends.push(end);
    }
    return ends;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** The test passes as the tree is, and fails without the defence. */
async function tryWithout(copy: string, defence: Defence): Promise<TakenOut> {
  const { file, find, replace, isBuilt = false } = defence;
  const what = `${file}: ${find.split('\n')[0] ?? ''}`;
  const source = join(copy, file);
  const whole = await readFile(source, 'utf8');
  const before = await stateOf(copy, defence);
  if (before !== 'passed') return { what, survived: `the test does not pass with it (${before})` };
  try {
    await writeFile(
      source,
      whole.replace(find, () => replace),
    );
    if (isBuilt) await run(copy, ['node_modules/tsx/dist/cli.mjs', '.ci/build.ts']);
    const after = await stateOf(copy, defence);
    return after === 'failed' ? { what } : { what, survived: `"${defence.title}" in ${defence.test}: ${after}` };
  } finally {
    await writeFile(source, whole);
    if (isBuilt) await run(copy, ['node_modules/tsx/dist/cli.mjs', '.ci/build.ts']);
  }
}

/** What becomes of the test: a file that cannot be loaded proves nothing. */
async function stateOf(copy: string, { test, title }: Defence): Promise<'passed' | 'failed' | 'not run'> {
  const pattern = patternOf(title);
  const report = join(copy, 'defence.json');
  await rm(report, { force: true });
  const args = ['node_modules/vitest/vitest.mjs', 'run', test, '-t', pattern.source];
  await run(copy, [...args, '--reporter=json', `--outputFile=${report}`]);
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as VitestReport;
  const states = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter((one) => pattern.test(one.title) && ['passed', 'failed'].includes(one.status))
    .map(({ status }) => status);
  if (states.length === 0) return 'not run';
  return states.includes('failed') ? 'failed' : 'passed';
}

/** A title with the places that vitest fills. */
function patternOf(title: string): RegExp {
  const fixed = title.split(/%[sijdo]|\$\w+/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(fixed.join('.*'));
}

function run(cwd: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd, stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
