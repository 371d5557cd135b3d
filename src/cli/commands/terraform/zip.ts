// A zip of one file that may be executed; the same bytes for the same file.
import { crc32, deflateRawSync } from 'node:zlib';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const UNIX = 3;
const DEFLATED = 8;
/** The first day that a zip knows. */
const DATE = 0x21;
/** A regular file that everybody may run. */
const MODE = 0o100755;

/** The archive with this file in it, executable. */
export function zipExecutable(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content, { level: 9 });
  const title = Buffer.from(name);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(VERSION, 0);
  common.writeUInt16LE(DEFLATED, 4);
  common.writeUInt16LE(DATE, 8);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(title.length, 22);
  const local = Buffer.concat([word(LOCAL), common, title, packed]);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(MODE * 0x1_0000, 6);
  const central = Buffer.concat([word(CENTRAL), Buffer.from([VERSION, UNIX]), common, tail, title]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, word(END), end]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
