// Decides how the DNS records that mail wants are reported and checked.
// Must not publish anything, and the report looks nothing up: it shows what the last check found.
import { isRecord, ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { isHosted, probe, probeKey, wantedRecords } from '../dns.ts';
import { normalDomain } from '../names.ts';
import type { Mailspace } from '../state.ts';
import { dateTime } from '../../core/present.ts';
import { rule } from '../../rules/rules.ts';
import type { World } from '../../core/world.ts';

const exactName = rule('MDM-19', 'the report takes the bare name exactly');
const resultStays = rule('MDM-20', 'the result of a DNS check is stored');
const dnsIsNoName = rule('MDM-21', 'the path of the report is no name of a domain');
const managedIsReference = rule('MDM-22', 'the report of a managed domain has no results');
const optionalUncounted = rule('MDM-24', 'only the IPv6 record is optional, and it is not counted');
const oneInFiveMinutes = rule('LIM-07', 'a domain is checked once in five minutes');

const WINDOW_MS = 5 * 60_000;

/** undefined: the path means a domain of that name. */
export function readDns({ world, query }: Call, space: Mailspace): Answer | undefined {
  if (!world.rules.on(dnsIsNoName)) return undefined;
  const name = servedName(world, space, query.get('domain'));
  return typeof name === 'string' ? ok(report(world, space, name)) : name;
}

export function checkDns({ world, body }: Call, space: Mailspace): Answer {
  const given = isRecord(body) ? body : {};
  const refusal = unknownKeys(world, given, ['domain']);
  if (refusal !== undefined) return refusal;
  const name = servedName(world, space, given['domain']);
  if (typeof name !== 'string') return name;
  const before = space.probes.get(name);
  const tooSoon = before !== undefined && world.clock.now() - before.at < WINDOW_MS && world.rules.on(oneInFiveMinutes);
  // GAP-40: neither this answer nor that of a check is documented.
  if (tooSoon && world.readings['GAP-40.limit'] !== 'previous') {
    const status = world.readings['GAP-40.limit'] === '429' ? 429 : 422;
    return refuse(
      world,
      status,
      status === 429 ? 'rate_limited' : null,
      'The domain was checked within the last five minutes',
    );
  }
  if (!tooSoon) probe(world, space, name);
  const fresh = report(world, space, name);
  if (!world.rules.on(resultStays)) space.probes.delete(name);
  switch (world.readings['GAP-40']) {
    case 'report':
      return ok(fresh);
    case 'wrapped':
      return ok({ dns: fresh });
    case 'empty':
      return ok({});
  }
}

function servedName(world: World, space: Mailspace, given: unknown): string | Answer {
  const text = typeof given === 'string' && given.trim() !== '' ? given.trim().toLowerCase() : space.domain;
  const wanted = world.rules.on(exactName) ? text : normalDomain(world, text);
  return space.domains.some(({ name }) => name === wanted)
    ? wanted
    : refuse(world, 404, 'unknown_domain', 'The domain is not on this mailspace');
}

function report(world: World, space: Mailspace, domain: string): Record<string, unknown> {
  const wanted = wantedRecords(world, space, domain);
  const managed = isHosted(world, space, domain);
  if (managed && world.rules.on(managedIsReference))
    return { domain, managed, checked_at: null, all_detected: null, records: wanted };
  const last = space.probes.get(domain);
  const records = wanted.map((record) => ({
    ...record,
    ...(last?.rows[probeKey(record)] ?? { status: 'unchecked', found: null }),
  }));
  const required = records.filter(({ optional }) => !optional || !world.rules.on(optionalUncounted));
  const detected = required.filter(({ status }) => status === 'ok').length;
  return {
    domain,
    managed,
    checked_at: last === undefined ? null : dateTime(world, last.at),
    detected,
    total: required.length,
    all_detected: detected === required.length,
    records,
    caa: { status: last === undefined ? 'unchecked' : 'ok' },
  };
}
