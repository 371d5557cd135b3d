// The workspace file alone, or what the options and the environment say where there is none. It knows nothing of
// manifests and kinds, which take longer to load than some commands.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Workspace } from '../model/workspace.ts';
import type { LoadedWorkspace } from '../manifest/workspace.ts';
import { DEFAULT_MANIFESTS, givenProblems, ledgerOf, loadWorkspace, NO_GUARDS } from '../manifest/workspace.ts';
import type { Session } from './session.ts';

/** Named files can be looked at where no workspace file is. */
export const NO_WORKSPACE_FILE = 'HW6001';

/** The workspace file alone. */
export function findWorkspace(
  { cwd, configFile, overrides, trustedRoots }: Session,
  how: { readonly offline?: true } = {},
): Promise<LoadedWorkspace> {
  return loadWorkspace({
    cwd,
    overrides,
    ...(configFile !== undefined && { file: configFile }),
    ...(trustedRoots !== undefined && { trustedRoots }),
    ...how,
  });
}

/**
 * The workspace file; where there is none, what the options and the environment say of the account. For commands that
 * only read: guards stand in the file. `isBare`: there is no file.
 */
export async function findWorkspaceOrAccount(
  session: Session,
): Promise<Pick<LoadedWorkspace, 'workspace' | 'diagnostics'> & { readonly isBare: boolean }> {
  const found = await findWorkspace(session);
  if (!found.diagnostics.some(({ code }) => code === NO_WORKSPACE_FILE)) return { ...found, isBare: false };
  const { account, baseUrl } = session.overrides;
  if (account && baseUrl) {
    const url = baseUrl.trim().replace(/\/+$/, '');
    const diagnostics = givenProblems({ account, baseUrl: url });
    return diagnostics.length > 0
      ? { diagnostics, isBare: true }
      : { workspace: bareWorkspace(session.cwd, account, url), diagnostics, isBare: true };
  }
  const lacking = [
    ...(account ? [] : ['`--account` or HOSTWRIGHT_ACCOUNT']),
    ...(baseUrl ? [] : ['`--api-url` or HOSTWRIGHT_API_URL']),
  ];
  return {
    isBare: true,
    diagnostics: noWorkspaceFor(found.diagnostics, `Without one, this command needs ${lacking.join(', and ')}.`),
  };
}

/** Says with the missing workspace file what that means for a command. */
export function noWorkspaceFor(diagnostics: readonly Diagnostic[], sentence: string): readonly Diagnostic[] {
  return diagnostics.map((one) =>
    one.code === NO_WORKSPACE_FILE ? { ...one, detail: `${one.detail} ${sentence}` } : one,
  );
}

/** A workspace with everything else as it is where no file says it. */
export function bareWorkspace(root: string, account: string, baseUrl: string): Workspace {
  return {
    root,
    account,
    baseUrl,
    manifests: DEFAULT_MANIFESTS,
    ledger: ledgerOf({}),
    guards: NO_GUARDS,
    secrets: { env: [], files: [], keep: [] },
  };
}
