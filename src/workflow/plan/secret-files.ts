// Which files cannot take the secrets that would be told only once.
import type { Address } from '../../model/address.ts';
import { secretFieldOf, secretFileOf } from '../../model/secret-sink.ts';
import type { Workspace } from '../../model/workspace.ts';
import { registry } from '../../kinds/index.ts';
import { secretSinkOf } from '../../manifest/write/secret-file.ts';
import type { LiveAccount } from './read-account.ts';

/** Why not, by the address of what would be made. */
export async function unwritableSecretFiles(
  { declared, bound }: LiveAccount,
  workspace: Workspace,
): Promise<ReadonlyMap<Address, string>> {
  const secretSink = secretSinkOf(workspace);
  const wanted = declared.flatMap(({ kind: name, members }) => {
    const kind = registry.get(name);
    if (kind === undefined || secretFieldOf(kind) === undefined) return [];
    return members
      .filter(({ address }) => !bound.has(address))
      .flatMap(({ address, spec }) => {
        const secretFile = secretFileOf(kind, spec);
        return secretFile === undefined ? [] : [{ address, file: secretFile.file }];
      });
  });
  const objections = await Promise.all(
    wanted.map(async ({ address, file }) => [address, await secretSink.objection(file)] as const),
  );
  return new Map(objections.flatMap(([address, reason]) => (reason === undefined ? [] : [[address, reason] as const])));
}
