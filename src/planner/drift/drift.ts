// For everything that a plan says differs, which side changed: last applied (the ledger), declared (the manifests),
// live (the account). Pure; must not change the plan, and claims nothing that the ledger does not show: what it does
// not know `differs`.
import type { Address } from '../../model/address.ts';
import { addressOf, collectionOf, compareText, kindOf, parentOf, rootOf } from '../../model/address.ts';
import type { Desired, DesiredCollection } from '../../model/desired.ts';
import type { DriftClass, DriftedField, DriftItem } from '../../model/plan/drift.ts';
import type { Json } from '../../model/json.ts';
import { escapePointer, sameJson, valueAt } from '../../model/json.ts';
import type { Collection, Kind, Member, Registry } from '../../model/kind/kind.ts';
import { memberAddress, positionOf } from '../../model/kind/kind.ts';
import type { LedgerObject, LedgerView } from '../../model/plan/ledger-view.ts';
import type { Action, Change, Plan } from '../../model/plan/plan.ts';
import { fieldIn } from '../../model/plan/plan.ts';
import { diffSpec, immutableDifferences } from '../diff.ts';
import { actionSource } from '../../model/diagnostic.ts';

export interface DriftInput {
  readonly plan: Plan;
  readonly registry: Registry;
  readonly declared: readonly DesiredCollection[];
  readonly observed: ReadonlyMap<string, Collection>;
  readonly bound: ReadonlyMap<Address, Member>;
  /** Under the names that the manifests have now. */
  readonly ledger: LedgerView;
}

/** What differs, by address: each object once, whether the plan can put it right or not. */
export function findDrift(input: DriftInput): readonly DriftItem[] {
  const { plan, ledger } = input;
  const begun = new Set(ledger.inFlight.map(({ action }) => action.address));
  const inFlight = [...begun]
    .filter((address) => plan.waiting.some((waiting) => waiting.address === address))
    .map((address): DriftItem => ({ address, class: 'in-flight', is: 'in-flight', fields: [] }));
  // A backup before a change or a purge after it is no state.
  const actions = plan.actions.filter(({ hook }) => hook === undefined);
  const blocked = new Set(
    [...plan.blocked, ...plan.waiting, ...plan.manual]
      .map(({ address }) => address)
      .filter((address) => !begun.has(address)),
  );
  const wanted = input.declared
    .flatMap(({ members }) => members)
    .filter(({ address, lifecycle }) => blocked.has(address) && lifecycle.state === 'present');
  const byAddress = new Map(wanted.map((desired) => [desired.address, desired]));
  const changing = new Set(actions.map(({ address }) => address));
  const items = [
    ...actions.map((action) => itemOf(input, action, byAddress.get(action.address))),
    ...wanted.filter(({ address }) => !changing.has(address)).flatMap((desired) => blockedItem(input, desired)),
    ...inFlight,
  ];
  return items.sort((left, right) => compareText(left.address, right.address));
}

/** What a plan would do to an object, and what it cannot do to it. */
function itemOf(input: DriftInput, action: Action, blocked: Desired | undefined): DriftItem {
  const { address, verb, changes, source } = action;
  const live = liveOf(input, address);
  const place = source === undefined ? {} : { source };
  if (verb === 'update') {
    const own = new Set(changes.map(({ path }) => path));
    const beside =
      blocked === undefined ? [] : differencesOf(input, blocked, live as Member).filter(({ path }) => !own.has(path));
    return { ...changed(input, address, live as Member, [...changes, ...beside]), ...place };
  }
  const record = recordOf(input, address, live);
  const found = verb === 'create' ? missing(input, address, record) : extra(input, address, record);
  return {
    address,
    ...found,
    fields: changes.map((change) => ({ ...sides(input, address, change, record), class: found.class })),
    ...place,
  };
}

/** What differs and no action puts right. */
function blockedItem(input: DriftInput, desired: Desired): readonly DriftItem[] {
  const { address, parent } = desired;
  const place = actionSource(desired.sourceOf(''));
  const live = liveOf(input, address);
  if (live !== undefined) {
    const item = changed(input, address, live, differencesOf(input, desired, live));
    return item.fields.length === 0 ? [] : [{ ...item, ...place }];
  }
  const list = input.observed.get(parent === null ? collectionOf(address) : addressOf(parent, desired.kind, null));
  // What a list does not show for sure may be there.
  if (list?.state !== 'read' || list.incomplete !== undefined) return [];
  return [{ address, ...missing(input, address, recordOf(input, address, undefined)), fields: [], ...place }];
}

function differencesOf({ registry }: DriftInput, { kind: name, spec }: Desired, live: Member): readonly Change[] {
  const kind = registry.get(name) as Kind;
  const immutable = immutableDifferences(kind, spec, live.spec).map((field): Change => {
    const was = live.spec[field];
    return {
      op: 'replace',
      path: `/${escapePointer(field)}`,
      ...(was !== undefined && { was }),
      value: spec[field] as Json,
    };
  });
  return [...diffSpec(kind, spec, live.spec), ...immutable];
}

function changed(input: DriftInput, address: Address, live: Member, changes: readonly Change[]): DriftItem {
  const record = recordOf(input, address, live);
  const fields = changes.map((change) => fieldOf(input, address, change, record));
  return { address, class: classOf(fields), is: 'changed', fields, ...appliedAtOf(record?.appliedAtMs) };
}

/** Of many fields the one word for their object. */
export function classOf(fields: readonly DriftedField[]): DriftClass {
  const has = (one: DriftClass): boolean => fields.some((field) => field.class === one);
  if (has('both') || (has('pending') && has('drifted'))) return 'both';
  if (has('drifted')) return 'drifted';
  return has('differs') ? 'differs' : 'pending';
}

type Found = Pick<DriftItem, 'class' | 'is' | 'appliedAt'>;

/** Declared, and not live. */
function missing(input: DriftInput, address: Address, record: LedgerObject | undefined): Found {
  if (record !== undefined) return { is: 'missing', class: 'drifted', ...appliedAtOf(record.appliedAtMs) };
  return { is: 'missing', class: isAllRecorded(input, address) ? 'pending' : 'differs' };
}

/** Live, and not wanted. What nobody recorded came later only where its list was seen to be whole. */
function extra(input: DriftInput, address: Address, record: LedgerObject | undefined): Found {
  if (record !== undefined) return { is: 'extra', class: 'pending', ...appliedAtOf(record.appliedAtMs) };
  const parent = parentOf(address);
  const whole = parent === null ? undefined : input.ledger.objects.get(parent)?.lists?.[kindOf(address)];
  return isAllRecorded(input, address) && whole !== undefined
    ? { is: 'extra', class: 'drifted', ...appliedAtOf(whole) }
    : { is: 'extra', class: 'differs' };
}

function appliedAtOf(atMs: number | undefined): Pick<DriftItem, 'appliedAt'> {
  return atMs === undefined ? {} : { appliedAt: new Date(atMs).toISOString() };
}

function fieldOf(input: DriftInput, address: Address, change: Change, record: LedgerObject | undefined): DriftedField {
  const shown = sides(input, address, change, record);
  // What cannot be read is only ever written anew because a manifest says so.
  if (change.secret !== undefined || change.rotationToken === true) return { ...shown, class: 'pending' };
  const kind = input.registry.get(kindOf(address)) as Kind;
  const position = positionOf(kind);
  if (position !== undefined && change.path === `/${position}`)
    return { ...shown, class: positionClass(input, address, position) };
  return { ...shown, class: knows(input, address, change, record) ? sideClass(shown) : 'differs' };
}

/** True when what was last applied of it is known: its value, or that there was none. */
function knows(input: DriftInput, address: Address, change: Change, record: LedgerObject | undefined): boolean {
  // A record of another object is none of this one.
  if (record === undefined) return isAllRecorded(input, address) && !input.ledger.objects.has(address);
  if (!Object.hasOwn(record.applied, fieldIn(change.path))) return isAllRecorded(input, address);
  return change.was === undefined || valueAt(record.applied, change.path) !== undefined;
}

function sideClass({ applied, manifest, live }: Omit<DriftedField, 'class'>): DriftClass {
  // Not declared when it was last applied: nobody watched the live side, so that the manifest changed is all there is
  // to say.
  if (applied === undefined || sameJson(applied, live)) return 'pending';
  return sameJson(applied, manifest) ? 'drifted' : 'both';
}

/** The three sides of one change: last applied, declared, live. */
function sides(
  input: DriftInput,
  address: Address,
  { path, was, value, secret, rotationToken }: Change,
  record: LedgerObject | undefined,
): Omit<DriftedField, 'class'> {
  if (secret !== undefined || rotationToken === true)
    return {
      path,
      rotationToken: true,
      ...(was !== undefined && { applied: was }),
      ...(value !== undefined && { manifest: value }),
    };
  const applied = valueAt(record?.applied, path);
  // What the ledger holds may be of any shape, so a field that is about people is hidden whole.
  const isPersonal = (input.registry.get(kindOf(address)) as Kind).fields[fieldIn(path)]?.personal !== undefined;
  return {
    path,
    ...(applied !== undefined && { applied }),
    ...(value !== undefined && { manifest: value }),
    ...(was !== undefined && { live: was }),
    ...(isPersonal && { personal: [''] }),
  };
}

/**
 * Where order is meaning: of those that are on all three sides, who changed their order. The numbers by themselves say
 * nothing.
 */
function positionClass({ declared, observed, ledger }: DriftInput, address: Address, position: string): DriftClass {
  const list = observed.get(collectionOf(address)) as Extract<Collection, { readonly state: 'read' }>;
  const live = new Map(list.members.map(({ identity, spec }) => [identity, spec[position]]));
  const wanted = (declared.find(({ collection }) => collection === collectionOf(address)) as DesiredCollection).members;
  const known = wanted.flatMap(
    (member): readonly { readonly address: Address; readonly applied: number; readonly live: number }[] => {
      const [before, now] = [ledger.objects.get(member.address)?.applied[position], live.get(member.identity)];
      return typeof before === 'number' && typeof now === 'number'
        ? [{ address: member.address, applied: before, live: now }]
        : [];
    },
  );
  if (!known.some((member) => member.address === address)) return 'differs';
  const inOrder = (side: 'applied' | 'live'): string =>
    [...known]
      .sort((left, right) => left[side] - right[side])
      .map((member) => member.address)
      .join('\n');
  if (inOrder('applied') === inOrder('live')) return 'pending';
  return inOrder('applied') === known.map((member) => member.address).join('\n') ? 'drifted' : 'both';
}

function liveOf({ declared, observed, bound, registry }: DriftInput, address: Address): Member | undefined {
  if (parentOf(address) === null) return bound.get(address);
  const collection = declared.find((one) => one.collection === collectionOf(address)) as DesiredCollection;
  const list = observed.get(collectionOf(address));
  if (list?.state !== 'read') return undefined;
  return list.members.find(
    ({ identity }) => memberAddress(collection, registry.get(collection.kind) as Kind, identity) === address,
  );
}

/**
 * What the ledger has of this very object: of another one that once had its address, or was in another root, it says
 * nothing.
 */
function recordOf(input: DriftInput, address: Address, live: Member | undefined): LedgerObject | undefined {
  const record = input.ledger.objects.get(address);
  return isInAnother(input, address) || (live !== undefined && record?.id !== live.id) ? undefined : record;
}

function isInAnother({ ledger, bound }: DriftInput, address: Address): boolean {
  const [root, owner] = [ledger.objects.get(rootOf(address)), bound.get(rootOf(address))];
  return root !== undefined && owner !== undefined && root.id !== owner.id;
}

/** True when what the ledger does not have was not there, or not declared, when it was last written. */
function isAllRecorded(input: DriftInput, address: Address): boolean {
  return input.ledger.recorded === true && !isInAnother(input, address);
}
