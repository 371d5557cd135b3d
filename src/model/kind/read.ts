// How a kind says which requests it reads its objects by.
import type { DesiredCollection } from '../desired.ts';
import type { Json } from '../json.ts';
import type { Member } from './collection.ts';

/** Documented refusals that mean that there is nothing to read. With the code null any code will do. */
export type Absences = readonly (readonly [status: number, code: string | null])[];

export type Answers = Readonly<Record<string, Json | undefined>>;

/** `Parent`: null for roots, a member for what is in one. */
export interface ReadContext<Parent extends Member | null = Member | null> {
  readonly account: string;
  /** The bound live parent. */
  readonly parent: Parent;
  readonly declared: DesiredCollection;
  /** Identities in this collection that the ledger shows to be ours. */
  readonly owned: ReadonlySet<string>;
  /** Of roots: the ids that the manifests, the ledger or the run know them by. */
  readonly ids?: readonly string[];
  /** Of what is in a root: the id by which the ledger or the run knows a member; a list may not show it. */
  readonly idOf?: (identity: string) => string | undefined;
  /** Answers of the reads named in `after`. */
  readonly answers: Answers;
  /**
   * Nothing is wanted, these members are looked at, for these fields of theirs: what an action changes, or has changed.
   */
  readonly observedFields?: ReadonlyMap<string, readonly string[]>;
  /** Every member is looked at, for every field that can be read: what is live is to be written down. */
  readonly whole?: true;
}

/** What a child is read with: its parent is there. */
export type ChildContext = ReadContext<Member>;

/** One read that a collection rests on. Equal paths are read once per run, whoever asks. */
export interface ReadSpec<Parent extends Member | null = Member | null> {
  /**
   * The path, or null when it is not needed here. Several, where lists say too little: the answer is then the list of
   * their answers, or, where each has a name, the answers by name.
   */
  readonly path: (context: ReadContext<Parent>) => string | readonly string[] | Readonly<Record<string, string>> | null;
  /** Pointer to the list in the answer; the answer of this read is then that list. */
  readonly rows?: string;
  /** Only the rows that have one of these values at this pointer; indexed once per answer. */
  readonly where?: {
    /** `hostname`: to that of a hostname, however it is written. */
    readonly pointer: string | { readonly hostname: string };
    readonly equals: (context: ReadContext<Parent>) => string | readonly string[];
  };
  /**
   * unsure: the documents do not say whether this list is paged (GAP-06), and one of exactly 50 or 100 rows is read on.
   * A pointer: it is read page by page until one is empty (PNL-11), and the text there tells its rows apart.
   */
  readonly pages?: 'unsure' | `/${string}`;
  /**
   * Errors after which the answer of this read is null, and `decode` says what that means; `any`: whatever the error is,
   * this read is not needed for certain.
   */
  readonly absences?: Absences | 'any';
  /** Reads that come first because this one depends on what they say. */
  readonly after?: readonly string[];
}
