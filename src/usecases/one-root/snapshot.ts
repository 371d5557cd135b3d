// What is remembered of one root between two runs by whoever keeps it elsewhere than in a ledger: the live object and
// what was read in it, and what a ledger would know of it.
import { registry } from '../../areas/index.ts';
import { checkedFlights } from '../../ledger/former-format.ts';
import type { Check } from '../../model/common/checks.ts';
import {
  anything,
  isAddress,
  isFlag,
  isText,
  isTime,
  listOf,
  objectOf,
  optional,
  recordOf,
} from '../../model/common/checks.ts';
import type { Json } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import { areOutputs, isId } from '../../model/ledger/begun.ts';
import { areRotationTokens } from '../../model/secret.ts';
import type { Address } from '../../model/address.ts';
import { addressOf, kindOf, rootOf } from '../../model/address.ts';
import type { Collection, Member } from '../../model/kind/kind.ts';
import type { InFlight, LedgerObject, LedgerView } from '../../model/plan/ledger-view.ts';
import type { LiveAccount } from '../plan/read-account.ts';

/** Plain JSON. */
export interface Snapshot {
  readonly address: Address;
  readonly member: Member;
  /** By collection. */
  readonly observed: Readonly<Record<string, Collection>>;
  readonly objects: readonly LedgerObject[];
  /** What was begun and had not ended; absent: nothing. */
  readonly inFlight?: readonly InFlight[];
}

const isBlocker: Check = (value) => isJsonObject(value) && isText(value.reason) && isText(value.remedy);
const isMember = objectOf({
  identity: isText,
  id: isId,
  spec: isJsonObject,
  computed: isJsonObject,
  keys: listOf(listOf(isText)),
  doubt: optional(isText),
  frozen: optional(isBlocker),
  unverified: optional(isBlocker),
});
const isCollection: Check = (value) =>
  isJsonObject(value) &&
  (value.state === 'read'
    ? listOf(isMember)(value.members) && recordOf(isBlocker)(value.blockers)
    : isText(value.state) && isBlocker(value));
const isLedgerObject = objectOf({
  address: isAddress,
  id: isId,
  owned: isFlag,
  applied: isJsonObject,
  createdAtMs: optional(isTime),
  appliedAtMs: optional(isTime),
  lists: optional(recordOf(isTime)),
  outputs: areOutputs,
  rotated: optional(areRotationTokens),
});
const isSnapshot = objectOf({
  address: isAddress,
  member: isMember,
  observed: recordOf(isCollection),
  objects: listOf(isLedgerObject),
  inFlight: anything,
});

/**
 * Returns a snapshot that was kept elsewhere, with the actions in flight that are valid, and no steps of any. Undefined
 * where it is not a snapshot.
 */
export function checkedSnapshot(value: Json): Snapshot | undefined {
  if (!isJsonObject(value) || !isSnapshot({ ...value, inFlight: value.inFlight ?? [] })) return undefined;
  const { inFlight, ...snapshot } = value as unknown as Snapshot;
  const checked = checkedFlights(inFlight as unknown as Json | undefined);
  return checked.length === 0 ? snapshot : { ...snapshot, inFlight: checked };
}

/** What a look and a ledger come to, for one root that is there. */
export function snapshotOf(
  address: Address,
  member: Member,
  { observed, declared }: Pick<LiveAccount, 'observed' | 'declared'>,
  view: Pick<LedgerView, 'objects' | 'inFlight'>,
): Snapshot {
  const own = new Set([
    ...declared.flatMap(({ members }) => members.map((one) => one.address)),
    ...view.objects.keys(),
  ]);
  // Of a list that others write to as well, what is not managed is nobody's business here: it may be about people.
  const managed = (at: string, live: Collection): Collection =>
    live.state !== 'read' || registry.get(kindOf(at))?.list !== 'additive'
      ? live
      : { ...live, members: live.members.filter(({ identity }) => own.has(addressOf(address, kindOf(at), identity))) };
  const inFlight = view.inFlight.filter(({ action }) => rootOf(action.address) === address);
  return {
    address,
    member,
    observed: Object.fromEntries(
      [...observed].flatMap(([at, live]) =>
        rootOf(at) === address && at !== address ? [[at, managed(at, live)] as const] : [],
      ),
    ),
    objects: [...view.objects.values()].filter((object) => rootOf(object.address) === address),
    ...(inFlight.length > 0 && { inFlight }),
  };
}

/** The snapshot under another address: its root was renamed, and is the same live object. */
export function renamedTo(snapshot: Snapshot, address: Address): Snapshot {
  if (snapshot.address === address) return snapshot;
  const moved = (old: Address): Address =>
    rootOf(old) === snapshot.address ? `${address}${old.slice(snapshot.address.length)}` : old;
  const { inFlight: _inFlight, ...rest } = snapshot;
  return {
    ...rest,
    address,
    observed: Object.fromEntries(Object.entries(snapshot.observed).map(([name, live]) => [moved(name), live])),
    objects: snapshot.objects.map((object) => ({ ...object, address: moved(object.address) })),
  };
}

/** What the ledger says, and beside it what the snapshot remembers: the ledger goes first. */
export function viewWith(view: LedgerView, snapshot: Snapshot | undefined): LedgerView {
  if (snapshot === undefined) return view;
  const known = new Set(view.inFlight.map(({ action }) => action.address));
  return {
    ...view,
    objects: new Map([...snapshot.objects.map((object) => [object.address, object] as const), ...view.objects]),
    inFlight: [...view.inFlight, ...(snapshot.inFlight ?? []).filter(({ action }) => !known.has(action.address))],
  };
}
