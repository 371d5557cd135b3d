// The use case `site metrics`: what the platform counts of a site, as it answers. The POSTs among these requests only
// read (CNV-31), so they are asked again where a read would be.
import type { Json, JsonObject } from '../../model/json.ts';
import type { Session } from '../session.ts';
import type { Ending, OpenSite, SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';

export const METRICS = ['cdn', 'resources', 'now', 'mail', 'shield', 'shield-overview'] as const;
export type MetricName = (typeof METRICS)[number];

export interface MetricOptions {
  readonly metric: MetricName;
  /** How far back, in milliseconds. */
  readonly sinceMs: number;
  /** How far back it ends, in milliseconds: of resources only. 0: now. */
  readonly untilMs?: number;
}

/** From here on the CDN is asked for the past month in daily points. */
const HOURLY_WITHIN_MS = 3 * 86_400_000;
const DAY_MS = 86_400_000;
const POINTS = 60;

/** Reads one kind of metrics. */
export function siteMetrics(session: Session, wanted: string, options: MetricOptions): Promise<SiteResult<Json>> {
  return withSite(session, wanted, (site) => readMetrics(site, options), { reads: true });
}

async function readMetrics(site: OpenSite, { metric, sinceMs, untilMs = 0 }: MetricOptions): Promise<Ending<Json>> {
  const { client, path, session } = site;
  const now = Math.floor(session.clock.now() / 1_000);
  const since = now - Math.floor(sinceMs / 1_000);
  const plain = async (end: string): Promise<Ending<Json>> => ({
    outcome: 'done',
    value: await client.read(`${path}/${end}`),
  });
  switch (metric) {
    case 'cdn':
      return askByPost(site, 'metrics/cdn', {
        period_start: since,
        step: sinceMs <= HOURLY_WITHIN_MS ? 'hourly' : 'monthly',
      });
    case 'resources':
      return askByPost(site, 'metrics/resources', {
        // All that there are. Storage is always as it is now.
        kind: ['cpu', 'cpu_throttled', 'memory', 'memory_throttled', 'storage'],
        period_start: since,
        period_end: now - Math.floor(untilMs / 1_000),
        step: `${Math.max(1, Math.round((sinceMs - untilMs) / 60_000 / POINTS))}m`,
      });
    case 'now':
      return plain('metrics/resources');
    case 'mail':
      return plain(`mail/metrics?days=${Math.min(90, Math.max(1, Math.ceil(sinceMs / DAY_MS)))}`);
    case 'shield':
      return plain('metrics/shield');
    case 'shield-overview':
      return plain('metrics/shield/overview');
  }
}

async function askByPost({ client, path }: OpenSite, end: string, body: JsonObject): Promise<Ending<Json>> {
  return { outcome: 'done', value: await client.ask(`${path}/${end}`, body) };
}
