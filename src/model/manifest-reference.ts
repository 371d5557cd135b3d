// How one manifest names another: `{ ref: Kind/name }`, with `output` where it is one value of it that is meant.
import type { Address } from './address.ts';
import type { Json } from './json.ts';
import { isJsonObject } from './json.ts';

/** A value of a manifest that stands for another object, or for something of it. */
export interface ManifestReference {
  readonly ref: Address;
  readonly output?: string;
}

/** A reference and where in the spec it was written. */
export interface PlacedReference extends ManifestReference {
  readonly pointer: string;
}

/** The reference that a value is; no field of any schema but that of a reference is called `ref`. */
export function manifestReference(value: Json | undefined): ManifestReference | undefined {
  if (!isJsonObject(value) || typeof value.ref !== 'string') return undefined;
  const { ref, output, ...others } = value;
  if (Object.keys(others).length > 0 || (output !== undefined && typeof output !== 'string')) return undefined;
  return { ref, ...(output !== undefined && { output }) };
}

/** True when a place is another one, or in it. */
export function isWithin(pointer: string, place: string): boolean {
  return pointer === place || pointer.startsWith(`${place}/`);
}
