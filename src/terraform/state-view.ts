// What a state keeps beside its attributes, where nobody looks: the snapshot of the last look, deflated.
import { deflateSync, inflateSync } from 'node:zlib';
import type { Snapshot } from '../usecases/one-root/snapshot.ts';

/** What `private` of a resource holds. */
export interface Private {
  readonly snapshot?: Snapshot;
  /** Of a plan: the digests of its actions. */
  readonly approved?: readonly string[];
  /** Of a plan: the locks that they hold. */
  readonly locks?: readonly string[];
  /** Of a plan: making it was begun before, and goes on; what was to come after it then was reviewed then. */
  readonly continued?: true;
  /** Places of the state that nobody manages. */
  readonly beside?: readonly string[];
  /** It was just imported: everything of it is read. */
  readonly imported?: true;
}

export function toPrivate(content: Private): Buffer {
  return deflateSync(JSON.stringify(content), { level: 9 });
}

/** Nothing where there is nothing, or nothing that this version understands: it is only a memory. */
export function fromPrivate(bytes: Uint8Array | undefined): Private {
  if (bytes === undefined || bytes.length === 0) return {};
  try {
    return JSON.parse(inflateSync(bytes, { maxOutputLength: LONGEST }).toString('utf8')) as Private;
  } catch {
    return {};
  }
}

const LONGEST = 64 * 1024 * 1024;
