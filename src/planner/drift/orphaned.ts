// What is live and no manifest names any more, although the ledger or the earlier manifests of this branch know it:
// which objects have to be looked at, and what can be written to delete or to keep those that are there. Pure.
import { stringify } from 'yaml';
import type { Address } from '../../model/address.ts';
import { addressOf, collectionOf, compareText, kindOf, parentOf, parseAddress, rootOf } from '../../model/address.ts';
import type { Desired, DesiredCollection } from '../../model/desired.ts';
import { API_VERSION } from '../../model/desired.ts';
import type { SourcePosition } from '../../model/diagnostic.ts';
import type { Blocker, Collection, Kind, Member, Registry } from '../../model/kind/kind.ts';
import { needsNoManifest, siblingsOf } from '../../model/kind/kind.ts';
import { placedAt } from '../../model/kind/to-manifest.ts';
import type { LedgerObject, LedgerView } from '../../model/plan/ledger-view.ts';
import type { Orphaned, OrphanedObject, OrphanedRemedy } from '../../model/plan/orphaned.ts';
import { groupBy } from '../../model/common/lists.ts';
import { removalBlocker } from '../collections/member.ts';
import { itemToManifest } from '../to-manifest.ts';

/** An object that no manifest names; whether it is there is still to be seen. */
export interface Suspect {
  readonly address: Address;
  readonly recorded?: LedgerObject;
  readonly removedFrom?: SourcePosition;
  /** As this branch found it declared. */
  readonly former?: Desired;
}

export interface SuspectInput {
  readonly registry: Registry;
  /** What all manifests declare that were read. */
  readonly declared: readonly DesiredCollection[];
  readonly ledger: Pick<LedgerView, 'objects' | 'inFlight'>;
  /** What the manifests declared where this branch began. Empty: nobody looked. */
  readonly former: readonly DesiredCollection[];
  readonly bound: ReadonlyMap<Address, Member>;
}

/** By collection, in order: what the ledger shows to be ours, or this branch removed, and no manifest names. */
export function findSuspects(input: SuspectInput): ReadonlyMap<string, readonly Suspect[]> {
  const members = input.declared.flatMap((collection) => collection.members);
  const named = new Set(members.map(({ address }) => address));
  const roots = new Map(members.filter(({ parent }) => parent === null).map((root) => [root.address, root]));
  const begun = new Set(input.ledger.inFlight.map(({ action }) => action.address));
  const suspects = new Map<Address, Suspect>();
  for (const recorded of input.ledger.objects.values())
    if (recorded.owned) suspects.set(recorded.address, { address: recorded.address, recorded });
  for (const former of input.former.flatMap((collection) => collection.members)) {
    const { address, lifecycle } = former;
    const removedFrom = former.sourceOf('');
    if (lifecycle.state === 'present')
      suspects.set(address, {
        ...suspects.get(address),
        address,
        former,
        ...(removedFrom !== undefined && { removedFrom }),
      });
  }
  const sorted = [...suspects.values()]
    .filter(({ address }) => !named.has(address) && !begun.has(address))
    .filter((suspect) => isLeftAlone(input, suspect, roots) && !isElsewhere(input, suspect, members))
    .sort((left, right) => compareText(left.address, right.address));
  return groupBy(sorted, ({ address }) => collectionOf(address));
}

/** True for an object of a list that nothing in the plan is about: settings are not made, and stay as they are. */
function isLeftAlone(
  { registry, declared }: SuspectInput,
  { address, recorded }: Suspect,
  roots: ReadonlyMap<Address, Desired>,
): boolean {
  const kind = registry.get(kindOf(address));
  if (kind === undefined || kind.capabilities.hook !== undefined) return false;
  if (kind.list === 'singleton' || kind.list === 'platform-defined') return false;
  if ((kind.remove ?? kind.cannotRemove) === undefined) return false;
  if (parentOf(address) === null) return true;
  const root = roots.get(rootOf(address));
  // What is in a root whose manifest is gone is said with that.
  if (root?.lifecycle.state !== 'present') return false;
  const list = declared.find(({ collection }) => collection === collectionOf(address));
  if (list === undefined || list.partial) return true;
  // The list is managed: what is ours is removed; of what it does not remove, this branch's part is told here.
  return recorded === undefined && kind.list === 'additive' && list.unlisted === 'keep';
}

/** True for what another manifest names: under another name, or taken into another parent. */
function isElsewhere(
  { registry, bound }: SuspectInput,
  { address, recorded }: Suspect,
  members: readonly Desired[],
): boolean {
  const kind = kindOf(address);
  if (parentOf(address) === null)
    return [...bound].some(([other, { id }]) => kindOf(other) === kind && id === recorded?.id);
  if (registry.get(kind)?.capabilities.move === undefined) return false;
  const identity = parseAddress(address)?.at(-1)?.name;
  return members.some((other) => other.kind === kind && other.identity === identity);
}

export interface OrphanedInput {
  readonly kind: Kind;
  /** The root that they are in; null for roots. */
  readonly parent: Address | null;
  readonly suspects: readonly Suspect[];
  readonly live: Collection;
  /** The list as the manifest of the root declares it, where it does. */
  readonly declared: DesiredCollection | undefined;
  readonly file: string | undefined;
  /** The folder in which the workspace reads a manifest that is exported. */
  readonly out: string;
  /** Ids of live roots that manifests name. */
  readonly named: ReadonlySet<string>;
}

/** The suspects that are there, or of which nobody can say: one entry for each root, or one for the list of a root. */
export function orphanedIn(input: OrphanedInput): readonly Orphaned[] {
  const { kind, parent, suspects, live, file } = input;
  const found = suspects.flatMap((suspect) => {
    const seen = findLive(input, suspect);
    return seen === undefined ? [] : [{ suspect, seen }];
  });
  if (found.length === 0) return [];
  const objects = found.map(({ suspect, seen }) => ({
    ...objectOf(suspect),
    ...('unread' in seen ? { unread: seen.unread } : { id: seen.id }),
  }));
  const there = found.flatMap(({ suspect, seen }) => ('unread' in seen ? [] : [{ suspect, member: seen }]));
  if (parent === null)
    return found.map(({ suspect: { address }, seen }, index) => ({
      collection: address,
      kind: kind.kind,
      objects: [objects[index] as OrphanedObject],
      ...(!('unread' in seen) && {
        remove: howToRemoveRoot(kind, address, seen),
        keep: howToKeepRoot(kind, address, input.out),
      }),
    }));
  return [
    {
      collection: addressOf(parent, kind.kind, null),
      kind: kind.kind,
      objects,
      ...(file !== undefined && { file }),
      ...(there.length > 0 &&
        live.state === 'read' && {
          remove: howToRemove(input, there, live.members),
          keep: howToKeep(input, there, live.members),
        }),
    },
  ];
}

/** The live object; undefined when it is surely not there, or is not the one that the ledger means. */
function findLive(
  { kind, live, parent, named }: OrphanedInput,
  { address, recorded, former }: Suspect,
): Member | { readonly unread: string } | undefined {
  if (live.state !== 'read') return { unread: live.reason };
  const name = parseAddress(address)?.at(-1)?.name;
  const [keys = []] = former?.keys ?? [];
  const isIt = (member: Member): boolean => {
    if (recorded !== undefined) return member.id === recorded.id;
    if (parent !== null) return member.identity === name;
    return member.id === former?.boundId || keys.some((key) => member.keys[0]?.includes(key));
  };
  const found = live.members.filter((one) => isIt(one));
  const member = found.length === 1 ? found[0] : undefined;
  if (parent === null && member !== undefined && named.has(member.id)) return undefined;
  if (member !== undefined)
    return needsNoManifest(kind, member) ? undefined : member.doubt === undefined ? member : { unread: member.doubt };
  if (recorded === undefined || live.incomplete === undefined) return undefined;
  return live.incomplete.absent?.includes(name as string) === true ? undefined : { unread: live.incomplete.reason };
}

function objectOf({ address, recorded, removedFrom }: Suspect): OrphanedObject {
  const atMs = recorded?.createdAtMs ?? recorded?.appliedAtMs;
  return {
    address,
    ...(recorded !== undefined && {
      made: {
        by: recorded.createdAtMs === undefined ? ('recorded' as const) : ('created' as const),
        ...(atMs !== undefined && { at: new Date(atMs).toISOString() }),
      },
    }),
    ...(removedFrom !== undefined && { removedFrom }),
  };
}

interface There {
  readonly suspect: Suspect;
  readonly member: Member;
}

/**
 * The lines that remove them: the section that names the others and not these. An authoritative list must name all that
 * is to stay, an additive one what is ours. Where some were made by us and some only declared, those that were made go.
 */
function howToRemove(input: OrphanedInput, there: readonly There[], members: readonly Member[]): OrphanedRemedy {
  const { kind, declared } = input;
  if (kind.remove === undefined) return impossible(kind);
  const removable = there.filter(({ member }) => removalBlocker(kind, member, []) === null);
  const made = removable.filter(({ suspect }) => suspect.recorded?.createdAtMs !== undefined);
  const going = made.length > 0 ? made : removable;
  const [first] = there;
  if (going.length === 0) {
    const { reason, remedy } = removalBlocker(kind, (first as There).member, []) as Blocker;
    return { reason: `${reason}. ${remedy}` };
  }
  const goes = new Set(going.map(({ member }) => member.identity));
  const only = going.length === there.length ? {} : { only: going.map(({ suspect }) => suspect.address) };
  const others = inOrder(kind, members).filter(({ identity }) => !goes.has(identity));
  if (kind.list === 'authoritative') return { yaml: sectionText(kind, others), ...only };
  // Only what the ledger shows to be ours goes by not being named.
  const isOurs = going.every(({ suspect }) => suspect.recorded !== undefined);
  const wanted = new Set([
    ...(declared?.members ?? []).map(({ identity }) => identity),
    ...there.map(({ member }) => member.identity),
  ]);
  const named = others.filter(({ identity }) => wanted.has(identity));
  const text = declared === undefined || declared.partial ? sectionText(kind, named) : '';
  if (isOurs) return { yaml: text, ...only };
  const { unlisted } = kind.section;
  if (unlisted === undefined) return impossible(kind);
  const beside = others.filter((member) => !wanted.has(member.identity) && !needsNoManifest(kind, member));
  const also =
    beside.length === 0
      ? ''
      : `# Deletes ${beside.map(({ identity }) => JSON.stringify(identity)).join(', ')} too, unless a manifest names them.\n`;
  return { yaml: `${also}${text}${stringify({ unlisted: { [unlisted]: 'remove' } })}`, ...only };
}

/** The lines that keep them; of an authoritative list all that is live, for what it does not name would go. */
function howToKeep(input: OrphanedInput, there: readonly There[], members: readonly Member[]): OrphanedRemedy {
  const { kind, declared } = input;
  const whole = kind.list === 'authoritative' && declared === undefined;
  const named = new Set(there.map(({ member }) => member.identity));
  const kept = inOrder(kind, members).filter(({ identity }) => whole || named.has(identity));
  return { yaml: sectionText(kind, kept) };
}

function inOrder(kind: Kind, members: readonly Member[]): readonly Member[] {
  const shown = members.filter((member) => kind.status?.(member)?.is !== 'platform-managed');
  const byIdentity = new Map(shown.map((member) => [member.identity, member]));
  return siblingsOf(kind, shown).flatMap((identity) => byIdentity.get(identity) ?? []);
}

function sectionText(kind: Kind, members: readonly Member[]): string {
  const place = kind.section.fields[0] as string;
  return stringify(
    placedAt(
      place,
      members.map((member) => itemToManifest(kind, member).value),
    ),
  );
}

/** The manifest that deletes a root: bound by its id, so that nothing else is meant. */
function howToRemoveRoot(kind: Kind, address: Address, { id }: Member): OrphanedRemedy {
  if (kind.remove === undefined) return impossible(kind);
  const name = parseAddress(address)?.at(-1)?.name as string;
  return {
    yaml: stringify({
      apiVersion: API_VERSION,
      kind: kind.kind,
      metadata: { name, id },
      lifecycle: { state: 'absent' },
      spec: {},
    }),
  };
}

function howToKeepRoot(kind: Kind, address: Address, out: string): OrphanedRemedy {
  return kind.manifest?.file === undefined
    ? { reason: 'Put its manifest back, as it was before it was removed.' }
    : { command: `hostwright export ${address} --out ${out}` };
}

function impossible({ cannotRemove }: Kind): OrphanedRemedy {
  const { reason = 'the platform has no call for it', remedy = 'Delete it in the dashboard.' } = cannotRemove ?? {};
  return { reason: `${reason}. ${remedy}` };
}
