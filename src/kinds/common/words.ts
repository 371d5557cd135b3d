// Decides how a value that was read stands in a sentence of a kind. Must not decide the sentence, nor escape anything:
// reports do.
import type { Json } from '../../model/json.ts';

/** A fact in a sentence. */
export function inWords(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
