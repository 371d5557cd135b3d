// How a value that was read stands in a sentence of a kind.
import type { Json } from '../../model/json.ts';

/** A fact in a sentence. */
export function inWords(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
