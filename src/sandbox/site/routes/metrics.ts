// What the metrics of a site show: its containers, its CDN, what Shield counted. All of it only reads, POSTs too
// (CNV-31).
import { integer, oneOf, text } from '../../core/http/schema.ts';
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/site-endpoints.ts';
import type { Site } from '../../core/state.ts';
import type { World } from '../../core/world.ts';

const KINDS = ['cpu', 'cpu_throttled', 'memory', 'memory_throttled', 'storage'];
const SERVICES = [
  { id: 1, name: 'cms', image: 'cms-php' },
  { id: 2, name: 'database', image: 'database' },
  { id: 3, name: 'redis', image: 'cache' },
];
const STEP_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CHARTS = [
  'OriginResponseTimeChart',
  'BandwidthUsedChart',
  'BandwidthCachedChart',
  'CacheHitRateChart',
  'RequestsServedChart',
  'PullRequestsPulledChart',
  'OriginShieldBandwidthUsedChart',
  'OriginShieldInternalBandwidthUsedChart',
  'OriginTrafficChart',
  'Error3xxChart',
  'Error4xxChart',
  'Error5xxChart',
];

function showRealtime(): Answer {
  const containers = SERVICES.map(
    ({ image, id }) => [image, { cpu: 2.5 * id, storage: 0.5 * id, memory: 128.5 * id }] as const,
  );
  // MET-01: realtime resources are keyed by container.
  return { ...ok({ total_storage: 3, ...Object.fromEntries(containers) }), keyedByData: true };
}

function showResources({ body }: Call, _site: Site): Answer {
  const kinds = body['kind'] as readonly string[];
  const [start, end] = [Number(body['period_start']), Number(body['period_end'])];
  if (end < start) refuse(422, null, 'period_end is before period_start');
  const { step = '1m' } = body;
  const [, count, unit = ''] = /^([1-9]\d*)([smhd])$/.exec(String(step)) ?? [];
  const seconds = Number(count) * (STEP_SECONDS[unit] ?? Number.NaN);
  if (!Number.isFinite(seconds)) refuse(422, null, 'step is a text such as 1m');
  const points = Math.floor((end - start) / seconds) + 1;
  if (points > 20_000) refuse(422, null, 'step is too small for the period');
  // MET-02: a service shows the kinds of resources that were asked for, and no other.
  const services = SERVICES.map((service) => [
    service.name,
    {
      ...service,
      resources: Object.fromEntries(kinds.map((one) => [one, resource(one, service.id, points)])),
    },
  ]);
  return { ...ok(Object.fromEntries(services)), keyedByData: true };
}

function resource(kind: string, serial: number, points: number): unknown {
  // MET-02/storage: storage is one current number, whatever the period.
  if (kind === 'storage') return 0.5 * serial;
  return Array.from({ length: points }, (_, index) => wave(index) * serial);
}

function showCdn({ body, clock }: Call, site: Site): Answer {
  const { period_start: start, step } = body;
  const now = clock.now();
  // MET-03: monthly is the past month in daily points.
  const daily = step === 'monthly';
  const every = daily ? DAY_MS : HOUR_MS;
  const first = daily
    ? Math.floor(now / DAY_MS) * DAY_MS - 29 * DAY_MS
    : Math.ceil((Number(start) * 1_000) / HOUR_MS) * HOUR_MS;
  const times = Array.from(
    { length: Math.min(Math.max(Math.floor((now - first) / every) + 1, 0), 5_000) },
    (_, index) => first + index * every,
  );
  const chart = (scale: number): Record<string, number> =>
    Object.fromEntries(times.map((at) => [new Date(at).toISOString(), wave(at / every) * scale]));
  const total = (values: Record<string, number>): number =>
    Object.values(values).reduce((sum, value) => sum + value, 0);
  const charts = Object.fromEntries(CHARTS.map((name, index) => [name, chart(index + 1)]));
  // MET-09: CDN metrics have five totals, twelve charts and the traffic by region.
  const metrics = {
    TotalBandwidthUsed: total(charts['BandwidthUsedChart'] ?? {}),
    TotalOriginTraffic: total(charts['OriginTrafficChart'] ?? {}),
    AverageOriginResponseTime: 84,
    TotalRequestsServed: total(charts['RequestsServedChart'] ?? {}) + site.traffic.cdnLog.length,
    CacheHitRatio: 91,
    ...charts,
    GeoTrafficDistribution: { 'Europe West': 900, 'North America East': 100 },
  };
  return { ...ok(metrics), keyedByData: true };
}

function showShield(overview: boolean): (call: Call, site: Site) => Answer {
  return (call, { traffic: { shieldCounts } }) => {
    // An empty payload reads like a missing zone: this answer does not prove that Shield is off.
    // MET-04: Shield metrics are series of the past 28 days, and 409 where there are none.
    if (shieldCounts === null) return refuse(409, 'shield_not_active', 'There are no Shield metrics');
    const series = (name: string, days: Record<string, number>) => ({
      name,
      data: recentDays(call, days).map(([x, y]) => ({ x, y })),
    });
    if (overview) return ok([series('DDoS attacks', shieldCounts.ddos), series('WAF triggers', shieldCounts.waf)]);
    const some = (names: readonly string[], days: Record<string, number>) => names.map((name) => series(name, days));
    return ok({
      ddos: some(['logged', 'verified', 'blocked', 'challenged'], shieldCounts.ddos),
      bots: some(['logged', 'challenged'], shieldCounts.bots),
      waf: some(['triggered'], shieldCounts.waf),
    });
  };
}

function recentDays(world: World, days: Record<string, number>): readonly (readonly [string, number])[] {
  const since = new Date(world.clock.now() - 28 * DAY_MS).toISOString().slice(0, 10);
  // LIM-08/shield: Shield metrics reach back 28 days.
  return Object.entries(days)
    .filter(([day]) => day >= since)
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

/** 50 to 150, up and down over a day's hours. */
function wave(step: number): number {
  return Math.round(100 + 50 * Math.sin((step * Math.PI) / 12));
}

const second = { ...integer(0), required: true } as const;
const cdnBody = { step: oneOf('hourly', 'monthly'), period_start: second };
const resourcesBody = {
  kind: { type: 'array', required: true, minItems: 1, items: { enum: KINDS } },
  period_start: second,
  period_end: second,
  step: text,
} as const;

// CNV-31/metrics: the POSTs of metrics take the read scope.
export const metricEndpoints = siteEndpoints({ scope: 'sites:read', site: 'read' }, '/metrics', {
  'GET /resources': showRealtime,
  'POST /resources': { body: resourcesBody, handle: showResources },
  'POST /cdn': { body: cdnBody, handle: showCdn },
  'GET /shield': showShield(false),
  'GET /shield/overview': showShield(true),
});
