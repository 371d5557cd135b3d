// Deletions of objects that a manifest still names in a field of another object. What has to exist is what exists after
// the run: live and declared objects without those that the plan deletes.
import type { Address } from '../../model/address.ts';
import { addressOf, collectionOf, parentOf, parseAddress } from '../../model/address.ts';
import type { JsonObject } from '../../model/json.ts';
import type { NamedObject } from '../../model/kind/capabilities/refers-to.ts';
import type { Blocker } from '../../model/kind/kind.ts';
import { isInState } from '../../model/kind/kind.ts';
import type { UnorderedAction } from '../../model/plan/plan.ts';
import { groupBy } from '../../model/common/lists.ts';
import type { CollectionPlan, ListedBlocker } from '../collections/collection-plan.ts';
import { listedBlocker } from '../collections/collection-plan.ts';
import type { PlanInput } from '../plan-input.ts';
import { kindOfCollection } from '../plan-input.ts';
import type { Filter } from './filter.ts';

/** A field of one object that names another object. */
interface Naming {
  readonly from: Address;
  readonly named: NamedObject;
  readonly to: Address;
}

/**
 * Blocks each deletion of an object that an object remaining after the run names, and the write of that name. An object
 * whose deletion is blocked remains too, so what it names is not deleted either.
 */
export const stillNamed: Filter = (input, { actions }) => {
  const deletes = new Set(actions.filter(({ verb }) => verb === 'delete').map(({ address }) => address));
  if (deletes.size === 0) return () => null;
  const broken: Naming[] = [];
  const blocked = new Set<Address>();
  let next: readonly Naming[] = declaredNames(input);
  while (next.length > 0) {
    const found = next.filter(({ to }) => deletes.has(to));
    broken.push(...found);
    const remaining = [...new Set(found.map(({ to }) => to))].filter((address) => !blocked.has(address));
    for (const address of remaining) blocked.add(address);
    next = remaining.flatMap((address) => liveNames(input, address));
  }
  const byTarget = groupBy(broken, ({ to }) => to);
  return (action) => {
    const deleted = byTarget.get(action.address);
    if (deleted !== undefined) return blockerOf(deleted);
    const written = broken.filter(({ from, named }) => from === action.address && writes(action, named));
    return written.length === 0 ? null : blockerOf(written);
  };
};

/**
 * Returns a blocker for each declared object that names a live object whose deletion is already scheduled, and that
 * neither a manifest nor the plan restores. Objects that the plan changes or blocks already are left out.
 */
export function namesOfScheduled(input: PlanInput, plan: CollectionPlan): readonly ListedBlocker[] {
  const planned = new Set([...plan.actions, ...plan.blockers].map(({ address }) => address));
  const declared = new Set(declaredMembers(input).map(({ address }) => address));
  return declaredNames(input).flatMap(({ from, named, to }) => {
    if (planned.has(from) || declared.has(to)) return [];
    const collection = input.observed.get(collectionOf(to));
    const kind = input.registry.get(parseAddress(to)?.at(-1)?.kind ?? '');
    if (kind === undefined || collection?.state !== 'read') return [];
    const live = collection.members.find(({ identity }) => identity === named.name);
    if (live === undefined || !isInState(kind, live, 'deleting')) return [];
    const { leavesAt } = live.computed;
    const when = typeof leavesAt === 'string' ? ` on ${leavesAt.slice(0, 10)}` : '';
    return [
      listedBlocker(from, {
        reason: `${nameOf(from)} ${named.relation} ${named.name}, which is scheduled for deletion${when}`,
        remedy: `Declare ${named.name} to restore it, or change \`${named.field}\` of ${nameOf(from)}.`,
        rule: named.rule,
      }),
    ];
  });
}

function declaredMembers({ declared, allDeclared = declared }: PlanInput) {
  return allDeclared.flatMap(({ members }) => members).filter(({ lifecycle }) => lifecycle.state === 'present');
}

function declaredNames(input: PlanInput): readonly Naming[] {
  return declaredMembers(input).flatMap(({ address, kind, spec }) => namesIn(input, address, kind, spec));
}

/** The names in the fields of a live object. */
function liveNames(input: PlanInput, address: Address): readonly Naming[] {
  const collection = input.observed.get(collectionOf(address));
  const last = parseAddress(address)?.at(-1);
  if (collection?.state !== 'read' || last === undefined) return [];
  const live = collection.members.find(({ identity }) => identity === last.name);
  return live === undefined ? [] : namesIn(input, address, last.kind, live.spec);
}

function namesIn(input: PlanInput, from: Address, kind: string, spec: JsonObject): readonly Naming[] {
  const { refersTo } = kindOfCollection(input, { kind }).capabilities;
  return (refersTo?.(spec) ?? []).flatMap((named) =>
    named.kinds.map((other) => ({ from, named, to: addressOf(parentOf(from), other, named.name) })),
  );
}

function writes({ verb, changes }: UnorderedAction, { field }: NamedObject): boolean {
  return verb === 'create' || (verb === 'update' && changes.some(({ path }) => path === `/${field}`));
}

/** `sales@example.com still points at cleo@example.com, which this plan deletes`. */
function blockerOf(broken: readonly Naming[]): Blocker {
  const [{ named }] = broken as readonly [Naming];
  const names = broken.map(({ from, named: one }) => `${nameOf(from)} still ${one.relation} ${one.name}`);
  const targets = [...new Set(broken.map(({ named: one }) => one.name))];
  const fields = broken.map(({ from, named: one }) => `\`${one.field}\` of ${nameOf(from)}`);
  return {
    reason: `${names.join(', ')}, which this plan deletes`,
    remedy: `Declare ${targets.join(' and ')} again, or change ${fields.join(' and ')}.`,
    rule: named.rule,
  };
}

function nameOf(address: Address): string {
  return parseAddress(address)?.at(-1)?.name ?? address;
}
