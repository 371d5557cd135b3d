// How views read: each list once, the same way as plan; a read that fails beside others is told, and never taken for
// nothing.
import type { Json, JsonObject } from '../../model/json.ts';
import type { Absences, ReadContext } from '../../model/kind/kind.ts';
import { rowsAt, ShapeError } from '../../model/kind/rows.ts';
import type { NotRead } from '../../model/shown.ts';
import { LISTS } from '../../areas/index.ts';
import { createReader } from '../../observe/reader.ts';
import { isAbsence } from '../../observe/unread.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Client } from '../../platform/http.ts';
import { reasonOf } from '../act/problem.ts';

export type ListName = keyof typeof LISTS;

/** What is shown, and how far it is narrowed. */
export interface Wish {
  readonly query?: string;
  readonly status?: string;
  /** `YYYY-MM-DD` */
  readonly date?: string;
  readonly limit?: number;
  /** Values that cost a request a row are wanted too. */
  readonly detailed: boolean;
  /** Somebody waits for what moves. */
  readonly watching: boolean;
  /** Tokens of carts that the ledger knows. */
  readonly carts: readonly string[];
}

/** A read beside others: its answer, or why there is none. `none`: the documents say that there is nothing then. */
export type Attempt =
  | { readonly is: 'read'; readonly answer: Json }
  | { readonly is: 'none'; readonly code: string | null }
  | { readonly is: 'unknown'; readonly reason: string; readonly code?: string };

export interface Look extends Wish {
  readonly account: string;
  /** Rejects with the client's ApiError. */
  readonly read: (path: string) => Promise<Json>;
  readonly attempt: (path: string, absences?: Absences) => Promise<Attempt>;
  /** The rows of a list that are the account's. Rejects when it cannot be read. */
  readonly list: (name: ListName, query?: string) => Promise<readonly JsonObject[]>;
  /** Tells that something could not be read, and goes on. */
  readonly miss: (missed: NotRead) => void;
  readonly missed: readonly NotRead[];
  /** Tells that there is more than is shown, because of the limit. */
  readonly cut: (cut: Cut) => void;
  readonly cuts: readonly Cut[];
  /** Keeps names that there are, for a suggestion. */
  readonly know: (names: readonly string[]) => void;
  readonly known: readonly string[];
}

/** `of` is undefined where nobody knows how many there are. */
export interface Cut {
  readonly shown: number;
  readonly of: number | undefined;
}

const ALL: Wish = { detailed: false, watching: false, carts: [] };

/** A look at the account as it is now. */
export function createLook(client: Pick<Client, 'read'>, account: string, wish = ALL): Look {
  const reader = createReader(client);
  const missed: NotRead[] = [];
  const cuts: Cut[] = [];
  const known: string[] = [];
  const context: ReadContext = {
    account,
    parent: null,
    declared: {
      collection: '',
      kind: '',
      parent: null,
      members: [],
      unlisted: 'keep',
      protect: false,
      partial: true,
      sourceOf: () => undefined,
    },
    owned: new Set(),
    answers: {},
  };
  return {
    ...wish,
    account,
    missed,
    miss: (one) => missed.push(one),
    cuts,
    cut: (one) => cuts.push(one),
    known,
    know: (names) => known.push(...names),
    read: (path) => client.read(path),
    attempt: async (path, absences = []) => {
      try {
        return { is: 'read', answer: await client.read(path) };
      } catch (error) {
        return failed(error, absences);
      }
    },
    list: async (name, query) => {
      const path = LISTS[name].path();
      const asked =
        query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}q=${encodeURIComponent(query)}`;
      return rowsAt(await reader.answer(LISTS[name], asked, context));
    },
  };
}

/** Why a read came to nothing; what concerns the whole run, and our own bugs, go on. */
export function failed(error: unknown, absences: Absences = []): Exclude<Attempt, { readonly is: 'read' }> {
  if (error instanceof ShapeError)
    return { is: 'unknown', reason: `the answer is not what the documents say: ${error.message}` };
  if (!(error instanceof ApiError) || error.kind === 'unauthorised') throw error;
  return isAbsence(absences, error)
    ? { is: 'none', code: error.code }
    : { is: 'unknown', reason: reasonOf(error), ...(error.code !== null && { code: error.code }) };
}
