// Which places cannot take the secrets that would be told only once.
import type { Address } from '../../model/address.ts';
import type { Objection } from '../../model/secret-sink.ts';
import { secretDestinationOf, secretFieldOf } from '../../model/secret-sink.ts';
import type { Workspace } from '../../model/workspace.ts';
import { registry } from '../../areas/index.ts';
import { secretSinkOf } from '../credentials/secret-sink.ts';
import type { Session } from '../session.ts';
import type { LiveAccount } from './read-account.ts';

/** Why not, by the address of what would be made. */
export async function unwritableSecretFiles(
  session: Session,
  { declared, bound }: LiveAccount,
  workspace: Workspace,
): Promise<ReadonlyMap<Address, Objection>> {
  const secretSink = secretSinkOf(session, workspace);
  const wanted = declared.flatMap(({ kind: name, members }) => {
    const kind = registry.get(name);
    if (kind === undefined || secretFieldOf(kind) === undefined) return [];
    return members
      .filter(({ address }) => !bound.has(address))
      .flatMap(({ address, spec }) => {
        const declaredTo = secretDestinationOf(kind, spec);
        return declaredTo === undefined ? [] : [{ address, to: declaredTo.to }];
      });
  });
  const objections = await Promise.all(
    wanted.map(async ({ address, to }) => [address, await secretSink.objection(to, address)] as const),
  );
  return new Map(objections.flatMap(([address, found]) => (found === undefined ? [] : [[address, found] as const])));
}
