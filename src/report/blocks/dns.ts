// The DNS records that are needed as blocks: one line each, what is missing first to be seen. Names and values are shown
// whole and in one piece, because they are copied from here.
import type { DnsReport, PublishedRecord, RecordStatus } from '../../model/dns.ts';
import { countsOf, plural } from '../../model/common/count.ts';
import { escapeText } from '../view/escape.ts';
import type { Block, Line, Role } from './block.ts';
import { marked, paragraph } from './block.ts';

const STATUSES: Readonly<Record<RecordStatus, readonly [Role, string]>> = {
  missing: ['alarm', 'missing'],
  mismatched: ['alarm', 'mismatched'],
  'not-known': ['careful', 'not known yet'],
  unknown: ['careful', 'unknown'],
  found: ['good', 'found'],
};

export function dnsBlocks({ account, records }: DnsReport): readonly Block[] {
  const counts = (Object.keys(STATUSES) as RecordStatus[]).map(
    (status) => [records.filter((record) => record.status === status).length, STATUSES[status][1]] as const,
  );
  const head = marked('strong', `DNS records for account ${escapeText(account, 100)}`);
  if (records.length === 0) return [paragraph(head, ': nothing to publish.')];
  return [
    paragraph(head, `: ${plural(records.length, 'record')}, ${countsOf(counts)}`),
    {
      is: 'list',
      items: records.map((record) => ({
        cells: [[marked(...STATUSES[record.status])], [marked('code', escapeText(record.name, 300))], [record.type]],
        line: valueOf(record),
        blocks: notesOf(record).map((note) => paragraph(marked('faint', note))),
      })),
    },
  ];
}

/** The value as it is to be published, or why it is not known. */
function valueOf({ value, priority, reason = '' }: PublishedRecord): Line {
  if (value === undefined) return [`(${escapeText(reason)})`];
  return [marked('code', `${priority === undefined ? '' : `${priority} `}${escapeText(value, 4000)}`)];
}

/** What it is for, and who enters it where. */
export function purposeOf({ purpose, at, optional }: PublishedRecord): string {
  const where = at === 'registrar' ? '; entered where the domain is registered' : '';
  return `${escapeText(purpose)}${where}${optional === true ? '; optional' : ''}`;
}

function notesOf(record: PublishedRecord): readonly string[] {
  const { value, found, status, reason } = record;
  return [
    purposeOf(record),
    ...(status === 'mismatched' ? [`published: ${found.map((text) => escapeText(text, 1000)).join(', ')}`] : []),
    ...(reason !== undefined && value !== undefined ? [escapeText(reason)] : []),
  ];
}
