// Signs a program for macOS ad hoc, as the linker does: it says what the bytes are, not whose. macOS on Apple silicon
// starts nothing that is not signed, and no library for Node.js does this without macOS. The layout is that of Apple's
// cs_blobs.h; numbers of a signature are big-endian, those of a Mach-O file little-endian.
import { createHash } from 'node:crypto';

const MACH_O_64 = 0xfeedfacf;
const HEADER = 32;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const COMMAND = 16;

const SUPER_BLOB = 0xfade0cc0;
const SUPER_BLOB_SIZE = 20;
const CODE_DIRECTORY = 0xfade0c02;
const CODE_DIRECTORY_SIZE = 88;
const VERSION = 0x20400;
const AD_HOC_BY_LINKER = 0x20002;
const SHA256 = 2;
const HASH = 32;
const PAGE_BITS = 12;
const PAGE = 2 ** PAGE_BITS;
const MAIN_PROGRAM = 1n;
/** Of memory, on the platform with the larger ones. */
const MEMORY_PAGE = 0x4000;

const aligned = (size: number, to: number): number => Math.ceil(size / to) * to;

/** The program with a signature at its end; it must have none. */
export function signed(program: Buffer, identifier: string): Buffer {
  const { text, linkedit, end, room } = parsed(program);
  if (room < COMMAND) throw new Error('there is no room for the command of a signature');
  const at = aligned(program.length, 16);
  const pages = Math.ceil(at / PAGE);
  const hashesAt = CODE_DIRECTORY_SIZE + identifier.length + 1;
  const directorySize = hashesAt + pages * HASH;
  const size = SUPER_BLOB_SIZE + directorySize;
  const bytes = Buffer.alloc(at + size);
  program.copy(bytes);

  // The header first: it is on the first page, which is signed too.
  bytes.writeUInt32LE(bytes.readUInt32LE(16) + 1, 16);
  bytes.writeUInt32LE(bytes.readUInt32LE(20) + COMMAND, 20);
  [LC_CODE_SIGNATURE, COMMAND, at, size].forEach((word, index) => bytes.writeUInt32LE(word, end + index * 4));
  const held = bytes.length - linkedit.offset;
  bytes.writeBigUInt64LE(BigInt(aligned(held, MEMORY_PAGE)), linkedit.command + 32);
  bytes.writeBigUInt64LE(BigInt(held), linkedit.command + 48);

  const words = (from: number, ...list: readonly number[]): void =>
    list.forEach((word, index) => bytes.writeUInt32BE(word, from + index * 4));
  words(at, SUPER_BLOB, size, 1, 0, SUPER_BLOB_SIZE);
  const directory = at + SUPER_BLOB_SIZE;
  words(
    directory,
    CODE_DIRECTORY,
    directorySize,
    VERSION,
    AD_HOC_BY_LINKER,
    hashesAt,
    CODE_DIRECTORY_SIZE,
    0,
    pages,
    at,
  );
  bytes.set([HASH, SHA256, 0, PAGE_BITS], directory + 36);
  bytes.writeBigUInt64BE(BigInt(text.offset), directory + 64);
  bytes.writeBigUInt64BE(BigInt(text.size), directory + 72);
  bytes.writeBigUInt64BE(MAIN_PROGRAM, directory + 80);
  bytes.write(identifier, directory + CODE_DIRECTORY_SIZE, 'latin1');
  for (let page = 0; page < pages; page += 1) {
    const part = bytes.subarray(page * PAGE, Math.min((page + 1) * PAGE, at));
    createHash('sha256')
      .update(part)
      .digest()
      .copy(bytes, directory + hashesAt + page * HASH);
  }
  return bytes;
}

interface Segment {
  /** Where its command is. */
  readonly command: number;
  readonly offset: number;
  readonly size: number;
}

/** `end`: of the commands; `room`: how many bytes are unused behind them. */
function parsed(program: Buffer): {
  readonly text: Segment;
  readonly linkedit: Segment;
  readonly end: number;
  readonly room: number;
} {
  if (program.readUInt32LE(0) !== MACH_O_64) throw new Error('this is no program for macOS');
  const segments = new Map<string, Segment>();
  let command = HEADER;
  let first = program.length;
  for (let left = program.readUInt32LE(16); left > 0; left -= 1) {
    const kind = program.readUInt32LE(command);
    if (kind === LC_CODE_SIGNATURE) throw new Error('this program is signed already');
    if (kind === LC_SEGMENT_64) {
      const name = program.toString('latin1', command + 8, command + 24).replace(/\0+$/, '');
      const [offset, size] = [40, 48].map((field) => Number(program.readBigUInt64LE(command + field)));
      segments.set(name, { command, offset: offset as number, size: size as number });
      for (let section = 0; section < program.readUInt32LE(command + 64); section += 1)
        first = Math.min(first, program.readUInt32LE(command + 72 + section * 80 + 48) || first);
    }
    command += program.readUInt32LE(command + 4);
  }
  const [text, linkedit] = [segments.get('__TEXT'), segments.get('__LINKEDIT')];
  if (text === undefined || linkedit === undefined || linkedit.offset + linkedit.size !== program.length)
    throw new Error('the segments of this program are not as a signature needs them');
  return { text, linkedit, end: command, room: first - command };
}
