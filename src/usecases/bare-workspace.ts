// What a workspace is of which no file says anything but the account and where the API is.
import type { Workspace } from '../model/workspace.ts';
import { DEFAULT_MANIFESTS, ledgerOf, NO_GUARDS } from '../manifest/workspace.ts';

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
