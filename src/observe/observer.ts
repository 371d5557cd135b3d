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
 * Returns an observer over the registry. Each call reads anew; `recorded` is what the ledger has by then of objects that
 * no list may show. `owners`: lists that only give the id of a section's owner, shared with other looks. `answeredAtMs`:
 * when the response of a path arrived; then what is observed says when it was read.
 */
export function createObserver(
  registry: Registry,
  client: Pick<Client, 'read'>,
  account: string,
  recorded: () => Iterable<LedgerObject> = () => [],
  owners?: Owners,
  answeredAtMs?: (path: string) => number | undefined,
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
      readTimes: answeredAtMs && { answeredAtMs, ofCollection: new Map() },
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
          if (!gone) return [address, seen];
          const { siblings, readAtMs } = seen;
          return [address, { state: 'absent', siblings, ...(readAtMs !== undefined && { readAtMs }) }];
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
  /** When collections were read: the time of the first response, in epoch milliseconds. */
  readonly readTimes:
    | { readonly answeredAtMs: (path: string) => number | undefined; readonly ofCollection: Map<string, number> }
    | undefined;
  /** Lists of which members are asked for themselves: they are read anew. */
  readonly asked: ReadonlySet<string>;
}

async function observeOne(observation: Observation, address: Address): Promise<Observed> {
  const collection = await readFor(observation, address);
  if (collection.state !== 'read')
    return { state: collection.state === 'unknown' ? 'unknown' : 'blocked', reason: collection.reason };
  const kind = kindNamed(observation, address);
  const siblings = siblingsIn(kind, collection.members);
  const readAtMs = observation.readTimes?.ofCollection.get(collectionOf(address));
  const when = readAtMs === undefined ? {} : { readAtMs };
  const position = positionOf(kind);
  const found = memberOf(observation, address, collection.members);
  if (found.length > 1) return { state: 'unknown', reason: `the account has ${found.length} of them` };
  const member = found[0];
  if (member?.doubt !== undefined) return { state: 'unknown', reason: member.doubt };
  if (member !== undefined && observation.removed.has(address) && isInState(kind, member, 'deleting'))
    return { state: 'absent', siblings, ...when };
  return member === undefined
    ? { state: 'absent', siblings, ...when }
    : {
        state: 'present',
        id: member.id,
        document: member.spec,
        siblings,
        unread: unreadFields(kind),
        ...(position !== undefined && { position }),
        ...when,
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
  if (observation.readTimes === undefined) return readMembers(observation, kind, address, member);
  const watched = watchUse(member);
  const read = await readMembers(observation, kind, address, watched.member);
  const ownerAtMs = observation.readTimes.ofCollection.get(collectionOf(owner));
  const { ofCollection } = observation.readTimes;
  const collection = collectionOf(address);
  // A section that rests on no more of its owner than the id is as recent as its own reads.
  if (ownerAtMs !== undefined && (watched.isUsed() || !ofCollection.has(collection)))
    ofCollection.set(collection, Math.min(ownerAtMs, ofCollection.get(collection) ?? Infinity));
  return read;
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
    noting(observation, collection),
  );
  return withLedgerMembers(kind, read, observation.recorded);
}

/** The reader, which notes when the first response of a collection arrived. */
function noting({ reader, readTimes }: Observation, collection: string): Reader {
  if (readTimes === undefined) return reader;
  const { answeredAtMs, ofCollection } = readTimes;
  return {
    answer: async (spec, path, context) => {
      const answer = await reader.answer(spec, path, context);
      const atMs = answeredAtMs(path);
      if (atMs !== undefined) ofCollection.set(collection, Math.min(atMs, ofCollection.get(collection) ?? Infinity));
      return answer;
    },
  };
}

function kindNamed({ registry }: Observation, address: Address): Kind {
  const kind = registry.get(kindOf(address));
  invariant(kind !== undefined, `no kind for ${address}`);
  return kind;
}
