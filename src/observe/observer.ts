// How apply sees the live side: fresh documents by address, with the fewest requests.
import type { Address } from '../model/address.ts';
import { collectionOf, kindOf, parentOf, parseAddress } from '../model/address.ts';
import type { DesiredCollection } from '../model/desired.ts';
import { invariant } from '../model/invariant.ts';
import type { Collection, Kind, Member, Registry } from '../model/kind/kind.ts';
import { isInState, memberAddress, positionOf, siblingsOf } from '../model/kind/kind.ts';
import type { LedgerObject } from '../model/plan/ledger-view.ts';
import type { Observed, Observer } from '../model/plan/observed.ts';
import { groupBy } from '../model/common/lists.ts';
import type { Client } from '../platform/http.ts';
import { isGone } from './root-probe.ts';
import type { Owners } from './owners.ts';
import { watchUse } from './owners.ts';
import type { Reader } from './reader.ts';
import { createReader } from './reader.ts';
import { readCollection } from './read-live.ts';
import { withLedgerMembers } from './from-ledger.ts';

/**
 * An observer over the registry. Each call reads anew; `recorded` is what the ledger has by then of what no list may
 * show. `owners`: lists that only tell where a section is, shared with other looks.
 */
export function createObserver(
  registry: Registry,
  client: Pick<Client, 'read'>,
  account: string,
  recorded: () => Iterable<LedgerObject> = () => [],
  owners?: Owners,
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
      owners,
      asked: new Set(addresses.filter((address) => parentOf(address) === null).map(collectionOf)),
    };
    return new Map(
      await Promise.all(
        addresses.map(async (address): Promise<readonly [Address, Observed]> => {
          const seen = await observeOne(observation, address);
          const gone =
            seen.state === 'present' &&
            removed.has(address) &&
            (await isGone(kindNamed(observation, address), seen.id, client));
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
  readonly owners: Owners | undefined;
  /** Lists of which members are asked for themselves: they are read anew. */
  readonly asked: ReadonlySet<string>;
}

async function observeOne(observation: Observation, address: Address): Promise<Observed> {
  const collection = await readFor(observation, address);
  if (collection.state !== 'read')
    return { state: collection.state === 'unknown' ? 'unknown' : 'blocked', reason: collection.reason };
  const kind = kindNamed(observation, address);
  const siblings = siblingsIn(kind, collection.members);
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

/** What is looked up in a list that was read: made once, however many of its members are asked for. */
interface Index {
  byId?: ReadonlyMap<string, readonly Member[]>;
  byIdentity?: ReadonlyMap<string, readonly Member[]>;
  siblings?: readonly string[];
}

const indexes = new WeakMap<readonly Member[], Index>();

function indexOf(members: readonly Member[]): Index {
  const known = indexes.get(members);
  if (known !== undefined) return known;
  const made: Index = {};
  indexes.set(members, made);
  return made;
}

function siblingsIn(kind: Kind, members: readonly Member[]): readonly string[] {
  const index = indexOf(members);
  index.siblings ??= siblingsOf(kind, members);
  return index.siblings;
}

/** Children go by identity, roots by the id that they are bound to. */
function memberOf(observation: Observation, address: Address, members: readonly Member[]): readonly Member[] {
  const index = indexOf(members);
  if (parentOf(address) === null) {
    index.byId ??= groupBy(members, ({ id }) => id);
    const id = observation.ids.get(address);
    return (id === undefined ? undefined : index.byId.get(id)) ?? [];
  }
  if (kindNamed(observation, address).list === 'singleton') return members;
  index.byIdentity ??= groupBy(members, ({ identity }) => identity);
  return index.byIdentity.get(parseAddress(address)?.at(-1)?.name ?? '') ?? [];
}

/** The list, read by this look. */
async function readFor(observation: Observation, address: Address): Promise<Collection> {
  const collection = collectionOf(address);
  const known = observation.collections.get(collection);
  if (known !== undefined) return known;
  const isList = parentOf(address) === null;
  const made = isList ? readList(observation, address) : readSection(observation, address);
  observation.collections.set(collection, made);
  if (isList) observation.owners?.learn(collection, made);
  return made;
}

async function readSection(observation: Observation, address: Address): Promise<Collection> {
  const { owners } = observation;
  const kind = kindNamed(observation, address);
  const owner = parentOf(address) as Address;
  if (owners?.kindsUsingOwner.has(kind.kind) === false) {
    const shared = await sharedOwner(observation, owner, owners);
    if (shared !== undefined) {
      const { member, isUsed } = watchUse(shared);
      const read = await readMembers(observation, kind, address, member);
      if (!isUsed()) return read;
      owners.kindsUsingOwner.add(kind.kind);
    }
  }
  const list = await readFor(observation, owner);
  if (list.state !== 'read') return list;
  const member = memberOf(observation, owner, list.members)[0];
  if (member === undefined) return { state: 'unknown', reason: `${owner} is not there`, remedy: 'Plan again.' };
  return readMembers(observation, kind, address, member);
}

/** The owner as another look of this run saw it a moment ago; undefined where none did, or it was not there. */
async function sharedOwner(observation: Observation, owner: Address, owners: Owners): Promise<Member | undefined> {
  const collection = collectionOf(owner);
  if (parentOf(owner) !== null || observation.asked.has(collection)) return undefined;
  const list = await owners.known(collection)?.catch(() => undefined);
  return list?.state === 'read' ? memberOf(observation, owner, list.members)[0] : undefined;
}

async function readList(observation: Observation, address: Address): Promise<Collection> {
  const kind = kindNamed(observation, address);
  const collection = collectionOf(address);
  const ids = [...observation.ids].filter(([other]) => other.startsWith(`${collection}/`)).map(([, id]) => id);
  return readMembers(observation, kind, address, null, ids);
}

async function readMembers(
  observation: Observation,
  kind: Kind,
  address: Address,
  parent: Member | null,
  ids: readonly string[] = [],
): Promise<Collection> {
  const collection = collectionOf(address);
  // Nothing is wanted here, only looked at: no read that prepares a removal is needed.
  const declared: DesiredCollection = {
    collection,
    kind: kind.kind,
    parent: parentOf(address),
    members: [],
    unlisted: 'keep',
    protect: false,
    partial: true,
    sourceOf: () => undefined,
  };
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
