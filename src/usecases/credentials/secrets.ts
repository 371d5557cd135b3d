// Where the value of a secret comes from when apply asks for it: only from what the workspace lists, whatever a plan
// says.
import type { Workspace } from '../../model/workspace.ts';
import type { ResolveSecret } from '../../apply/preflight.ts';
import { readSecretFile } from '../../manifest/read/load-secret.ts';
import { isReservedName } from '../../manifest/references/secrets.ts';
import type { Session } from '../session.ts';

/**
 * Reads secrets of this workspace. A saved plan may come from anywhere, so what it names is held against the list once
 * more.
 */
export function secretResolver(
  { env, credentials }: Pick<Session, 'env' | 'credentials'>,
  workspace: Pick<Workspace, 'root' | 'account' | 'secrets'>,
): ResolveSecret {
  return async (secret) => {
    if ('entry' in secret) {
      const { root, account, secrets } = workspace;
      if (secrets.entries?.includes(secret.entry) !== true)
        return { reason: 'is not listed under `secrets.entries` in the workspace file' };
      const got = await (await credentials?.())?.get('secrets', { entry: secret.entry, account, root });
      if (got === undefined) return undefined;
      return 'value' in got ? got.value : { reason: `cannot be got: ${got.diagnostic.detail}` };
    }
    if ('file' in secret) return readSecretFile(secret.file, workspace);
    if (isReservedName(secret.env) || !workspace.secrets.env.includes(secret.env))
      return { reason: 'is not listed under `secrets.env` in the workspace file' };
    return env(secret.env);
  };
}
