// What is live: the members of a collection as they were read, or why they were not; how members are named and in which
// order they stand.
import type { Address } from '../address.ts';
import { addressOf, compareText } from '../address.ts';
import type { JsonObject } from '../json.ts';
import type { Blocker } from './blocker.ts';
import type { Fields } from './field.ts';
import type { FieldDoubt } from './notice.ts';
import type { Quote } from './quote.ts';
import type { Until } from './until.ts';

/** A live object, decoded. `spec` has every readable field, normalised; `computed` are known but never compared. */
export interface Member {
  readonly identity: string;
  readonly id: string;
  readonly spec: JsonObject;
  readonly computed: JsonObject;
  /** Natural keys by falling rank, as in `Desired.keys`. */
  readonly keys: readonly (readonly string[])[];
  /** Why what was read of this one cannot be relied on: nothing about it counts as known. */
  readonly doubt?: string;
  /** The identity of the member that this one is a copy of, with the same name and fields. */
  readonly duplicateOf?: string;
  /** Of a root: why nothing can be done with it for now, as a read of something in it showed. */
  readonly frozen?: Blocker;
  /** Of a bound root: only the ledger says that the manifest means this object. It is read and never written. */
  readonly unverified?: Blocker;
}

/** A member as its kind makes it from answers. */
export interface DecodedMember<Spec> {
  readonly id: string;
  /** Every field that can be read; what the platform never tells is left out. */
  readonly spec: Partial<Spec>;
  readonly computed?: JsonObject;
  readonly keys?: readonly (readonly string[])[];
  readonly doubt?: string;
}

/** A live object as its own kind sees it. */
export interface Live<Spec> {
  readonly spec: Spec;
  readonly computed: JsonObject;
}

/** A live member of the collection, as another one sees it. */
export type LiveNeighbour<Spec> = Pick<Member, 'identity' | 'computed'> & { readonly spec: Partial<Spec> };

/** Where an object lives that is declared in another parent. */
export interface Elsewhere {
  readonly parentId: string;
  readonly id: string;
}

/** What a read of a collection came to. A failed or incomplete read is `unknown`, never an empty list. */
export type Collection =
  | {
      readonly state: 'read';
      readonly members: readonly Member[];
      /** Identities that cannot be created here although they are absent, and why. */
      readonly blockers: Readonly<Record<string, Blocker>>;
      /** Declared identities that live in another parent, where the kind can be moved. */
      readonly elsewhere?: Readonly<Record<string, Elsewhere>>;
      /** There may be members beside these: what is there is known, what is missing is not, and nothing is removed. */
      readonly incomplete?: Incomplete;
      /** By declared identity, what may be wrong with a value of it: told where an action writes that field. */
      readonly doubts?: Readonly<Record<string, readonly FieldDoubt[]>>;
      /** What was answered about those that are about to be made, where the kind asks. */
      readonly quotes?: Readonly<Record<string, Quote>>;
      /** Read where something of the kind is about to be bought. */
      readonly purchases?: PurchaseOrders;
    }
  | Unread;

/** An order of the account that no manifest and no ledger entry accounts for. */
export interface PurchaseOrder {
  readonly id: string;
  readonly status: string;
  /** ISO time. */
  readonly createdAt: string;
  /** What the order is for, in messages. */
  readonly what: string;
  /** The id of the object that the order made. Absent: the order does not show one yet. */
  readonly objectId?: string;
  /** The natural key of the object that the order is for. Absent: the order names none. */
  readonly key?: string;
}

/** The orders that may be an earlier purchase, or why they could not be read. */
export type PurchaseOrders = { readonly orders: readonly PurchaseOrder[] } | { readonly unread: string };

/** Why a list may be cut off, and which of the declared identities, or of ours, are surely not there all the same. */
export interface Incomplete extends Blocker {
  readonly absent?: readonly string[];
}

/**
 * Why a collection was not read. `root`: why nothing can be done with the root it is in either. `deferred`: an action
 * on the object of `until` may make it readable; without such an action it is blocked.
 */
export type Unread = NotRead &
  (
    | {
        readonly state: 'unknown' | 'blocked' | 'waiting';
        readonly root?: Blocker;
        /** The feature is off for the account, so nothing of the kind is live. */
        readonly off?: true;
      }
    | { readonly state: 'deferred'; readonly until: Until }
  );

interface NotRead {
  readonly reason: string;
  readonly remedy: string;
  readonly rule?: string;
  /** The platform, or something behind it, does not work at present (any 5xx): nothing that a run does changes that. */
  readonly unavailable?: true;
}

/** The address of a member with this identity. */
export function memberAddress(
  collection: { readonly kind: string; readonly parent: Address | null },
  kind: { readonly list: string },
  identity: string,
): Address {
  return addressOf(collection.parent, collection.kind, kind.list === 'singleton' ? null : identity);
}

/** The field by which members of this kind are put in order, or undefined where order has no meaning. */
export function positionOf({ fields }: { readonly fields: Fields }): string | undefined {
  return Object.keys(fields).find((field) => fields[field]?.shape === 'position');
}

/**
 * The identities of all members: in live order where order is meaning, else sorted. Members that share a place stand by
 * name.
 */
export function siblingsOf(
  kind: { readonly fields: Fields },
  members: readonly Pick<Member, 'identity' | 'spec'>[],
): readonly string[] {
  const field = positionOf(kind);
  const place = ({ spec }: Pick<Member, 'spec'>): number => {
    const value = field === undefined ? 0 : spec[field];
    return typeof value === 'number' ? value : Infinity;
  };
  // Two without a place differ by nothing, not by Infinity minus Infinity.
  const compare = (left: number, right: number): number => (left === right ? 0 : left - right);
  return [...members]
    .sort((left, right) => compare(place(left), place(right)) || compareText(left.identity, right.identity))
    .map(({ identity }) => identity);
}
