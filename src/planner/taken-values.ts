// What a value is that a manifest takes from another object: known, to come when that is made, or not to be had, and
// why. What could not be read is never absent.
import type { Address } from '../model/address.ts';
import { collectionOf, kindOf, parentOf, parseAddress } from '../model/address.ts';
import type { DesiredCollection } from '../model/desired.ts';
import { invariant } from '../model/invariant.ts';
import type { Json } from '../model/json.ts';
import { sameJson } from '../model/json.ts';
import type { Collection, Kind, Member, Registry, Unread } from '../model/kind/kind.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { PlacedReference } from '../model/manifest-reference.ts';

/** What is known of the account. */
export interface KnownLive {
  readonly registry: Registry;
  readonly observed: ReadonlyMap<string, Collection>;
  readonly bound: ReadonlyMap<Address, Member>;
  readonly ledger: Pick<LedgerView, 'objects'>;
  /** Objects that this run created: what the ledger has of them, this run wrote. */
  readonly created?: ReadonlySet<Address>;
}

/** The collection with the values in it, or why it has to do without. */
export function withTakenValues(
  unresolved: NonNullable<DesiredCollection['unresolved']>,
  known: KnownLive,
): DesiredCollection | Unread {
  const values = new Map<string, Json>();
  let isFromLedger = false;
  for (const reference of unresolved.references) {
    const found = valueOf(reference, known);
    if (!('value' in found)) return found;
    values.set(reference.pointer, found.value);
    isFromLedger ||= found.isFromLedger;
  }
  const filled = unresolved.filled(values);
  if (!isFromLedger) return filled;
  return { ...filled, members: filled.members.map((member) => ({ ...member, grounds: 'ledger' })) };
}

function valueOf(
  { ref, output }: PlacedReference,
  known: KnownLive,
): { readonly value: Json; readonly isFromLedger: boolean } | Unread {
  const definition = (known.registry.get(kindOf(ref)) as Kind).capabilities.outputs?.[output as string];
  invariant(definition !== undefined, `${ref} has no output ${output}`);
  const live = liveObjectAt(ref, known);
  if (live === undefined) {
    return {
      state: 'deferred',
      until: { address: ref },
      reason: `${output} of ${ref} is known when that is there`,
      remedy: `See what blocks ${ref}.`,
    };
  }
  if ('state' in live) {
    const { state, reason, remedy, rule } = live;
    return {
      state: state === 'deferred' ? 'blocked' : state,
      reason: `${output} of ${ref} cannot be told: ${reason}`,
      remedy,
      ...(rule !== undefined && { rule }),
    };
  }
  const recorded = known.ledger.objects.get(ref);
  // What was told of another object that once had this address is not this one's.
  const { spec, computed } = live;
  const value = definition.value({ spec, computed, reported: recorded?.id === live.id ? recorded.outputs : {} });
  if (value !== undefined) {
    const isShown = sameJson(value, definition.value({ spec, computed, reported: {} }));
    return { value, isFromLedger: !isShown && known.created?.has(ref) !== true };
  }
  return {
    state: 'blocked',
    reason: `${output} of ${ref} is not known: ${definition.unknown.reason}`,
    remedy: definition.unknown.remedy,
    rule: definition.unknown.rule,
  };
}

/** The live object; undefined when it is surely not there; else why that is not known. */
export function liveObjectAt(
  address: Address,
  known: Pick<KnownLive, 'registry' | 'observed' | 'bound'>,
): Member | Unread | undefined {
  const parent = parentOf(address);
  const owner = parent === null ? null : liveObjectAt(parent, known);
  if (owner === undefined || (owner !== null && 'state' in owner)) return owner;
  const collection = known.observed.get(collectionOf(address));
  if (collection === undefined)
    return {
      state: 'unknown',
      reason: `nothing was read of ${parent ?? collectionOf(address)}`,
      remedy: `See what blocks ${parent ?? address}.`,
    };
  if (collection.state !== 'read') return collection;
  const { list } = known.registry.get(kindOf(address)) as Kind;
  const name = parseAddress(address)?.at(-1)?.name;
  // Roots go by their binding.
  const found =
    parent === null
      ? [known.bound.get(address)]
      : collection.members.filter(({ identity }) => list === 'singleton' || identity === name);
  if (found.length > 1)
    return {
      state: 'blocked',
      reason: `${found.length} live objects have the name ${String(name)}`,
      remedy: `See what is said of ${collectionOf(address)}.`,
    };
  const member = found[0];
  if (member?.doubt !== undefined) return { state: 'unknown', reason: member.doubt, remedy: 'Run plan again.' };
  if (member !== undefined || collection.incomplete === undefined) return member;
  const { reason, remedy, rule } = collection.incomplete;
  return { state: 'unknown', reason, remedy, rule };
}
