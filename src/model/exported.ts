// What is told of an export: each manifest that was written for what is live, and what was not written, and why.
import type { Address } from './address.ts';
import type { LeftOut, Comment } from './kind/to-manifest.ts';
import type { Json } from './json.ts';

export const EXPORT_FORMAT = 'hostwright.export/1';

/** A manifest for what is live. */
export interface Exported {
  readonly address: Address;
  /** Relative to the folder that all of them are written to. */
  readonly file: string;
  readonly manifest: Json;
  readonly text: string;
  readonly comments: readonly Comment[];
}

/** What is live and stands in no manifest that is written, and why; `reason` is absent for what is empty or off. */
export interface NotExported extends Pick<LeftOut, 'reason' | 'unknown'> {
  readonly address: Address;
  /** The place in its spec; absent: all of it. */
  readonly what?: string;
}
