// The lists that sections rest on only to find the object that they are in: read once for all who look within a moment.
import type { Clock } from '../model/clock.ts';
import type { Collection, Member } from '../model/kind/kind.ts';
import { pathSubject } from '../platform/request-url.ts';

/**
 * How old a list of owners may be, in milliseconds, for a read of a section that only needs the id of its owner. The
 * section itself is always read anew, and its response says if the owner was deleted.
 */
const SHARED_FOR_MS = 5000;

/** Lists of owners that the reads of one run share. */
export interface Owners {
  /** The list of a moment ago, or one that is on its way; undefined where it has to be read. */
  readonly known: (collection: string) => Promise<Collection> | undefined;
  /** This list is being read from now on. Where the read fails, it is not shared. */
  readonly learn: (collection: string, list: Promise<Collection>) => void;
  /** A request to this path was sent: it may have changed lists. */
  readonly sent: (path: string) => void;
  readonly forget: () => void;
  /** Kinds whose sections use more of their owner than its id: for these the owner is read anew each time. */
  readonly kindsUsingOwner: Set<string>;
}

/** Owners of one run, none of them known yet. */
export function createOwners(clock: Clock): Owners {
  const lists = new Map<string, { readonly atMs: number; readonly list: Promise<Collection> }>();
  const drop = (collection: string, list: Promise<Collection>): void => {
    if (lists.get(collection)?.list === list) lists.delete(collection);
  };
  return {
    known: (collection) => {
      const found = lists.get(collection);
      return found !== undefined && clock.now() - found.atMs < SHARED_FOR_MS ? found.list : undefined;
    },
    learn: (collection, list) => {
      lists.set(collection, { atMs: clock.now(), list });
      list.then(
        ({ state }) => {
          if (state !== 'read') drop(collection, list);
        },
        () => drop(collection, list),
      );
    },
    // What is written inside an object changes its row at most, and makes no object come or go.
    sent: (path) => {
      if (!pathSubject(path).isInside) lists.clear();
    },
    forget: () => lists.clear(),
    kindsUsingOwner: new Set(),
  };
}

/** A member that notices when anything but its id is looked at. */
export interface WatchedMember {
  readonly member: Member;
  /** True once anything else of it was looked at. */
  readonly isUsed: () => boolean;
}

/** Watches whether what is read inside an object rests on more of it than its id. */
export function watchUse(whole: Member): WatchedMember {
  let used = false;
  const member = new Proxy(whole, {
    get: (target, name) => {
      if (name !== 'id') used = true;
      return target[name as keyof Member];
    },
    ownKeys: (target) => {
      used = true;
      return Reflect.ownKeys(target);
    },
  });
  return { member, isUsed: () => used };
}
