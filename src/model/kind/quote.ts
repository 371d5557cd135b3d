// How a kind asks, before one of its objects is made, whether it can be had and what it costs.
import type { Json, JsonObject } from '../json.ts';
import type { Blocker } from './blocker.ts';
import type { Price } from '../price.ts';

/** Whether something can be had, and what it costs. */
export type Quote = { readonly price: Price } | { readonly blocker: Blocker };

/**
 * A question about each object that is about to be made, and about no other. It is put by a POST that the documents
 * describe as a question: it changes nothing, and may be repeated as a read may.
 */
export interface QuoteDefinition<Spec> {
  readonly path: string;
  readonly body: (desired: Partial<Spec>) => JsonObject;
  /** Throws {@link ShapeError} when an answer is not what the documents say. */
  readonly decode: (answer: Json, desired: Partial<Spec>) => Quote;
  readonly rule: string;
}
