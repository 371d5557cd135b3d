// Before the tests: makes the generated code where it is missing or stale, and says once that a build is needed. After
// them: whether the sessions sent all that the page of coverage claims.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { generateCode, isBuilt } from '../../.ci/generated-code.ts';

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  await generateCode();
  await needBuild(project);
  // `npm run coverage` gives a folder and reads it itself.
  if (process.env.HOSTWRIGHT_SENT !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'hostwright-sent-'));
  process.env.HOSTWRIGHT_SENT = folder;
  return async () => {
    if (await isWholeAndGreen(project)) await checkCoverage(folder);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Of a part of the tests, or where some fail, nobody can tell what is never sent. */
async function isWholeAndGreen(project: TestProject): Promise<boolean> {
  const { state, config } = project.vitest;
  const ran = state.getFiles();
  const { testFiles } = await project.globTestFiles();
  const isWhole = config.testNamePattern === undefined && ran.length === testFiles.length;
  return (
    isWhole && state.errorsSet.size === 0 && ran.every(({ result }) => result !== undefined && result.state !== 'fail')
  );
}

async function checkCoverage(folder: string): Promise<void> {
  const { claimsBeyond } = await import('../../.ci/api-coverage/table.ts');
  const { sentIn } = await import('../../.ci/api-coverage/sent.ts');
  const claims = claimsBeyond(sentIn(folder));
  if (claims.length === 0) return;
  process.stderr.write(
    `docs/coverage.md says that these are reached, and no session sent them:\n${claims.join('\n')}\n`,
  );
  process.exitCode = 1;
}

async function needBuild(project: TestProject): Promise<void> {
  if (await isBuilt()) return;
  // Not in the types of vitest: what the command line names.
  const { filenamePattern } = project.vitest as unknown as { readonly filenamePattern?: string[] };
  const { testFiles } = await project.globTestFiles(filenamePattern);
  const needing = testFiles.filter((file) => runsBuild(file));
  if (needing.length > 0)
    throw new Error(
      `dist is not built from the sources that are here, and ${needing.length} of these test files run it: run \`npm run build\` first.`,
    );
}

const known = new Map<string, boolean>();

/** True where a test, or something of `test/` that it imports, names a file of `dist`. */
function runsBuild(file: string): boolean {
  const answer = known.get(file);
  if (answer !== undefined) return answer;
  known.set(file, false);
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path = '']) => join(dirname(file), path));
  const runs =
    /\bdist\/(main|constructs|testing|terraform|sbom)/.test(text) ||
    imports.filter((path) => path.includes('/test/')).some((path) => runsBuild(path));
  known.set(file, runs);
  return runs;
}
