// What a commit with a few files consists of, written as Git keeps loose objects: without a process for each of them.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { GitObjects } from '../git-command.ts';

const compress = promisify(deflate);
/** Whoever runs this needs no name of their own in Git's configuration. */
const IDENTITY = 'Hostwright <hostwright@localhost>';

export interface FileCommit {
  /** By name, in the order of the names. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly message: string;
  /** '' for a commit that begins a history. */
  readonly parent: string;
  readonly atMs: number;
}

/** What is written already: the same buffer is not compressed again. Gone with the folder that it was written to. */
const known = new WeakMap<GitObjects, WeakMap<Buffer, string>>();

/** Writes a commit with these files in it, and gives its id. */
export async function writeCommit(objects: GitObjects, { files, message, parent, atMs }: FileCommit): Promise<string> {
  const blobs = known.get(objects) ?? new WeakMap<Buffer, string>();
  known.set(objects, blobs);
  const rows: Buffer[] = [];
  for (const [name, bytes] of files) {
    const blob = blobs.get(bytes) ?? (await write(objects, 'blob', bytes));
    blobs.set(bytes, blob);
    rows.push(Buffer.from(`100644 ${name}\0`, 'utf8'), Buffer.from(blob, 'hex'));
  }
  const tree = await write(objects, 'tree', Buffer.concat(rows));
  const by = `${IDENTITY} ${Math.floor(atMs / 1000)} +0000`;
  const lines = [`tree ${tree}`, ...(parent === '' ? [] : [`parent ${parent}`]), `author ${by}`, `committer ${by}`];
  return write(objects, 'commit', Buffer.from(`${lines.join('\n')}\n\n${message}\n`, 'utf8'));
}

async function write({ folder, hash }: GitObjects, type: 'blob' | 'tree' | 'commit', content: Buffer): Promise<string> {
  const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`, 'utf8'), content]);
  const id = createHash(hash).update(object).digest('hex');
  await mkdir(join(folder, id.slice(0, 2)), { recursive: true });
  await writeFile(join(folder, id.slice(0, 2), id.slice(2)), await compress(object, { level: 1 }));
  return id;
}
