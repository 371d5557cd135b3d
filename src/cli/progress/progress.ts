// Where progress goes: a live display where a person looks on, lines where a log is kept, nothing when asked to be
// quiet. Always stderr.
import type { Clock } from '../../model/clock.ts';
import type { Progress } from './silent.ts';
import type { ProgressState } from './state.ts';
import { advance, heartbeat, lastingLine, liveLines, logLine, NOTHING_YET } from './state.ts';

/** The part of a terminal stream that is needed. */
export interface TerminalStream {
  readonly columns?: number;
  readonly rows?: number;
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressOptions {
  readonly stream: TerminalStream;
  readonly mode: 'live' | 'lines';
  readonly clock: Pick<Clock, 'now'>;
  /** Calls back every so often until the function it returns is called. */
  readonly every: (intervalMs: number, callback: () => void) => () => void;
  /** Takes credentials out of a text. */
  readonly redact: (text: string) => string;
}

const FRAME_MS = 120;
const HEARTBEAT_MS = 60_000;

export async function createProgress(options: ProgressOptions): Promise<Progress> {
  return options.mode === 'live' ? liveProgress(options) : lineProgress(options);
}

/** Real time, which keeps no process alive. */
export function everyInterval(intervalMs: number, callback: () => void): () => void {
  const timer = setInterval(callback, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function liveProgress({ stream, clock, every, redact }: ProgressOptions): Promise<Progress> {
  const { createLogUpdate } = await import('log-update');
  // The cursor stays: hiding it needs a hook on the end of the process, and a killed run would leave a terminal without
  // one.
  const display = createLogUpdate(stream as NodeJS.WriteStream, { showCursor: true });
  let state: ProgressState = NOTHING_YET;
  let shown = false;
  let tick = 0;
  const draw = (): void => {
    const lines = liveLines(state, clock.now(), tick, stream.columns ?? 80);
    if (lines.length === 0) return clear();
    display(redact(lines.join('\n')));
    shown = true;
  };
  const clear = (): void => {
    if (shown) display.clear();
    shown = false;
  };
  const note = (text: string): void => {
    clear();
    stream.write(`${redact(text)}\n`);
  };
  const stopTimer = every(FRAME_MS, () => {
    tick += 1;
    if (shown) draw();
  });
  return {
    emit: (event) => {
      const lasting = lastingLine(state, event);
      state = advance(state, event);
      if (lasting !== undefined) note(lasting);
      draw();
    },
    note,
    pause: () => {
      clear();
      const { reading: _read, ...rest } = state;
      state = rest;
    },
    stop: () => {
      stopTimer();
      clear();
      state = NOTHING_YET;
    },
  };
}

function lineProgress({ stream, clock, every, redact }: ProgressOptions): Progress {
  let state: ProgressState = NOTHING_YET;
  const note = (text: string): void => {
    stream.write(`${redact(text)}\n`);
  };
  // A cause that stands above, of whichever request, is told again after a minute.
  const told = new Set<string>();
  const stopTimer = every(HEARTBEAT_MS, () => {
    told.clear();
    const line = heartbeat(state, clock.now());
    if (line !== undefined) note(line);
  });
  return {
    emit: (event) => {
      const cause = event.type === 'retrying' ? event.text.replace(/^[A-Z]+ \S+ /, '') : undefined;
      const isTold = cause !== undefined && told.has(cause);
      if (cause !== undefined) told.add(cause);
      const line = isTold ? undefined : (lastingLine(state, event) ?? logLine(state, event));
      state = advance(state, event);
      if (line !== undefined) note(line);
    },
    note,
    pause: () => undefined,
    stop: () => {
      stopTimer();
      state = NOTHING_YET;
    },
  };
}
