// What a DNS record that the desired state needs is, and what can be said of it. The platform publishes some itself;
// the rest is for whoever keeps the zone.
import type { Address } from './address.ts';

export const DNS_FORMAT = 'hostwright.dns/1';

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'TXT';

/** A record as a kind asks for it. */
export interface DnsRecord {
  /** The whole name, without the dot at its end. */
  readonly name: string;
  readonly type: RecordType;
  /** To be published exactly so. Absent: not known, and `reason` says why. */
  readonly value?: string;
  /** Of an MX record. */
  readonly priority?: number;
  /** What it is for, and the rule of the platform that asks for it. */
  readonly purpose: string;
  readonly rule: string;
  /** Good to have: that it is missing counts for nothing. */
  readonly optional?: true;
  /** Entered where the domain is registered, not in its zone. */
  readonly at?: 'registrar';
  readonly reason?: string;
  /** What the platform itself says of it; where it says nothing, the DNS is asked. */
  readonly reported?: { readonly status: 'found' | 'missing' | 'mismatched'; readonly found: readonly string[] };
}

/**
 * found, missing, mismatched: something else is published. unknown: nobody looked, or the look failed; that is not
 * missing. not-known: what is to be published is not known yet.
 */
export type RecordStatus = 'found' | 'missing' | 'mismatched' | 'unknown' | 'not-known';

/** A record, whose it is, and what was found of it. */
export interface PublishedRecord extends Omit<DnsRecord, 'reported'> {
  readonly address: Address;
  readonly status: RecordStatus;
  /** What is published under its name and type. */
  readonly found: readonly string[];
}

export interface DnsReport {
  readonly account: string;
  /** By name, type and value. */
  readonly records: readonly PublishedRecord[];
}

/** What a look at the DNS says. No values: there is no such record. */
export type LookupAnswer =
  | { readonly state: 'answered'; readonly values: readonly string[] }
  | { readonly state: 'failed'; readonly reason: string };

/**
 * Asks the DNS. Never rejects. The values of MX records are `10 mail.example.com`; those of TXT records are put
 * together.
 */
export type Lookup = (name: string, type: RecordType) => Promise<LookupAnswer>;

/** The looks at the DNS that were made, by {@link lookupKey}. */
export type Lookups = ReadonlyMap<string, LookupAnswer>;

/** What a look is kept under. */
export function lookupKey(name: string, type: RecordType): string {
  return `${type} ${name}`;
}
