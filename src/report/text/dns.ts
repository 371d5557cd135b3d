// How the DNS records that are needed read in a terminal: one line each, what is missing first to be seen. Names and
// values are shown whole, because they are copied from here.
import type { DnsReport, PublishedRecord, RecordStatus } from '../../model/dns.ts';
import { plural } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import type { Paint, Style } from './style.ts';
import { createStyle } from './style.ts';

const STATUS_WORDS: Readonly<Record<RecordStatus, string>> = {
  missing: 'missing',
  mismatched: 'mismatched',
  'not-known': 'not known yet',
  unknown: 'unknown',
  found: 'found',
};

export function renderDns({ account, records }: DnsReport, { color }: { readonly color: boolean }): string {
  const style = createStyle(color);
  const counts = (Object.keys(STATUS_WORDS) as RecordStatus[]).flatMap((status) => {
    const number = records.filter((record) => record.status === status).length;
    return number === 0 ? [] : [`${number} ${STATUS_WORDS[status]}`];
  });
  const head = `${style.strong(`DNS records for account ${escapeText(account, 100)}`)}: ${records.length === 0 ? 'nothing to publish.' : `${plural(records.length, 'record')}, ${counts.join(', ')}`}`;
  if (records.length === 0) return head;
  const rows = records.map((record) => ({
    record,
    status: STATUS_WORDS[record.status],
    name: escapeText(record.name, 300),
    type: record.type,
  }));
  const width = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length));
  const widths = {
    status: width(rows.map(({ status }) => status)),
    name: width(rows.map(({ name }) => name)),
    type: width(rows.map(({ type }) => type)),
  };
  const lines = rows.flatMap(({ record, status, name, type }) => [
    `  ${paintOf(record.status, style)(status.padEnd(widths.status))}  ${name.padEnd(widths.name)}  ${type.padEnd(widths.type)}  ${showRecordValue(record)}`,
    ...noteLines(record, ' '.repeat(widths.status + 4), style),
  ]);
  return [head, '', ...lines].join('\n');
}

/** The value as it is to be published, or why it is not known. */
function showRecordValue({ value, priority, reason = '' }: PublishedRecord): string {
  if (value === undefined) return `(${escapeText(reason)})`;
  return `${priority === undefined ? '' : `${priority} `}${escapeText(value, 4000)}`;
}

function noteLines(
  { value, purpose, at, optional, found, status, reason }: PublishedRecord,
  margin: string,
  style: Style,
): readonly string[] {
  const where = at === 'registrar' ? '; entered where the domain is registered' : '';
  const notes = [
    `${escapeText(purpose)}${where}${optional === true ? '; optional' : ''}`,
    ...(status === 'mismatched' ? [`published: ${found.map((text) => escapeText(text, 1000)).join(', ')}`] : []),
    ...(reason !== undefined && value !== undefined ? [escapeText(reason)] : []),
  ];
  return notes.map((note) => style.faint(`${margin}${note}`));
}

function paintOf(status: RecordStatus, style: Style): Paint {
  switch (status) {
    case 'found':
      return style.good;
    case 'missing':
    case 'mismatched':
      return style.alarm;
    case 'unknown':
    case 'not-known':
      return style.careful;
  }
}
