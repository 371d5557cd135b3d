// What it is that something waits for in the same run.
import type { Address } from '../address.ts';

/**
 * The object of this kind around it, or the only one beside it, once this field of it is written; or any object, once
 * it is made.
 */
export type Until = FieldUntil | { readonly address: Address };

export interface FieldUntil {
  readonly kind: string;
  readonly field: string;
}
