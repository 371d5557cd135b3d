// Reads the signature of a program for macOS as its kernel does, from Apple's cs_blobs.h: the hash of each page has to be
// that of the bytes there. Apart from what signs, and tried on programs that others signed.
import { createHash } from 'node:crypto';

const ALGORITHMS: Readonly<Record<number, string>> = { 1: 'sha1', 2: 'sha256' };

export interface Signature {
  readonly identifier: string;
  readonly isAdHoc: boolean;
  /** Up to where it covers the file; the signature itself begins there. */
  readonly covered: number;
  readonly startsAt: number;
  /** Pages whose bytes are others than were signed. */
  readonly wrong: readonly number[];
  readonly pages: number;
}

/** Undefined where there is none. */
export function signatureOf(program: Buffer): Signature | undefined {
  let command = 32;
  let startsAt = 0;
  for (let left = program.readUInt32LE(16); left > 0; left -= 1) {
    if (program.readUInt32LE(command) === 0x1d) startsAt = program.readUInt32LE(command + 8);
    command += program.readUInt32LE(command + 4);
  }
  if (startsAt === 0) return undefined;
  const blob = program.subarray(startsAt);
  if (blob.readUInt32BE(0) !== 0xfade0cc0) throw new Error('no signature where the program says');
  const directories = Array.from({ length: blob.readUInt32BE(8) }, (_, index) =>
    blob.subarray(blob.readUInt32BE(16 + index * 8)),
  ).filter((one) => one.readUInt32BE(0) === 0xfade0c02);
  // Of several, the last has the strongest hash.
  const directory = directories.at(-1);
  if (directory === undefined) throw new Error('the signature has no code directory');
  const [flags, hashesAt, identifierAt] = [12, 16, 20].map((at) => directory.readUInt32BE(at)) as [
    number,
    number,
    number,
  ];
  const [pages, covered] = [directory.readUInt32BE(28), directory.readUInt32BE(32)];
  const [size, algorithm] = [directory.readUInt8(36), ALGORITHMS[directory.readUInt8(37)] ?? ''];
  const page = 2 ** directory.readUInt8(39);
  const wrong = Array.from({ length: pages }, (_, index) => index).filter((index) => {
    const bytes = program.subarray(index * page, Math.min((index + 1) * page, covered));
    const expected = directory.subarray(hashesAt + index * size, hashesAt + (index + 1) * size);
    return !createHash(algorithm).update(bytes).digest().subarray(0, size).equals(expected);
  });
  const identifier = directory.toString('latin1', identifierAt, directory.indexOf(0, identifierAt));
  return { identifier, isAdHoc: (flags & 2) !== 0, covered, startsAt, wrong, pages };
}
