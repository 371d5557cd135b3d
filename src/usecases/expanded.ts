// The use case `validate --expanded`: the manifests with their profiles in them. Reads manifests and nothing else.
import type { ExpandedManifest } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { sortDiagnostics } from '../model/diagnostic.ts';
import { expandedManifest } from '../manifest/write/write.ts';
import type { Session } from './session.ts';
import { openOffline } from './workspace.ts';

/** The same as YAML. */
export { writeManifests as expandedYaml } from '../manifest/write/write.ts';

export interface ExpandedResult {
  /** Empty when there are errors. */
  readonly manifests: readonly ExpandedManifest[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The manifests named, or all that the workspace names, each as if it had been written without profiles. */
export async function expandWorkspace(session: Session, paths: readonly string[] = []): Promise<ExpandedResult> {
  const { documents, diagnostics } = await openOffline(session, paths);
  return { manifests: documents.map(expandedManifest), diagnostics: sortDiagnostics(diagnostics) };
}
