// How a ledger is written down: a header line, then one entry a line. Says of a damaged one what is wrong with it.
// Pure: where the bytes are kept is a store's affair. A half last line is somebody's writing under way, or a crash, and
// is left out.
import type { LedgerLine } from './entries.ts';
import { formatLine, parseLine } from './entries.ts';
import { formerParser } from './former-format.ts';
import type { LedgerHeader } from './state.ts';
import { parseJsonObject } from '../model/json.ts';

const FORMAT = 'hostwright.ledger/2';
/** The format of versions 0.1.x: its `begin` entries have whole actions with their steps. */
const FORMER_FORMAT = 'hostwright.ledger/1';
/** A format that 0.1.0 refuses as newer instead of calling it damaged. */
const TOMBSTONE_FORMAT = FORMAT;

export interface LedgerContent {
  readonly state: 'read';
  readonly header: LedgerHeader;
  readonly lines: readonly LedgerLine[];
  /** It has the former format and is written anew with the first entry. Absent: it has today's. */
  readonly isFormer?: true;
  /** Bytes that are whole lines. */
  readonly wholeBytes: number;
  /** What stood behind them: nothing, a last entry that only lacks its line feed, or a torn one. */
  readonly tail: 'none' | 'unended' | 'torn';
}

/** What is left in the old store of a ledger that was moved: its account and the name of the new store. */
export interface Tombstone {
  readonly account: string;
  readonly movedTo: string;
  /** ISO time. */
  readonly movedAt: string;
}

export type LedgerText =
  | LedgerContent
  | ({ readonly state: 'moved' } & Tombstone)
  | { readonly state: 'newer'; readonly format: string }
  | { readonly state: 'damaged'; readonly reason: string };

/** What these bytes are as a ledger. */
export function parseLedger(bytes: Buffer): LedgerText {
  const end = bytes.lastIndexOf(0x0a) + 1;
  const texts = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
  const tombstone = parseTombstone(texts[0]);
  if (tombstone !== undefined) return { state: 'moved', ...tombstone };
  const header = parseHeader(texts[0]);
  if (typeof header === 'string') return { state: 'damaged', reason: header };
  if ('format' in header) return { state: 'newer', format: header.format };
  const { isFormer, ...own } = header;
  const parse = isFormer ? formerParser() : parseLine;
  const lines: LedgerLine[] = [];
  for (const [index, text] of texts.slice(1).entries()) {
    const line = parse(text);
    if (line === 'newer') return newerEntry();
    const expected = header.after + index + 1;
    // Only the very last line can be half written, and then it has no line feed: anything else was once on stable
    // storage.
    if (line === undefined) return { state: 'damaged', reason: `line ${index + 2} is not an entry` };
    if (line.n !== expected)
      return {
        state: 'damaged',
        reason: `line ${index + 2} is entry ${line.n}, and entry ${expected} should stand there`,
      };
    lines.push(line);
  }
  const last = parse(bytes.subarray(end).toString('utf8'));
  // Whole but for its line feed, so it is no half of a line that we know.
  if (last === 'newer') return newerEntry();
  const unended = last !== undefined && last.n === header.after + lines.length + 1;
  if (unended) lines.push(last);
  return {
    state: 'read',
    header: own,
    lines,
    ...(isFormer && { isFormer }),
    wholeBytes: end,
    tail: unended ? 'unended' : end < bytes.length ? 'torn' : 'none',
  };
}

function newerEntry(): LedgerText {
  return { state: 'newer', format: `${FORMAT}, with an entry that this version does not know` };
}

function parseTombstone(text: string | undefined): Tombstone | undefined {
  const { standing, account, movedTo, movedAt } = parseJsonObject(text ?? '') ?? {};
  return standing === 'moved' &&
    typeof account === 'string' &&
    typeof movedTo === 'string' &&
    typeof movedAt === 'string'
    ? { account, movedTo, movedAt }
    : undefined;
}

/** Returns the text that a store keeps once its ledger was moved to another one. */
export function formatTombstone(tombstone: Tombstone): string {
  return `${JSON.stringify({ format: TOMBSTONE_FORMAT, standing: 'moved', ...tombstone })}\n`;
}

function parseHeader(
  text: string | undefined,
): (LedgerHeader & { readonly isFormer: boolean }) | { readonly format: string } | string {
  const { format, account, standing, after } = parseJsonObject(text ?? '') ?? {};
  if (typeof format !== 'string' || !/^hostwright\.ledger\/\d+$/.test(format))
    return 'its first line is not the header of a ledger';
  if (format !== FORMAT && format !== FORMER_FORMAT) return { format };
  if (typeof account !== 'string' || typeof after !== 'number' || (standing !== 'complete' && standing !== 'partial'))
    return 'its header is incomplete';
  return { account, standing, after, isFormer: format === FORMER_FORMAT };
}

/** A whole ledger. */
export function formatLedger(header: LedgerHeader, lines: readonly LedgerLine[]): string {
  return [`${JSON.stringify({ format: FORMAT, ...header })}\n`, ...lines.map(formatLine)].join('');
}
