// Puts the CDN of each site into the store of a copy: its caching settings and edge rules, as they were read.
import {
  isUnread,
  knownSites,
  numberOr,
  settleEmptyList,
  settleEmptyText,
  textsIn,
  unread,
} from '../core/copy/answers.ts';
import type { Copying } from '../core/copy/answers.ts';
import { isRecord } from '../core/http/endpoint.ts';
import type { Row } from '../core/http/endpoint.ts';
import type { Caching, Site } from '../core/state.ts';
import { readEdgeRule } from './edge-rules.ts';
import type { EdgeRule } from './edge-rules.ts';

export function loadCdn(copying: Copying): void {
  for (const site of knownSites(copying)) {
    loadZone(copying, site);
    loadEdgeRules(copying, site);
  }
}

function loadZone({ answers, settle }: Copying, site: Site): void {
  const path = `/api/sites/${site.id}/cdn`;
  const [status, caching, refused] = [
    answers.object(path),
    answers.object(`${path}/caching`),
    answers.refusal(`${path}/caching`) ?? answers.refusal(`/api/sites/${site.id}/edge_rules`),
  ];
  // CDN-01, CCH-07: edge rules and cache layers answer where the CDN is active.
  const isActive = ['edge_rules', 'cache'].some((part) => answers.body(`/api/sites/${site.id}/${part}`) !== undefined);
  if (status === undefined && caching === undefined && refused === undefined && !isActive)
    return unread(site, `the CDN of site ${site.id}`, 'cdn');
  // CDN-04: a pull zone that is off answers its status, with active false.
  if (status?.['active'] === false) site.cdn.zone = 'inactive';
  if ((answers.refusal(path)?.code ?? (status === undefined ? refused?.code : null)) === 'cdn_not_active')
    site.cdn.zone = 'none';
  if (refused?.status === 502) site.cdn.upstreamDown = true;
  if (status === undefined) unread(site.cdn, `the status of the CDN of site ${site.id}`, 'type');
  else Object.assign(site.cdn, { type: status['cdn_type'], shown: status });
  loadHostnames(site, status);
  if (caching === undefined) return unread(site.cdn, `the caching settings of site ${site.id}`, 'caching');
  const lists = ['cookie_vary_parameters', 'query_string_vary_parameters'] as const;
  settleEmptyList({ settle }, ...lists.map((key) => caching[key]));
  site.cdn.caching = {
    ...(caching as unknown as Caching),
    ...(Object.fromEntries(lists.map((key) => [key, textsIn(caching[key])])) as Pick<Caching, (typeof lists)[number]>),
  };
}

/** Of each hostname the status tells what the lists of domains do not. */
function loadHostnames(site: Site, status: Row | undefined): void {
  const rows = Array.isArray(status?.['hostnames']) ? status['hostnames'].filter(isRecord) : [];
  const own = rows.find(({ is_system_hostname: isOwn }) => isOwn === true);
  if (own !== undefined) site.temporaryHostname = String(own['value']);
  if (isUnread(site, 'domains')) return;
  for (const domain of site.domains) {
    const row = rows.find(({ value }) => value === domain.hostname);
    if (row === undefined) continue;
    domain.forceSsl = row['force_ssl'] === true;
    domain.hasCertificate = row['has_certificate'] === true;
  }
}

function loadEdgeRules({ answers, settle }: Copying, site: Site): void {
  const path = `/api/sites/${site.id}/edge_rules`;
  const body = answers.body(path);
  const rows = answers.rows(path, 'edge_rules', 'EdgeRules');
  if (rows === undefined) return unread(site, `the edge rules of site ${site.id}`, 'edgeRules');
  settle('GAP-23', Array.isArray(body) ? 'bare' : isRecord(body) && 'EdgeRules' in body ? 'upstream' : 'wrapped');
  for (const row of rows) {
    settleEmptyText({ settle }, row, 'ActionParameter3');
    settleEmptyList({ settle }, row['ExtraActions'], row['Triggers']);
  }
  site.edgeRules = rows.map((row): EdgeRule => ({
    ...readEdgeRule(row),
    Guid: String(row['Guid']),
    OrderIndex: numberOr(row['OrderIndex'], 0),
  }));
}
