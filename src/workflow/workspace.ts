// Decides what a use case starts from: the workspace, its manifests expanded, its ledger as it stands, a client for its account.
// Every problem found is collected; a caller that sees an error goes no further.
import type { DesiredCollection, Manifest } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Workspace } from '../model/workspace.ts';
import { registry } from '../kinds/index.ts';
import { readManifests } from '../manifest/read.ts';
import { loadWorkspace } from '../manifest/workspace.ts';
import type { Session } from './session.ts';

export interface OpenedWorkspace {
  readonly workspace?: Workspace;
  readonly manifests: readonly Manifest[];
  readonly declared: readonly DesiredCollection[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the workspace file and the manifests named, or all that the workspace names. Nothing but files is touched. */
export async function openWorkspace(session: Session, paths: readonly string[]): Promise<OpenedWorkspace> {
  const found = await loadWorkspace({ cwd: session.cwd, ...(session.configFile !== undefined && { file: session.configFile }), overrides: session.overrides });
  const { workspace } = found;
  if (workspace === undefined || hasErrors(found.diagnostics)) return { manifests: [], declared: [], diagnostics: found.diagnostics };
  const wanted = paths.length > 0 ? { paths, cwd: session.cwd } : { paths: workspace.manifests, cwd: workspace.root };
  const read = await readManifests(wanted.paths, { cwd: wanted.cwd, root: workspace.root, stdin: session.stdin, registry });
  return { workspace, manifests: read.manifests, declared: read.collections, diagnostics: [...found.diagnostics, ...read.diagnostics] };
}
