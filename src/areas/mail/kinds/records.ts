// The DNS records that a domain of mail needs: the TXT record that proves whose it is, then what the platform's own
// report lists (MDM-19, MDM-22).
import type { DnsRecord, RecordType } from '../../../model/dns.ts';
import type { Json, JsonObject } from '../../../model/json.ts';
import { isJsonObject } from '../../../model/json.ts';
import type { Answers } from '../../../model/kind/kind.ts';
import type { RecordCheck, RecordsDefinition } from '../../../model/kind/capabilities/records.ts';
import { rowsAt, textAt } from '../../../model/kind/rows.ts';
import type { MailDomainSpec } from './domain/spec.ts';
import type { MailspaceSpec } from './mailspace/spec.ts';

const TYPES: readonly RecordType[] = ['MX', 'A', 'AAAA', 'TXT', 'CNAME'];
const STATUSES: Readonly<Record<string, 'found' | 'missing' | 'mismatched'>> = {
  ok: 'found',
  missing: 'missing',
  mismatch: 'mismatched',
};

/** Of the primary domain, which comes with the mailspace. */
export const mailspaceRecords: RecordsDefinition<MailspaceSpec> = {
  reads: ({ live }) => (live?.computed.ready === true ? { report: [reportPath(live.id)] } : {}),
  records: ({ desired, live }, answers) =>
    recordsOf(desired.domain as string, live, live?.computed.ready === true, answers),
  check: ({ desired, live }, { report }) =>
    live?.computed.ready === true ? checkOf(live.id, desired.domain as string, report) : undefined,
};

/** Of a secondary domain: served ones have a report, pending ones a TXT record. */
export const mailDomainRecords: RecordsDefinition<MailDomainSpec> = {
  reads: ({ live, parent }) =>
    live !== null && parent !== null && isServed(live)
      ? { report: [`${reportPath(parent.id)}?domain=${encodeURIComponent(live.id)}`] }
      : {},
  records: ({ desired, live }, answers) =>
    recordsOf(desired.name as string, live, live !== null && isServed(live), answers),
  check: ({ live, parent }, { report }) =>
    live !== null && parent !== null && isServed(live) ? checkOf(parent.id, live.id, report) : undefined,
};

/**
 * The TXT record that proves whose a domain is. The platform tells it until that is proven (MSP-04, MDM-03); what it told
 * holds then: whoever published the record keeps it as it is.
 */
export const mailReported = {
  values: {
    verification: ({ live }: { readonly live: { readonly computed: JsonObject } | null }): Json | undefined => {
      const { txtHost, txtValue } = live?.computed ?? {};
      return typeof txtHost === 'string' && typeof txtValue === 'string'
        ? { name: txtHost, value: txtValue }
        : undefined;
    },
  },
};

/** A domain whose zone the platform hosts is not checked (MDM-22); any other once in five minutes (LIM-07). */
function checkOf(mailspace: string, domain: string, report: Json | undefined): RecordCheck | undefined {
  if (!isJsonObject(report) || report.managed === true) return undefined;
  return {
    domain,
    path: `${reportPath(mailspace)}_check`,
    body: { domain },
    report: `${reportPath(mailspace)}?domain=${encodeURIComponent(domain)}`,
    checkedAt: typeof report.checked_at === 'string' ? report.checked_at : null,
  };
}

function isServed({ computed }: { readonly computed: JsonObject }): boolean {
  return computed.state !== 'pending_verification';
}

function reportPath(mailspace: string): string {
  return `/api/mailspace/${encodeURIComponent(mailspace)}/domains/dns`;
}

function recordsOf(
  domain: string,
  live: { readonly computed: JsonObject } | null,
  ready: boolean,
  { report }: Answers,
): readonly DnsRecord[] {
  if (live === null)
    return [
      {
        name: domain,
        type: 'MX',
        purpose: 'receives mail',
        rule: 'MDM-22',
        reason: 'not known before the domain is added',
      },
    ];
  if (!ready) return live.computed.proven === true ? [] : [proof(domain, live.computed)];
  // What the report says of a zone that the platform hosts is for reference: it publishes that itself. Without a report
  // nothing is known to be needed.
  if (report === undefined || (report as JsonObject).managed === true) return [];
  return rowsAt(report, '/records').flatMap(reported);
}

function proof(domain: string, { txtHost, txtValue }: JsonObject): DnsRecord {
  const record = {
    name: typeof txtHost === 'string' ? txtHost : domain,
    type: 'TXT',
    purpose: 'proves whose the domain is',
    rule: 'MSP-17',
  } as const;
  return typeof txtHost === 'string' && typeof txtValue === 'string'
    ? { ...record, value: txtValue }
    : { ...record, reason: 'the platform does not tell it; look in the dashboard' };
}

/** A type that nobody knows cannot be published, so it is left out. */
function reported(row: JsonObject): readonly DnsRecord[] {
  const type = TYPES.find((known) => known === row.type);
  if (type === undefined) return [];
  const record: DnsRecord = {
    name: textAt(row, '/name'),
    type,
    purpose: textAt(row, '/purpose'),
    rule: 'MDM-22',
    ...(row.optional === true && { optional: true as const }),
  };
  if (row.placeholder === true) return [{ ...record, reason: 'the platform could not read it just now; ask again' }];
  const status = typeof row.status === 'string' ? STATUSES[row.status] : undefined;
  return [
    {
      ...record,
      value: textAt(row, '/value'),
      ...(typeof row.priority === 'number' && { priority: row.priority }),
      ...(status !== undefined && { reported: { status, found: foundIn(row.found) } }),
    },
  ];
}

function foundIn(found: Json | undefined): readonly string[] {
  return typeof found === 'string' && found !== '' ? [found] : [];
}
