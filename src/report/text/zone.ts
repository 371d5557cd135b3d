// How DNS records are written as a master file (RFC 1035, section 5): every name whole, every text in pieces of 255
// bytes, and nothing in a value that could begin another record.
import { isIPv4, isIPv6 } from 'node:net';
import type { DnsReport, PublishedRecord } from '../../model/dns.ts';
import { purposeOf } from '../blocks/dns.ts';
import { escapeText } from '../view/escape.ts';

const TTL_SECONDS = 3600;
const LONGEST_STRING = 255;

/** A zone file of these records, which any zone can include. */
export function renderZone({ account, records }: DnsReport): string {
  const head = [
    `; DNS records for account ${escapeText(account, 100)}`,
    ...(records.length === 0 ? ['; nothing to publish'] : [`$TTL ${TTL_SECONDS}`]),
  ];
  return [...head, ...records.flatMap(recordLines)].join('\n');
}

function recordLines(record: PublishedRecord): readonly string[] {
  const { name, type, status, reason } = record;
  const notice = `; ${purposeOf(record)}: ${status}`;
  const data = dataOf(record);
  if (data !== undefined) return ['', notice, `${zoneName(name)}\tIN\t${type}\t${data}`];
  return [
    '',
    notice,
    `; left out: ${escapeText(name, 300)} ${type} (${escapeText(reason ?? 'its value is no address')})`,
  ];
}

/** What stands behind the type; undefined for what cannot be published. */
function dataOf({ type, value, priority = 0 }: PublishedRecord): string | undefined {
  if (value === undefined) return undefined;
  switch (type) {
    case 'A':
      return isIPv4(value) ? value : undefined;
    case 'AAAA':
      return isIPv6(value) ? value : undefined;
    case 'CNAME':
    case 'NS':
      return zoneName(value);
    case 'MX':
      return `${priority} ${zoneName(value)}`;
    case 'TXT':
      return zoneText(value);
  }
}

/** A whole name with its dot at the end; what is no letter, digit, `-`, `_` or `*` is escaped. */
function zoneName(name: string): string {
  const bare = name.replace(/\.$/, '');
  return `${[...Buffer.from(bare, 'utf8')].map((byte) => (/[\w*.-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : decimal(byte))).join('')}.`;
}

/** One or more strings in quotes. */
function zoneText(text: string): string {
  const bytes = [...Buffer.from(text, 'utf8')];
  const strings: string[] = [];
  for (let start = 0; start === 0 || start < bytes.length; start += LONGEST_STRING) {
    strings.push(
      `"${bytes
        .slice(start, start + LONGEST_STRING)
        .map(quotedByte)
        .join('')}"`,
    );
  }
  return strings.join(' ');
}

function quotedByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === '"' || character === '\\') return `\\${character}`;
  return byte >= 0x20 && byte < 0x7f ? character : decimal(byte);
}

function decimal(byte: number): string {
  return `\\${String(byte).padStart(3, '0')}`;
}
