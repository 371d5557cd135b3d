// A zip archive of a few files, the same bytes for the same files: what a registry of Terraform providers is given.
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whoever unpacks it may run it. */
  readonly isExecutable: boolean;
}

const DEFLATED = 8;
/** Unpacked by a program that knows of deflate. */
const VERSION = 20;
const UNIX = 3;
/** The first day that the format knows, so that the archive does not tell when it was made. */
const DATE = 0x21;
/** Names are UTF-8. */
const FLAGS = 0x800;

/** The bytes of the archive. */
export function zip(files: readonly ZipFile[]): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, isExecutable } of files) {
    const title = Buffer.from(name);
    const packed = deflateRawSync(bytes, { level: 9 });
    const about = Buffer.alloc(26);
    about.writeUInt16LE(VERSION, 0);
    about.writeUInt16LE(FLAGS, 2);
    about.writeUInt16LE(DEFLATED, 4);
    about.writeUInt16LE(DATE, 8);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(bytes.length, 18);
    about.writeUInt16LE(title.length, 22);
    const local = [Buffer.from('PK\u0003\u0004'), about, title, packed];
    const rights = Buffer.alloc(14);
    rights.writeUInt32LE((isExecutable ? 0o100755 : 0o100644) * 0x10000, 6);
    rights.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.from([VERSION, UNIX]), about, rights, title);
    parts.push(...local);
    at += lengthOf(local);
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(lengthOf(directory), 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
