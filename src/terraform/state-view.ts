// What a state keeps beside its attributes, where nobody looks: the snapshot of the last look, deflated.
import { deflateSync, inflateSync } from 'node:zlib';
import type { Check } from '../model/common/checks.ts';
import { isText, isTrue, listOf, objectOf } from '../model/common/checks.ts';
import type { Json } from '../model/json.ts';
import { isJsonObject, parseJson } from '../model/json.ts';
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

const isPath: Check = (value) => typeof value === 'string' && value.startsWith('/api/');

/** The check of each member but the snapshot. */
const CHECKS: Readonly<Record<Exclude<keyof Private, 'snapshot'>, Check>> = {
  account: isText,
  approved: listOf(isText),
  locks: listOf(isText),
  continued: isTrue,
  left: listOf(isText),
  told: listOf(isText),
  unmanaged: listOf(isText),
  isInSync: isTrue,
  fingerprint: objectOf({ paths: listOf(isPath), digest: isText }),
  imported: isTrue,
};

/** Returns the valid members of private data. It is only a memory: without it everything is read. */
export function fromPrivate(bytes: Uint8Array | undefined): Private {
  return readPrivate(bytes).kept;
}

/** Returns the valid members of private data, and the names of the invalid ones. */
export function readPrivate(bytes: Uint8Array | undefined): {
  readonly kept: Private;
  readonly invalid: readonly string[];
} {
  if (bytes === undefined || bytes.length === 0) return { kept: {}, invalid: [] };
  let value: Json | undefined;
  try {
    value = parseJson(inflateSync(bytes, { maxOutputLength: LONGEST }).toString('utf8'));
  } catch {
    // Not deflated: anything can be in a state.
  }
  if (!isJsonObject(value)) return { kept: {}, invalid: ['all of it'] };
  const kept: Record<string, unknown> = {};
  const invalid: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const read = checkedMember(name, member);
    if (read === undefined) invalid.push(name);
    else kept[name] = read;
  }
  return { kept, invalid };
}

function checkedMember(name: string, member: Json): unknown {
  if (name === 'snapshot') return checkedSnapshot(member);
  return Object.hasOwn(CHECKS, name) && CHECKS[name as keyof typeof CHECKS](member) ? member : undefined;
}

const LONGEST = 64 * 1024 * 1024;
