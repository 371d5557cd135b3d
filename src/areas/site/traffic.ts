// Reads the logs and metrics of a site: the CDN access log, the origin log, the mail log, and the counts of each. Logs are
// read page by page and passed on at once, so that a log need not fit into memory. The entries of the access log are not
// documented (GAP-61) and are passed through unchanged.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, listIn } from '../../model/json.ts';
import { objectAt, rowsAt, ShapeError } from '../../model/kind/rows.ts';
import type { Ending } from '../../model/plan/act.ts';
import type { OpenSite } from '../common/operation.ts';

interface Period {
  /** How far back, in milliseconds. */
  readonly sinceMs: number;
  /** How far back it ends, in milliseconds: less than `sinceMs`. 0: now. */
  readonly untilMs?: number;
}

export interface SummaryOptions extends Period {
  /** Parameters of the platform for this log, such as `status`. */
  readonly filters: Readonly<Record<string, string>>;
}

interface PageOptions extends SummaryOptions {
  /** Entries at most. */
  readonly limit: number;
}

export interface LogOptions extends PageOptions {
  readonly log: LogName;
  readonly take: (entries: readonly Json[]) => void;
}

const DAY_MS = 86_400_000;
const PAGE = 1_000;
const LONGEST_RANGE_MS = 3 * DAY_MS;
const LAST_START = 10_000;
/** How often a log that is followed is read. */
const FOLLOW_EVERY_MS = 5_000;
/** How far back each of those reads goes: an entry may come late. */
const LATE_MS = 60_000;

const PAGES = { access: accessLog, origin: originLog, mail: mailLog };
export type LogName = keyof typeof PAGES;

/**
 * Hands on the newest entries, the oldest of them first, and then each new one as it comes, until the command is to
 * stop. Entries have no id (GAP-61): what a read shows more often than the read before is new.
 */
export async function followLog(site: OpenSite, { take, ...options }: LogOptions): Promise<Ending> {
  let before = new Map<string, number>();
  for (let isFirst = true; ; isFirst = false) {
    const sinceMs = isFirst ? options.sinceMs : Math.min(options.sinceMs, LATE_MS);
    const read: Json[] = [];
    await readLog(site, {
      ...options,
      sinceMs,
      limit: Math.max(options.limit, PAGE),
      take: (page) => read.push(...page),
    });
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
    await site.sleep(FOLLOW_EVERY_MS);
  }
}

/** Returns the summary of the access log as the CDN sends it (GAP-61). A range has at most three days (LIM-08). */
export async function summarizeLog(
  { read, path, now }: OpenSite,
  { sinceMs, untilMs = 0, filters }: SummaryOptions,
): Promise<Ending> {
  const at = (agoMs: number): string => new Date(now() - agoMs).toISOString();
  const query = new URLSearchParams({ ...filters, from: at(sinceMs), to: at(untilMs) });
  return { outcome: 'done', summary: await read(`${path}/logs/cdn/summary?${query.toString()}`) };
}

/** Passes the entries of a log to `take` page by page, up to `limit` of them; newest first where the platform orders them. */
export async function readLog(site: OpenSite, { limit, take, ...options }: LogOptions): Promise<Ending> {
  let entries = 0;
  for await (const page of PAGES[options.log](site, { ...options, limit })) {
    const taken = page.slice(0, limit - entries);
    if (taken.length > 0) take(taken);
    entries += taken.length;
    if (entries >= limit) break;
  }
  return { outcome: 'done', read: { entries, more: entries >= limit } };
}

/**
 * A range has at most three days (LIM-08), so a longer time is read in ranges, the newest first. Their ends are fixed:
 * pages do not shift while new entries come.
 */
async function* accessLog(
  { read, path, now }: OpenSite,
  { sinceMs, untilMs = 0, limit, filters }: PageOptions,
): AsyncGenerator<readonly Json[]> {
  const startMs = now() - sinceMs;
  const endMs = now() - untilMs;
  for (let toMs = endMs; toMs > startMs; toMs -= LONGEST_RANGE_MS) {
    const from = new Date(Math.max(toMs - LONGEST_RANGE_MS, startMs)).toISOString();
    // A millisecond before the last range's beginning: what happened then has been read.
    const to = new Date(toMs === endMs ? toMs : toMs - 1).toISOString();
    const size = Math.min(PAGE, limit);
    for (let offset = 0; ; offset += size) {
      const query = new URLSearchParams({ ...filters, from, to, limit: String(size), offset: String(offset) });
      const page = listIn(await read(`${path}/logs/cdn?${query.toString()}`));
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
  { read, path, now }: OpenSite,
  { sinceMs, untilMs = 0, filters }: PageOptions,
): AsyncGenerator<readonly Json[]> {
  const dayOf = (agoMs: number): string => new Date(now() - agoMs).toISOString().slice(0, 10);
  for (let startAt = 0; ;) {
    const query = new URLSearchParams({
      start_date: dayOf(sinceMs),
      ...(untilMs > 0 && { end_date: dayOf(untilMs) }),
      ...filters,
      start_at: String(startAt),
    });
    const page: JsonObject = objectAt(await read(`${path}/mail/logs?${query.toString()}`));
    yield rowsAt(page, '/messages');
    const next = page.next_start_at;
    if (typeof next !== 'number' || next <= startAt || next > LAST_START) return;
    startAt = next;
  }
}

/** One answer; lines of text or entries, whichever the platform sends. */
async function* originLog({ read, path }: OpenSite, { filters }: PageOptions): AsyncGenerator<readonly Json[]> {
  const query = new URLSearchParams(filters).toString();
  const answer = await read(`${path}/logs/origin${query === '' ? '' : `?${query}`}`);
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

/** From here on the CDN is asked for the past month in daily points. */
const HOURLY_WITHIN_MS = 3 * DAY_MS;
const POINTS = 60;

interface Times extends Required<Period> {
  /** The second that long ago. */
  readonly ago: (ms: number) => number;
}

type Question = readonly [path: string, body?: JsonObject];

/** How each is asked for: by a read, or by a POST that only reads (CNV-31). Only resources take an end. */
const METRICS = {
  cdn: ({ sinceMs, ago }: Times): Question => [
    'metrics/cdn',
    { period_start: ago(sinceMs), step: sinceMs <= HOURLY_WITHIN_MS ? 'hourly' : 'monthly' },
  ],
  resources: ({ sinceMs, untilMs, ago }: Times): Question => [
    'metrics/resources',
    {
      // All that there are. Storage is always as it is now.
      kind: ['cpu', 'cpu_throttled', 'memory', 'memory_throttled', 'storage'],
      period_start: ago(sinceMs),
      period_end: ago(untilMs),
      step: `${Math.max(1, Math.round((sinceMs - untilMs) / 60_000 / POINTS))}m`,
    },
  ],
  now: (): Question => ['metrics/resources'],
  mail: ({ sinceMs }: Times): Question => [
    `mail/metrics?days=${Math.min(90, Math.max(1, Math.ceil(sinceMs / DAY_MS)))}`,
  ],
  shield: (): Question => ['metrics/shield'],
  'shield-overview': (): Question => ['metrics/shield/overview'],
};

export type MetricName = keyof typeof METRICS;

export interface MetricOptions extends Period {
  readonly metric: MetricName;
}

/** Returns one set of metrics of a site, as the platform sends it. */
export async function readMetrics(
  { read, readByPost, path, now }: OpenSite,
  { metric, sinceMs, untilMs = 0 }: MetricOptions,
): Promise<Ending> {
  const second = Math.floor(now() / 1_000);
  const [end, body] = METRICS[metric]({ sinceMs, untilMs, ago: (ms) => second - Math.floor(ms / 1_000) });
  const answer: Json = await (body === undefined ? read(`${path}/${end}`) : readByPost(`${path}/${end}`, body));
  return { outcome: 'done', [metric]: answer };
}
