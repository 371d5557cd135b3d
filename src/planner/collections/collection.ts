// What becomes of the members of one collection: of those that manifests name, and of the live ones that none names.
// No evidence, no delete: a collection that was not read completely gives no action at all.
import { stringify } from 'yaml';
import type { Address } from '../../model/address.ts';
import { compareText } from '../../model/address.ts';
import type { Desired, DesiredCollection } from '../../model/desired.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Collection, Kind, Member, Unread } from '../../model/kind/kind.ts';
import { isInState, memberAddress, needsNoManifest, positionOf, siblingsOf } from '../../model/kind/kind.ts';
import { placedAt } from '../../model/kind/to-manifest.ts';
import type { Unmanaged } from '../../model/plan/plan.ts';
import { deleteAction } from '../action.ts';
import type { CollectionPlan, UnlistedBlocker } from './collection-plan.ts';
import { blockedPlan, EMPTY_COLLECTION_PLAN, mergeCollectionPlans } from './collection-plan.ts';
import type { Surroundings } from './member.ts';
import { planMember, removalBlocker } from './member.ts';
import type { ReadCollection } from '../plan-input.ts';
import { assignPositions } from './positions.ts';
import { liveName } from '../rename.ts';
import { itemToManifest, sharedPositions } from '../to-manifest.ts';

export interface CollectionInput extends Omit<Surroundings, 'siblings'> {
  readonly kind: Kind;
  readonly declared: DesiredCollection;
  readonly observed: Collection;
  /** Identities that the ledger shows to be ours. */
  readonly owned: ReadonlySet<string>;
  /** Identities that another parent's manifest takes from here: neither removed nor reported. */
  readonly leaving?: ReadonlySet<string>;
}

/** Plans one collection. */
export function planCollection(input: CollectionInput): CollectionPlan {
  const { kind, declared, observed } = input;
  if (observed.state !== 'read') return planUnread(declared, observed);
  const ambiguous = sharedNames(observed.members);
  if (ambiguous.length > 0) return blockedPlan(declared.collection, ...ambiguous);
  const live = new Map(observed.members.map((member) => [member.identity, member]));
  const siblings = isAuthoritative(kind, declared)
    ? siblingsOf(
        kind,
        observed.members.map((member) => ({ ...member, identity: liveName(kind, member) })),
      )
    : undefined;
  const around = siblings === undefined ? input : { ...input, siblings };
  const wanted = withPositions(kind, declared.members, observed.members).map((desired) =>
    planMember(kind, observed, desired, live.get(desired.identity), around),
  );
  const specs = (): readonly JsonObject[] => {
    // Nothing goes in favour of what cannot come.
    const blocked = new Set(wanted.flatMap(({ blockers }) => blockers.map(({ address }) => address)));
    return declared.members.filter(({ address }) => !blocked.has(address)).map(({ spec }) => spec);
  };
  return mergeCollectionPlans([...wanted, ...planUnnamed(input, observed, { specs, siblings })]);
}

function planUnread(declared: DesiredCollection, observed: Unread): CollectionPlan {
  // What may become readable is decided where the actions on other objects are known.
  if (observed.state === 'deferred') return EMPTY_COLLECTION_PLAN;
  const { state } = observed;
  return blockedPlan(declared.collection, { ...observed, ...(state !== 'blocked' && { as: state }) });
}

/** Where order is meaning: the wanted members, with a position for each that is new or has to move. */
function withPositions(kind: Kind, wanted: readonly Desired[], live: readonly Member[]): readonly Desired[] {
  const field = positionOf(kind);
  if (field === undefined) return wanted;
  const positions = assignPositions(
    wanted.map(({ identity }) => identity),
    new Map(live.map(({ identity, spec }) => [identity, typeof spec[field] === 'number' ? spec[field] : undefined])),
  );
  return wanted.map((desired) => {
    const position = positions.get(desired.identity);
    return position === undefined ? desired : { ...desired, spec: { ...desired.spec, [field]: position } };
  });
}

/**
 * Returns a blocker for each name that several live objects have, as the platform does not keep names unique (EDG-15,
 * SHD-27). Nothing in their list is changed. Copies of a known object have an identity with their id, and are deleted.
 */
function sharedNames(members: readonly Member[]): readonly UnlistedBlocker[] {
  if (new Set(members.map(({ identity }) => identity)).size === members.length) return [];
  const ids = new Map<string, string[]>();
  for (const { identity, id } of members) ids.set(identity, [...(ids.get(identity) ?? []), id]);
  return [...ids]
    .filter(([, found]) => found.length > 1)
    .sort(([left], [right]) => compareText(left, right))
    .map(([name, found]) => ({
      reason: `${found.length} live objects have the name ${name} (ids ${[...found].sort(compareText).join(', ')}), so it is not clear which one the manifest means`,
      remedy:
        'Rename or delete all but one of them in the dashboard, then plan again. Until then nothing in this list is changed.',
    }));
}

/**
 * Live members that no manifest names: removed when they are ours or the manifest says so, else left alone and
 * reported. `specs`: what is wanted beside them and can come.
 */
function planUnnamed(
  { kind, declared, owned, leaving = new Set(), identity }: CollectionInput,
  { members, incomplete }: ReadCollection,
  beside: { readonly specs: () => readonly JsonObject[]; readonly siblings: readonly string[] | undefined },
): readonly CollectionPlan[] {
  if (declared.partial || (kind.remove ?? kind.cannotRemove) === undefined) return [];
  if (incomplete === undefined && members.length === 0) return [];
  const named = new Set(declared.members.map(({ identity }) => identity));
  const unnamed = members
    .filter(({ identity }) => !named.has(identity) && !leaving.has(identity))
    .filter((member) => !needsNoManifest(kind, member))
    .sort((left, right) => compareText(left.identity, right.identity));
  const goes = (member: Member): boolean =>
    owned.has(member.identity) || (isAuthoritative(kind, declared) && !isInState(kind, member, 'irreplaceable'));
  const plan = (member: Member): CollectionPlan =>
    goes(member)
      ? planRemoval(kind, declared, member, {
          siblings: beside.siblings,
          specs: beside.specs(),
          isOwned: owned.has(member.identity),
          grounds: isDecidedByManifest(kind, declared, member) ? undefined : 'ledger',
          identity,
          hasOwnPosition: () => !sharedPositions(kind, members).includes(member.identity),
        })
      : { ...EMPTY_COLLECTION_PLAN, unmanaged: [unmanaged(kind, declared, member)] };
  if (incomplete === undefined) return unnamed.map(plan);
  // Of what may be cut off nothing is removed. That is told once, also where nothing is seen that would be removed:
  // more may be there.
  const accounted = new Set([
    ...named,
    ...leaving,
    ...members.map(({ identity }) => identity),
    ...(incomplete.absent ?? []),
  ]);
  const isTold =
    unnamed.some(goes) || isAuthoritative(kind, declared) || [...owned].some((identity) => !accounted.has(identity));
  return [
    ...unnamed.filter((member) => !goes(member)).map(plan),
    ...(isTold ? [blockedPlan(declared.collection, incomplete)] : []),
  ];
}

/** True when the manifest alone decides that the member is deleted. Which of two equal members is a copy, the ledger says. */
function isDecidedByManifest(kind: Kind, declared: DesiredCollection, member: Member): boolean {
  return (
    isAuthoritative(kind, declared) && !isInState(kind, member, 'irreplaceable') && member.duplicateOf === undefined
  );
}

function planRemoval(
  kind: Kind,
  declared: DesiredCollection,
  member: Member,
  {
    specs,
    siblings,
    isOwned,
    grounds,
    identity,
    hasOwnPosition,
  }: {
    readonly specs: readonly JsonObject[];
    readonly siblings: readonly string[] | undefined;
    readonly isOwned: boolean;
    readonly grounds: 'ledger' | undefined;
    readonly identity: CollectionInput['identity'];
    readonly hasOwnPosition: () => boolean;
  },
): CollectionPlan {
  const address: Address = memberAddress(declared, kind, member.identity);
  const blocker = removalBlocker(kind, member, specs);
  if (blocker !== null) return blockedPlan(address, blocker);
  const { duplicateOf } = member;
  const reason =
    duplicateOf !== undefined
      ? `will be deleted: a duplicate of ${duplicateOf}, with the same fields`
      : isOwned
        ? 'will be deleted: removed from the manifest'
        : 'will be deleted: live, and not in the list';
  const action = deleteAction(kind, member, reason, {
    address,
    parent: declared.parent ?? address,
    protect: declared.protect,
    members: [],
    ...(siblings !== undefined && { siblings }),
    ...(grounds !== undefined && { grounds }),
    ...(identity !== undefined && { identity }),
    sourceOf: () => declared.sourceOf(kind.section.fields[0] as string),
  });
  const kept =
    isOwned || duplicateOf !== undefined
      ? {}
      : { keep: { yaml: yamlOf(kind, member), accept: kind.list === 'authoritative' && hasOwnPosition() } };
  return { ...EMPTY_COLLECTION_PLAN, bindings: [{ address, id: member.id }], actions: [{ ...action, ...kept }] };
}

function isAuthoritative(kind: Kind, declared: DesiredCollection): boolean {
  return kind.list === 'authoritative' || (kind.list === 'additive' && declared.unlisted === 'remove');
}

function unmanaged(kind: Kind, declared: DesiredCollection, member: Member): Unmanaged {
  return {
    collection: declared.collection,
    kind: kind.kind,
    identity: member.identity,
    yaml: yamlOf(kind, member),
  };
}

/** The YAML that would adopt it, indented as it stands under `spec:`. */
function yamlOf(kind: Kind, member: Member): string {
  return stringify(placedAt(kind.section.fields[0] as string, [itemToManifest(kind, member).value]));
}
