// Everything that a plan is made from.
import type { Address } from '../model/address.ts';
import type { DesiredCollection } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { invariant } from '../model/invariant.ts';
import type { Collection, Kind, Member, Registry } from '../model/kind/kind.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { Coverage } from '../model/plan/plan.ts';
import type { Objection } from '../model/secret-sink.ts';

export interface PlanInput {
  readonly account: string;
  readonly registry: Registry;
  readonly declared: readonly DesiredCollection[];
  /** What all manifests want, where only some of them are planned. Absent: `declared` is all. */
  readonly allDeclared?: readonly DesiredCollection[];
  /** What was read, by collection. */
  readonly observed: ReadonlyMap<string, Collection>;
  /** Live objects of roots, by address. */
  readonly bound: ReadonlyMap<Address, Member>;
  readonly ledger: LedgerView;
  /** Empty: everything. */
  readonly targets: readonly Address[];
  /** The plan lists what is in flight in these roots only: other runs have begun the rest, and end it. Absent: in all. */
  readonly unfinishedOf?: ReadonlySet<Address>;
  /** What the plan is limited to, to be said with it. */
  readonly covers?: Coverage;
  /**
   * Why what an answer tells only once cannot be kept where it is declared to go, by the address of what would be made.
   */
  readonly unwritableSecrets?: ReadonlyMap<Address, Objection>;
  /** When the account was read, for what is only a matter of time. Absent: nothing is said of that. */
  readonly nowMs?: number;
  /** Ids of unbound paid objects and orders that block no purchase. Absent: purchases are not checked for them. */
  readonly dismissed?: ReadonlySet<string>;
  /** What was noticed before planning, to be said with the plan. */
  readonly notices: readonly Diagnostic[];
}

/** A collection that could be read. */
export type ReadCollection = Extract<Collection, { readonly state: 'read' }>;

/** The kind of what is declared in a collection. */
export function kindOfCollection(
  { registry }: Pick<PlanInput, 'registry'>,
  { kind: name }: Pick<DesiredCollection, 'kind'>,
): Kind {
  const kind = registry.get(name);
  invariant(kind !== undefined, `no kind ${name}`);
  return kind;
}

const byAddress = new WeakMap<readonly DesiredCollection[], ReadonlyMap<string, DesiredCollection>>();

/** The declared collection of this address. Indexed, because it is asked for once for each of the others. */
export function declaredCollection(
  { declared }: Pick<PlanInput, 'declared'>,
  collection: string,
): DesiredCollection | undefined {
  const known = byAddress.get(declared);
  if (known !== undefined) return known.get(collection);
  const made = new Map(declared.map((one) => [one.collection, one]));
  byAddress.set(declared, made);
  return made.get(collection);
}

/** True where an earlier run has sent a request for this object and does not know its end. */
export function isInFlight({ ledger }: { readonly ledger: Pick<LedgerView, 'inFlight'> }, address: Address): boolean {
  return ledger.inFlight.some(({ action }) => action.address === address);
}
