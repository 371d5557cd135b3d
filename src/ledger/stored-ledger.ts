// How a ledger is opened, by whom, and how entries get onto stable storage, wherever it is kept.
import type { Clock } from '../model/clock.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { ChainedRow } from '../model/plan/history.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import { MISSING_LEDGER } from '../model/plan/ledger-view.ts';
import type { LedgerEntry, LedgerLine } from './entries.ts';
import { formatLine } from './entries.ts';
import { digestOf, earlierMonths, formatRows, historyEntry, joinRows, parseRows, historyRowOf } from './history.ts';
import type { Ledger } from './ledger.ts';
import { LedgerWriteError } from './ledger.ts';
import type { LedgerText } from './ledger-text.ts';
import { formatLedger, parseLedger } from './ledger-text.ts';
import type { HeldLock, JobEnd, Lock, LockOwner, LockRecord } from './lock.ts';
import { describeHolder, takeLock } from './lock.ts';
import type { LedgerHeader, LedgerState } from './state.ts';
import { createState, entriesOf, replay } from './state.ts';
import type { LedgerStore } from './store.ts';
import { OutrunError, StoreError } from './store.ts';

export interface LedgerPlace {
  readonly store: LedgerStore;
  readonly account: string;
}

export interface OpenOptions extends LedgerPlace {
  readonly clock: Clock;
  readonly owner: LockOwner;
  /** Makes the token of the lock. */
  readonly uuid: () => string;
  /** How long to wait for another run to end. */
  readonly waitMs?: number;
  /** Told once of each run that is waited for. */
  readonly onHeld?: (holder: string) => void;
  /** Ends the waiting. */
  readonly stop?: AbortSignal;
  /**
   * The lock may be taken with the first write, where that saves a journey. Whoever asks for it begins anew, without it,
   * when somebody else was faster ({@link Ledger.isOutrun}).
   */
  readonly withFirstWrite?: boolean;
  /** Asks the forge about the job that holds the lock. Absent: no forge can be asked. */
  readonly jobEnd?: JobEnd;
}

export interface Opened {
  /** undefined when it must not be used; the diagnostics say why. */
  readonly ledger?: Ledger;
  readonly diagnostics: readonly Diagnostic[];
}

type Locked =
  | { readonly lock: Lock; readonly diagnostics: readonly Diagnostic[] }
  | { readonly diagnostics: readonly Diagnostic[] };

const COMPACT_FROM_LINES = 1000;
/**
 * How old the last look at the lock may be for a request that may be sent again. A lock is taken over after minutes.
 */
const LOCK_SEEN_MS = 30_000;
/**
 * What waits is written while the run goes on when it has grown to this much, and to this share of what is there: so
 * also where a write is of the whole ledger, all of them together are a few times what is written in the end.
 */
const WORTH_WRITING = { characters: 64 * 1024, share: 1 / 4 };

/**
 * What the ledger says, without a lock and without writing. A view of a ledger that must not be used comes with an
 * error.
 */
export async function readLedger({
  store,
  account,
}: LedgerPlace): Promise<{ readonly view: LedgerView; readonly diagnostics: readonly Diagnostic[] }> {
  try {
    const bytes = await store.read();
    if (bytes === undefined) return { view: MISSING_LEDGER, diagnostics: [] };
    const content = parseLedger(bytes);
    const objection = objectionTo(content, store.name, account);
    if (objection !== undefined || content.state !== 'read')
      return { view: MISSING_LEDGER, diagnostics: objection === undefined ? [] : [objection] };
    return { view: replay(content.header, content.lines), diagnostics: [] };
  } catch (error) {
    return { view: MISSING_LEDGER, diagnostics: [storeFailure(error, store)] };
  } finally {
    await store.close();
  }
}

/** What a ledger says, with all that it remembers of runs, also of earlier months. */
export async function readHistory(place: LedgerPlace): Promise<{
  readonly view: LedgerView;
  readonly rows: readonly ChainedRow[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { store } = place;
  const { view, diagnostics } = await readLedger(place);
  try {
    const earlier: (readonly ChainedRow[])[] = [];
    for (const month of [...((await store.months?.list()) ?? [])].sort())
      earlier.push(parseRows((await store.months?.read(month)) ?? Buffer.alloc(0)));
    return { view, rows: joinRows(...earlier, view.history ?? []), diagnostics };
  } catch (error) {
    return { view, rows: view.history ?? [], diagnostics: [...diagnostics, storeFailure(error, store)] };
  } finally {
    await store.close();
  }
}

/** Opens the ledger for one run. A missing one begins as `partial` with its first entry: its silence proves nothing. */
export async function openLedger(options: OpenOptions): Promise<Opened> {
  const { store } = options;
  const locked = await lockLedger(options);
  if (!('lock' in locked)) return locked;
  const { lock, diagnostics } = locked;
  try {
    const opened = await openLocked(options, lock);
    const notices = opened.ledger === undefined ? await releaseAndClose(store, lock) : [];
    return { ...opened, diagnostics: [...diagnostics, ...opened.diagnostics, ...notices] };
  } catch (error) {
    const notices = await releaseAndClose(store, lock);
    return { diagnostics: [...diagnostics, storeFailure(error, store), ...notices] };
  }
}

/**
 * Takes the lock of a ledger, or says in a diagnostic who holds it. Whoever gets it gives it back with
 * {@link releaseAndClose}.
 */
export async function lockLedger({
  store,
  clock,
  owner,
  uuid,
  waitMs = 0,
  onHeld,
  stop,
  withFirstWrite = false,
  jobEnd,
}: OpenOptions): Promise<Locked> {
  const waiting = {
    uuid,
    waitMs,
    withFirstWrite,
    ...(onHeld !== undefined && { onHeld: (holder: LockRecord | undefined) => onHeld(describeHolder(holder)) }),
    ...(stop !== undefined && { stop }),
    ...(jobEnd !== undefined && { jobEnd }),
  };
  let taken;
  try {
    taken = await takeLock(store.lock, owner, clock, waiting);
  } catch (error) {
    await store.close();
    return { diagnostics: [storeFailure(error, store)] };
  }
  if ('heldBy' in taken) {
    await store.close();
    return { diagnostics: [diagnose('HW5004', lockedText(taken, waitMs))] };
  }
  if (taken.takenFrom === undefined) return { lock: taken, diagnostics: [] };
  const { takenFrom, endedAtMs, isSuccessor } = taken;
  const { pid, since, runId } = takenFrom;
  if (endedAtMs !== undefined) {
    const ended = `${describeHolder(takenFrom)}, had held it. That job ended at ${new Date(endedAtMs).toISOString()}, as its forge says. What it left in flight is continued.`;
    return { lock: taken, diagnostics: [diagnose('HW5009', ended)] };
  }
  if (isSuccessor === true) {
    const gone = `${describeHolder(takenFrom)}, had held it. This worker has its identity, and so takes its place. What it left in flight is continued.`;
    return { lock: taken, diagnostics: [diagnose('HW5009', gone)] };
  }
  const text = `Process ${pid} (run ${runId}) had held it since ${since} and no longer runs. What it left in flight is continued.`;
  return { lock: taken, diagnostics: [diagnose('HW5009', text)] };
}

/** Releases a lock and closes its store. What was written stands, also where the lock cannot be reached any more. */
export async function releaseAndClose(store: LedgerStore, lock: Lock): Promise<readonly Diagnostic[]> {
  try {
    await lock.release();
    return [];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [
      diagnose(
        'HW5013',
        `${store.name}: ${error.message}. If the next run finds it locked by run ${lock.record.runId}, \`hostwright ledger unlock\` removes the lock.`,
      ),
    ];
  } finally {
    await store.close();
  }
}

/** The diagnostic of a {@link StoreError}: nothing is known, so nothing is done. Throws anything else: our own bugs. */
export function storeFailure(error: unknown, store: Pick<LedgerStore, 'name'>): Diagnostic {
  if (!(error instanceof StoreError)) throw error;
  const { code = 'HW5007', message } = error;
  const why = code === 'HW5007' ? ': a ledger that cannot be reached is not a missing one' : '';
  return diagnose(code, `${store.name}: ${message}. Nothing was sent${why}.`);
}

function lockedText({ heldBy: holder, freeFromMs }: HeldLock, waitMs: number): string {
  const who = holder === undefined ? 'Somebody' : `${describeHolder(holder)}:`;
  const what =
    holder === undefined
      ? 'holds it with a lock that cannot be read.'
      : 'only one run at a time may change the account.';
  const remedy =
    waitMs === 0
      ? 'Wait for it to end, or have this command wait with --lock-timeout.'
      : 'This run waited as long as --lock-timeout says, and gave up.';
  if (freeFromMs !== undefined)
    return `${who} ${what} That job has ended, as its forge says. A run takes the lock over from ${new Date(freeFromMs).toISOString()} on: run it again then, or have it wait with \`--lock-timeout 10m\`.`;
  return `${who} ${what} ${remedy} If it is certain that nothing runs any more, \`hostwright ledger unlock\` removes the lock.`;
}

async function openLocked({ store, account, clock }: OpenOptions, lock: Lock): Promise<Opened> {
  const { name } = store;
  const bytes = await store.read();
  if (bytes === undefined) {
    const aside = await objectionToMissing(store);
    if (aside !== undefined) return { diagnostics: [aside] };
    return {
      ledger: new StoredLedger({
        store,
        lock,
        clock,
        header: { account, standing: 'partial', after: 0 },
        lines: [],
      }),
      diagnostics: [],
    };
  }
  const content = parseLedger(bytes);
  const objection = objectionTo(content, name, account);
  if (content.state === 'damaged') {
    const target = await store.setAside(lock.record);
    return {
      diagnostics: [
        diagnose('HW5001', `In ${name}, ${content.reason}. It was moved to ${target}. ${restoreText(name)}`),
      ],
    };
  }
  if (objection !== undefined || content.state !== 'read')
    return { diagnostics: objection === undefined ? [] : [objection] };
  const { header, lines, wholeBytes, tail, isFormer } = content;
  // The entry of a torn line was never acknowledged, so nothing was sent on the strength of it.
  await store.resume(tail === 'unended' ? bytes.length : wholeBytes, tail === 'unended' ? '\n' : '');
  const diagnostics =
    tail === 'torn'
      ? [
          diagnose(
            'HW5008',
            `The last line of ${name} was cut off by a crash and is left out: nothing was sent on the strength of it.`,
          ),
        ]
      : [];
  return {
    ledger: new StoredLedger({
      store,
      lock,
      clock,
      header,
      lines,
      length: bytes.length,
      ...(isFormer === true && { isFormer }),
    }),
    diagnostics,
  };
}

/** Why a ledger must not be used; undefined when it may. */
export function objectionTo(content: LedgerText, name: string, account: string): Diagnostic | undefined {
  if (content.state === 'damaged') return diagnose('HW5001', `In ${name}, ${content.reason}. ${restoreText(name)}`);
  if (content.state === 'newer')
    return diagnose(
      'HW5003',
      `${name} has the format ${content.format}. Use the version of Hostwright that wrote it, or a newer one.`,
    );
  if (content.state === 'moved')
    return diagnose(
      'HW5017',
      `The ledger in ${name} was moved to ${content.movedTo} at ${content.movedAt}. Nothing was sent. Pull the commit that changes \`ledger\` in hostwright.yaml, or make that change here.`,
    );
  if (content.header.account === account) return undefined;
  return diagnose(
    'HW5002',
    `${name} belongs to account ${content.header.account}, and this workspace is account ${account}. Each account has its own ledger: name another file or ref under \`ledger\` in the workspace file, or correct the account.`,
  );
}

/**
 * Why a missing ledger must not be begun anew: it may be a damaged one that was set aside, and then only a person knows
 * what was in it. Undefined when it may.
 */
export async function objectionToMissing(store: LedgerStore): Promise<Diagnostic | undefined> {
  const aside = await store.lastSetAside();
  if (aside === undefined) return undefined;
  return diagnose('HW5005', `${aside} is a damaged ledger, and no other took its place. ${restoreText(store.name)}`);
}

function restoreText(name: string): string {
  return `Restore a copy to ${name}. Without one, compare the account with the manifests first, then run \`hostwright ledger init\`.`;
}

interface StoredLedgerOptions {
  readonly store: LedgerStore;
  readonly lock: Lock;
  readonly clock: Clock;
  readonly header: LedgerHeader;
  readonly lines: readonly LedgerLine[];
  /** Bytes of the ledger that is there. Absent: there is none yet. */
  readonly length?: number;
  /** It has the former format: the first write converts it. */
  readonly isFormer?: true;
}

/** One ledger, one writer. Entries that arrive while the storage is busy go there together. */
class StoredLedger implements Ledger {
  readonly #store: LedgerStore;
  readonly #header: LedgerHeader;
  readonly #state: LedgerState;
  readonly #lock: Lock;
  readonly #clock: Clock;
  /** There is a ledger to append to. */
  #exists: boolean;
  #lineCount: number;
  #next: number;
  #waiting: string[] = [];
  #waitingLength = 0;
  /** About how long it is on stable storage, in bytes. */
  #length: number;
  /** When the last write began that went well: the lock was ours then. */
  #writtenAtMs = -Infinity;
  #flushing: Promise<void> | undefined;
  #following: Promise<void> | undefined;
  #broken: LedgerWriteError | undefined;
  #hasWritten = false;
  /** The lines of a ledger of the former format, until the first write writes them anew. */
  #converted: readonly LedgerLine[] | undefined;

  constructor({ store, lock, clock, header, lines, length, isFormer }: StoredLedgerOptions) {
    this.#store = store;
    this.#header = header;
    this.#lock = lock;
    this.#clock = clock;
    this.#exists = length !== undefined;
    this.#state = createState(header);
    for (const line of lines) this.#state.add(line);
    this.#lineCount = lines.length;
    if (isFormer === true) this.#converted = lines;
    this.#length = length ?? 0;
    this.#next = header.after + lines.length + 1;
  }

  readonly view = (): LedgerView => this.#state.view();

  readonly append = async (...entries: readonly LedgerEntry[]): Promise<void> => {
    this.#take(entries);
    await this.#flush();
  };

  readonly note = async (...entries: readonly LedgerEntry[]): Promise<void> => {
    this.#take(entries);
    if (this.#store.isSlow !== true) await this.#flush();
    else this.#writeBehind();
  };

  readonly announce = async (...entries: readonly LedgerEntry[]): Promise<void> => {
    this.#take(entries);
    if (this.#store.isSlow !== true || this.#clock.now() - this.#writtenAtMs >= LOCK_SEEN_MS) await this.#flush();
    else this.#writeBehind();
  };

  readonly isOutrun = (): boolean => !this.#hasWritten && this.#broken?.cause instanceof OutrunError;

  #take(entries: readonly LedgerEntry[]): void {
    if (this.#broken !== undefined) throw this.#broken;
    for (const entry of entries) {
      const row = historyRowOf(entry, 'address' in entry ? this.#state.begunAt(entry.address) : undefined);
      this.#add(entry);
      if (row !== undefined) this.#add(historyEntry(row));
    }
  }

  #add(given: LedgerEntry): void {
    const last = given.type === 'history' ? this.#state.lastRow() : undefined;
    const entry = given.type !== 'history' || last === undefined ? given : { ...given, previous: digestOf(last) };
    const line: LedgerLine = { n: this.#next, atMs: this.#clock.now(), entry };
    this.#next += 1;
    this.#lineCount += 1;
    this.#state.add(line);
    const text = formatLine(line);
    this.#waiting.push(text);
    this.#waitingLength += text.length;
  }

  readonly close = async (): Promise<readonly Diagnostic[]> => {
    const diagnostics: Diagnostic[] = [];
    try {
      await (this.#following ?? this.#flushing)?.catch(() => undefined);
      const isLong = this.#lineCount >= COMPACT_FROM_LINES;
      if (this.#broken === undefined && this.#waiting.length > 0) await this.#writeWaiting(!isLong);
      if (this.#broken === undefined && isLong) await this.#compact();
    } catch (error) {
      if (error instanceof LedgerWriteError)
        diagnostics.push(diagnose('HW5006', `${error.message}. What was done is kept. The end of it is not recorded.`));
      else if (!(error instanceof StoreError)) throw error;
      else
        diagnostics.push(
          diagnose('HW5014', `${this.#store.name}: ${error.message}. It is whole, only longer than it need be.`),
        );
    } finally {
      diagnostics.push(...(await releaseAndClose(this.#store, this.#lock)));
    }
    return diagnostics;
  };

  /** Writes what waits when there is enough of it. Nobody waits for that: who writes next is told when it failed. */
  #writeBehind(): void {
    const { characters, share } = WORTH_WRITING;
    if (this.#hasWritten && this.#waitingLength >= Math.max(characters, this.#length * share))
      void this.#flush().catch(() => undefined);
  }

  /** Everything that waits now is written when this resolves: at once, or after the flush that runs. */
  #flush(): Promise<void> {
    if (this.#following !== undefined) return this.#following;
    if (this.#flushing === undefined) return this.#startFlush();
    // One for all that wait: whoever comes while it waits goes along, and none of them is told before it has ended.
    this.#following = this.#flushing.then(() => {
      this.#following = undefined;
      return this.#startFlush();
    });
    return this.#following;
  }

  #startFlush(): Promise<void> {
    this.#flushing = this.#writeWaiting().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #writeWaiting(isLast = false): Promise<void> {
    const text = this.#waiting.join('');
    if (text === '') return;
    this.#waiting = [];
    this.#waitingLength = 0;
    const beganAtMs = this.#clock.now();
    const { record } = this.#lock;
    try {
      if (this.#exists && this.#converted === undefined) await this.#store.append(text, record, isLast);
      else await this.#store.rewrite(formatLedger(this.#header, this.#converted ?? []) + text, record);
      this.#converted = undefined;
      this.#exists = true;
      this.#hasWritten = true;
      this.#length += text.length;
      this.#writtenAtMs = beganAtMs;
    } catch (error) {
      this.#broken = new LedgerWriteError(
        `${this.#store.name}: ${error instanceof Error ? error.message : 'could not be written'}`,
        { cause: error },
      );
      throw this.#broken;
    }
  }

  async #compact(): Promise<void> {
    const after = this.#state.sequence();
    const view = this.#state.view();
    const nowMs = this.#clock.now();
    const { months } = this.#store;
    const earlier = months === undefined ? new Map<string, never>() : earlierMonths(view.history ?? [], nowMs);
    const moved = new Set([...earlier.values()].flat());
    const entries = entriesOf({ ...view, history: (view.history ?? []).filter((row) => !moved.has(row)) });
    if (entries.length * 2 > this.#lineCount) return;
    for (const [month, rows] of earlier) {
      const before = await months?.read(month);
      const all = joinRows(before === undefined ? [] : parseRows(before), rows);
      await months?.write(month, formatRows(all), this.#lock.record);
    }
    const lines = entries.map(({ atMs, entry }, index): LedgerLine => ({
      n: after + index + 1,
      atMs: atMs ?? nowMs,
      entry,
    }));
    await this.#store.rewrite(formatLedger({ ...this.#header, after }, lines), this.#lock.record);
  }
}
