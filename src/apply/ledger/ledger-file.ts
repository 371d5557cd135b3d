// Decides how a ledger lies in a file: a header line, then one entry a line. Says of a damaged file what is wrong with it.
// Reading never writes: a half last line is somebody's writing under way, or a crash, and is left out.
import { mkdir, open, readFile, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { LedgerLine } from './entries.ts';
import { formatLine, parseLine, parseObject } from './entries.ts';
import { hasCode } from './lock.ts';
import type { LedgerHeader } from './state.ts';

const FORMAT = 'hostwright.ledger/1';

export interface LedgerContent {
  readonly state: 'read';
  readonly header: LedgerHeader;
  readonly lines: readonly LedgerLine[];
  /** Bytes that are whole lines. */
  readonly wholeBytes: number;
  /** What stood behind them: nothing, a last entry that only lacks its line feed, or a torn one. */
  readonly tail: 'none' | 'unended' | 'torn';
}

export type LedgerFile = LedgerContent | { readonly state: 'missing' } | { readonly state: 'newer'; readonly format: string } | { readonly state: 'damaged'; readonly because: string };

/** Reads a ledger as it is. Rejects only when the file system does. */
export async function readLedgerFile(file: string): Promise<LedgerFile> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { state: 'missing' };
    throw error;
  }
  return parseLedger(bytes);
}

/** What these bytes are as a ledger. */
export function parseLedger(bytes: Buffer): LedgerFile {
  const end = bytes.lastIndexOf(0x0a) + 1;
  const texts = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
  const header = parseHeader(texts[0]);
  if (typeof header === 'string') return { state: 'damaged', because: header };
  if ('format' in header) return { state: 'newer', format: header.format };
  const lines: LedgerLine[] = [];
  for (const [index, text] of texts.slice(1).entries()) {
    const line = parseLine(text);
    if (line === 'newer') return { state: 'newer', format: `${FORMAT}, with an entry that this version does not know` };
    const expected = header.after + index + 1;
    // Only the very last line can be half written, and then it has no line feed: anything else was once on stable storage.
    if (line === undefined) return { state: 'damaged', because: `line ${index + 2} is not an entry` };
    if (line.n !== expected) return { state: 'damaged', because: `line ${index + 2} is entry ${line.n}, and entry ${expected} should stand there` };
    lines.push(line);
  }
  const last = parseLine(bytes.subarray(end).toString('utf8'));
  const unended = last !== undefined && last !== 'newer' && last.n === header.after + lines.length + 1;
  if (unended) lines.push(last);
  return { state: 'read', header, lines, wholeBytes: end, tail: unended ? 'unended' : end < bytes.length ? 'torn' : 'none' };
}

function parseHeader(text: string | undefined): LedgerHeader | { readonly format: string } | string {
  const { format, account, standing, after } = parseObject(text ?? '') ?? {};
  if (typeof format !== 'string' || !/^hostwright\.ledger\/\d+$/.test(format)) return 'its first line is not the header of a ledger';
  if (format !== FORMAT) return { format };
  if (typeof account !== 'string' || typeof after !== 'number' || (standing !== 'complete' && standing !== 'partial')) return 'its header is incomplete';
  return { account, standing, after };
}

/** Writes a whole ledger in the place of the old one: who reads meanwhile sees the old or the new, never half. */
export async function writeLedgerFile(file: string, header: LedgerHeader, lines: readonly LedgerLine[]): Promise<void> {
  await makeFolder(dirname(file));
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile([`${JSON.stringify({ format: FORMAT, ...header })}\n`, ...lines.map(formatLine)].join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncFolder(dirname(file));
}

/** The folder of the ledger, readable by its owner only when it is made here. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Moves a damaged ledger out of the way, keeping it for whoever restores it. Returns where it went. */
export async function setAside(file: string): Promise<string> {
  const taken = await listSetAside(file);
  let count = 1;
  while (taken.includes(`${file}.corrupt-${count}`)) count += 1;
  const target = `${file}.corrupt-${count}`;
  await rename(file, target);
  await syncFolder(dirname(file));
  return target;
}

/** Damaged ledgers that were set aside earlier. */
export async function listSetAside(file: string): Promise<readonly string[]> {
  const prefix = `${basename(file)}.corrupt-`;
  try {
    const names = await readdir(dirname(file));
    return names.filter((name) => name.startsWith(prefix)).sort().map((name) => join(dirname(file), name));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** A rename is only on stable storage when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some systems cannot sync a folder.
    if (!hasCode(error, 'EINVAL', 'EPERM', 'EISDIR')) throw error;
  } finally {
    await handle.close();
  }
}
