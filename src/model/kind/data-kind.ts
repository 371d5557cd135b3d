// What a manifest is that stands for nothing live: plain data, written once and named by others, in whose specs it then
// stands.

export interface DataKind {
  readonly kind: string;
}

/** All of them by name. */
export type DataKinds = ReadonlyMap<string, DataKind>;

/** Where no manifest can be plain data. */
export const NO_DATA_KINDS: DataKinds = new Map();
