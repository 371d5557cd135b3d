// What is true of every DNS record that is needed: found, missing, something else in its place, or not known. The
// platform's own word goes before a look at the DNS; a look that failed is no evidence. Pure: the looks were made
// before.
import type { Address } from '../model/address.ts';
import { compareText } from '../model/address.ts';
import type { DnsRecord, LookupAnswer, Lookups, PublishedRecord, RecordType } from '../model/dns.ts';
import { lookupKey } from '../model/dns.ts';
import { canonicalHostname } from '../model/hostname.ts';

export interface NeededRecord extends DnsRecord {
  readonly address: Address;
}

/** One look at the DNS that the records ask for. */
export interface Question {
  readonly name: string;
  readonly type: RecordType;
}

const ADDRESSES: readonly RecordType[] = ['A', 'AAAA'];

/** What the DNS has to be asked first: of every record of which the platform says nothing, each question once. */
export function questionsFor(records: readonly NeededRecord[]): readonly Question[] {
  return once(records.filter(isLookedUp).map(({ name, type }) => ({ name, type })));
}

/**
 * What has to be asked where a name has no CNAME: at the top of a zone there can be none, and an alias shows as
 * addresses.
 */
export function questionsForAliases(records: readonly NeededRecord[], lookups: Lookups): readonly Question[] {
  const bare = records.filter(
    (record) => isLookedUp(record) && record.type === 'CNAME' && isNone(lookups.get(lookupKey(record.name, 'CNAME'))),
  );
  return once(
    bare.flatMap(({ name, value }) =>
      [name, value as string].flatMap((asked) => ADDRESSES.map((type) => ({ name: asked, type }))),
    ),
  );
}

/**
 * All records with what is known of them, by name, type and value; a record that two objects ask for is told once for
 * each.
 */
export function judgeRecords(records: readonly NeededRecord[], lookups: Lookups): readonly PublishedRecord[] {
  const wanted = new Map<string, string[]>();
  for (const record of records) {
    const key = lookupKey(record.name, record.type);
    wanted.set(key, [...(wanted.get(key) ?? []), presented(record)]);
  }
  return records
    .map((record): PublishedRecord => {
      const { reported, ...rest } = record;
      if (record.value === undefined) return { ...rest, status: 'not-known', found: [] };
      if (reported !== undefined) return { ...rest, ...reported };
      return {
        ...rest,
        ...judge(record, lookups, wanted.get(lookupKey(record.name, record.type)) as readonly string[]),
      };
    })
    .sort(
      (left, right) =>
        compareText(left.name, right.name) ||
        compareText(left.type, right.type) ||
        compareText(presented(left), presented(right)) ||
        compareText(left.address, right.address),
    );
}

type Judged = Pick<PublishedRecord, 'status' | 'found' | 'reason'>;

function judge(record: NeededRecord, lookups: Lookups, wanted: readonly string[]): Judged {
  const { name, type } = record;
  const answer = lookups.get(lookupKey(name, type));
  if (answer === undefined) return { status: 'unknown', found: [], reason: 'nobody looked' };
  if (answer.state === 'failed') return { status: 'unknown', found: [], reason: answer.reason };
  const found = answer.values;
  if (found.length === 0) return type === 'CNAME' ? judgeAlias(record, lookups) : { status: 'missing', found };
  const published = found.map((value) => comparable(type, value));
  const isThere = published.includes(comparable(type, presented(record)));
  if (type === 'TXT') return judgeText(record.value as string, isThere, found);
  if (!isThere) return { status: 'mismatched', found };
  // Name servers of somebody else beside ours would answer some of the questions.
  const hasOthers =
    type === 'NS' && published.some((value) => !wanted.map((other) => comparable(type, other)).includes(value));
  return hasOthers
    ? { status: 'mismatched', found, reason: 'other name servers are named beside these' }
    : { status: 'found', found };
}

/** A name may hold texts of many uses; only one that begins alike stands in the place of ours. */
function judgeText(value: string, isThere: boolean, found: readonly string[]): Judged {
  const use = (text: string): string => text.split(/[ ;]/, 1)[0] as string;
  const alike = found.filter((other) => use(other) === use(value));
  return { status: isThere ? 'found' : alike.length > 0 ? 'mismatched' : 'missing', found: alike };
}

/** Without a CNAME a name may still lead where it should: its addresses are those of the target. */
function judgeAlias({ name, value }: NeededRecord, lookups: Lookups): Judged {
  const asked = [name, value as string].map((of) => ADDRESSES.map((type) => lookups.get(lookupKey(of, type))));
  const failed = asked.flat().find((answer) => answer?.state === 'failed');
  const [own = [], target = []] = asked.map((answers) =>
    answers.flatMap((answer) => (answer?.state === 'answered' ? answer.values : [])),
  );
  if (own.some((address) => target.includes(address)))
    return { status: 'found', found: own, reason: 'it has no CNAME record, and the addresses of the target' };
  if (failed?.state === 'failed') return { status: 'unknown', found: own, reason: failed.reason };
  return own.length === 0 ? { status: 'missing', found: [] } : { status: 'mismatched', found: own };
}

function isLookedUp({ value, reported }: NeededRecord): boolean {
  return value !== undefined && reported === undefined;
}

function isNone(answer: LookupAnswer | undefined): boolean {
  return answer?.state === 'answered' && answer.values.length === 0;
}

/** As a look at the DNS gives it. */
function presented({ type, value = '', priority }: Pick<DnsRecord, 'type' | 'value' | 'priority'>): string {
  return type === 'MX' ? `${priority ?? 0} ${value}` : value;
}

/** Names are the same in any letter case and with or without the dot at their end; addresses have several spellings. */
function comparable(type: RecordType, value: string): string {
  switch (type) {
    case 'TXT':
      return value;
    case 'MX': {
      const [priority = '', exchange = ''] = value.split(' ');
      return `${priority} ${canonicalHostname(exchange)}`;
    }
    case 'AAAA':
      return URL.canParse(`http://[${value}]`) ? new URL(`http://[${value}]`).hostname : value;
    case 'A':
    case 'CNAME':
    case 'NS':
      return canonicalHostname(value);
  }
}

function once(questions: readonly Question[]): readonly Question[] {
  return [...new Map(questions.map((question) => [lookupKey(question.name, question.type), question])).values()];
}
