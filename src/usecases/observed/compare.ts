// Changes that no manifest declares: what was recorded beside what is live now, both as manifests. Pure. What the
// manifests declare today is left out, as a whole or by the field: a plan compares it.
import type { Address } from '../../model/address.ts';
import { addressOf, compareText, rootNameOf } from '../../model/address.ts';
import type { Desired, DesiredCollection } from '../../model/desired.ts';
import type { DriftedField, DriftItem } from '../../model/plan/drift.ts';
import type { HistoryAction } from '../../model/plan/history.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, sameJson, valueAt } from '../../model/json.ts';
import type { Kind } from '../../model/kind/kind.ts';
import { memberAddress, positionOf } from '../../model/kind/kind.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import { registry } from '../../areas/index.ts';
import type { ObservedFolder, ObservedManifest } from '../../manifest/observed.ts';
import { expandManifests } from '../../manifest/read/expand.ts';
import type { Gap, Seen } from './compose.ts';
import { isCompared, isList, manifestFrom, saysNothing } from './compose.ts';
import type { Look } from './look.ts';

export interface Declared {
  /** What the manifests declare, as it is compared. */
  readonly collections: readonly DesiredCollection[];
  /** Pointers that a manifest ignores, by root. */
  readonly ignored: ReadonlyMap<Address, readonly string[]>;
  readonly ledger: LedgerView;
}

export interface Compared {
  readonly items: readonly DriftItem[];
  /** What was observed and cannot be compared now. */
  readonly gaps: readonly Gap[];
  /** Kinds of which something live is neither declared nor observed. */
  readonly notWatched: readonly string[];
}

/** `within`: the roots that a run is about; absent: all. */
export function compareObserved(
  { spec: { at, kinds }, manifests }: ObservedFolder,
  { roots, ids, kinds: readable, gaps }: Look,
  declared: Declared,
  within?: ReadonlySet<Address>,
): Compared {
  const isMeant = (address: Address): boolean => within?.has(address) !== false;
  const wanted = wantedIn(declared);
  const byId = new Map(roots.map((root) => [`${root.kind.kind} ${root.member.id}`, root]));
  const items: DriftItem[] = [];
  const notWatched = new Set<string>();
  const closed: Gap[] = [];
  const known = new Set<string>();
  for (const one of manifests) {
    const { kind, name, id = '' } = one.manifest;
    known.add(`${kind} ${id}`);
    const now = byId.get(`${kind} ${id}`);
    const address = now?.address ?? addressOf(null, kind, name);
    if (!isMeant(address) || wanted.goes.has(address)) continue;
    if (now !== undefined) {
      const found = compareRoot(one, now, wanted, declared);
      items.push(...found.items);
      closed.push(...found.gaps);
      for (const each of found.notWatched) notWatched.add(each);
    } else if (ids.get(kind)?.has(id) === true || !readable.includes(kind))
      closed.push(...gaps.filter((gap) => gap.address === address || gap.address === kind).slice(0, 1));
    // What a manifest declares is its to miss.
    else if (!wanted.members.has(address)) items.push(whole(address, 'missing'));
  }
  for (const { kind, member, address, spec, inside } of roots) {
    if (known.has(`${kind.kind} ${member.id}`) || !isMeant(address)) continue;
    if (!wanted.members.has(address) && kinds.includes(kind.kind)) items.push(whole(address, 'extra'));
    else
      for (const collection of expandManifests(
        [manifestFrom({ kind: kind.kind, name: rootNameOf(address) }, spec)],
        registry,
      ))
        if (!isCovered(collection, wanted) && (collection.parent === null || inside.has(collection.kind)))
          notWatched.add(collection.kind);
  }
  return {
    items: items
      .map((item) => ({ ...item, appliedAt: at }))
      .sort((left, right) => compareText(left.address, right.address)),
    gaps: closed,
    notWatched: [...registry.keys()].filter((kind) => notWatched.has(kind)),
  };
}

interface Wanted {
  readonly collections: ReadonlyMap<string, DesiredCollection>;
  readonly members: ReadonlyMap<Address, Desired>;
  /** Roots that a manifest wants gone. */
  readonly goes: ReadonlySet<Address>;
}

export function wantedIn({ collections }: Pick<Declared, 'collections'>): Wanted {
  const members = new Map(collections.flatMap((one) => one.members.map((member) => [member.address, member] as const)));
  return {
    collections: new Map(collections.map((one) => [one.collection, one])),
    members,
    goes: new Set(
      [...members.values()].filter(({ lifecycle }) => lifecycle.state === 'absent').map(({ address }) => address),
    ),
  };
}

/** True where all of a collection is the manifests' to say. */
export function isDeclaredWhole(kind: Kind, declared: DesiredCollection | undefined): boolean {
  if (declared === undefined) return false;
  if (declared.unresolved !== undefined) return true;
  return !declared.partial && (kind.list === 'authoritative' || declared.unlisted === 'remove');
}

/** True where the manifests say each field of all that is live there. */
function isCovered({ collection, kind, members }: DesiredCollection, wanted: Wanted): boolean {
  return (
    members.every(
      ({ address, spec }) =>
        undeclaredFields(registry.get(kind) as Kind, spec, wanted.members.get(address)).length === 0,
    ) &&
    (members.length > 0 || wanted.collections.has(collection))
  );
}

/** The fields of an object that can be compared, and that no manifest says. */
export function undeclaredFields(kind: Kind, spec: JsonObject, declared: Desired | undefined): readonly string[] {
  // What tells the items of a list apart is no setting of them.
  const name = isList(kind) ? Object.keys(spec).find((field) => spec[field] === kind.identity(spec)) : undefined;
  return Object.keys(spec).filter(
    (field) =>
      field !== name &&
      isCompared(kind.fields[field], spec[field]) &&
      !(declared !== undefined && Object.hasOwn(declared.spec, field)),
  );
}

function compareRoot(
  { document, manifest }: ObservedManifest,
  now: Seen,
  wanted: Wanted,
  { ignored, ledger }: Declared,
): Compared {
  const { kind, address } = now;
  const name = rootNameOf(address);
  const left = [
    ...((valueAt(document, '/lifecycle/ignore') ?? []) as readonly string[]),
    ...(ignored.get(address) ?? []),
  ];
  const sides = [manifest.spec, now.spec].map(
    (spec) =>
      new Map(
        expandManifests([manifestFrom({ kind: kind.kind, name }, spec, left)], registry).map((one) => [
          one.collection,
          one,
        ]),
      ),
  ) as [Map<string, DesiredCollection>, Map<string, DesiredCollection>];
  const [before, after] = sides;
  const items = [...before.values()].flatMap((one) => {
    const live = after.get(one.collection);
    return live === undefined ? [] : compareCollection(one, live, wanted, ledger);
  });
  const unread = new Map(now.gaps.map((gap) => [gap.address, gap]));
  return {
    items,
    gaps: [...before.keys()].flatMap((collection) => (after.has(collection) ? [] : (unread.get(collection) ?? []))),
    notWatched: [...after.values()]
      .filter(
        (one) =>
          !before.has(one.collection) &&
          !isCovered(one, wanted) &&
          !isDeclaredWhole(registry.get(one.kind) as Kind, wanted.collections.get(one.collection)),
      )
      .map((one) => one.kind),
  };
}

function compareCollection(
  before: DesiredCollection,
  now: DesiredCollection,
  wanted: Wanted,
  ledger: LedgerView,
): readonly DriftItem[] {
  const kind = registry.get(before.kind) as Kind;
  const declared = wanted.collections.get(before.collection);
  if (declared?.unresolved !== undefined) return [];
  const isWhole = isDeclaredWhole(kind, declared);
  const byAddress = ({ members }: DesiredCollection) => new Map(members.map((member) => [member.address, member]));
  const [then, live] = [byAddress(before), byAddress(now)];
  const implied = impliedBy(kind, declared, [before, now]);
  const items = [...new Set([...then.keys(), ...live.keys()])].flatMap((address): readonly DriftItem[] => {
    const own = wanted.members.get(address);
    const [was, is] = [then.get(address), live.get(address)];
    if (isWhole && own === undefined) return [];
    if (isItemOfList(kind) && (was === undefined || is === undefined)) {
      // What a manifest names is its to miss; what the ledger knows was declared once, and is listed as orphaned.
      const isElsewhere = own !== undefined || (was === undefined && ledger.objects.has(address));
      return isElsewhere ? [] : [whole(address, was === undefined ? 'extra' : 'missing')];
    }
    const fields = differing(kind, was?.spec ?? {}, is?.spec ?? {}, own).filter(
      ({ path }) => !implied.has(`${address}#${path}`),
    );
    return fields.length === 0 ? [] : [{ address, class: 'undeclared', is: 'changed', fields }];
  });
  return declared === undefined ? [...items, ...moved(kind, before, now)] : items;
}

/** What the manifests say of others without a word: where one hostname is to be the primary one, no other is. */
function impliedBy(
  kind: Kind,
  declared: DesiredCollection | undefined,
  sides: readonly DesiredCollection[],
): ReadonlySet<string> {
  const effects = (declared?.members ?? []).flatMap(({ spec }) =>
    Object.values(kind.update)
      .filter(({ writes }) => writes.some((field) => Object.hasOwn(spec, field)))
      .flatMap((update) =>
        sides.flatMap(({ members }) =>
          (
            update.effects?.(
              spec,
              members.map((one) => ({ ...one, computed: {} })),
            ) ?? []
          ).map(({ path, ...where }) =>
            'identity' in where ? `${memberAddress(sides[0] as DesiredCollection, kind, where.identity)}#${path}` : '',
          ),
        ),
      ),
  );
  return new Set(effects);
}

function isItemOfList({ list, parent }: Kind): boolean {
  return parent !== null && (list === 'additive' || list === 'authoritative');
}

function differing(kind: Kind, was: JsonObject, is: JsonObject, own: Desired | undefined): readonly DriftedField[] {
  return undeclaredFields(kind, { ...was, ...is }, own).flatMap((field): readonly DriftedField[] => {
    const [before, after] = [unfolded(was[field], is[field]), unfolded(is[field], was[field])];
    if (sameJson(before, after) || (saysNothing(before) && saysNothing(after))) return [];
    return [
      {
        path: `/${escapePointer(field)}`,
        class: 'undeclared',
        ...(before !== undefined && { applied: before }),
        ...(after !== undefined && { live: after }),
      },
    ];
  });
}

/** What was folded away is what says nothing in the place of the other side. */
function unfolded(value: Json | undefined, other: Json | undefined): Json | undefined {
  if (value !== undefined || other === undefined) return value;
  if (Array.isArray(other)) return [];
  return typeof other === 'boolean' ? false : undefined;
}

/** Where order is meaning: whether those that were there before stand in another one. */
function moved(kind: Kind, before: DesiredCollection, now: DesiredCollection): readonly DriftItem[] {
  if (positionOf(kind) === undefined) return [];
  const [then, live] = [before, now].map(({ members }) => members.map(({ identity }) => identity)) as [
    string[],
    string[],
  ];
  const [was, is] = [then.filter((one) => live.includes(one)), live.filter((one) => then.includes(one))];
  if (sameJson(was, is)) return [];
  const field: DriftedField = { path: '/order', class: 'undeclared', applied: was, live: is };
  return [{ address: before.collection, class: 'undeclared', is: 'changed', fields: [field] }];
}

function whole(address: Address, is: 'missing' | 'extra'): DriftItem {
  return { address, class: 'undeclared', is, fields: [] };
}

/** Whether a run of ours brought something to where it is now. */
export function isOurDoing(
  { address, is, fields }: DriftItem,
  done: readonly Pick<HistoryAction, 'address' | 'verb' | 'changes'>[],
): boolean {
  const own = done.filter(
    (one) => one.address === address || (one.verb === 'delete' && address.startsWith(`${one.address}/`)),
  );
  const last = own.at(-1);
  if (last === undefined) return false;
  if (is === 'missing') return last.verb === 'delete';
  if (is === 'extra') return last.verb === 'create';
  return fields.every(({ path, live }) =>
    own.some(({ changes }) => changes.some((change) => change.path === path && sameJson(change.value, live))),
  );
}
