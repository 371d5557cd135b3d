// What `get` shows: rows of one kind, each value typed, so that every form (table, JSON, YAML) prints it in its own way.
import type { NotRead } from './generated/output/get.ts';
import type { JsonObject } from './json.ts';

export type { NotRead } from './generated/output/get.ts';

/**
 * A value of a row. null: the platform shows none. `unknown`: it was asked for and could not be read, which is not the
 * same.
 */
export type ShownValue =
  | null
  | string
  | number
  | boolean
  /** A moment; `day`: of which people want to know how far away it is. */
  | { readonly is: 'time' | 'day'; readonly at: string }
  /** The documents name no currency for some prices. `per`: the term that it is paid for. */
  | { readonly is: 'money'; readonly cents: number; readonly currency?: string; readonly per?: string }
  | { readonly is: 'megabytes'; readonly megabytes: number }
  | { readonly is: 'list'; readonly items: readonly string[] }
  | { readonly is: 'unknown'; readonly reason: string };

export interface ShownColumn {
  /** As people read it: `primary domain`. */
  readonly heading: string;
  /** As programs read it: `primaryDomain`. */
  readonly name: string;
  /** Only with `-o wide`, and in JSON and YAML. */
  readonly wide: boolean;
}

export interface ShownRow {
  /** Its id on the platform. */
  readonly id: string;
  /** Values by the names of columns. */
  readonly values: Readonly<Record<string, ShownValue>>;
  /** What the platform answered, without secrets. */
  readonly object: JsonObject;
}

export interface Shown {
  /** Such as `sites`. */
  readonly kind: string;
  readonly columns: readonly ShownColumn[];
  readonly rows: readonly ShownRow[];
  readonly notRead: readonly NotRead[];
}

export const GET_FORMAT = 'hostwright.get/1';

/** The format of what `get --raw PATH` prints as JSON and as YAML. */
export const API_FORMAT = 'hostwright.api/1';

/** Options that narrow what is shown. */
const NARROWINGS = ['site', 'mailspace', 'registration', 'query', 'status', 'date', 'limit'] as const;
type Narrowing = (typeof NARROWINGS)[number];

/** The options of `get` that only some kinds take. */
export const GET_OPTIONS = [...NARROWINGS, 'since', 'until', 'filter', 'chart'] as const;
export type GetOption = (typeof GET_OPTIONS)[number];

/** Those that name one object, in which alone is looked. */
export const WITHIN = ['site', 'mailspace', 'registration'] as const satisfies readonly Narrowing[];

/** What is narrowed, and to what; names as a person wrote them. */
export type Narrowed = Readonly<Partial<Record<Exclude<Narrowing, 'limit'>, string>>> & { readonly limit?: number };

/**
 * A kind that `get` shows, by all the names that people may call it: plural, singular, short, and what manifests say.
 * Data alone: the command line reads it for help and completion, before anything else is loaded.
 */
export interface GetKind {
  /** Plural, such as `sites`. */
  readonly kind: string;
  readonly singular: string;
  readonly short: readonly string[];
  /** What is shown of it, in a few words. */
  readonly shows: string;
  readonly takes: readonly GetOption[];
  /** Something of it moves by itself: it can be watched. */
  readonly moves: boolean;
  /** It is read by name only, and takes several names. */
  readonly isNamed?: true;
  /** The kind of manifest whose names it takes beside its own. */
  readonly manifest?: string;
  /** How many rows are shown where `--limit` says nothing. */
  readonly limit?: number;
}

/** As an area writes it: plural, singular and short names; what is shown. */
export type GetKindRow = readonly [
  names: readonly [string, string, ...string[]],
  shows: string,
  more?: Partial<Pick<GetKind, 'takes' | 'moves' | 'manifest' | 'limit' | 'isNamed'>>,
];
