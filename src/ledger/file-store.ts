// How a ledger and its lock lie in a folder: append and fsync; whole files change by renaming, so that nobody sees half
// of one.
import type { FileHandle } from 'node:fs/promises';
import { constants, readFileSync } from 'node:fs';
import { access, link, mkdir, open, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { TrustOptions } from '../system/trusted-file.ts';
import { untrusted, untrustedMessage } from '../system/trusted-file.ts';
import { hasCode } from './system-error.ts';
import type { Holder, LockStore, LockRecord } from './lock.ts';
import { parseLock } from './lock.ts';
import type { LedgerStore } from './store.ts';
import { StoreError } from './store.ts';

const POLL_MS = 250;

/**
 * A ledger in a file. Its folder is created by the first write. `trustedRoots`: folders whose files are used whoever owns
 * them.
 */
export function fileStore(file: string, trustedRoots: readonly string[] = []): LedgerStore {
  const lock = fileLock(`${file}.lock`);
  let handle: FileHandle | undefined;

  const close = async (): Promise<void> => {
    const open = handle;
    handle = undefined;
    await open?.close();
  };
  const check = (use: TrustOptions['use']): void => {
    const problem = untrusted(file, { use, roots: trustedRoots });
    if (problem !== undefined) throw new StoreError(untrustedMessage(problem).replace(/\.$/, ''));
  };
  const checkLock = async ({ token }: LockRecord): Promise<void> => {
    // Somebody may have removed the lock by hand; two writers would tell two stories.
    const holder = await lock.peek();
    if (typeof holder === 'string' || holder.token !== token)
      throw new StoreError('its lock was removed while this run went on');
  };

  return {
    name: file,
    lock,
    read: async () => {
      check('input');
      return readOrNothing(file);
    },
    resume: async (kept, ending) => {
      await close();
      check('output');
      handle = await openToAppend(file);
      const { size } = await handle.stat();
      if (size === kept && ending === '') return;
      await handle.truncate(kept);
      await handle.appendFile(ending);
      await handle.sync();
    },
    append: async (text, record) => {
      await checkLock(record);
      if (handle === undefined) check('output');
      handle ??= await openToAppend(file);
      await handle.appendFile(text);
      await handle.datasync();
    },
    rewrite: async (text, record) => {
      await checkLock(record);
      await close();
      await replaceFile(file, text);
    },
    setAside: async () => {
      const taken = await listSetAside(file);
      let count = 1;
      while (taken.includes(`${file}.corrupt-${count}`)) count += 1;
      const target = `${file}.corrupt-${count}`;
      await rename(file, target);
      await syncFolder(dirname(file));
      return target;
    },
    lastSetAside: async () => (await listSetAside(file)).at(-1),
    months: {
      list: async () => {
        const names = await readdir(dirname(file)).catch(() => []);
        return names.flatMap((name) =>
          monthFile(file, name.slice(-13, -6)) === join(dirname(file), name) ? [name.slice(-13, -6)] : [],
        );
      },
      read: (month) => readOrNothing(monthFile(file, month)),
      write: async (month, text, record) => {
        await checkLock(record);
        await replaceFile(monthFile(file, month), text);
      },
    },
    close,
  };
}

/** `ledger-history-2026-10.jsonl`, beside the ledger. */
function monthFile(file: string, month: string): string {
  return join(dirname(file), `${basename(file).replace(/\.jsonl$/, '')}-history-${month}.jsonl`);
}

/** Reads synchronously: loading what reads in the background takes longer than most ledgers do. */
function readOrNothing(file: string): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    try {
      resolve(readFileSync(file));
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw asStoreError(error);
      resolve(undefined);
    }
  });
}

/**
 * A refusal of the system (permissions, a file where a folder should be, a full disk) as what a person can mend; our own
 * mistakes as they are.
 */
function asStoreError(error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  return typeof code === 'string'
    ? new StoreError(`it cannot be used: ${message}`, { cause: error })
    : (error as Error);
}

async function replaceFile(file: string, text: string): Promise<void> {
  await makeFolder(dirname(file));
  // A repository can hold a link by any name that it can guess, and what it leads to would be written over.
  const temporary = `${file}.${randomUUID()}.new`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncFolder(dirname(file));
}

/** The file itself: what a link in its place leads to is not ours to write. Windows has no such flag, nor links without rights. */
function openToAppend(file: string): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  return open(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600).catch((error: unknown) =>
    Promise.reject(
      hasCode(error, 'ELOOP') ? new StoreError(`${basename(file)} is a link`, { cause: error }) : (error as Error),
    ),
  );
}

/** The folder of the ledger, readable by its owner only when it is made here. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

async function listSetAside(file: string): Promise<readonly string[]> {
  const prefix = `${basename(file)}.corrupt-`;
  try {
    const names = await readdir(dirname(file));
    return names
      .filter((name) => name.startsWith(prefix))
      .sort()
      .map((name) => join(dirname(file), name));
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

/** A lock that is a file: whoever creates it, whole and at once, has it. */
export function fileLock(file: string): LockStore {
  return {
    pollMs: POLL_MS,
    take: async (record) => {
      await makeFolder(dirname(file)).catch((error: unknown) => Promise.reject(asStoreError(error)));
      for (;;) {
        if (await create(file, record).catch((error: unknown) => Promise.reject(asStoreError(error)))) return 'taken';
        const holder = await readLock(file);
        if (holder !== 'none') return holder;
      }
    },
    replace: (dead, record) => replaceLock(file, dead, record),
    peek: () => readLock(file),
    remove: async (seen) => {
      if (seen !== 'unreadable') {
        const holder = await readLock(file);
        if (typeof holder === 'string' || holder.token !== seen.token) return;
        await remove(markerOf(file, seen));
      }
      await remove(file);
    },
  };
}

/** Whole or not at all: a link to a finished file fails when the name is taken, and nobody ever sees half a record. */
async function create(file: string, record: LockRecord): Promise<boolean> {
  const temporary = `${file}.${record.token}`;
  await writeFile(temporary, JSON.stringify(record), { mode: 0o600, flag: 'wx' });
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    // A file system without hard links: exclusive creation is the next best, and half a record reads as unreadable,
    // never as free.
    if (hasCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP')) return await createPlain(file, record);
    throw error;
  } finally {
    await remove(temporary);
  }
}

async function createPlain(file: string, record: LockRecord): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(record), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Puts our record in the place of a dead owner's. Several may try: only who creates the marker named after this very
 * lock may, and only while the lock still is that one (somebody may have replaced it, and gone, between our two looks).
 */
async function replaceLock(file: string, dead: LockRecord, record: LockRecord): Promise<boolean> {
  const marker = markerOf(file, dead);
  if (!(await createPlain(marker, record))) return false;
  try {
    const now = await readLock(file);
    if (typeof now === 'string' || now.token !== dead.token) return false;
    const temporary = `${file}.${record.token}`;
    await writeFile(temporary, JSON.stringify(record), { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
    return true;
  } finally {
    await remove(marker);
  }
}

function markerOf(file: string, dead: LockRecord): string {
  return `${file}.takeover-${dead.token}`;
}

async function readLock(file: string): Promise<Holder | 'none'> {
  const bytes = await readOrNothing(file);
  return bytes === undefined ? 'none' : parseLock(bytes.toString('utf8'));
}

async function remove(file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
}

/** Why the file of a ledger could not be written, by what the system says of it or of the folder that it would be made in. Undefined: it could. A disk that is full is found out by writing alone. */
export async function writeBlocker(file: string): Promise<string | undefined> {
  for (let at = file; ; at = dirname(at)) {
    try {
      const found = await stat(at);
      if (at === file ? !found.isFile() : !found.isDirectory()) return `${at} is no ${at === file ? 'file' : 'folder'}`;
      await access(at, at === file ? constants.W_OK : constants.W_OK | constants.X_OK);
      // Compaction and the lock make files beside it.
      if (at === file) await access(dirname(at), constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      // A missing part is made when something is written: the folder above it decides. A part that is a file is told
      // there.
      if (!(hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) || at === dirname(at))
        return `${at} may not be written`;
    }
  }
}
