// What a state keeps beside its attributes, where nobody looks: the snapshot of the last look, deflated.
import { deflateSync, inflateSync } from 'node:zlib';
import type { Plan } from '../model/plan/plan.ts';
import { isEmptyPlan } from '../model/plan/plan.ts';
import type { Snapshot } from '../usecases/one-root/snapshot.ts';
import { checkedSnapshot } from '../usecases/one-root/snapshot.ts';
import type { Fingerprint } from '../usecases/one-root/fingerprint.ts';
import type { ResourceTable } from './value/attribute.ts';
import { unmanagedPlaces, withoutPlaces } from './value/convert.ts';
import type { ValueObject } from './value/cty.ts';

/** What `private` of a resource holds. */
export interface Private {
  /** The account that the object belongs to; absent in the private data of earlier versions. */
  readonly account?: string;
  readonly snapshot?: Snapshot;
  /** Of a plan: the digests of its actions. */
  readonly approved?: readonly string[];
  /** Of a plan: the locks that they hold. */
  readonly locks?: readonly string[];
  /** Of a plan: making it was begun before, and goes on; what was to come after it then was reviewed then. */
  readonly continued?: true;
  /** Of a plan: what it says that it cannot do. */
  readonly left?: readonly string[];
  /** Of a plan: hashes of the warnings that it has told. */
  readonly told?: readonly string[];
  /** Places of the state that nobody manages. */
  readonly unmanaged?: readonly string[];
  /** When it was last read, it was as declared: there was nothing to do. */
  readonly isInSync?: true;
  /** What a read of this very state rested on. */
  readonly fingerprint?: Fingerprint;
  /** It was just imported: everything of it is read. */
  readonly imported?: true;
}

/** What is kept of a look at what is there. `managed`: what of the state that is. */
export function privateOf(
  { fields }: ResourceTable,
  { snapshot, plan }: { readonly snapshot: Snapshot; readonly plan?: Plan },
  {
    managed,
    state,
    fingerprint,
    account,
  }: {
    readonly account: string;
    readonly managed: ValueObject;
    readonly state: ValueObject;
    readonly fingerprint?: Fingerprint | undefined;
  },
): Buffer {
  const unmanaged = unmanagedPlaces(fields, managed, state);
  const isInSync = plan !== undefined && isEmptyPlan(plan);
  return toPrivate({
    account,
    snapshot,
    unmanaged,
    ...(isInSync && { isInSync }),
    ...(isInSync && fingerprint !== undefined && { fingerprint }),
  });
}

/** What of a state is managed. */
export function managedOf({ fields }: ResourceTable, state: ValueObject, { unmanaged }: Private): ValueObject {
  return withoutPlaces(fields, state, new Set(unmanaged));
}

export function toPrivate(content: Private & { readonly account: string }): Buffer {
  return deflateSync(JSON.stringify(content), { level: 9 });
}

/** Nothing where there is nothing, or nothing that this version understands: it is only a memory. */
export function fromPrivate(bytes: Uint8Array | undefined): Private {
  if (bytes === undefined || bytes.length === 0) return {};
  try {
    const kept = JSON.parse(inflateSync(bytes, { maxOutputLength: LONGEST }).toString('utf8')) as Private;
    return kept.snapshot === undefined ? kept : { ...kept, snapshot: checkedSnapshot(kept.snapshot) };
  } catch {
    return {};
  }
}

const LONGEST = 64 * 1024 * 1024;
