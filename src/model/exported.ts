// Decides what is told of an export: each manifest that was written for what is live, and what was not written, and
// why. Must not hold what the account said beyond that.
import type { Address } from './address.ts';
import type { LeftOut, Note } from './kind/to-manifest.ts';
import type { Json } from './json.ts';

export const EXPORT_FORMAT = 'hostwright.export/1';

/** A manifest for what is live. */
export interface Exported {
  readonly address: Address;
  /** Relative to the folder that all of them are written to. */
  readonly file: string;
  readonly manifest: Json;
  readonly text: string;
  readonly notes: readonly Note[];
}

/** What is live and stands in no manifest that is written, and why; `because` is absent for what is empty or off. */
export interface NotExported extends Pick<LeftOut, 'because' | 'unknown'> {
  readonly address: Address;
  /** The place in its spec; absent: all of it. */
  readonly what?: string;
}
