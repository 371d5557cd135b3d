// Who may write the ledger: whoever put a record where none was. A local owner that died is recognised and replaced.
import { readFile, readlink } from 'node:fs/promises';
import type { Clock } from '../model/clock.ts';
import type { StartedBy } from '../model/plan/started-by.ts';
import { describeStartedBy, isJob, parseStartedBy } from '../model/plan/started-by.ts';
import { hasCode } from './system-error.ts';
import { parseJsonObject } from '../model/json.ts';

/** What the program knows of itself. */
export interface LockOwner {
  /** '' where the storage does not tell. */
  readonly hostname: string;
  readonly pid: number;
  readonly user: string;
  readonly runId: string;
  /** Absent: an older version took the lock. */
  readonly by?: StartedBy;
  /** A name that one living process has at a time, as whoever starts it declares. Absent: nobody did. */
  readonly identity?: string;
}

/** What stands in a lock. */
export interface LockRecord extends LockOwner {
  /** Told apart from any other lock, also of the same process. */
  readonly token: string;
  readonly since: string;
  /** Tells a process from a later one with the same number; '' where the system does not say. */
  readonly started: string;
  /** The namespace of processes that `pid` belongs to; '' where the system does not say. */
  readonly space: string;
}

/** Who holds a lock; `unreadable` when its record cannot be understood. */
export type Holder = LockRecord | 'unreadable';

/** Where the lock of a ledger is kept. Of several who try at once, exactly one succeeds. */
export interface LockStore {
  /** How often it is worth looking while somebody is waited for. */
  readonly pollMs: number;
  /**
   * Puts our record where none is, or says whose is there. `withFirstWrite`: it need not be there before the first
   * write, which a store that can puts it there with, and which is refused when somebody else was faster.
   */
  readonly take: (record: LockRecord, withFirstWrite?: boolean) => Promise<Holder | 'taken'>;
  /** Puts our record in the place of a dead owner's; false when that is no longer there. */
  readonly replace: (dead: LockRecord, record: LockRecord) => Promise<boolean>;
  readonly peek: () => Promise<Holder | 'none'>;
  /** Removes the lock that was seen; another one in its place stays. */
  readonly remove: (seen: Holder) => Promise<void>;
}

export interface Lock {
  readonly record: LockRecord;
  /** The dead owner whose lock this was. */
  readonly takenFrom: LockRecord | undefined;
  /** When the job of that owner ended, as the forge says. */
  readonly endedAtMs?: number;
  /** That owner had the identity of ours. Absent, as is a job: its process was seen to be gone. */
  readonly isSuccessor?: true;
  readonly release: () => Promise<void>;
}

/** A lock that somebody else holds. */
export interface HeldLock {
  /** undefined where the record cannot be understood. */
  readonly heldBy: LockRecord | undefined;
  /** From when on the lock may be taken over, because the job of its owner has ended. */
  readonly freeFromMs?: number;
}

/** When a job ended, as its forge says, in milliseconds. Undefined: it goes on, or nobody can say. */
export type JobEnd = (by: StartedBy) => Promise<number | undefined>;

/** How a lock is waited for. */
export interface LockWait {
  /** Makes the token of the lock. */
  readonly uuid: () => string;
  /** How long to wait for a living owner. */
  readonly waitMs: number;
  /** Told once of each owner that is waited for. */
  readonly onHeld?: (holder: LockRecord | undefined) => void;
  /** Ends the waiting. */
  readonly stop?: AbortSignal;
  /** As for {@link LockStore.take}. */
  readonly withFirstWrite?: boolean;
  /** Asks the forge about the job that holds the lock. Absent: no forge can be asked. */
  readonly jobEnd?: JobEnd;
}

/**
 * A forge calls a job ended when it has lost its runner, too. What was on its way then has arrived by now, or never will.
 */
const JOB_GONE_MS = 5 * 60_000;
/** Somebody who waits for a job asks the forge as often as this. */
const ASK_EVERY_MS = 60_000;

/** Takes the lock, waiting for a living owner as long as it is told to. */
export async function takeLock(
  place: LockStore,
  owner: LockOwner,
  clock: Clock,
  { uuid, waitMs, onHeld, stop, withFirstWrite, jobEnd }: LockWait,
): Promise<Lock | HeldLock> {
  const record = await describeSelf(owner, uuid(), clock.now());
  const deadlineAtMs = clock.now() + waitMs;
  let reported: string | undefined;
  let endedAtMs: number | undefined;
  let askedAtMs = -Infinity;
  for (;;) {
    const holder = await place.take(record, withFirstWrite);
    if (holder === 'taken') return lockOf(place, record, undefined);
    const heldBy = holder === 'unreadable' ? undefined : holder;
    if (
      heldBy !== undefined &&
      (await isLocal(heldBy, owner.hostname)) &&
      !(await isRunning(heldBy)) &&
      (await place.replace(heldBy, record))
    )
      return lockOf(place, record, heldBy);
    if (heldBy !== undefined && (await isPredecessor(heldBy, record)) && (await place.replace(heldBy, record)))
      return { ...lockOf(place, record, heldBy), isSuccessor: true };
    const name = heldBy?.token ?? '';
    if (reported !== name) endedAtMs = undefined;
    if (heldBy?.by !== undefined && endedAtMs === undefined && clock.now() - askedAtMs >= ASK_EVERY_MS) {
      askedAtMs = clock.now();
      endedAtMs = await jobEnd?.(heldBy.by);
    }
    const freeFromMs = endedAtMs === undefined ? undefined : endedAtMs + JOB_GONE_MS;
    if (
      heldBy !== undefined &&
      endedAtMs !== undefined &&
      freeFromMs !== undefined &&
      clock.now() >= freeFromMs &&
      (await place.replace(heldBy, record))
    )
      return { ...lockOf(place, record, heldBy), endedAtMs };
    const leftMs = deadlineAtMs - clock.now();
    if (leftMs <= 0 || stop?.aborted === true) return { heldBy, ...(freeFromMs !== undefined && { freeFromMs }) };
    if (reported !== name) onHeld?.(heldBy);
    reported = name;
    // Woken by the signal: the next round sees it.
    await clock.sleep(Math.min(place.pollMs, leftMs), stop).catch(() => undefined);
  }
}

/** How a lock is removed. */
export interface Unlocking {
  /** True to remove also the lock of a process that runs on this machine. */
  readonly force?: boolean;
  /** Restricts it to the locks of these holders. A lock that cannot be read has none. */
  readonly isMeant?: (holder: LockRecord) => boolean;
  /** Called with the holder before the lock is removed. Absent: nobody is asked. */
  readonly confirm?: (holder: string) => Promise<boolean>;
}

/** Removes a lock. `isDeclined`: `confirm` returned false. */
export async function breakLock(
  place: LockStore,
  hostname: string,
  { force = false, isMeant, confirm }: Unlocking,
): Promise<{ readonly removed: boolean; readonly heldBy: LockRecord | undefined; readonly isDeclined?: true }> {
  const holder = await place.peek();
  const isOther = holder === 'none' || (isMeant !== undefined && (holder === 'unreadable' || !isMeant(holder)));
  if (isOther) return { removed: false, heldBy: undefined };
  const heldBy = holder === 'unreadable' ? undefined : holder;
  if (heldBy !== undefined && !force && (await isLocal(heldBy, hostname)) && (await isRunning(heldBy)))
    return { removed: false, heldBy };
  if (confirm !== undefined && !(await confirm(describeHolder(heldBy))))
    return { removed: false, heldBy: undefined, isDeclined: true };
  // Only this lock: another run may have taken it meanwhile.
  await place.remove(holder);
  return { removed: true, heldBy };
}

/**
 * How a lock stands that somebody looks at: `dead` is one whose process no longer runs on this machine, and which the
 * next run takes over.
 */
export type LockState =
  | { readonly is: 'free' }
  | { readonly is: 'unreadable' }
  | { readonly is: 'running' | 'dead' | 'elsewhere'; readonly holder: LockRecord };

/** Looks at a lock and leaves it alone. */
export async function lookAtLock(place: LockStore, hostname: string): Promise<LockState> {
  const holder = await place.peek();
  if (holder === 'none') return { is: 'free' };
  if (holder === 'unreadable') return { is: 'unreadable' };
  if (!(await isLocal(holder, hostname))) return { is: 'elsewhere', holder };
  return { is: (await isRunning(holder)) ? 'running' : 'dead', holder };
}

/** The record in a text. */
export function parseLock(text: string): Holder {
  const { token, hostname, pid, user, runId, since, started, space, by, identity } = parseJsonObject(text) ?? {};
  const startedBy = parseStartedBy(by);
  const texts = [token, hostname, user, runId, since, started, space];
  // The token becomes part of a file name.
  if (
    typeof pid !== 'number' ||
    !texts.every((value) => typeof value === 'string') ||
    !/^[\w-]+$/.test(token as string)
  )
    return 'unreadable';
  return {
    ...({ token, hostname, pid, user, runId, since, started, space } as LockRecord),
    ...(startedBy !== undefined && { by: startedBy }),
    ...(typeof identity === 'string' && { identity }),
  };
}

/** Who holds it, since when, in words. */
export function describeHolder(holder: LockRecord | undefined): string {
  if (holder === undefined) return 'somebody, with a lock that cannot be read';
  const { user, hostname, pid, runId, since, by, identity } = holder;
  const name = identity === undefined ? '' : `worker ${identity}, `;
  const process = `${name}${user}${hostname === '' ? '' : ` on ${hostname}, process ${pid}`}`;
  const who = by === undefined || !isJob(by) ? process : describeStartedBy(by);
  return `${who}${runId === '' ? '' : `, run ${runId}`}, since ${since}`;
}

/** The same of a record in a text. */
export function describeLock(text: string): string {
  const holder = parseLock(text);
  return describeHolder(holder === 'unreadable' ? undefined : holder);
}

function lockOf(place: LockStore, record: LockRecord, takenFrom: LockRecord | undefined): Lock {
  return { record, takenFrom, release: () => place.remove(record) };
}

async function describeSelf(owner: LockOwner, token: string, nowMs: number): Promise<LockRecord> {
  return {
    ...owner,
    token,
    since: new Date(nowMs).toISOString(),
    started: (await startOf(owner.pid)) ?? '',
    space: await ownSpace(),
  };
}

/**
 * Whether the holder made way for us: nobody starts a process with an identity while another one has it. Of a process of
 * this machine that is looked at and not believed.
 */
async function isPredecessor(holder: LockRecord, { identity, hostname }: LockRecord): Promise<boolean> {
  return identity !== undefined && holder.identity === identity && !(await isLocal(holder, hostname));
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
function startOf(pid: number): Promise<string | undefined> {
  return pid === process.pid ? (ownStart ??= readStart(pid)) : readStart(pid);
}

/** These two stay as they are for as long as this process lives, and some of them open thousands of ledgers. */
let ownStart: Promise<string | undefined> | undefined;
let space: Promise<string> | undefined;

async function readStart(pid: number): Promise<string | undefined> {
  const [boot, stat] = await Promise.all([readText('/proc/sys/kernel/random/boot_id'), readText(`/proc/${pid}/stat`)]);
  // The name of the program stands in brackets and may hold spaces; the start time is the twentieth field after it.
  const ticks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return boot === undefined || ticks === undefined ? undefined : `${boot.trim()}:${ticks}`;
}

function ownSpace(): Promise<string> {
  return (space ??= readlink('/proc/self/ns/pid').catch(() => ''));
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
