// Before the tests: makes the generated code where it is missing or stale, and says once that a build is needed.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { generateCode, isBuilt } from '../../.ci/generated-code.ts';

export async function setup(project: TestProject): Promise<void> {
  await generateCode();
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
