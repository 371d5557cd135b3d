// Where what the platform tells only once goes: into a file of the workspace, or to a command of the credentials file.
import type { Address } from '../../model/address.ts';
import { rootOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Objection, SecretDestination, SecretSink } from '../../model/secret-sink.ts';
import { secretDestinationOf, secretFieldOf } from '../../model/secret-sink.ts';
import type { Workspace } from '../../model/workspace.ts';
import { registry } from '../../areas/index.ts';
import type { Taker } from '../../manifest/credentials/source.ts';
import { secretFilesOf } from '../../manifest/write/secret-file.ts';
import type { Session } from '../session.ts';

const MOVE_AWAY = 'Move that file away, or name another one.';
const GONE_WITH_THE_JOB: Objection = {
  reason: 'lies on the disk of this CI job and is gone with it',
  remedy:
    'List public keys of age under `secrets.recipients` in hostwright.yaml, so that the file is encrypted, and upload it as an artifact. Or give it to a command: `credentialsTo: { sink: ... }`.',
};

/** Keeps what is told once, as this workspace allows. In CI a file is kept only where it is encrypted. */
export function secretSinkOf(
  { ci, credentials, inMemory }: Pick<Session, 'ci' | 'credentials' | 'inMemory'>,
  workspace: Pick<Workspace, 'root' | 'account' | 'secrets'>,
): SecretSink {
  if (inMemory?.secretSink !== undefined) return inMemory.secretSink;
  const { secrets, root, account } = workspace;
  const files = secretFilesOf(workspace);
  const takerOf = async (sink: string, address: Address): Promise<Taker | { readonly objection: Objection }> => {
    const remedy = 'Name a sink whose command can be run here; `hostwright doctor` tries it.';
    if (secrets.sinks?.includes(sink) !== true)
      return { objection: { reason: 'is not listed under `secrets.sinks` in the workspace file', remedy } };
    if (credentials === undefined)
      return { objection: { reason: 'is in no credentials file: there is none here', remedy } };
    const object = rootOf(address).split('/').slice(1).join('/');
    return (await credentials()).taker({ entry: sink, account, root, object });
  };
  const lost = (to: SecretDestination): Objection | undefined =>
    'file' in to && ci === true && (secrets.recipients ?? []).length === 0 ? GONE_WITH_THE_JOB : undefined;
  return {
    objection: async (to, address) => {
      if ('sink' in to) return objectionIn(await takerOf(to.sink, address));
      const reason = await files.objection(to.file);
      return lost(to) ?? (reason === undefined ? undefined : { reason, remedy: MOVE_AWAY });
    },
    reserve: async (to, address) => {
      const objection = lost(to);
      if (objection !== undefined) return { reason: objection.reason };
      if ('file' in to) return files.reserve(to.file);
      const taker = await takerOf(to.sink, address);
      if (!('give' in taker)) return { reason: objectionIn(taker)?.reason ?? '' };
      return { fill: (text) => taker.give(text), release: () => Promise.resolve() };
    },
    // A command that has taken something does not tell it again.
    read: async (to) => ('file' in to ? files.read(to.file) : undefined),
  };
}

function objectionIn(taker: Taker | { readonly objection: Objection }): Objection | undefined {
  if ('give' in taker) return undefined;
  if ('objection' in taker) return taker.objection;
  const { summary, detail } = taker.diagnostic;
  return { reason: `cannot take it: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`, remedy: detail };
}

/** Where what would be made tells a secret once and its place cannot take it: why not, by address. */
export async function unwritableSecrets(
  session: Session,
  {
    declared,
    bound,
  }: { readonly declared: readonly DesiredCollection[]; readonly bound: ReadonlyMap<Address, unknown> },
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
