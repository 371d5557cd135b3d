// Which DNS records mail wants, what a look at the DNS finds of them, and which of them the service writes into zones
// that it hosts. Nothing here ever leaves the machine: the DNS is a list in the store.
import { isUnread } from '../core/copy/answers.ts';
import { fails } from './server.ts';
import type { DnsEntry, Mailspace, Probe, ProbedRow } from './state.ts';
import { guid } from '../core/random.ts';
import type { World } from '../core/world.ts';

export const TXT_PREFIX = '_mailspace-verify';

export interface WantedRecord {
  readonly type: DnsEntry['type'];
  readonly name: string;
  readonly value: string;
  readonly priority: number | null;
  readonly purpose: string;
  readonly optional: boolean;
  readonly placeholder: boolean;
}

export function wantedRecords(space: Mailspace, domain: string): readonly WantedRecord[] {
  // MDM-23: a DKIM key that cannot be read shows as a placeholder.
  const keyless = fails(space, 'dkim');
  const key = `v=DKIM1; k=ed25519; p=${guid(space.id.length, domain.length).replaceAll('-', '')}`;
  const row = (type: DnsEntry['type'], name: string, value: string, purpose: string): WantedRecord => ({
    type,
    name,
    value,
    purpose,
    priority: type === 'MX' ? 10 : null,
    optional: type === 'AAAA',
    placeholder: false,
  });
  return [
    row('MX', domain, 'mx.mail.sandbox.example', 'Receives mail'),
    row('TXT', domain, 'v=spf1 include:spf.mail.sandbox.example -all', 'Says who may send'),
    {
      ...row('TXT', `mail._domainkey.${domain}`, keyless ? 'The key is shown here soon' : key, 'Signs mail'),
      placeholder: keyless,
    },
    row('TXT', `_dmarc.${domain}`, 'v=DMARC1; p=none', 'Says what to do with the rest'),
    row('CNAME', `autoconfig.${domain}`, 'autoconfig.mail.sandbox.example', 'Configures clients'),
    row('A', `mail.${domain}`, '192.0.2.25', 'Webmail'),
    row('AAAA', `mail.${domain}`, '2001:db8::25', 'Webmail over IPv6'),
  ];
}

export function isHosted(world: World, space: Mailspace, domain: string): boolean {
  return world.state.dnsZones.some(({ name, accountId }) => name === domain && accountId === space.accountId);
}

export function probeKey({ type, name }: Pick<DnsEntry, 'type' | 'name'>): string {
  return `${type} ${name}`;
}

export function probe(world: World, space: Mailspace, domain: string): Probe {
  const rows = wantedRecords(space, domain).map((record) => [probeKey(record), look(world, record)]);
  const result: Probe = { at: world.clock.now(), rows: Object.fromEntries(rows) as Record<string, ProbedRow> };
  space.probes.set(domain, result);
  return result;
}

function look(world: World, record: WantedRecord): ProbedRow {
  const there = world.state.mail.dns.filter(
    ({ type, name, value }) => type === record.type && name === record.name && sameUse(record, value),
  );
  if (there.length === 0) return { status: 'missing', found: null };
  const fits = there.some(({ value, priority }) => value === record.value && priority === record.priority);
  return { status: fits ? 'ok' : 'mismatch', found: there.map(({ value }) => value).join(', ') };
}

/** One name holds TXT records of several uses, told apart by how they begin. */
function sameUse({ type, value }: WantedRecord, other: string): boolean {
  return type !== 'TXT' || other.split(/[ ;]/, 1)[0] === value.split(/[ ;]/, 1)[0];
}

/** Publishes what it can in a zone of the same workspace. */
export function writeZone(world: World, space: Mailspace, domain: string): void {
  if (!isHosted(world, space, domain)) return;
  const { mail } = world.state;
  for (const record of wantedRecords(space, domain)) {
    const isForeign = mail.dns.some(({ name, by }) => name === record.name && by === 'user');
    // MDM-25: a name in a hosted zone that holds somebody else's record is left alone, silently.
    if (record.placeholder || isForeign) continue;
    mail.dns.push({ type: record.type, name: record.name, value: record.value, priority: record.priority, by: 'mail' });
  }
}

export function clearZone(world: World, domain: string): void {
  const { mail } = world.state;
  mail.dns = mail.dns.filter(({ name, by }) => by === 'user' || (name !== domain && !name.endsWith(`.${domain}`)));
}

/** Publishes the TXT record of every domain that waits for it. */
export function publishTokens(world: World): void {
  if (isUnread(world.state, 'mail')) return;
  const { mail } = world.state;
  const waiting = [...mail.spaces.values()].flatMap((space) => [
    ...(space.verified || space.token === '' ? [] : [{ name: space.domain, token: space.token }]),
    ...(isUnread(space, 'pendingDomains') ? [] : space.pendingDomains.filter(({ verified }) => !verified)),
  ]);
  const unpublished = waiting.filter(({ name, token }) => !publishesToken(world, name, token));
  for (const { name, token } of unpublished)
    mail.dns.push({ type: 'TXT', name: `${TXT_PREFIX}.${name}`, value: token, priority: null, by: 'user' });
}

export function publishesToken(world: World, domain: string, token: string): boolean {
  return world.state.mail.dns.some(
    ({ type, name, value }) => type === 'TXT' && name === `${TXT_PREFIX}.${domain}` && value === token,
  );
}
