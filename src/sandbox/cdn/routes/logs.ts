// What the access log of a site's CDN and the log of its origin show. GAP-61: what an entry looks like is not
// documented.
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/site-endpoints.ts';
import type { Site } from '../../core/state.ts';
import type { CdnLogEntry } from '../../core/traffic-state.ts';

const HOUR_MS = 3_600_000;
const PERIODS: Readonly<Record<string, number>> = { '1h': 1, '6h': 6, '24h': 24, '72h': 72 };

interface Range {
  readonly from: number;
  readonly to: number;
}

function rangeOf({ query, clock }: Call): Range {
  const now = clock.now();
  const given = { from: query.get('from') || null, to: query.get('to') || null };
  if (given.from === null && given.to === null) {
    const period = query.get('period') || '24h';
    // MET-05/range: an unknown period and a range that is none are refused.
    const hours = PERIODS[period] ?? refuse(422, 'invalid_period', `${period} is no period`);
    // MET-05/period: without dates it is the last day, or the period.
    return { from: now - hours * HOUR_MS, to: now };
  }
  const to = given.to === null ? now : Date.parse(given.to);
  const from = given.from === null ? now - 24 * HOUR_MS : Date.parse(given.from);
  if (!(from <= to)) refuse(422, 'invalid_range', 'from must be before to');
  // LIM-08: a range has at most three days, a page 1000 entries.
  if (to - from > 72 * HOUR_MS) refuse(422, 'range_exceeds_3_days', 'The range exceeds 3 days');
  return { from, to };
}

function entriesOf(site: Site, query: URLSearchParams, { from, to }: Range): readonly CdnLogEntry[] {
  // MET-05: the access log filters by status, cache status, country and part of the URL.
  const is = (key: string, value: string): boolean => (query.get(key) || value).toLowerCase() === value.toLowerCase();
  return site.traffic.cdnLog.filter(
    (entry) =>
      entry.at >= from &&
      entry.at <= to &&
      is('status', String(entry.status)) &&
      is('cache_status', entry.cacheStatus) &&
      is('country', entry.country) &&
      entry.url.includes(query.get('url_contains') ?? ''),
  );
}

function showCdnLog(call: Call, site: Site): Answer {
  const { query } = call;
  const range = rangeOf(call);
  // MET-05/order: the newest entry comes first, unless asked otherwise.
  const ascending = query.get('order') === 'asc';
  const sorted = [...entriesOf(site, query, range)].sort((left, right) =>
    ascending ? left.at - right.at : right.at - left.at,
  );
  const asked = wholeNumber(query.get('limit')) ?? 100;
  const limit = Math.min(asked, 1_000);
  const offset = wholeNumber(query.get('offset')) ?? 0;
  // MET-05/limit: a page has 100 entries where nothing is said, from offset on.
  const entries = sorted.slice(offset, offset + limit).map(presentEntry);
  const shown = { wrapped: { logs: entries }, bare: entries, upstream: { data: entries, count: entries.length } };
  return ok(shown[call.ambiguities['GAP-61']]);
}

function presentEntry({ at, status, cacheStatus, country, url, bytes }: CdnLogEntry): unknown {
  return { timestamp: new Date(at).toISOString(), status, cache_status: cacheStatus, country, url, bytes_sent: bytes };
}

function showSummary(call: Call, site: Site): Answer {
  const entries = entriesOf(site, call.query, rangeOf(call));
  const statuses: Record<string, number> = {};
  for (const { status } of entries) statuses[String(status)] = (statuses[String(status)] ?? 0) + 1;
  return {
    ...ok({ requests: entries.length, bytes_sent: entries.reduce((sum, { bytes }) => sum + bytes, 0), statuses }),
    keyedByData: true,
  };
}

/** Which form of date it takes is the upstream's affair. */
function showOriginLog({ query, ambiguities }: Call, site: Site): Answer {
  const date = query.get('date');
  const lines = site.traffic.originLog.filter((line) => date === null || line.startsWith(date));
  return ok(ambiguities['GAP-61.origin'] === 'lines' ? { logs: lines } : { logs: lines.join('\n') });
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

export const logEndpoints = siteEndpoints({ cdn: 'active' }, '/logs', {
  'GET /cdn': showCdnLog,
  'GET /cdn/summary': showSummary,
  'GET /origin': showOriginLog,
});
