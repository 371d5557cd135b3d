// The use case `validate`: what is wrong with the manifests, found without a network, a token or a ledger.
import type { Diagnostic } from '../model/diagnostic.ts';
import { sortDiagnostics } from '../model/diagnostic.ts';
import type { Session } from './session.ts';
import { openWorkspace, readPaths } from './workspace.ts';

export interface ValidateResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly manifests: number;
  readonly objects: number;
}

// Named files can be checked where no workspace file is.
const NO_WORKSPACE_FILE = 'HW6001';

/** Checks the manifests named, or all that the workspace names. */
export async function validateWorkspace(session: Session, paths: readonly string[]): Promise<ValidateResult> {
  const opened = await openWorkspace(session, paths);
  const alone = paths.length > 0 && opened.workspace === undefined && opened.diagnostics.every(({ code }) => code === NO_WORKSPACE_FILE);
  const { manifests, declared, diagnostics } = alone ? await readPaths(session, { paths, cwd: session.cwd, root: session.cwd }) : opened;
  return { diagnostics: sortDiagnostics(diagnostics), manifests: manifests.length, objects: declared.reduce((sum, { members }) => sum + members.length, 0) };
}
