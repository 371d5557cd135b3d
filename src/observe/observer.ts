// How apply sees the live side: fresh documents by address, with the fewest requests.
import type { Address } from '../model/address.ts';
import { collectionOf, kindOf, parentOf, parseAddress } from '../model/address.ts';
import type { DesiredCollection } from '../model/desired.ts';
import { invariant } from '../model/invariant.ts';
import type { Collection, Kind, Member, Registry } from '../model/kind/kind.ts';
import { isInState, memberAddress, positionOf, siblingsOf } from '../model/kind/kind.ts';
import type { LedgerObject } from '../model/plan/ledger-view.ts';
import type { Observed, Observer } from '../model/plan/observed.ts';
import type { Client } from '../platform/http.ts';
import { isGone } from './gone.ts';
import type { Reader } from './reader.ts';
import { createReader } from './reader.ts';
import { readCollection } from './read-live.ts';
import { withLedgerMembers } from './from-ledger.ts';

/**
 * An observer over the registry. Each call reads anew; `recorded` is what the ledger has by then of what no list may
 * show.
 */
export function createObserver(
  registry: Registry,
  client: Pick<Client, 'read'>,
  account: string,
  recorded: () => Iterable<LedgerObject> = () => [],
): Observer {
  return async (addresses, ids, removed = new Set(), fields = new Map()) => {
    const observation: Observation = {
      observedFields: byCollection(fields),
      removed,
      registry,
      account,
      ids,
      recorded,
      reader: createReader(client),
      collections: new Map(),
    };
    return new Map(
      await Promise.all(
        addresses.map(async (address): Promise<readonly [Address, Observed]> => {
          const seen = await observeOne(observation, address);
          const gone =
            seen.state === 'present' &&
            removed.has(address) &&
            (await isGone(kindNamed(observation, address).remove, seen.id, client));
          return [address, gone ? { state: 'absent', siblings: seen.siblings } : seen];
        }),
      ),
    );
  };
}

/** The fields that matter of each member, by its name in its collection. */
function byCollection(fields: ReadonlyMap<Address, readonly string[]>): Observation['observedFields'] {
  const observedFields = new Map<string, Map<string, readonly string[]>>();
  for (const [address, names] of fields) {
    const identity = parseAddress(address)?.at(-1)?.name ?? '';
    const collection = collectionOf(address);
    observedFields.set(
      collection,
      (observedFields.get(collection) ?? new Map<string, readonly string[]>()).set(identity, names),
    );
  }
  return observedFields;
}

interface Observation {
  readonly observedFields: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  readonly removed: ReadonlySet<Address>;
  readonly registry: Registry;
  readonly account: string;
  readonly ids: ReadonlyMap<Address, string>;
  readonly recorded: () => Iterable<LedgerObject>;
  readonly reader: Reader;
  readonly collections: Map<string, Promise<Collection>>;
}

async function observeOne(observation: Observation, address: Address): Promise<Observed> {
  const collection = await readFor(observation, address);
  if (collection.state !== 'read')
    return { state: collection.state === 'unknown' ? 'unknown' : 'blocked', reason: collection.reason };
  const kind = kindNamed(observation, address);
  const siblings = siblingsOf(kind, collection.members);
  const position = positionOf(kind);
  const found = memberOf(observation, address, collection.members);
  if (found.length > 1) return { state: 'unknown', reason: `the account has ${found.length} of them` };
  const member = found[0];
  if (member?.doubt !== undefined) return { state: 'unknown', reason: member.doubt };
  if (member !== undefined && observation.removed.has(address) && isInState(kind, member, 'deleting'))
    return { state: 'absent', siblings };
  return member === undefined
    ? { state: 'absent', siblings }
    : {
        state: 'present',
        id: member.id,
        document: member.spec,
        siblings,
        unread: unreadFields(kind),
        ...(position !== undefined && { position }),
      };
}

/** Fields that no answer ever tells: they cannot be compared. */
function unreadFields({ fields }: Kind): readonly string[] {
  return Object.entries(fields)
    .filter(([, { rule }]) => rule === 'createOnly' || rule === 'writeOnly' || rule === 'rotation-token')
    .map(([field]) => field);
}

/** Children go by identity, roots by the id that they are bound to. */
function memberOf(observation: Observation, address: Address, members: readonly Member[]): readonly Member[] {
  if (parentOf(address) === null) return members.filter(({ id }) => id === observation.ids.get(address));
  const kind = kindNamed(observation, address);
  const name = parseAddress(address)?.at(-1)?.name ?? null;
  return kind.list === 'singleton' ? members : members.filter(({ identity }) => identity === name);
}

async function readFor(observation: Observation, address: Address): Promise<Collection> {
  const collection = collectionOf(address);
  const known = observation.collections.get(collection);
  if (known !== undefined) return known;
  const made = readNew(observation, address, collection);
  observation.collections.set(collection, made);
  return made;
}

async function readNew(observation: Observation, address: Address, collection: string): Promise<Collection> {
  const kind = kindNamed(observation, address);
  const parentAddress = parentOf(address);
  let parent: Member | null = null;
  if (parentAddress !== null) {
    const owner = await readFor(observation, parentAddress);
    if (owner.state !== 'read') return owner;
    parent = memberOf(observation, parentAddress, owner.members)[0] ?? null;
    if (parent === null) return { state: 'unknown', reason: `${parentAddress} is not there`, remedy: 'Plan again.' };
  }
  // Nothing is wanted here, only looked at: no read that prepares a removal is needed.
  const declared: DesiredCollection = {
    collection,
    kind: kind.kind,
    parent: parentAddress,
    members: [],
    unlisted: 'keep',
    protect: false,
    partial: true,
    sourceOf: () => undefined,
  };
  const ids =
    parentAddress === null
      ? [...observation.ids].filter(([other]) => other.startsWith(`${collection}/`)).map(([, id]) => id)
      : [];
  const read = await readCollection(
    {
      kind,
      declared,
      parent,
      owned: new Set(),
      account: observation.account,
      observedFields: observation.observedFields.get(collection) ?? new Map(),
      ids,
      idOf: (identity) => observation.ids.get(memberAddress(declared, kind, identity)),
    },
    observation.reader,
  );
  return withLedgerMembers(kind, read, observation.recorded);
}

function kindNamed({ registry }: Observation, address: Address): Kind {
  const kind = registry.get(kindOf(address));
  invariant(kind !== undefined, `no kind for ${address}`);
  return kind;
}
