// How the DNS records that mail wants are reported and checked.
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { NotRead } from '../../core/copy/answers.ts';
import { isHosted, probe, probeKey, wantedRecords } from '../dns.ts';
import type { Mailspace } from '../state.ts';
import { dateTime } from '../../core/present.ts';
import type { World } from '../../core/world.ts';

const WINDOW_MS = 5 * 60_000;

export function readDns(call: Call, space: Mailspace): Answer {
  // MDM-21: the path of the report is no name of a domain.
  return ok(report(call, space, servedName(space, call.query.get('domain'))));
}

export function checkDns(call: Call, space: Mailspace): Answer {
  const name = servedName(space, call.body['domain']);
  const before = space.probes.get(name);
  // LIM-07: a domain is checked once in five minutes.
  const tooSoon = before !== undefined && call.clock.now() - before.at < WINDOW_MS;
  // GAP-40: neither this answer nor that of a check is documented.
  if (tooSoon && call.ambiguities['GAP-40.limit'] !== 'previous') {
    const [status, code] =
      call.ambiguities['GAP-40.limit'] === '429' ? ([429, 'rate_limited'] as const) : ([422, null] as const);
    refuse(status, code, 'The domain was checked within the last five minutes');
  }
  if (!tooSoon) probe(call, space, name);
  const fresh = report(call, space, name);
  // MDM-20: the result of a DNS check is stored.
  return ok({ report: fresh, wrapped: { dns: fresh }, empty: {} }[call.ambiguities['GAP-40']]);
}

function servedName(space: Mailspace, given: unknown): string {
  const text = typeof given === 'string' && given.trim() !== '' ? given.trim().toLowerCase() : space.domain;
  // MDM-19: the report takes the bare name exactly.
  return space.domains.some(({ name }) => name === text)
    ? text
    : refuse(404, 'unknown_domain', 'The domain is not on this mailspace');
}

function report(world: World, space: Mailspace, domain: string): Record<string, unknown> {
  if (world.state.mail.wantedRecordsUnread === true) throw new NotRead(`which DNS records ${domain} needs`);
  const wanted = wantedRecords(space, domain);
  const managed = isHosted(world, space, domain);
  // MDM-22: the report of a managed domain has no results.
  if (managed) return { domain, managed, checked_at: null, all_detected: null, records: wanted };
  const last = space.probes.get(domain);
  const records = wanted.map((record) => ({
    ...record,
    ...(last?.rows[probeKey(record)] ?? { status: 'unchecked', found: null }),
  }));
  // MDM-24: only the IPv6 record is optional, and it is not counted.
  const required = records.filter(({ optional }) => !optional);
  const detected = required.filter(({ status }) => status === 'ok').length;
  return {
    domain,
    managed,
    checked_at: last === undefined ? null : dateTime(last.at),
    detected,
    total: required.length,
    all_detected: detected === required.length,
    records,
    caa: { status: last === undefined ? 'unchecked' : 'ok' },
  };
}
