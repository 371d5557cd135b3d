// What is known of a request, and what the rules of a site say of it.
import type { Address } from '../address.ts';
import type { JsonObject } from '../json.ts';

/** What is known of a request beside its address. What is absent is not known. */
export interface Visitor {
  /** In capitals. */
  readonly method?: string;
  /** Two capital letters. */
  readonly country?: string;
  readonly ip?: string;
  /** By name, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
}

export interface TracedRequest extends Visitor {
  readonly url: URL;
}

/** Whether something is so, or what it would take to know. */
export type Truth = boolean | { readonly unknown: readonly string[] };

/** What a visitor gets in place of the page. */
export type TracedAnswer = { readonly redirect: string } | { readonly block: true } | { readonly challenge: true };

/** Seconds for which an answer is kept, at the edge and by browsers; -1 follows the origin. */
export type CacheTimes = Partial<Readonly<Record<'cacheTime' | 'browserCacheTime', number>>>;

/** What one rule, list or section says of a request. */
export interface Traced {
  /** Where it stands in the spec of its root. */
  readonly pointer: string;
  /** null for the only one of its kind. */
  readonly name: string | null;
  readonly held: Truth;
  /** What it does with what it matches, as a manifest writes it. */
  readonly does: readonly JsonObject[];
  readonly answer?: TracedAnswer;
  readonly sets?: CacheTimes;
  /** Part of Shield, which an edge rule or another rule of Shield may let a request past. */
  readonly isShield?: true;
  /** What a request that it matches goes past, such as `Shield`. */
  readonly letsPast?: string;
  /** What becomes of a request that it matches, where the API does not show that: in words. */
  readonly effect?: string;
}

/** What is certain of an answer; `unknown`: why nothing is, in whole sentences. */
export type Verdict = TracedAnswer | { readonly passes: true } | { readonly unknown: readonly string[] };

export interface TracedKind {
  readonly kind: string;
  readonly entries: readonly Traced[];
}

export interface Trace {
  readonly root: Address;
  readonly kinds: readonly TracedKind[];
  readonly answer: Verdict;
  /** Rules and lists of Shield that may match and change the answer: in whole sentences. */
  readonly unless: readonly string[];
  readonly times: Partial<Readonly<Record<keyof CacheTimes, number | { readonly unknown: readonly string[] }>>>;
  /** Sections that were not all read, or that no manifest has all of. */
  readonly notRead: readonly string[];
}

/** A test of a manifest that was tried; without failures it passed. */
export interface TriedTest {
  readonly root: Address;
  /** Where it stands in the spec of its root. */
  readonly pointer: string;
  /** As it is written. */
  readonly url: string;
  /** What is not as it is expected, in whole sentences. */
  readonly failures: readonly string[];
}
