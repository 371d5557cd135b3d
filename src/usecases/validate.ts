// The use case `validate`: what is wrong with the manifests, found without a network, a token or a ledger.
import type { Diagnostic } from '../model/diagnostic.ts';
import { sortDiagnostics } from '../model/diagnostic.ts';
import type { Session } from './session.ts';
import { openOffline } from './workspace.ts';

export interface ValidateResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly manifests: number;
  readonly objects: number;
}

/** Checks the manifests named, or all that the workspace names. */
export async function validateWorkspace(session: Session, paths: readonly string[] = []): Promise<ValidateResult> {
  const opened = await openOffline(session, paths, { counted: true });
  const { manifests, objects = 0, diagnostics } = opened;
  const failing = manifests.some(({ spec }) => spec.tests !== undefined)
    ? (await import('./trace/tests.ts')).tryTests(opened).diagnostics
    : [];
  return {
    diagnostics: sortDiagnostics([...diagnostics, ...failing]),
    manifests: manifests.length,
    objects,
  };
}
