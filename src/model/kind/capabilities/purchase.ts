// How a paid kind tells its live objects and orders apart, so that an object of a lost purchase is found before another
// one is bought (ORD-43).
import type { Json } from '../../json.ts';
import type { Member } from '../collection.ts';

/** What an order view says about the object that the order is for. */
export interface OrderedObject {
  /** The id of the object. Absent: the order does not show one yet. */
  readonly id?: string;
  /** Names the object in messages, such as `a site in ams`. */
  readonly what: string;
  /** The natural key of the object, as in the first rank of `Desired.keys`. Absent: the order names none. */
  readonly key?: string;
}

export interface PurchaseDefinition {
  /** Names a live object in messages: its hostname and creation time, as far as its list shows them. */
  readonly describe: (member: Member) => string;
  /**
   * Returns true if a natural key shows which manifest a live object belongs to: such an object cannot be the result of
   * a lost purchase under another name, so it blocks none (ORD-43).
   */
  readonly hasNaturalKey: (member: Member) => boolean;
  /** Returns what an order view is for, or null if it is for another kind. */
  readonly ordered: (view: Json) => OrderedObject | null;
}
