// The use case `site logs`: the access log of the CDN, the log of the origin, the send log of the mail. Read page by
// page and handed on as it comes, so that no log has to fit into memory. What an entry of the access log looks like is
// not documented (GAP-61): it is passed through.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, listIn } from '../../model/json.ts';
import { objectAt, rowsAt, ShapeError } from '../../model/kind/rows.ts';
import type { Session } from '../session.ts';
import type { Ending, OpenSite, SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';

export const LOGS = ['access', 'origin', 'mail'] as const;
export type LogName = (typeof LOGS)[number];

export interface LogOptions {
  readonly log: LogName;
  /** How far back, in milliseconds. */
  readonly sinceMs: number;
  /** How far back it ends, in milliseconds: less than `sinceMs`. 0: now. */
  readonly untilMs?: number;
  /** Entries at most. */
  readonly limit: number;
  /** Parameters of the platform for this log, such as `status`. */
  readonly filters: Readonly<Record<string, string>>;
}

export interface LogEnd {
  readonly entries: number;
  /** There may be more than was asked for. */
  readonly more: boolean;
}

export type TakeEntries = (entries: readonly Json[]) => void;

const PAGE = 1_000;
const LONGEST_RANGE_MS = 3 * 86_400_000;
const LAST_START = 10_000;
/** How often a log that is followed is read. */
const FOLLOW_EVERY_MS = 5_000;
/** How far back each of those reads goes: an entry may come late. */
const LATE_MS = 60_000;

/** Reads a log, newest entries first where the platform orders them. */
export function siteLogs(
  session: Session,
  wanted: string,
  options: LogOptions,
  take: TakeEntries,
): Promise<SiteResult<LogEnd>> {
  return withSite(
    session,
    wanted,
    (site): Promise<Ending<LogEnd>> => handOn(site, pagesOf(site, options), options.limit, take),
    { reads: true },
  );
}

/**
 * Hands on the newest entries, the oldest of them first, and then each new one as it comes, until the session is
 * stopped. Entries have no id (GAP-61): what a read shows more often than the read before is new.
 */
export function followLog(
  session: Session,
  wanted: string,
  options: LogOptions,
  take: TakeEntries,
): Promise<SiteResult<never>> {
  return withSite<never>(
    session,
    wanted,
    async (site) => {
      let before = new Map<string, number>();
      for (let isFirst = true; ; isFirst = false) {
        const sinceMs = isFirst ? options.sinceMs : Math.min(options.sinceMs, LATE_MS);
        const read: Json[] = [];
        await handOn(site, pagesOf(site, { ...options, sinceMs }), Math.max(options.limit, PAGE), (page) =>
          read.push(...page),
        );
        // A log of the origin comes as it is in its file.
        if (options.log !== 'origin') read.reverse();
        const counts = new Map<string, number>();
        const fresh = read.filter((entry) => {
          const key = JSON.stringify(entry);
          const count = (counts.get(key) ?? 0) + 1;
          counts.set(key, count);
          return count > (before.get(key) ?? 0);
        });
        const shown = isFirst ? fresh.slice(-options.limit) : fresh;
        if (shown.length > 0) take(shown);
        before = counts;
        await session.clock.sleep(FOLLOW_EVERY_MS, session.stop);
      }
    },
    { reads: true },
  );
}

function pagesOf(site: OpenSite, options: LogOptions): AsyncIterable<readonly Json[]> {
  if (options.log === 'access') return accessLog(site, options);
  return options.log === 'mail' ? mailLog(site, options) : originLog(site, options);
}

/**
 * What the CDN sums up of its log. Its shape is not documented (GAP-61): it is handed on as it comes. A range has at
 * most three days (LIM-08).
 */
export function logSummary(
  session: Session,
  wanted: string,
  { sinceMs, untilMs = 0, filters }: Pick<LogOptions, 'sinceMs' | 'untilMs' | 'filters'>,
): Promise<SiteResult<Json>> {
  return withSite(
    session,
    wanted,
    async ({ client, path }): Promise<Ending<Json>> => {
      const at = (agoMs: number): string => new Date(session.clock.now() - agoMs).toISOString();
      const query = new URLSearchParams({ ...filters, from: at(sinceMs), to: at(untilMs) });
      return { outcome: 'done', value: await client.read(`${path}/logs/cdn/summary?${query.toString()}`) };
    },
    { reads: true },
  );
}

/** Hands entries on as their pages come, up to `limit` of them. */
async function handOn(
  { session }: OpenSite,
  pages: AsyncIterable<readonly Json[]>,
  limit: number,
  take: TakeEntries,
): Promise<Ending<LogEnd>> {
  let entries = 0;
  for await (const page of pages) {
    session.stop.throwIfAborted();
    const taken = page.slice(0, limit - entries);
    if (taken.length > 0) take(taken);
    entries += taken.length;
    if (entries >= limit) return { outcome: 'done', value: { entries, more: true } };
  }
  return { outcome: 'done', value: { entries, more: false } };
}

/**
 * A range has at most three days (LIM-08), so a longer time is read in ranges, the newest first. Their ends are fixed:
 * pages do not shift while new entries come.
 */
async function* accessLog(
  { client, path, session }: OpenSite,
  { sinceMs, untilMs = 0, limit, filters }: LogOptions,
): AsyncGenerator<readonly Json[]> {
  const startMs = session.clock.now() - sinceMs;
  const endMs = session.clock.now() - untilMs;
  for (let toMs = endMs; toMs > startMs; toMs -= LONGEST_RANGE_MS) {
    const from = new Date(Math.max(toMs - LONGEST_RANGE_MS, startMs)).toISOString();
    // A millisecond before the last range's beginning: what happened then has been read.
    const to = new Date(toMs === endMs ? toMs : toMs - 1).toISOString();
    const size = Math.min(PAGE, limit);
    for (let offset = 0; ; offset += size) {
      const query = new URLSearchParams({ ...filters, from, to, limit: String(size), offset: String(offset) });
      const page = listIn(await client.read(`${path}/logs/cdn?${query.toString()}`));
      if (page === undefined) throw new ShapeError('expected a list of log entries');
      yield page;
      if (page.length < size) break;
    }
  }
}

/**
 * Followed by its cursor: a page may be empty though more follows, and the cursor ends at 10000 whatever the platform
 * names next (MET-06).
 */
async function* mailLog(
  { client, path, session }: OpenSite,
  { sinceMs, untilMs = 0, filters }: LogOptions,
): AsyncGenerator<readonly Json[]> {
  const dayOf = (agoMs: number): string => new Date(session.clock.now() - agoMs).toISOString().slice(0, 10);
  for (let startAt = 0; ;) {
    const query = new URLSearchParams({
      start_date: dayOf(sinceMs),
      ...(untilMs > 0 && { end_date: dayOf(untilMs) }),
      ...filters,
      start_at: String(startAt),
    });
    const page: JsonObject = objectAt(await client.read(`${path}/mail/logs?${query.toString()}`));
    yield rowsAt(page, '/messages');
    const next = page.next_start_at;
    if (typeof next !== 'number' || next <= startAt || next > LAST_START) return;
    startAt = next;
  }
}

/** One answer; lines of text or entries, whichever the platform sends. */
async function* originLog({ client, path }: OpenSite, { filters }: LogOptions): AsyncGenerator<readonly Json[]> {
  const query = new URLSearchParams(filters).toString();
  const answer = await client.read(`${path}/logs/origin${query === '' ? '' : `?${query}`}`);
  const list = listIn(answer);
  if (list !== undefined) {
    yield list;
    return;
  }
  const text =
    typeof answer === 'string'
      ? answer
      : isJsonObject(answer)
        ? Object.values(answer).find((value) => typeof value === 'string')
        : undefined;
  if (text === undefined) throw new ShapeError('expected lines of a log');
  yield text.split(/\r?\n/).filter((line) => line !== '');
}
