// Decides how a ledger in a file is opened, by whom, and how entries get onto stable storage: append, fsync, then go on.
// Must not let two processes write, nor go on after a write that failed.
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../model/clock.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LedgerView } from '../../model/ledger-view.ts';
import { MISSING_LEDGER } from '../../model/ledger-view.ts';
import { diagnose } from '../diagnostics.ts';
import type { LedgerEntry, LedgerLine } from './entries.ts';
import { formatLine } from './entries.ts';
import type { Ledger } from './ledger.ts';
import { LedgerWriteError } from './ledger.ts';
import type { LedgerContent, LedgerFile } from './ledger-file.ts';
import { listSetAside, makeFolder, readLedgerFile, setAside, writeLedgerFile } from './ledger-file.ts';
import type { Lock, LockOwner, LockRecord } from './lock.ts';
import { takeLock } from './lock.ts';
import type { LedgerHeader, LedgerState } from './state.ts';
import { createState, entriesOf, replay } from './state.ts';

export interface LedgerPlace {
  readonly file: string;
  readonly account: string;
}

export interface OpenOptions extends LedgerPlace {
  readonly clock: Clock;
  readonly owner: LockOwner;
  /** How long to wait for another run to end. */
  readonly waitMs?: number;
}

export interface Opened {
  /** undefined when it must not be used; the diagnostics say why. */
  readonly ledger?: Ledger;
  readonly diagnostics: readonly Diagnostic[];
}

const COMPACT_FROM_LINES = 1000;

/** What the ledger says, without a lock and without writing. A view of a ledger that must not be used comes with an error. */
export async function readLedger({ file, account }: LedgerPlace): Promise<{ readonly view: LedgerView; readonly diagnostics: readonly Diagnostic[] }> {
  const content = await readLedgerFile(file);
  if (content.state === 'missing') return { view: MISSING_LEDGER, diagnostics: [] };
  const objection = objectionTo(content, file, account);
  if (objection !== undefined) return { view: MISSING_LEDGER, diagnostics: [objection] };
  const { header, lines } = content as LedgerContent;
  return { view: replay(header, lines), diagnostics: [] };
}

/** Opens the ledger for one run. A missing one begins as `partial` with its first entry: its silence proves nothing. */
export async function openLedger(options: OpenOptions): Promise<Opened> {
  const locked = await lockLedger(options);
  if (!('lock' in locked)) return locked;
  const { lock, diagnostics } = locked;
  const opened = await openLocked(options, lock).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  if (opened.ledger === undefined) await lock.release();
  return { ...opened, diagnostics: [...diagnostics, ...opened.diagnostics] };
}

/** The lock beside a ledger, or who holds it. */
export async function lockLedger({ file, clock, owner, waitMs = 0 }: OpenOptions): Promise<{ readonly lock: Lock; readonly diagnostics: readonly Diagnostic[] } | { readonly diagnostics: readonly Diagnostic[] }> {
  await makeFolder(dirname(file));
  const taken = await takeLock(lockFileOf(file), owner, clock, waitMs);
  if ('heldBy' in taken) return { diagnostics: [diagnose('HW5004', lockedText(taken.heldBy))] };
  if (taken.takenFrom === undefined) return { lock: taken, diagnostics: [] };
  const { pid, since, runId } = taken.takenFrom;
  const text = `Process ${pid} (run ${runId}) had held it since ${since} and no longer runs. What it left in flight is continued.`;
  return { lock: taken, diagnostics: [diagnose('HW5009', text, undefined, 'warning')] };
}

export function lockFileOf(file: string): string {
  return `${file}.lock`;
}

function lockedText(holder: LockRecord | undefined): string {
  const who = holder === undefined ? 'Somebody' : `${holder.user} on ${holder.hostname}, process ${holder.pid}, run ${holder.runId}, since ${holder.since}:`;
  const what = holder === undefined ? 'holds it with a lock that cannot be read.' : 'only one run at a time may change the account.';
  return `${who} ${what} Wait for it to end. If it is certain that nothing runs any more, \`hostwright ledger unlock\` removes the lock.`;
}

async function openLocked({ file, account, clock }: OpenOptions, lock: Lock): Promise<Opened> {
  const content = await readLedgerFile(file);
  if (content.state === 'missing') {
    const aside = (await listSetAside(file)).at(-1);
    if (aside !== undefined) return { diagnostics: [diagnose('HW5005', `${aside} is a damaged ledger, and no other took its place. ${restoreText(file)}`)] };
    const header: LedgerHeader = { account, standing: 'partial', after: 0 };
    return { ledger: new FileLedger(file, header, [], undefined, lock, clock), diagnostics: [] };
  }
  const objection = objectionTo(content, file, account);
  if (objection !== undefined) {
    if (content.state !== 'damaged') return { diagnostics: [objection] };
    const target = await setAside(file);
    return { diagnostics: [diagnose('HW5001', `In ${file}, ${content.because}. It was moved to ${target}. ${restoreText(file)}`)] };
  }
  const { header, lines, wholeBytes, tail } = content as LedgerContent;
  const handle = await open(file, 'a');
  // The entry of a torn line was never acknowledged, so nothing was sent on the strength of it.
  if (tail === 'torn') await handle.truncate(wholeBytes);
  if (tail === 'unended') await handle.appendFile('\n');
  if (tail !== 'none') await handle.sync();
  const diagnostics = tail === 'torn' ? [diagnose('HW5008', `The last line of ${file} was cut off by a crash and is left out: nothing was sent on the strength of it.`, undefined, 'info')] : [];
  return { ledger: new FileLedger(file, header, lines, handle, lock, clock), diagnostics };
}

/** Why a ledger must not be used; undefined when it may. */
export function objectionTo(content: Exclude<LedgerFile, { state: 'missing' }>, file: string, account: string): Diagnostic | undefined {
  if (content.state === 'damaged') return diagnose('HW5001', `In ${file}, ${content.because}. ${restoreText(file)}`);
  if (content.state === 'newer') return diagnose('HW5003', `${file} has the format ${content.format}. Use the version of Hostwright that wrote it, or a newer one.`);
  if (content.header.account === account) return undefined;
  return diagnose('HW5002', `${file} belongs to account ${content.header.account}, and this workspace is account ${account}. Each account has its own ledger: name another file, or correct the account.`);
}

function restoreText(file: string): string {
  return `Restore a copy to ${file}. Without one, compare the account with the manifests first, then run \`hostwright ledger init\`.`;
}

/** One file, one writer. Entries that arrive while the disk is busy share the next fsync. */
class FileLedger implements Ledger {
  readonly #file: string;
  readonly #header: LedgerHeader;
  readonly #state: LedgerState;
  readonly #lock: Lock;
  readonly #clock: Clock;
  #handle: FileHandle | undefined;
  #lineCount: number;
  #next: number;
  #waiting: string[] = [];
  #flushing: Promise<void> | undefined;
  #broken: LedgerWriteError | undefined;

  constructor(file: string, header: LedgerHeader, lines: readonly LedgerLine[], handle: FileHandle | undefined, lock: Lock, clock: Clock) {
    this.#file = file;
    this.#header = header;
    this.#handle = handle;
    this.#lock = lock;
    this.#clock = clock;
    this.#state = createState(header);
    for (const line of lines) this.#state.add(line);
    this.#lineCount = lines.length;
    this.#next = header.after + lines.length + 1;
  }

  readonly view = (): LedgerView => this.#state.view();

  readonly append = async (...entries: readonly LedgerEntry[]): Promise<void> => {
    if (this.#broken !== undefined) throw this.#broken;
    for (const entry of entries) {
      const line: LedgerLine = { n: this.#next, atMs: this.#clock.now(), entry };
      this.#next += 1;
      this.#lineCount += 1;
      this.#state.add(line);
      this.#waiting.push(formatLine(line));
    }
    await this.#flush();
  };

  readonly close = async (): Promise<void> => {
    try {
      await this.#flushing?.catch(() => undefined);
      await this.#handle?.close();
      this.#handle = undefined;
      if (this.#broken === undefined && this.#lineCount >= COMPACT_FROM_LINES) await this.#compact();
    } finally {
      await this.#lock.release();
    }
  };

  /** Everything that waits now is written when this resolves: by the flush that runs, or the one after it. */
  async #flush(): Promise<void> {
    while (this.#flushing !== undefined) {
      await this.#flushing;
      if (this.#waiting.length === 0) return;
    }
    this.#flushing = this.#writeWaiting().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  async #writeWaiting(): Promise<void> {
    const text = this.#waiting.join('');
    this.#waiting = [];
    try {
      // Somebody may have removed the lock by hand; two writers would tell two stories.
      if (!(await this.#lock.isOurs())) throw new Error('its lock was removed while this run went on');
      this.#handle ??= await this.#begin();
      await this.#handle.appendFile(text);
      await this.#handle.datasync();
    } catch (error) {
      this.#broken = new LedgerWriteError(`${this.#file}: ${error instanceof Error ? error.message : 'could not be written'}`, { cause: error });
      throw this.#broken;
    }
  }

  async #begin(): Promise<FileHandle> {
    await writeLedgerFile(this.#file, this.#header, []);
    return open(this.#file, 'a');
  }

  async #compact(): Promise<void> {
    const after = this.#state.sequence();
    const entries = entriesOf(this.#state.view());
    if (entries.length * 2 > this.#lineCount) return;
    const nowMs = this.#clock.now();
    const lines = entries.map(({ atMs, entry }, index): LedgerLine => ({ n: after + index + 1, atMs: atMs ?? nowMs, entry }));
    await writeLedgerFile(this.#file, { ...this.#header, after }, lines);
  }
}
