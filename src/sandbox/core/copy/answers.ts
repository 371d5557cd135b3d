// Answers that somebody has read from an account: what a copy of it is made from. Whatever is not among them is not
// known to the copy, and says so as soon as anything looks at it.
import { isRecord } from '../http/endpoint.ts';
import type { Row } from '../http/endpoint.ts';
import type { Site, State } from '../state.ts';

export interface ReadAnswer {
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  /** What was asked, where it was a POST that changes nothing. */
  readonly asked?: unknown;
  readonly status: number;
  /** Where it was refused. */
  readonly code?: string | null;
  readonly body?: unknown;
}

/** Thrown where something is looked at that was not read: the request that needs it cannot be played. */
export class NotRead extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`not read: ${what}`);
    this.what = what;
  }
}

/** The answers by the path that was asked, pages together. They belong to whoever read them and are never changed. */
export class Answers {
  private readonly byPath = new Map<string, ReadAnswer[]>();

  readonly all: readonly ReadAnswer[];

  constructor(all: readonly ReadAnswer[]) {
    this.all = all;
    for (const answer of all) {
      if (answer.method !== 'GET') continue;
      const [path = ''] = answer.path.split('?');
      const pages = this.byPath.get(path);
      if (pages === undefined) this.byPath.set(path, [answer]);
      else pages.push(answer);
    }
  }

  /** What a path answered with success; undefined: it was not read, or refused. */
  body(path: string): unknown {
    return this.byPath.get(path)?.find(({ status }) => status === 200)?.body;
  }

  object(path: string): Row | undefined {
    const body = this.body(path);
    return isRecord(body) ? body : undefined;
  }

  /** How a path was refused; undefined: it was not read, or answered with success. */
  refusal(path: string): ReadAnswer | undefined {
    return this.byPath.get(path)?.find(({ status }) => status >= 400);
  }

  /** The rows of a list under one of these keys, or bare, of all its pages; undefined: not all of it is known. */
  rows(path: string, ...keys: readonly string[]): readonly Row[] | undefined {
    const pages = this.byPath.get(path)?.filter(({ path: whole }) => !/[?&](q|domain)=/.test(whole));
    if (pages === undefined || pages.length === 0 || pages.some(({ status }) => status !== 200)) return undefined;
    // GAP-06: where lists have no pages each page is all of it.
    const found = new Map<unknown, Row>();
    for (const { body } of pages) {
      const list = listIn(body, keys);
      if (list === undefined) return undefined;
      for (const row of list) found.set(pages.length === 1 ? row : (row['id'] ?? row['username'] ?? row), row);
    }
    return [...found.values()];
  }

  /** Whether a list has pages, where it was asked for a second one. */
  isPaged(path: string): boolean {
    const [first, second] = this.byPath.get(path) ?? [];
    return second !== undefined && JSON.stringify(first?.body).length !== JSON.stringify(second.body).length;
  }

  /** The ids of the sites of which this part was read. */
  sitesWith(part: string): readonly string[] {
    return [...this.byPath.keys()].flatMap((path) => {
      const [, site, rest] = /^\/api\/sites\/([^/]+)\/(.+)$/.exec(path) ?? [];
      return site !== undefined && rest === part && this.body(path) !== undefined ? [site] : [];
    });
  }
}

/** null is an empty list. */
function listIn(body: unknown, keys: readonly string[]): readonly Row[] | undefined {
  if (Array.isArray(body)) return body.filter(isRecord);
  if (!isRecord(body)) return undefined;
  for (const key of keys) {
    const list = body[key];
    if (list === null) return [];
    if (Array.isArray(list)) return list.filter(isRecord);
  }
  return undefined;
}

/** Makes parts of a stored object unknown: a look at one of them throws; a write makes it known. */
export function unread<Owner extends object>(owner: Owner, what: string, ...keys: readonly (keyof Owner)[]): void {
  for (const key of keys)
    Object.defineProperty(owner, key, {
      configurable: true,
      // What is copied or shown whole goes without it.
      enumerable: false,
      get: () => {
        throw new NotRead(what);
      },
      set: (value: unknown) => {
        Object.defineProperty(owner, key, { value, configurable: true, enumerable: true, writable: true });
      },
    });
}

export function isUnread<Owner extends object>(owner: Owner, key: keyof Owner): boolean {
  return Object.getOwnPropertyDescriptor(owner, key)?.get !== undefined;
}

/** What is shown where all of it is known, else something that says less. */
export function unlessUnread<Shown>(show: () => Shown, otherwise: Shown): Shown {
  try {
    return show();
  } catch (error) {
    if (error instanceof NotRead) return otherwise;
    throw error;
  }
}

/** What a row has under a key; nothing where that is no object. */
export function rowIn(row: Row | undefined, key: string): Row {
  const value = row?.[key];
  return isRecord(value) ? value : {};
}

export function rowsIn(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** A time as it was read; what is none is now. */
export function timeOr(value: unknown, otherwise: number): number {
  const atMs = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isFinite(atMs) ? atMs : otherwise;
}

export function timeOrNull(value: unknown): number | null {
  const atMs = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isFinite(atMs) ? atMs : null;
}

/** When a row says that it was made and changed. */
export function stampsIn({ nowMs }: Pick<Copying, 'nowMs'>, row: Row): { createdAt: number; updatedAt: number } {
  return { createdAt: timeOr(row['created_at'], nowMs), updatedAt: timeOr(row['updated_at'], nowMs) };
}

export interface Copying {
  readonly state: State;
  readonly answers: Answers;
  /** The account that it was read for. */
  readonly accountId: string;
  /** When it was read. */
  readonly nowMs: number;
  /** Says how the account reads something that the documents leave open: the answers show it. */
  readonly settle: (ambiguity: string, reading: string) => void;
}

/** The account that a row says it belongs to; that of the copy where it says none. */
export function ownerOf({ state, accountId }: Copying, row: Row): string {
  if (!isRecord(row['account'])) return accountId;
  const id = String(row['account']['id']);
  state.accounts.set(id, { id, name: textOr(row['account']['name'], '') });
  return id;
}

/** None where the list of sites was not read. */
export function knownSites({ answers, state }: Copying): readonly Site[] {
  return answers.rows('/api/sites', 'sites') === undefined ? [] : [...state.sites.values()];
}

/** How an empty text reads, where a row shows one. */
export function settleEmptyText({ settle }: Pick<Copying, 'settle'>, row: Row, key: string): void {
  if (!(key in row)) settle('emptyTexts', 'absent');
  else if (row[key] === null) settle('emptyTexts', 'null');
  else if (row[key] === '') settle('emptyTexts', 'text');
}

/** How an empty list reads, where a row shows one. */
export function settleEmptyList({ settle }: Pick<Copying, 'settle'>, ...lists: readonly unknown[]): void {
  if (lists.includes(null)) settle('emptyLists', 'null');
}
