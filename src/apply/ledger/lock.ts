// Decides who may write the ledger: whoever created the lock file, whole and at once. A local owner that died is recognised and replaced.
// Must not take a lock from an owner that may still live: another machine, another container, a process it cannot see.
import { randomUUID } from 'node:crypto';
import { link, readFile, readlink, rename, unlink, writeFile } from 'node:fs/promises';
import type { Clock } from '../../model/clock.ts';
import { parseObject } from './entries.ts';

/** What the program knows of itself. */
export interface LockOwner {
  readonly hostname: string;
  readonly pid: number;
  readonly user: string;
  readonly runId: string;
}

/** What stands in a lock file. */
export interface LockRecord extends LockOwner {
  /** Told apart from any other lock, also of the same process. */
  readonly token: string;
  readonly since: string;
  /** Tells a process from a later one with the same number; '' where the system does not say. */
  readonly started: string;
  /** The name space that `pid` belongs to; '' where the system does not say. */
  readonly space: string;
}

export interface Lock {
  readonly record: LockRecord;
  /** The dead owner whose lock this was. */
  readonly takenFrom: LockRecord | undefined;
  readonly isOurs: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

/** Who holds it: undefined where the file cannot be understood. */
export interface Held {
  readonly heldBy: LockRecord | undefined;
}

const POLL_MS = 250;

/** Takes the lock, waiting up to `waitMs` for a living owner. */
export async function takeLock(file: string, owner: LockOwner, clock: Clock, waitMs: number): Promise<Lock | Held> {
  const record = await describeSelf(owner, clock.now());
  const deadlineAtMs = clock.now() + waitMs;
  for (;;) {
    if (await create(file, record)) return lockOf(file, record, undefined);
    const holder = await readLock(file);
    if (holder === 'none') continue;
    if (holder !== 'unreadable' && (await isLocal(holder, owner.hostname)) && !(await isRunning(holder)) && (await replace(file, holder, record))) return lockOf(file, record, holder);
    if (clock.now() >= deadlineAtMs) return { heldBy: holder === 'unreadable' ? undefined : holder };
    await clock.sleep(POLL_MS);
  }
}

/** Removes a lock, whoever holds it; unless `force`, not that of a process that runs here. */
export async function breakLock(file: string, hostname: string, force: boolean): Promise<{ readonly removed: boolean; readonly heldBy: LockRecord | undefined }> {
  const holder = await readLock(file);
  if (holder === 'none') return { removed: false, heldBy: undefined };
  const heldBy = holder === 'unreadable' ? undefined : holder;
  if (heldBy !== undefined && !force && (await isLocal(heldBy, hostname)) && (await isRunning(heldBy))) return { removed: false, heldBy };
  await remove(file);
  if (heldBy !== undefined) await remove(markerOf(file, heldBy));
  return { removed: true, heldBy };
}

/** Whole or not at all: a link to a finished file fails when the name is taken, and nobody ever sees half a record. */
async function create(file: string, record: LockRecord): Promise<boolean> {
  const temporary = `${file}.${record.token}`;
  await writeFile(temporary, JSON.stringify(record), { mode: 0o600, flag: 'w' });
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    // A file system without hard links: exclusive creation is the next best, and half a record reads as unreadable, never as free.
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
 * Puts our record in the place of a dead owner's. Several may try: only who creates the marker named after this very lock may,
 * and only while the lock still is that one (somebody may have replaced it, and gone, between our two looks).
 */
async function replace(file: string, dead: LockRecord, record: LockRecord): Promise<boolean> {
  const marker = markerOf(file, dead);
  if (!(await createPlain(marker, record))) return false;
  try {
    const now = await readLock(file);
    if (now === 'none' || now === 'unreadable' || now.token !== dead.token) return false;
    const temporary = `${file}.${record.token}`;
    await writeFile(temporary, JSON.stringify(record), { mode: 0o600 });
    await rename(temporary, file);
    return true;
  } finally {
    await remove(marker);
  }
}

function markerOf(file: string, dead: LockRecord): string {
  return `${file}.takeover-${dead.token}`;
}

function lockOf(file: string, record: LockRecord, takenFrom: LockRecord | undefined): Lock {
  const isOurs = async (): Promise<boolean> => {
    const holder = await readLock(file);
    return typeof holder !== 'string' && holder.token === record.token;
  };
  const release = async (): Promise<void> => {
    if (await isOurs()) await remove(file);
  };
  return { record, takenFrom, isOurs, release };
}

async function readLock(file: string): Promise<LockRecord | 'none' | 'unreadable'> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 'none';
    throw error;
  }
  const { token, hostname, pid, user, runId, since, started, space } = parseObject(text) ?? {};
  const texts = [token, hostname, user, runId, since, started, space];
  // The token becomes part of a file name.
  if (typeof pid !== 'number' || !texts.every((value) => typeof value === 'string') || !/^[0-9a-f-]+$/.test(token as string)) return 'unreadable';
  return { token, hostname, pid, user, runId, since, started, space } as LockRecord;
}

async function describeSelf(owner: LockOwner, nowMs: number): Promise<LockRecord> {
  return { ...owner, token: randomUUID(), since: new Date(nowMs).toISOString(), started: (await startOf(owner.pid)) ?? '', space: await ownSpace() };
}

/** Whether its process number means anything here. */
async function isLocal(holder: LockRecord, hostname: string): Promise<boolean> {
  return holder.hostname === hostname && holder.space === (await ownSpace());
}

async function isRunning(holder: LockRecord): Promise<boolean> {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false;
  }
  const started = await startOf(holder.pid);
  return started === undefined || holder.started === '' || started === holder.started;
}

/** Boot and start time of a process: numbers are used again, this pair is not. */
async function startOf(pid: number): Promise<string | undefined> {
  const [boot, stat] = await Promise.all([readText('/proc/sys/kernel/random/boot_id'), readText(`/proc/${pid}/stat`)]);
  // The name of the program stands in brackets and may hold spaces; the start time is the twentieth field after it.
  const ticks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return boot === undefined || ticks === undefined ? undefined : `${boot.trim()}:${ticks}`;
}

async function ownSpace(): Promise<string> {
  return readlink('/proc/self/ns/pid').catch(() => '');
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

async function remove(file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
}

/** True for a system error with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as { code?: string }).code ?? '');
}
