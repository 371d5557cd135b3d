// A purchase that an object or order of the account may already be the result of. "The ledger is complete" is only what a
// person once stated: an older, moved or newly begun ledger would buy a second object (ORD-43). So a live object of the
// kind that nothing is bound to blocks the purchase, whatever its age, until a manifest binds it or the workspace
// dismisses it.
import { collectionOf, kindOf, parentOf } from '../../model/address.ts';
import { plural } from '../../model/common/count.ts';
import type { Blocker, Kind, Member } from '../../model/kind/kind.ts';
import type { PurchaseOrder } from '../../model/kind/kind.ts';
import { isInState } from '../../model/kind/kind.ts';
import type { UnorderedAction } from '../../model/plan/plan.ts';
import { bindRoots } from '../bind.ts';
import type { PlanInput } from '../plan-input.ts';
import type { Filter } from './filter.ts';

const RULE = 'ORD-43';

export const purchaseUnproven: Filter = (input) => {
  const { dismissed, registry } = input;
  if (dismissed === undefined) return () => null;
  return (action) => {
    const { address, kind: name, verb, risk } = action;
    const kind = registry.get(name);
    const isPurchase = parentOf(address) === null && verb === 'create' && risk.includes('charge');
    return kind?.capabilities.paid === undefined || !isPurchase ? null : blockerOf(input, kind, action);
  };
};

function blockerOf(input: PlanInput, kind: Kind, { address }: UnorderedAction): Blocker | null {
  const live = input.observed.get(collectionOf(address));
  if (live?.state !== 'read') return null;
  const { purchases } = live;
  if (purchases !== undefined && 'unread' in purchases)
    return {
      reason: `the orders of the account could not be read, so an earlier purchase of it cannot be ruled out: ${purchases.unread}`,
      remedy: 'Run plan again. Use a credential that may read orders (billing:read).',
      rule: RULE,
      as: 'unknown',
    };
  const objects = anonymousRoots(input, kind);
  const orders = (purchases?.orders ?? []).filter((order) => mayBe(input, address, order));
  return objects.length + orders.length === 0 ? null : unbound(kind, objects, orders);
}

/** Returns the live roots of a kind that no manifest, ledger entry or dismissal accounts for. */
export function unboundRoots(
  {
    declared,
    allDeclared = declared,
    observed,
    ledger,
    dismissed,
  }: Pick<PlanInput, 'declared' | 'allDeclared' | 'observed' | 'ledger' | 'dismissed'>,
  kind: Kind,
): readonly Member[] {
  const live = observed.get(kind.kind);
  const roots = allDeclared.find(({ collection }) => collection === kind.kind);
  if (live?.state !== 'read' || roots === undefined) return [];
  const known = new Set([
    ...[...bindRoots(roots, live.members, ledger).bound.values()].map(({ id }) => id),
    ...[...ledger.objects.values()].flatMap(({ address, id }) =>
      parentOf(address) === null && kindOf(address) === kind.kind ? [id] : [],
    ),
    ...ledger.inFlight.flatMap(({ answered }) => Object.values(answered).flatMap(({ id }) => id ?? [])),
    ...(dismissed ?? []),
  ]);
  return live.members.filter((member) => !known.has(member.id) && !isInState(kind, member, 'deleting'));
}

/** True unless the natural key of the order shows that it is for something else. */
function mayBe({ declared }: PlanInput, address: string, { key }: PurchaseOrder): boolean {
  const desired = declared.flatMap(({ members }) => members).find((member) => member.address === address);
  const keys = desired?.keys[0] ?? [];
  return key === undefined || keys.length === 0 || keys.includes(key);
}

function unbound(kind: Kind, objects: readonly Member[], orders: readonly PurchaseOrder[]): Blocker {
  const named = [
    ...objects.map((member) => describeObject(kind, member)),
    ...orders.map((order) => describeOrder(order)),
  ];
  const ids = [...objects.map(({ id }) => id), ...orders.map(({ id }) => id)];
  const bind =
    objects.length === 0
      ? 'If the order is for this object, wait for its end and write the id of the object as `metadata.id`.'
      : 'If one of them is this object, write its id as `metadata.id` of the manifest.';
  return {
    reason: `the account has ${plural(named.length, `${kind.kind} object or order`, `${kind.kind} objects or orders`)} that no manifest and no ledger entry names, and an earlier purchase of this one may be among them: ${named.join('; ')}`,
    remedy: `${bind} If the account has them for other reasons, dismiss them in hostwright.yaml: \`dismissed: [${ids.join(', ')}]\` below \`spec:\`.`,
    rule: RULE,
  };
}

/** Names a live paid object with what tells it from others. */
export function describeObject({ capabilities: { paid } }: Kind, member: Member): string {
  return paid?.describe(member) ?? member.id;
}

function describeOrder({ id, status, createdAt, what, objectId }: PurchaseOrder): string {
  const made = objectId === undefined ? what : `${what}, ${objectId}`;
  return `order ${id} (${status}, ${made}, created ${createdAt})`;
}

/** An object or order that no manifest, ledger entry or dismissal accounts for. */
export interface Unaccounted {
  readonly id: string;
  readonly described: string;
}

/** Returns what would block a purchase of this kind. */
export function unaccountedFor(input: Parameters<typeof unboundRoots>[0], kind: Kind): readonly Unaccounted[] {
  const live = input.observed.get(kind.kind);
  const orders =
    live?.state === 'read' && live.purchases !== undefined && 'orders' in live.purchases ? live.purchases.orders : [];
  return [
    ...anonymousRoots(input, kind).map((member) => ({ id: member.id, described: describeObject(kind, member) })),
    ...orders.map((order) => ({ id: order.id, described: describeOrder(order) })),
  ];
}

function anonymousRoots(input: Parameters<typeof unboundRoots>[0], kind: Kind): readonly Member[] {
  return unboundRoots(input, kind).filter((member) => kind.capabilities.paid?.hasNaturalKey(member) === false);
}
