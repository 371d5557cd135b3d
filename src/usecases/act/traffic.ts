// Reads the logs and metrics of one site for `get logs` and `get metrics`.
import type {
  LogName,
  LogOptions,
  MetricName,
  MetricOptions,
  OpenSite,
  SummaryOptions,
} from '../../areas/operations.ts';
import { followLog, readLog, readMetrics, summarizeLog } from '../../areas/operations.ts';
import type { ActResult, Ending } from '../../model/plan/act.ts';
import { accessOf } from './act.ts';
import { openSite } from './open-site.ts';
import type { Session } from '../session.ts';

export type { LogName, MetricName };

/** What is read of a site. Every variant resolves with one result. */
export type TrafficRequest =
  | ({ readonly read: 'log' | 'new-entries' } & LogOptions)
  | ({ readonly read: 'summary' } & SummaryOptions)
  | ({ readonly read: 'metrics' } & MetricOptions);

/** Reads one site: the name of a manifest, or `id:` and an id. Rejects only for internal errors. */
export function readTraffic(session: Session, site: string, request: TrafficRequest): Promise<ActResult> {
  return openSite(
    session,
    site,
    (opened) => readOf({ ...opened, ...accessOf(opened, () => Promise.resolve(false)) }, request),
    { reads: true },
  );
}

function readOf(site: OpenSite, request: TrafficRequest): Promise<Ending> {
  switch (request.read) {
    case 'log':
      return readLog(site, request);
    case 'new-entries':
      return followLog(site, request);
    case 'summary':
      return summarizeLog(site, request);
    case 'metrics':
      return readMetrics(site, request);
  }
}
